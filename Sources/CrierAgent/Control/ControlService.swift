import CrierNotifications
import CrierProcess
import Foundation
import HummingbirdCore
import NIOCore
import NIOPosix
import ServiceLifecycle

/// Answers other commands at the agent's socket. A place where none can be is no reason not to fetch.
///
/// The folder of sockets may be removed while the agent works, as at the end of the user's last session. Then another is made
/// there. Who was being answered at the old one is answered to the end.
struct ControlService: Service {
    private typealias Beginning = Result<ListeningSocket, any Error>

    /// Whoever removes or makes a folder may not have come to the end of it.
    private static let patience = Duration.seconds(1)

    let path: String
    let control: AgentControl

    private var desk: AgentDesk { control.desk }

    func run() async throws {
        await withDiscardingTaskGroup { servers in
            await withDiscardingTaskGroup { watch in
                watch.addTask { await self.watch() }
                await listen(with: &servers)
                watch.cancelAll()
            }
        }
    }

    /// Until the agent is about to end; those who are being answered then are answered by the group.
    private func listen(with servers: inout DiscardingTaskGroup) async {
        var socket: ListeningSocket?
        var told: String?
        repeat {
            if socket?.isInPlace == true { continue }
            if told != nil, let other = await otherAgent() {
                told = tell("another agent has its socket (process \(other))", told: told)
                continue
            }
            // With what is at its path: what another is given there comes behind.
            await socket?.close()
            socket = nil
            let (beginnings, beginning) = AsyncStream.makeStream(of: Beginning.self)
            servers.addTask { await serve(beginning) }
            for await beginning in beginnings {
                switch beginning {
                case .success(let listening):
                    socket = listening
                    told = tell(nil, told: told)
                case .failure(let error): told = tell(AnswerService.cause(of: error), told: told)
                }
                break
            }
        } while await isToLookAgain()
    }

    /// Returns false when the agent is about to end. The library's own way to wait until then begins a task that leaves the lane
    /// whenever something else ends the wait.
    private func isToLookAgain() async -> Bool {
        let bell = desk.socketBell
        await withGracefulShutdownHandler {
            await bell.wait()
        } onGracefulShutdown: {
            bell.ring()
        }
        _ = bell.take()
        return !Task.isShuttingDownGracefully && !Task.isCancelled
    }

    private func watch() async {
        for await _ in WorldEvents.changes(of: path, for: .place) {
            await QuietTimer.wait(for: Self.patience)
            desk.socketBell.ring()
        }
    }

    /// The process of one that has taken the place meanwhile, and works with another state.
    private func otherAgent() async -> Int32? {
        guard let other = await AgentClient.description(socket: path)?.process, other != getpid() else { return nil }
        return other
    }

    /// Until it is closed, or the agent ends.
    private func serve(_ beginning: AsyncStream<Beginning>.Continuation) async {
        let server = AnswerService(address: .unixDomainSocket(path: path), router: control.router()) { [path] in
            chmod(path, 0o600)
            beginning.yield(.success(ListeningSocket(channel: $0, path: path)))
        }
        do {
            try makeFolder()
            try await server.run()
        } catch is CancellationError {} catch {
            beginning.yield(.failure(error))
        }
        beginning.finish()
    }

    /// Says what has changed.
    ///
    /// - Parameters:
    ///   - cause: Why nobody can ask; nil where everybody can.
    ///   - told: What was said last.
    private func tell(_ cause: String?, told: String?) -> String {
        var words = told == nil ? "ready" : "other commands reach the agent now"
        if let cause { words = "other commands cannot reach the agent: \(cause)" }
        if told == nil { desk.manager?.send(.ready) }
        if cause == nil || words != told {
            desk.logger.log(level: cause == nil ? .info : .warning, "\(words)", metadata: ["socket": "\(path)"])
        }
        return words
    }

    /// Nobody else may look into it: the socket is there before its mode is set.
    private func makeFolder() throws(IOError) {
        let folder = PathText.folder(of: path)
        var code = FolderMaking.make(folder)
        if code == 0, chmod(folder, 0o700) != 0 { code = errno }
        if code != 0 { throw IOError(errnoCode: code, reason: folder) }
    }
}

/// A socket that a server listens at, and the place that it was given.
private struct ListeningSocket: Sendable {
    let channel: any Channel
    let path: String
    /// While it is open, no other file has this number.
    private let identity: FileIdentity?

    init(channel: any Channel, path: String) {
        self.channel = channel
        self.path = path
        identity = FileIdentity(path)
    }

    /// Whether its path still leads to it.
    var isInPlace: Bool { identity != nil && FileIdentity(path) == identity }

    /// Nobody new reaches it. What is at its path goes, too.
    func close() async {
        try? await channel.close().get()
    }
}

extension AnswerService {
    /// Why an address cannot be had, in words.
    static func cause(of error: any Error) -> String {
        switch error {
        case let error as IOError: String(cString: strerror(error.errnoCode))
        case SocketAddressError.unixDomainSocketPathTooLong: "the path is too long for a socket"
        case is UnixDomainSocketPathWrongType: "what is there is no socket"
        default: error.localizedDescription
        }
    }
}
