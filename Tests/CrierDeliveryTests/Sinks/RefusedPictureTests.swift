import CrierDelivery
import CrierHTTP
import CrierNotifications
import CrierTesting
import Foundation
import Testing

/// Pictures that a service cannot fetch, over the wire: Slack answers 400 and posts nothing.
@Suite struct RefusedPictureTests {
    private static let picture = NotificationAttachment(url: "https://gank.io/a.png", type: "image/png")
    private static let refusal = ScriptedAnswer(status: 400, body: "invalid_blocks")

    @Test(
        "A message is sent once more without the picture with which it is refused, in the same attempt",
        arguments: ["invalid_blocks", "invalid_attachments\n"])
    func withoutPicture(word: String) async throws {
        let (outcome, blocks) = try await deliver(
            [Self.picture, Self.picture], [ScriptedAnswer(status: 400, body: word), ScriptedAnswer(body: "ok")])
        #expect(outcome == .delivered(remark: "without its picture, with which 127.0.0.1 refused it"))
        #expect(blocks == [["rich_text", "image"], ["rich_text"]])
    }

    @Test(
        "Discord refuses a whole embed for the sake of its picture",
        arguments: [#"{"embeds":["0"]}"#, #"{"code":50035,"message":"Invalid Form Body"}"#])
    func embed(refusal: String) async throws {
        let transport = ScriptedTransport()
        let url = "https://discord.example/hook"
        let answers = [(400, refusal), (200, #"{"id":"7"}"#)].map { status, body in
            HTTPResponse(status: status, fields: [:], body: Array(body.utf8), url: url)
        }
        transport.script(url + "?wait=true", answers.map { .success($0) })
        let sink = WebSink(Discord(url: { url }), userAgent: "crier/test", transport: transport, clock: SystemClock())
        let outcome = await sink.deliver(.of(NotificationContent(title: "x", attachments: [Self.picture])))
        guard case .delivered(_, let remark?) = outcome else { return #expect(Bool(false), "\(outcome)") }
        #expect(remark == "without its picture, with which discord.example refused it")
        let bodies = transport.requests.map { String(decoding: $0.body ?? [], as: UTF8.self).contains("a.png") }
        #expect(bodies == [true, false])
    }

    @Test("A link that Discord does not take stands in the text, behind the picture's turn")
    func link() async throws {
        let transport = ScriptedTransport()
        let url = "https://discord.example/hook"
        let answers = [(400, #"{"embeds":["0"]}"#), (400, #"{"embeds":["0"]}"#), (200, #"{"id":"7"}"#)].map {
            status, body in
            HTTPResponse(status: status, fields: [:], body: Array(body.utf8), url: url)
        }
        transport.script(url + "?wait=true", answers.map { .success($0) })
        let sink = WebSink(Discord(url: { url }), userAgent: "crier/test", transport: transport, clock: SystemClock())
        let content = NotificationContent(
            title: "x", body: "body", attachments: [Self.picture], url: "https://a.example:99999/x")
        let outcome = await sink.deliver(.of(content))
        guard case .delivered(_, "without its link, with which discord.example refused it"?) = outcome else {
            return #expect(Bool(false), "\(outcome)")
        }
        let embeds = try transport.requests.map { request in
            let message = try JSONSerialization.jsonObject(with: Data(request.body ?? [])) as? [String: Any]
            return try #require((message?["embeds"] as? [[String: Any]])?.first)
        }
        #expect(embeds.map { $0["image"] != nil } == [true, false, false])
        #expect(embeds.map { $0["url"] != nil } == [true, true, false])
        let text = embeds.last?["description"] as? String
        #expect(text?.contains("99999") == true && text?.hasSuffix("body") == true)
    }

    @Test("What Discord refuses without a picture and a link is sent once")
    func bare() async throws {
        let transport = ScriptedTransport()
        let url = "https://discord.example/hook"
        transport.script(url + "?wait=true", status: 400, body: #"{"embeds":["0"]}"#)
        let sink = WebSink(Discord(url: { url }), userAgent: "crier/test", transport: transport, clock: SystemClock())
        #expect(
            await sink.deliver(.titled("x"))
                == .failed(reason: "discord.example answered HTTP 400: it does not take this embed"))
        #expect(transport.requests.count == 1)
    }

    @Test("What is refused without the picture too is a failure")
    func refusedAgain() async throws {
        let (outcome, blocks) = try await deliver([Self.picture], [Self.refusal])
        #expect(outcome == .failed(reason: "127.0.0.1 answered HTTP 400: invalid_blocks"))
        #expect(blocks == [["rich_text", "image"], ["rich_text"]])
        let gone = try await deliver([Self.picture], [Self.refusal, ScriptedAnswer(status: 404, body: "no_service")])
        #expect(gone.outcome == .gone(reason: "127.0.0.1 knows no such webhook"))
    }

    @Test("A message without a picture is sent once, and so is one that is refused for something else")
    func once() async throws {
        let film = NotificationAttachment(url: "https://gank.io/a.mp4", type: "video/mp4")
        let unsafe = NotificationAttachment(url: "data:image/png,", type: "image/png")
        for attachments in [[], [film], [unsafe]] {
            #expect(try await deliver(attachments, [Self.refusal]).blocks == [["rich_text"]])
        }
        let others = [
            ScriptedAnswer(status: 400, body: "invalid_payload"), ScriptedAnswer(status: 500, body: "invalid_blocks"),
            ScriptedAnswer(status: 429, body: "rate_limited"), ScriptedAnswer(body: "ok"), .raw(""),
        ]
        for answer in others {
            #expect(try await deliver([Self.picture], [answer]).blocks == [["rich_text", "image"]])
        }
    }

    /// One attempt, and the kinds of the blocks of each of its calls.
    private func deliver(
        _ attachments: [NotificationAttachment], _ answers: [ScriptedAnswer]
    ) async throws -> (outcome: DeliveryOutcome, blocks: [[String]]) {
        let transport = CurlTransport(environment: [:])
        let origin = try await ScriptedOrigin()
        await origin.script("/hook", answers)
        let url = origin.url("/hook")
        let sink = WebSink(Slack(url: { url }), userAgent: "crier/test", transport: transport, clock: SystemClock())
        let outcome = await sink.deliver(.of(NotificationContent(title: "x", body: "y", attachments: attachments)))
        let blocks = try await origin.requests.map { request in
            let message = try JSONSerialization.jsonObject(with: Data(request.body)) as? [String: Any]
            let blocks = try #require(message?["blocks"] as? [[String: Any]])
            return blocks.compactMap { $0["type"] as? String }
        }
        await origin.stop()
        await transport.shutdown()
        return (outcome, blocks)
    }
}
