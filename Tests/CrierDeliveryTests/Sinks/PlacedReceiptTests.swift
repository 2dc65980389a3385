import CrierDelivery
import CrierHTTP
import CrierNotifications
import CrierTesting
import Foundation
import Testing

/// Messages whose names mean something at one place only, and sinks that were moved to another.
@Suite struct PlacedReceiptTests {
    private let transport = CurlTransport(environment: [:])

    @Test("A message of another chat, or of another bot, is not edited: it is another one's there")
    func telegram() async throws {
        let origin = try await ScriptedOrigin()
        await origin.handle { _ in ScriptedAnswer(body: #"{"ok":true,"result":{"message_id":77}}"#) }
        func telegram(_ chat: String, _ token: String) -> Telegram {
            Telegram(url: origin.url(""), chat: chat, token: { token })
        }
        let receipt = try #require(await receipt(telegram("@old", "1:a")))
        #expect(!receipt.contains("1:a"))
        _ = await self.receipt(telegram("@team", "1:a"), replacing: receipt)
        _ = await self.receipt(telegram("@old", "2:b"), replacing: receipt)
        // A bot may have got a new token. The receipts of earlier versions say no more than the number.
        #expect(await self.receipt(telegram("@old", "1:new"), replacing: receipt) == receipt)
        #expect(await self.receipt(telegram("@old", "1:a"), replacing: "77") == receipt)
        let calls = await origin.requests.map { $0.target.split(separator: "/").last }
        #expect(calls == ["sendMessage", "sendMessage", "sendMessage", "editMessageText", "editMessageText"])
        await origin.stop()
        await transport.shutdown()
    }

    @Test("An event of another room is not replaced, and what is sent in its place is remembered")
    func matrix() async throws {
        let origin = try await ScriptedOrigin()
        await origin.handle { request in
            ScriptedAnswer(body: request.target.contains("old") ? #"{"event_id":"$old"}"# : #"{"event_id":"$new"}"#)
        }
        func matrix(_ room: String) -> Matrix { Matrix(url: origin.url(""), room: room, token: { "t" }) }
        let old = try #require(await receipt(matrix("!old:m")))
        let new = try #require(await receipt(matrix("!new:m"), replacing: old))
        #expect(new.hasPrefix("$new "))
        #expect(await receipt(matrix("!new:m"), replacing: new) == new)
        #expect(await receipt(matrix("!old:m"), replacing: "$old") == old)
        let replaced = await origin.requests.map { request in
            let event = try? JSONSerialization.jsonObject(with: Data(request.body)) as? [String: Any]
            return (event?["m.relates_to"] as? [String: String])?["event_id"]
        }
        #expect(replaced == [nil, nil, "$new", "$old"])
        await origin.stop()
        await transport.shutdown()
    }

    @Test("What a sink of another kind, or none that names its places, called it is no message of this one's")
    func otherKinds() async throws {
        let origin = try await ScriptedOrigin()
        await origin.handle { _ in ScriptedAnswer(body: #"{"id":"5","event_id":"$new","ok":true}"#) }
        let url = origin.url("")
        let ntfy = try #require(await receipt(Ntfy(url: url, topic: "t")))
        let discord = Discord(url: { url + "/hook" })
        let known = try #require(await receipt(discord))
        _ = await receipt(discord, replacing: known)
        for service in [discord, Telegram(url: url, chat: "1", token: { "1:a" })] as [any WebService] {
            _ = await receipt(service, replacing: ntfy)
        }
        _ = await receipt(Matrix(url: url, room: "!r:m", token: { "t" }), replacing: known)
        let requests = await origin.requests
        #expect(requests.map(\.method) == ["POST", "POST", "PATCH", "POST", "POST", "PUT"])
        #expect(requests[4].target.hasSuffix("/sendMessage"))
        #expect(!String(decoding: requests[5].body, as: UTF8.self).contains("m.replace"))
        await origin.stop()
        await transport.shutdown()
    }

    private func receipt(_ service: any WebService, replacing receipt: String? = nil) async -> String? {
        let sink = WebSink(service, userAgent: "crier/test", transport: transport, clock: SystemClock())
        guard
            case .delivered(let given, _) = await sink.deliver(
                .of(NotificationContent(title: "x"), receipt: receipt))
        else { return nil }
        return given
    }
}
