import CrierHTTP
import CrierNotifications
import CrierProcess
import Foundation
import Hummingbird
import HummingbirdCore
import NIOCore
import NIOPosix
import ServiceLifecycle

/// Answers requests at one address.
///
/// Hummingbird's `Application` does so too, and wakes up once a second to keep the date of its answers, even if nobody asks.
struct AnswerService {
    /// One thread is enough for whoever asks on this machine, and for asking.
    static let eventLoops = MultiThreadedEventLoopGroup(numberOfThreads: 1)

    /// Who asks nothing for so long is hung up on; who is being answered is not.
    private static let silence = TimeAmount.seconds(10)
    /// How many may be connected at once: descriptors must be left for what is fetched.
    ///
    /// - Parameter files: How many may be open.
    static func mostConnections(files: UInt64) -> Int { Int(min(64, max(4, files / 8))) }

    private let address: BindAddress
    private let responder: RouterResponder<BasicRequestContext>

    init(address: BindAddress, router: Router<BasicRequestContext>) {
        self.address = address
        responder = router.buildResponder()
    }

    /// Returns when it can be asked. Whoever asks is answered by the group, until the server is ended or the agent ends.
    ///
    /// - Throws: Where the address cannot be had.
    func listen(in group: inout DiscardingTaskGroup) async throws -> ListeningServer {
        let files = UInt64(ResourceLimit.openFiles.value?.rlim_cur ?? 0)
        let (beginnings, beginning) = AsyncThrowingStream.makeStream(of: (any Channel).self)
        let server = Server(
            childChannelSetup: HTTP1Channel(
                responder: { [responder] request, writer, channel in
                    let source = ApplicationRequestContextSource(channel: channel, logger: Agent.quiet)
                    var response: Response
                    do {
                        let context = BasicRequestContext(source: source)
                        response = try await responder.respond(to: request, context: context)
                    } catch {
                        response = Response(status: .internalServerError)
                    }
                    response.headers[.server] = "crier"
                    response.headers[.date] = HTTPDate.text(Date())
                    try await writer.write(response: response.head, body: response.body)
                }, configuration: .init(idleTimeout: Self.silence)),
            configuration: ServerConfiguration(
                address: address,
                availableConnectionsDelegate: MaximumAvailableConnections(
                    Self.mostConnections(files: files), logger: Agent.quiet)),
            onServerRunning: { beginning.yield($0) }, eventLoopGroup: Self.eventLoops, logger: Agent.quiet)
        group.addTask {
            do {
                try await server.run()
                beginning.finish()
            } catch {
                beginning.finish(throwing: error)
            }
        }
        for try await channel in beginnings { return ListeningServer(server: server, channel: channel) }
        throw CancellationError()
    }
}

/// What answers at an address.
struct ListeningServer: Sendable {
    fileprivate let server: Server<HTTP1Channel>
    fileprivate let channel: any Channel

    /// Returns when nobody new reaches it; what was at the path of a socket is gone then. Whoever has asked is answered to the
    /// end, whoever has not is hung up on.
    func end(in group: inout DiscardingTaskGroup) async {
        // Where its channel is closed or its task is cancelled instead, a connection made at that moment ends the process.
        group.addTask { [server] in try? await server.shutdownGracefully() }
        try? await channel.closeFuture.get()
    }
}

extension Bell {
    /// Waits for it, and takes it. Returns false when the agent is about to end. The library's own way to wait until then
    /// begins a task that leaves the lane whenever something else ends the wait.
    func isTakenBeforeEnd() async -> Bool {
        await withGracefulShutdownHandler {
            await wait()
        } onGracefulShutdown: {
            self.ring()
        }
        _ = take()
        return !Task.isShuttingDownGracefully && !Task.isCancelled
    }
}
