import CrierHTTP
import CrierNotifications
import Foundation
import Hummingbird
import Logging
import ServiceLifecycle

/// Answers `GET /metrics` at a port of this machine alone, while the configuration names one.
struct MetricsService: Service {
    /// After which a port that could not be had is tried again, in seconds.
    private static let rest: TimeInterval = 60

    let desk: AgentDesk

    func run() async throws {
        await withDiscardingTaskGroup { servers in
            var served: (port: Int, server: ListeningServer)?
            var isRetry = false
            while true {
                let port = await desk.metricsPort
                if let last = served, last.port != port {
                    await last.server.end(in: &servers)
                    served = nil
                    desk.logger.info("metrics are no longer served", metadata: ["port": "\(last.port)"])
                }
                if let port, served == nil {
                    served = await serve(at: port, isRetry: isRetry, in: &servers).map { (port, $0) }
                }
                isRetry = if port != nil, served == nil { await hasRested() } else { false }
                if isRetry { continue }
                guard await desk.metricsBell.isTakenBeforeEnd() else { return }
            }
        }
    }

    /// False where the configuration was read meanwhile, or the agent is about to end.
    private func hasRested() async -> Bool {
        let (clock, bell) = (desk.clock, desk.metricsBell)
        return await withGracefulShutdownHandler {
            do {
                try await clock.sleep(until: clock.now.addingTimeInterval(Self.rest), orRingOf: bell)
                return !bell.isRung
            } catch {
                return false
            }
        } onGracefulShutdown: {
            bell.ring()
        }
    }

    /// Whether this port is meant by a `Host`: an address, or `localhost`. By any other name comes a page in a browser whose name was
    /// made to lead to this machine, so that it may read what is here.
    private static func isMeant(_ authority: String?) -> Bool {
        guard let authority, !authority.isEmpty else { return true }
        let host = authority.replacing(/:[0-9]*$/, with: "")
        return host.lowercased() == "localhost" || NetworkAddress(host) != nil
    }

    /// A port that cannot be had is no reason not to fetch: nil. It was told where it is tried again.
    private func serve(
        at port: Int, isRetry: Bool, in servers: inout DiscardingTaskGroup
    ) async -> ListeningServer? {
        let logger = desk.logger
        let router = Router()
        router.get("metrics") { [desk] request, _ in
            guard Self.isMeant(request.head.authority) else {
                let words = "Ask by an address, such as http://127.0.0.1:\(port)/metrics, or by localhost.\n"
                return Response(
                    status: .misdirectedRequest, headers: [.contentType: "text/plain; charset=utf-8"],
                    body: ResponseBody(byteBuffer: ByteBuffer(string: words)))
            }
            return try await desk.metricsResponse()
        }
        do {
            let service = AnswerService(address: .hostname("127.0.0.1", port: port), router: router)
            let server = try await service.listen(in: &servers)
            logger.info("metrics are served", metadata: ["port": "\(port)"])
            return server
        } catch is CancellationError {} catch {
            logger.log(
                level: isRetry ? .debug : .error, "metrics cannot be served: \(AnswerService.cause(of: error))",
                metadata: ["port": "\(port)"])
        }
        return nil
    }
}

extension AgentDesk {
    func metricsResponse() throws -> Response {
        Response(
            status: .ok, headers: [.contentType: ExpositionText.contentType],
            body: ResponseBody(byteBuffer: ByteBuffer(string: try metrics().text)))
    }
}
