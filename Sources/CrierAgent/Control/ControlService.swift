import Foundation
import NIOCore
import NIOPosix
import ServiceLifecycle

/// Answers other commands at the agent's socket. A place where none can be is no reason not to fetch.
struct ControlService: Service {
    let path: String
    let server: AnswerService
    let desk: AgentDesk

    func run() async throws {
        do {
            try makeFolder()
            try await server.run()
        } catch is CancellationError {} catch {
            desk.logger.warning(
                "other commands cannot reach the agent: \(AnswerService.cause(of: error))",
                metadata: ["socket": "\(path)"])
            desk.manager?.send(.ready)
            try? await gracefulShutdown()
        }
    }

    /// Nobody else may look into it: the socket is there before its mode is set.
    private func makeFolder() throws(IOError) {
        let folder = (path as NSString).deletingLastPathComponent
        try? FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        guard chmod(folder, 0o700) == 0 else { throw IOError(errnoCode: errno, reason: folder) }
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
