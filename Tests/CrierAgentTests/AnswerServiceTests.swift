import CrierProcess
import CrierStore
import CrierTesting
import Foundation
import Testing

@testable import CrierAgent

@Suite(.timeLimit(.minutes(5))) struct AnswerServiceTests {
    @Test(arguments: [(0, 4), (32, 4), (64, 8), (256, 32), (1024, 64), (UInt64.max, 64)])
    func howManyMayBeConnectedLeavesFilesForWhatIsFetched(files: UInt64, connections: Int) {
        #expect(AnswerService.mostConnections(files: files) == connections)
    }

    #if os(Linux)
        /// One that has just been accepted has yet to be made ready then.
        @Test func whoConnectsAsAServerEndsIsAnsweredOrHungUpOn() async throws {
            let folder = try TemporaryFolder()
            let path = folder.file("socket")
            let desk = AgentDesk(
                file: ConfigurationFile(path: folder.file("crier.yaml")),
                text: AgentDesk.Text(bytes: [], hasMistakes: false), configuration: try configuration(""),
                store: try Store.inMemory(), surroundings: Surroundings(environment: [:], logger: Agent.quiet))
            let router = AgentControl(desk: desk, state: "").router()
            for _ in 0..<100 {
                let callers = await withDiscardingTaskGroup { servers in
                    let service = AnswerService(address: .unixDomainSocket(path: path), router: router)
                    guard let server = try? await service.listen(in: &servers) else { return [Int32]() }
                    async let callers = Self.callers(at: path)
                    await server.end(in: &servers)
                    return await callers
                }
                for caller in callers {
                    var buffer = [UInt8](repeating: 0, count: 4096)
                    var count = 0
                    repeat { count = recv(caller, &buffer, buffer.count, 0) } while count > 0
                    #expect(count == 0 || errno == ECONNRESET)
                    close(caller)
                }
                #expect(access(path, F_OK) != 0, "nobody new comes in")
            }
        }

        /// As many as come through, each with its question.
        private static func callers(at path: String) async -> [Int32] {
            guard let address = LocalAddress(Array(path.utf8)) else { return [] }
            let question = Array("GET /v1/agent HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8)
            var limit = timeval(tv_sec: 60, tv_usec: 0)
            return (0..<20).compactMap { _ in
                let caller = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
                guard address.pass(to: { connect(caller, $0, $1) }) == 0 else {
                    close(caller)
                    return nil
                }
                setsockopt(caller, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
                _ = send(caller, question, question.count, Int32(MSG_NOSIGNAL))
                return caller
            }
        }
    #endif
}
