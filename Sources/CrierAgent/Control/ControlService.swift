import CrierNotifications
import CrierProcess
import CrierStore
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
    /// Whoever removes or makes a folder may not have come to the end of it.
    private static let patience = Duration.seconds(1)

    let path: String
    let control: AgentControl

    private var desk: AgentDesk { control.desk }

    func run() async throws {
        // From before the first look, so that nothing happens unseen between the two.
        let changes = WorldEvents.changes(of: path, for: .place)
        await withDiscardingTaskGroup { servers in
            await withDiscardingTaskGroup { watch in
                watch.addTask { await self.watch(changes) }
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
            if isAnotherUsers {
                told = tell("another user's agent has its socket", told: told)
                continue
            }
            // With what is at its path: what another is given there comes behind.
            await socket?.server.end(in: &servers)
            socket = nil
            do {
                socket = try await makeSocket(in: &servers)
                told = tell(nil, told: told)
            } catch is CancellationError {} catch {
                told = tell(Self.owner(of: path, after: error) ?? AnswerService.cause(of: error), told: told)
            }
        } while await desk.socketBell.isTakenBeforeEnd()
    }

    private func watch(_ changes: AsyncStream<Void>) async {
        for await _ in changes {
            await QuietTimer.wait(for: Self.patience)
            desk.socketBell.ring()
        }
    }

    /// The process of one that has taken the place meanwhile, and works with another state.
    private func otherAgent() async -> Int32? {
        guard let other = await AgentClient.description(socket: path)?.process, other != getpid() else { return nil }
        return other
    }

    /// Whether another user listens there, as where the superuser's shell has kept the variables of a user: each would take the place
    /// from the other without end. So it is taken of a socket that this user may not connect to.
    private var isAnotherUsers: Bool {
        #if os(Linux)
            guard let connection = LocalAddress(Array(path.utf8))?.connection() else { return false }
            guard connection >= 0 else {
                var status = stat()
                return connection == -EACCES && lstat(path, &status) == 0 && status.st_uid != geteuid() && isBound
            }
            defer { close(connection) }
            return SocketPeer.of(connection).map { $0.user != geteuid() } ?? false
        #else
            return false
        #endif
    }

    /// Whether some process has it still, as far as the kernel tells, by whatever path: one that was killed leaves it behind. One in a
    /// network of its own, as of a container, is not told of.
    private var isBound: Bool {
        guard let table = FileManager.default.contents(atPath: "/proc/net/unix") else { return false }
        let (own, name) = (SymbolicLinks.resolved(path), PathText.split(path).name)
        return table.split(separator: UInt8(ascii: "\n")).contains { line in
            guard let start = line.firstIndex(of: UInt8(ascii: "/")) else { return false }
            let bound = String(decoding: line[start...], as: UTF8.self)
            return bound.hasSuffix("/\(name)") && SymbolicLinks.resolved(bound) == own
        }
    }

    private func makeSocket(in servers: inout DiscardingTaskGroup) async throws -> ListeningSocket {
        let folder = try SocketFolder(PathText.folder(of: path))
        let service = AnswerService(address: .unixDomainSocket(path: path), router: control.router())
        let server = try await service.listen(in: &servers)
        folder.give(PathText.split(path).name, ofState: desk.store.path)
        return ListeningSocket(server: server, path: path)
    }

    /// Nil where the folder is the user's, or is not what keeps the socket from being made.
    private static func owner(of path: String, after error: any Error) -> String? {
        guard let code = (error as? IOError)?.errnoCode, [EACCES, EPERM].contains(code) else { return nil }
        return ForeignState.owner(of: path).map { "its folder belongs to \($0.name); `\($0.remedy)` makes it yours" }
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
}

/// A socket that a server listens at, and the place that it was given.
private struct ListeningSocket: Sendable {
    let server: ListeningServer
    let path: String
    /// While it is open, no other file has this number.
    private let identity: FileIdentity?

    init(server: ListeningServer, path: String) {
        self.server = server
        self.path = path
        identity = FileIdentity(path)
    }

    /// Whether its path still leads to it.
    var isInPlace: Bool { identity != nil && FileIdentity(path) == identity }
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
