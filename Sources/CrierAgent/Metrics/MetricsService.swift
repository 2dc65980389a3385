import CrierHTTP
import CrierNotifications
import Foundation
import Hummingbird
import Logging
import ServiceLifecycle

/// Answers `GET /metrics` at a port of this machine alone, while the configuration names one.
struct MetricsService: Service {
    let desk: AgentDesk

    func run() async throws {
        await cancelWhenGracefulShutdown { await work() }
    }

    private func work() async {
        while !Task.isCancelled {
            let port = await desk.metricsPort
            let (served, failed) = (Bell(), Bell())
            await withDiscardingTaskGroup { group in
                if let port { group.addTask { await serve(at: port, served: served, failed: failed) } }
                await change(from: port, orReloadWhere: failed)
                group.cancelAll()
            }
            if let port, served.isRung, !Task.isCancelled {
                desk.logger.info("metrics are no longer served", metadata: ["port": "\(port)"])
            }
        }
    }

    /// Returns when the configuration names another port, when it was read again after the port could not be had, or when the
    /// task is cancelled.
    private func change(from port: Int?, orReloadWhere failed: Bell) async {
        while !Task.isCancelled, await desk.metricsPort == port {
            await desk.metricsBell.wait()
            if desk.metricsBell.take(), failed.isRung { return }
        }
    }

    /// Whether this port is meant by a `Host`: an address, or `localhost`. By any other name comes a page in a browser whose name was
    /// made to lead to this machine, so that it may read what is here.
    private static func isMeant(_ authority: String?) -> Bool {
        guard let authority, !authority.isEmpty else { return true }
        let host = authority.replacing(/:[0-9]*$/, with: "")
        return host.lowercased() == "localhost" || NetworkAddress(host) != nil
    }

    /// A port that cannot be had is no reason not to fetch.
    private func serve(at port: Int, served: Bell, failed: Bell) async {
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
        let server = AnswerService(address: .hostname("127.0.0.1", port: port), router: router) { _ in
            served.ring()
            logger.info("metrics are served", metadata: ["port": "\(port)"])
        }
        do { try await server.run() } catch is CancellationError {} catch {
            failed.ring()
            logger.error("metrics cannot be served: \(AnswerService.cause(of: error))", metadata: ["port": "\(port)"])
        }
    }
}

extension AgentDesk {
    func metricsResponse() throws -> Response {
        Response(
            status: .ok, headers: [.contentType: ExpositionText.contentType],
            body: ResponseBody(byteBuffer: ByteBuffer(string: try metrics().text)))
    }
}
