import CrierDelivery
import CrierNotifications
import CrierProcess
import CrierStore
import Foundation
import Hummingbird
import NIOCore

/// What the agent answers on its socket: HTTP/1.1, JSON. Whoever can open the socket is the user.
struct AgentControl: Sendable {
    let desk: AgentDesk
    /// The path of the state's file, behind the links that led to it when it was opened.
    let state: String

    private static let largestOrder = 1 << 20
    private static let wrongOrder =
        #"the body is no order; expected JSON such as {"sources": ["news"], "force": true}, or {} for all that is due"#

    func router() -> Router<BasicRequestContext> {
        let router = Router()
        router.get("v1/agent") { _, _ in
            // Links that lead to the configuration may be changed meanwhile, and the file is read by its path each time.
            let configuration = SymbolicLinks.resolved(desk.file.path)
            return try json(
                AgentDescription(
                    version: CrierVersion.number, process: getpid(), configuration: configuration, state: state))
        }
        // Something was changed in the state: look again.
        router.post("v1/wake") { _, _ in
            desk.wake(.command)
            return Response(status: .noContent)
        }
        router.get("v1/status") { _, _ in try json(try await desk.status()) }
        // Somebody is about to read the log.
        router.post("v1/log") { _, _ in
            try desk.store.writeNotes()
            return Response(status: .noContent)
        }
        router.get("metrics") { _, _ in try await desk.metricsResponse() }
        router.post("v1/reload") { _, _ in
            await desk.reload()
            return Response(status: .noContent)
        }
        router.post("v1/fetch") { request, _ in
            let body = try await request.body.collect(upTo: Self.largestOrder)
            guard let order = try? AgentEvent.decoder.decode(FetchOrder.self, from: Data(buffer: body)) else {
                throw HTTPError(.badRequest, message: Self.wrongOrder)
            }
            let (number, messages) = await desk.audience.join(.run, confirms: order.confirms)
            await desk.take(AgentDesk.Request(order: order, listener: number))
            return stream(messages, to: number, until: request.body)
        }
        router.get("v1/watch") { request, _ in
            let isTerminal = request.uri.queryParameters["terminal"] == "true"
            let (number, messages) = await desk.audience.join(
                .watch(isTerminal: isTerminal), confirms: request.uri.queryParameters["confirms"] == "true")
            return stream(messages, to: number, until: request.body)
        }
        // Somebody who was to show a notification has, or could not.
        router.post("v1/receipts/:receipt") { request, context in
            let receipt = try context.parameters.require("receipt", as: Int.self)
            await desk.audience.acknowledge(receipt, isShown: request.uri.queryParameters["shown"] == "true")
            return Response(status: .noContent)
        }
        return router
    }

    /// One line for each message, until there are no more or nobody is there to read.
    private func stream(_ messages: AsyncStream<Audience.Message>, to number: Int, until body: RequestBody) -> Response
    {
        let seat = Seat(number: number, audience: desk.audience)
        return Response(
            status: .ok, headers: [.contentType: "application/x-ndjson"],
            body: ResponseBody { writer in
                do {
                    // The header goes out at once: who listens knows that it is listening.
                    try await writer.write(ByteBuffer())
                    for await message in messages {
                        try await writer.write(ByteBuffer(bytes: try message.event.line()))
                        if let receipt = message.receipt { await seat.audience.acknowledge(receipt) }
                        if message.event.ended != nil || message.event.refused != nil { break }
                    }
                    try await writer.finish(nil)
                } catch {
                    await seat.leave()
                    throw error
                }
                await seat.leave()
            })
    }

    /// The place of one who listens. It is left at the latest when the answer is no longer there: one that nobody was there to
    /// read is never begun.
    private final class Seat: Sendable {
        let number: Int
        let audience: Audience

        init(number: Int, audience: Audience) {
            self.number = number
            self.audience = audience
        }

        deinit {
            Task(executorPreference: QuietLane.shared) { [number, audience] in await audience.leave(number) }
        }

        func leave() async { await audience.leave(number) }
    }

    private func json(_ value: some Encodable) throws -> Response {
        Response(
            status: .ok, headers: [.contentType: "application/json"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: try JSONEncoder.ofLines.encode(value))))
    }
}
