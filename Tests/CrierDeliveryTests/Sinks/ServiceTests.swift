import CrierDelivery
import CrierHTTP
import CrierNotifications
import CrierTesting
import Foundation
import Testing

@Suite("Chat and push services")
struct ServiceTests {
    let transport = ScriptedTransport()
    let clock = ManualClock(now: madeAt)
    private let content = NotificationContent(
        title: "A & <b> *c* @all", subtitle: "S", body: "one\n_two_ <!channel>", threadIdentifier: "gank",
        attachments: [NotificationAttachment(url: "https://gank.io/a.png", type: "image/png")],
        url: "https://gank.io/?a=1&b=2")

    @Test("ntfy: JSON to the server, with priority, click, picture and a sequence")
    func ntfy() async throws {
        let service = Ntfy(url: "https://ntfy.example", topic: "news", token: { "tk_secret" })
        transport.script("https://ntfy.example/", body: #"{"id":"abc","event":"message"}"#)
        #expect(await deliver(service).message == "abc")
        let (request, body) = try last()
        #expect(request.fields["Authorization"] == "Bearer tk_secret")
        #expect(body["topic"] as? String == "news" && body["title"] as? String == content.title)
        #expect(body["message"] as? String == "S\none\n_two_ <!channel>")
        #expect(body["click"] as? String == content.url && body["attach"] as? String == "https://gank.io/a.png")
        #expect((body["sequence_id"] as? String)?.count == 64)
        #expect(try await priorities(service, "priority") == [2, 3, 4, 5])
        let long = "https://gank.io/" + String(repeating: "a", count: 1_900)
        let heavy = NotificationContent(
            title: "x", body: String(repeating: "é", count: 3_000),
            attachments: [NotificationAttachment(url: long, type: "image/png")], url: long)
        _ = await deliver(service, heavy)
        let (bounded, kept) = try last()
        #expect(bounded.body?.count ?? .max <= 8_192 && kept["actions"] == nil && kept["click"] as? String == long)
        for letter in ["\"", "\\", "\n\"", "é\""] {
            let body = String(repeating: letter, count: 4_096)
            _ = await deliver(service, NotificationContent(title: body, body: body, url: long))
            let (escaped, whole) = try last()
            #expect(escaped.body?.count ?? .max <= 8_192 && whole["click"] as? String == long)
            #expect((whole["message"] as? String)?.utf8.count ?? 0 > 2_000)
        }
        transport.script("https://ntfy.example/", status: 429, body: #"{"code":42901,"http":429,"error":"slow down"}"#)
        #expect(await deliver(service) == .failed(reason: "ntfy.example answered HTTP 429: slow down"))
    }

    @Test("Gotify: a message with extras, and its token in a field")
    func gotify() async throws {
        let service = Gotify(url: "https://gotify.example/base/", token: { "key" })
        transport.script("https://gotify.example/base/message", body: #"{"id":25,"appid":5}"#)
        #expect(await deliver(service) == .delivered())
        let (request, body) = try last()
        #expect(request.fields["X-Gotify-Key"] == "key")
        let extras = try #require(body["extras"] as? [String: [String: Any]])
        #expect((extras["client::notification"]?["click"] as? [String: String])?["url"] == content.url)
        #expect(extras["client::display"]?["contentType"] as? String == "text/plain")
        #expect(try await priorities(service, "priority") == [2, 5, 7, 10])
    }

    @Test("Slack: rich text that is never markup, and an escaped text for where blocks are not shown")
    func slack() async throws {
        let url = "https://hooks.slack.example/services/T/B/path-secret"
        transport.script(url, body: "ok")
        #expect(await deliver(Slack(url: { url + "\n" })) == .delivered())
        let body = try last().body
        #expect(body["text"] as? String == "A &amp; &lt;b&gt; *c* @all")
        let blocks = try #require(body["blocks"] as? [[String: Any]])
        #expect(blocks.map { $0["type"] as? String } == ["rich_text", "image"])
        let sections = try #require(blocks[0]["elements"] as? [[String: Any]])
        let link = try #require((sections[0]["elements"] as? [[String: Any]])?.first)
        #expect(link["type"] as? String == "link" && link["url"] as? String == content.url)
        #expect(link["text"] as? String == content.title)
        transport.script(url, status: 404, body: "no_service")
        #expect(await deliver(Slack(url: { url })) == .gone(reason: "hooks.slack.example knows no such webhook"))
        transport.script(url, status: 400, body: "invalid_payload")
        let refused = await deliver(Slack(url: { url }))
        #expect(refused == .failed(reason: "hooks.slack.example answered HTTP 400: invalid_payload"))
    }

    @Test("Discord: an embed that calls nobody, its retry_after, and an edit in place of a second message")
    func discord() async throws {
        let url = "https://discord.example/api/webhooks/1/path-secret"
        transport.script(url + "?wait=true", body: #"{"id":"123456789012345678"}"#)
        #expect(await deliver(Discord(url: { url })).message == "123456789012345678")
        let body = try last().body
        #expect((body["allowed_mentions"] as? [String: [String]])?["parse"] == [])
        let embed = try #require((body["embeds"] as? [[String: Any]])?.first)
        #expect((embed["title"] as? String)?.hasPrefix(#"A \& \<b\> \*c\* @"#) == true)
        #expect(embed["url"] as? String == content.url && (embed["footer"] as? [String: String])?["text"] == "gank")
        transport.script(
            url + "?wait=true", status: 429, body: #"{"message":"limited","retry_after":64.57,"global":false}"#)
        let limited = await deliver(Discord(url: { url }))
        #expect(limited == .failed(reason: "discord.example answered HTTP 429: limited", retryAfter: .seconds(64.57)))

        let edit = url + "/messages/123456789012345678?wait=true"
        transport.script(edit, body: #"{"id":"123456789012345678"}"#)
        _ = await deliver(Discord(url: { url }), receipt: "123456789012345678")
        let edited = try last().request
        #expect(edited.method == "PATCH" && edited.url == edit)
        let silent = NotificationContent(title: "x", sound: nil)
        _ = await deliver(Discord(url: { url }), silent, receipt: "123456789012345678")
        #expect(try last().body["flags"] == nil, "an edit cannot be silent")
        _ = await deliver(Discord(url: { url }), silent)
        #expect(try last().body["flags"] as? Int == 4_096)
        let home = NotificationContent(title: "x", body: "y", url: "http://nas:8080/a")
        _ = await deliver(Discord(url: { url }), home)
        let plain = try #require((try last().body["embeds"] as? [[String: Any]])?.first)
        #expect(plain["url"] == nil && plain["description"] as? String == "y\n<http://nas:8080/a>")
        _ = await deliver(Discord(url: { url }), NotificationContent(title: "x", interruptionLevel: .passive))
        #expect(try last().body["flags"] as? Int == 4_096)
        let picture = NotificationAttachment(url: "http://nas/a.png", type: "image/png")
        _ = await deliver(Discord(url: { url }), NotificationContent(title: "x", attachments: [picture]))
        #expect((try last().body["embeds"] as? [[String: Any]])?.first?["image"] == nil, "it cannot go there")
        let thread = url + "?wait=true&thread_id=7"
        transport.script(thread, body: #"{"id":"9"}"#)
        #expect(await deliver(Discord(url: { url + "?thread_id=7" })).message == "9")
        transport.script(url + "/messages/9?wait=true&thread_id=7", body: #"{"id":"9"}"#)
        #expect(await deliver(Discord(url: { url + "?thread_id=7" }), receipt: "9").message == "9")
        #expect(try last().request.url == url + "/messages/9?wait=true&thread_id=7")
        transport.script(edit, status: 404, body: #"{"message":"Unknown Message","code":10008}"#)
        transport.script(url + "?wait=true", body: #"{"id":"2"}"#)
        #expect(await deliver(Discord(url: { url }), receipt: "123456789012345678").message == "2")
        transport.script(url + "?wait=true", status: 404, body: #"{"message":"Unknown Webhook","code":10015}"#)
        #expect(await deliver(Discord(url: { url })) == .gone(reason: "discord.example knows no such webhook"))
    }

    @Test("Mattermost: an attachment in which markdown and names mean nothing, and a priority")
    func mattermost() async throws {
        let url = "https://mm.example/hooks/path-secret"
        transport.script(url, body: "ok")
        #expect(await deliver(Mattermost(url: { url })) == .delivered())
        let body = try last().body
        let attachment = try #require((body["attachments"] as? [[String: Any]])?.first)
        #expect(attachment["title_link"] as? String == content.url)
        #expect((attachment["text"] as? String)?.contains(#"\_two\_ &#60;\!channel\>"#) == true)
        #expect(attachment["title"] as? String == "A & <b> *c* @\u{200b}all", "with a link it is not read")
        #expect(attachment["fallback"] as? String == "A & &#60;b\\> \\*c\\* @\u{200b}all", "that always is")
        #expect(body["priority"] == nil)
        let other = NotificationContent(title: "Swift: *it's* @all", interruptionLevel: .critical)
        _ = await deliver(Mattermost(url: { url }), other)
        #expect((try last().body["priority"] as? [String: String]) == ["priority": "urgent"])
        let bare = try #require((try last().body["attachments"] as? [[String: Any]])?.first)
        #expect(bare["title"] as? String == "Swift: \\*it's\\* @\u{200b}all", "without one it is")
        #expect(bare["fallback"] as? String == bare["title"] as? String)
    }

    @Test("Telegram: HTML, its retry_after, silence, and an edit in place of a second message")
    func telegram() async throws {
        let service = Telegram(url: "https://tg.example", chat: "-100123", token: { "1:token-secret" })
        let send = "https://tg.example/bot1:token-secret/sendMessage"
        transport.script(send, body: #"{"ok":true,"result":{"message_id":77}}"#)
        #expect(await deliver(service).message == "77")
        let body = try last().body
        #expect(body["chat_id"] as? String == "-100123" && body["parse_mode"] as? String == "HTML")
        #expect(
            body["text"] as? String
                == "<a href=\"https://gank.io/?a=1&amp;b=2\"><b>A &amp; &lt;b&gt; *c* @\u{200b}all</b></a>\nS\none\n_two_ "
                + "&lt;!\u{200b}channel&gt;"
        )
        #expect(body["disable_notification"] as? Bool == false)
        for quiet in [
            NotificationContent(title: "x", interruptionLevel: .passive), NotificationContent(title: "x", sound: nil),
        ] {
            _ = await deliver(service, quiet)
            #expect(try last().body["disable_notification"] as? Bool == true)
        }
        transport.script(
            send, status: 429, body: #"{"ok":false,"description":"Too Many Requests","parameters":{"retry_after":35}}"#)
        let limited = await deliver(service)
        #expect(limited == .failed(reason: "tg.example answered HTTP 429: Too Many Requests", retryAfter: .seconds(35)))

        let edit = "https://tg.example/bot1:token-secret/editMessageText"
        transport.script(edit, status: 400, body: #"{"ok":false,"description":"Bad Request: message is not modified"}"#)
        #expect(await deliver(service, receipt: "77").message == "77")
        transport.script(
            edit, status: 400, body: #"{"ok":false,"description":"Bad Request: message to edit not found"}"#)
        transport.script(send, body: #"{"ok":true,"result":{"message_id":78}}"#)
        #expect(await deliver(service, receipt: "77").message == "78")
        transport.script(edit, status: 400, body: #"{"ok":false,"description":"Bad Request: MESSAGE_ID_INVALID"}"#)
        #expect(await deliver(service, receipt: "77").message == "78")
    }

    @Test("Telegram: names call nobody, addresses stay as they are, and no text is too long for it")
    func telegramNames() async throws {
        let service = Telegram(url: "https://tg.example", chat: "-100123", token: { "1:token-secret" })
        let url = "https://e.example/@durov"
        await deliverAnyway(service, NotificationContent(title: "@durov", body: "to @channel", url: url))
        #expect(
            try last().body["text"] as? String
                == "<a href=\"\(url)\"><b>@\u{200b}durov</b></a>\nto @\u{200b}channel")
        // Behind a mark and behind a symbol it calls, whatever they look like.
        let body =
            "https://m.example/@u/1 a@b.example é@c.example /@durov https://m.example/)@durov e\u{301}@durov Ⓐ@durov"
        await deliverAnyway(service, NotificationContent(title: "t", body: body))
        #expect(
            try last().body["text"] as? String
                == "<b>t</b>\nhttps://m.example/%40u/1 a@b.example é@c.example /@\u{200b}durov https://m.example/)%40durov "
                + "e\u{301}@\u{200b}durov Ⓐ@\u{200b}durov")
        let names = String(repeating: "@", count: 5_000)
        await deliverAnyway(service, NotificationContent(title: names, body: names))
        let text = try #require(try last().body["text"] as? String)
        #expect(text.utf16.count <= 4_096 && text.utf16.count > 2_300)
    }

    @Test("Matrix: one transaction for each notification, HTML beside text, and no calls by name")
    func matrix() async throws {
        let service = Matrix(url: "https://mx.example", room: "!a/b:example.org", token: { "syt_secret" })
        await deliverAnyway(service)
        let (request, body) = try last()
        let path = "https://mx.example/_matrix/client/v3/rooms/%21a%2Fb%3Aexample.org/send/m.room.message/"
        #expect(request.method == "PUT" && request.url.hasPrefix(path))
        #expect(request.fields["Authorization"] == "Bearer syt_secret")
        #expect((body["formatted_body"] as? String)?.contains("_two_ &lt;!channel&gt;") == true)
        #expect((body["body"] as? String)?.hasPrefix("A & <b> *c* @all\nS\n") == true)
        #expect((body["m.mentions"] as? [String: Any])?.isEmpty == true)
        await deliverAnyway(service)
        #expect(try last().request.url == request.url)
        transport.script(
            request.url, status: 429, body: #"{"errcode":"M_LIMIT_EXCEEDED","error":"Too many","retry_after_ms":20000}"#
        )
        let limited = await deliver(service)
        #expect(
            limited
                == .failed(
                    reason: "mx.example answered HTTP 429: M_LIMIT_EXCEEDED: Too many", retryAfter: .seconds(20)))
        transport.script(
            request.url, status: 413, body: #"{"errcode":"M_TOO_LARGE","error":"event too large"}"#)
        #expect(
            await deliver(service) == .rejected(reason: "mx.example says M_TOO_LARGE: event too large"),
            "it would be so each time")
        transport.script(request.url, body: #"{"event_id":"$ev"}"#)
        #expect(await deliver(service).message == "$ev")
        _ = await deliver(service, receipt: "$ev")
        let relation = try last().body["m.relates_to"] as? [String: String]
        #expect(relation == ["rel_type": "m.replace", "event_id": "$ev"])
        let edit = try last().request.url
        #expect(edit != request.url)
        transport.script(edit, body: #"{"event_id":"$edit"}"#)
        #expect(await deliver(service, receipt: "$ev").message == "$ev", "an edit cannot be edited")
        let urgent = NotificationContent(title: "x", interruptionLevel: .critical)
        _ = await deliver(service, urgent)
        #expect(try last().body["m.mentions"] as? [String: Bool] == ["room": true])
        _ = await deliver(service, urgent, receipt: "$ev")
        let repeated = try last().body
        #expect((repeated["m.mentions"] as? [String: Any])?.isEmpty == true, "the room was called by the first")
        let replacement = try #require(repeated["m.new_content"] as? [String: Any])
        #expect(replacement["m.mentions"] as? [String: Bool] == ["room": true])
        for letter in ["干", "&", "\\"] {
            let long = NotificationContent(title: "x", body: String(repeating: letter, count: 20_000))
            _ = await deliver(service, long, receipt: "$ev")
            #expect(try #require(last().request.body).count < 60_000, "an event has 65,536 bytes with its head")
        }
    }

    @Test("Pushover: priorities, emergencies that repeat, limits, and the end of the month's quota")
    func pushover() async throws {
        let service = Pushover(url: "https://po.example", token: { "app" }, user: { "me" })
        let url = "https://po.example/1/messages.json"
        transport.script(url, body: #"{"status":1,"request":"r-1"}"#)
        #expect(await deliver(service).message == "r-1")
        let body = try last().body
        #expect(body["token"] as? String == "app" && body["user"] as? String == "me" && body["retry"] == nil)
        #expect(body["url"] as? String == content.url && body["timestamp"] as? Int == 1_795_249_800)
        #expect(try await priorities(service, "priority") == [-1, 0, 1, 2])
        let emergency = try last().body
        #expect(emergency["retry"] as? Int == 60 && emergency["expire"] as? Int == 3_600)
        let long = String(repeating: "👩🏽‍🚀", count: 2_000)
        _ = await deliver(service, NotificationContent(title: long, body: long))
        let short = try last().body
        #expect((short["message"] as? String)?.utf16.count ?? 9_999 <= 1_024)
        #expect((short["title"] as? String)?.utf16.count ?? 9_999 <= 250)
        for count in [600, 1_024] {
            let link = "https://gank.io/".padding(toLength: count, withPad: "a", startingAt: 0)
            _ = await deliver(service, NotificationContent(title: "T", body: long, url: link))
            let linked = try last().body
            let message = try #require(linked["message"] as? String)
            #expect(message.hasSuffix(link) && message.utf16.count <= 1_024 && linked["url"] == nil)
            _ = await deliver(service, NotificationContent(title: "T", url: link))
            #expect(try last().body["message"] as? String == link)
        }
        transport.script(url, status: 429, fields: ["X-Limit-App-Reset": "1795249900"])
        #expect(await deliver(service) == .failed(reason: "po.example answered HTTP 429", retryAfter: .seconds(100)))
        transport.script(url, status: 400, body: #"{"user":"invalid","errors":["user key is invalid"],"status":0}"#)
        #expect(await deliver(service) == .failed(reason: "po.example answered HTTP 400: user key is invalid"))
    }

    @Test("A secret that cannot be one is told without being said, and none is sent")
    func badSecrets() async {
        let services: [any WebService] = [
            Slack(url: { "not an address-secret" }), Discord(url: { "ftp://x/-secret" }), Mattermost(url: { "" }),
            Telegram(chat: "1", token: { "two words-secret" }), Gotify(url: "https://g.example", token: { "ü-secret" }),
            Matrix(url: "https://m.example", room: "!r:m", token: { "" }),
            Pushover(token: { throw CancellationError() }, user: { "x" }),
        ]
        for service in services {
            let outcome = await deliver(service)
            guard case .failed(let reason, _) = outcome else { return #expect(Bool(false), "\(outcome)") }
            #expect(reason.contains(service.name) && !reason.contains("-secret"), "\(reason)")
        }
        #expect(transport.requests.isEmpty)
    }

    private func deliver(
        _ service: any WebService, _ content: NotificationContent? = nil, receipt: String? = nil
    ) async -> DeliveryOutcome {
        await WebSink(service, userAgent: "crier/test", transport: transport, clock: clock)
            .deliver(.of(content ?? self.content, receipt: receipt))
    }

    /// For a call whose address is looked at before it is answered.
    private func deliverAnyway(_ service: any WebService, _ content: NotificationContent? = nil) async {
        _ = await deliver(service, content)
    }

    private func last() throws -> (request: HTTPRequest, body: [String: Any]) {
        let request = try #require(transport.requests.last)
        #expect(request.fields["User-Agent"] == "crier/test" && !request.followsRedirects)
        let body = try JSONSerialization.jsonObject(with: Data(request.body ?? [])) as? [String: Any]
        return (request, try #require(body))
    }

    /// The numbers for the four levels, from passive to critical.
    private func priorities(_ service: any WebService, _ key: String) async throws -> [Int?] {
        var numbers: [Int?] = []
        for level in InterruptionLevel.allCases {
            _ = await deliver(service, NotificationContent(title: "x", interruptionLevel: level))
            numbers.append(try last().body[key] as? Int)
        }
        return numbers
    }
}
