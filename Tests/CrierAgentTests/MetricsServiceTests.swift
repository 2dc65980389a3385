import CrierProcess
import CrierStore
import CrierTesting
import Foundation
import ServiceLifecycle
import Testing

@testable import CrierAgent

@Suite(.timeLimit(.minutes(5))) struct MetricsServiceTests {
    @Test func aPortThatWasTakenIsTriedAgainAfterAMinute() async throws {
        let (clock, other) = (ManualClock(), try await ScriptedOrigin())
        let group = try service(at: other.port, clock)
        async let running: Void = group.run()
        for _ in 1...2 {
            await clock.waitForSleepers(until: clock.now.addingTimeInterval(60))
            clock.advance(by: 60)
        }
        await clock.waitForSleepers(until: clock.now.addingTimeInterval(60))
        await other.stop()
        // A program that another test is about to start may hold the port for a moment still.
        while !isServed(at: other.port), !Task.isCancelled {
            clock.advance(by: 60)
            await Task.yield()
        }
        #expect(clock.deadlines.isEmpty, "one that is had is not tried again")
        await group.triggerGracefulShutdown()
        try await running
    }

    /// It ends also while it rests.
    @Test func aPortThatIsTakenKeepsNobodyFromEnding() async throws {
        let (clock, other) = (ManualClock(), try await ScriptedOrigin())
        let group = try service(at: other.port, clock)
        async let running: Void = group.run()
        await clock.waitForSleepers()
        await group.triggerGracefulShutdown()
        try await running
        await other.stop()
    }

    private func service(at port: Int, _ clock: ManualClock) throws -> ServiceGroup {
        let desk = AgentDesk(
            file: ConfigurationFile(path: "/no/crier.yaml"), text: AgentDesk.Text(bytes: [], hasMistakes: false),
            configuration: try configuration("metrics-port: \(port)\n"), store: try Store.inMemory(),
            surroundings: Surroundings(clock: clock, environment: [:], logger: Agent.quiet))
        return ServiceGroup(services: [MetricsService(desk: desk)], logger: Agent.quiet)
    }

    /// Whether what answers there has metrics.
    private func isServed(at port: Int) -> Bool {
        let caller = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        defer { close(caller) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        address.sin_port = UInt16(port).bigEndian
        let status = withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(caller, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        let question = Array("GET /metrics HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".utf8)
        guard status == 0, send(caller, question, question.count, Int32(MSG_NOSIGNAL)) == question.count else {
            return false
        }
        var (bytes, buffer) = ([UInt8](), [UInt8](repeating: 0, count: 4096))
        while case let count = recv(caller, &buffer, buffer.count, 0), count > 0 { bytes += buffer.prefix(count) }
        return String(decoding: bytes, as: UTF8.self).contains("crier_sources")
    }
}
