import CrierHTTP
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
struct AnswerService: Service {
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
    private let listens: @Sendable (any Channel) -> Void

    /// - Parameter listens: Called when it can be asked, with what listens. Whoever closes that has nobody new asked, and
    ///   ``run()`` return when all who have asked were answered.
    init(
        address: BindAddress, router: Router<BasicRequestContext>,
        listens: @escaping @Sendable (any Channel) -> Void
    ) {
        self.address = address
        responder = router.buildResponder()
        self.listens = listens
    }

    /// - Throws: Where the address cannot be had.
    func run() async throws {
        let files = UInt64(ResourceLimit.openFiles.value?.rlim_cur ?? 0)
        let server = try HTTPServerBuilder.http1(configuration: .init(idleTimeout: Self.silence)).buildServer(
            configuration: ServerConfiguration(
                address: address,
                availableConnectionsDelegate: MaximumAvailableConnections(
                    Self.mostConnections(files: files), logger: Agent.quiet)),
            eventLoopGroup: Self.eventLoops, logger: Agent.quiet,
            responder: { [responder] request, writer, channel in
                let source = ApplicationRequestContextSource(channel: channel, logger: Agent.quiet)
                var response: Response
                do {
                    response = try await responder.respond(to: request, context: BasicRequestContext(source: source))
                } catch {
                    response = Response(status: .internalServerError)
                }
                response.headers[.server] = "crier"
                response.headers[.date] = HTTPDate.text(Date())
                try await writer.write(response: response.head, body: response.body)
            }, onServerRunning: { [listens] in listens($0) })
        try await server.run()
    }
}
