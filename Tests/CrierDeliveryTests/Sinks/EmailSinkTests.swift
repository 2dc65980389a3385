import CrierDelivery
import CrierHTTP
import CrierNotifications
import CrierTesting
import Foundation
import Testing

@Suite(
    "Mail over the wire", .serialized,
    .enabled(if: ReceivingMailServer.isPossible, "\(PythonTools.needs)"))
struct EmailSinkTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test("A mail arrives encrypted and after a login, in text and HTML, as it was meant")
    func arrives() async throws {
        try await ReceivingMailServer.run(in: folder) { server in
            let body = "第一行 & <b>\n.\n..dots\n" + String(repeating: "long ", count: 60) + "end \n= tail"
            let content = NotificationContent(
                title: "干货更新啦 " + String(repeating: "👩🏽‍🚀 new ", count: 20), subtitle: "S", body: body,
                threadIdentifier: "gank", interruptionLevel: .critical, url: "https://gank.io/?a=1&b=2")
            #expect(await sink(server).deliver(.of(content)) == .delivered())
            #expect(await sink(server).deliver(.of(content, identifier: "gank:2")) == .delivered())
            let mails = try await server.received()
            let mail = try #require(mails.first)
            #expect(mail.defects == [] && mail.longestLine <= 78)
            #expect(mail.sender == "crier@example.org" && mail.recipients == ["me@example.org", "you@example.org"])
            #expect(mail.contentType == "multipart/alternative")
            #expect(mail.fields["subject"] == content.title.trimmingCharacters(in: .whitespaces))
            #expect(mail.fields["from"] == "Crier <crier@example.org>")
            #expect(mail.fields["to"] == "me@example.org, you@example.org")
            #expect(mail.fields["date"] == "Sat, 21 Nov 2026 08:30:00 +0000")
            #expect(mail.fields["x-priority"] == "1" && mail.fields["auto-submitted"] == "auto-generated")
            #expect(mail.plain?.contains("\n.\n..dots\n") == true)
            #expect(mail.plain?.contains("第一行 & <b>") == true && mail.plain?.contains("= tail") == true)
            #expect(mail.html?.contains("第一行 &amp; &lt;b&gt;") == true)
            #expect(mail.html?.contains("<a href=\"https://gank.io/?a=1&amp;b=2\">") == true)
            #expect(Set(mails.map { $0.fields["message-id"] }).count == 2)
            #expect(Set(mails.map { $0.fields["references"] }).count == 1 && mail.fields["references"] != nil)
            #expect(mail.fields["in-reply-to"] == mail.fields["references"])
        }
    }

    @Test("A server that is encrypted from the first byte takes a mail after a login, from who trusts it")
    func implicitTLS() async throws {
        try await ReceivingMailServer.run(.tls, in: folder) { server in
            #expect(server.url.hasPrefix("smtps://"))
            let url = server.url
            // STARTTLS, the default of the configuration, means nothing there.
            for security in [MailServer.Security.startTLS, .none] {
                let sink = EmailSink(
                    server: MailServer(url: url, security: security, user: "me"), password: { "p4ss word" },
                    envelope: envelope(["me@example.org"]),
                    transport: CurlMailTransport(environment: ["SSL_CERT_FILE": server.authority]))
                #expect(await sink.deliver(.titled("x")) == .delivered())
            }
            let untrusted = EmailSink(
                server: MailServer(url: url, security: .startTLS, user: "me"), password: { "p4ss word" },
                envelope: envelope(["me@example.org"]), transport: CurlMailTransport(environment: [:]))
            #expect(await untrusted.deliver(.titled("x")).name == "failed")
            let mails = try await server.received()
            #expect(mails.map(\.recipients) == [["me@example.org"], ["me@example.org"]])
        }
    }

    /// Names below `localhost` are this machine's (RFC 6761 §6.3).
    @Test("The name of a server may have letters beyond ASCII")
    func internationalServer() async throws {
        try await ReceivingMailServer.run(.none, in: folder) { server in
            let url = server.url.replacing("127.0.0.1", with: "bücher.localhost")
            #expect(url != server.url)
            let sink = EmailSink(
                server: MailServer(url: url, security: .none), envelope: envelope(["me@example.org"]),
                transport: CurlMailTransport(environment: [:]))
            #expect(await sink.deliver(.titled("x")) == .delivered())
            let mails = try await server.received()
            #expect(mails.map(\.recipients) == [["me@example.org"]])
        }
    }

    @Test("No address makes a field of its own")
    func addressWithLineEnd() async {
        let server = MailServer(url: "smtp://127.0.0.1:1", security: .none)
        for envelope in [
            EmailSink.Envelope(sender: "a@e.example\r\nEvil: 2", recipients: ["b@e.example"]),
            EmailSink.Envelope(sender: "a@e.example", recipients: ["b@e.example", "c@e.example\nEvil: 2"]),
        ] {
            let sink = EmailSink(server: server, envelope: envelope, transport: CurlMailTransport(environment: [:]))
            let reason = "an address of the mail holds a control character"
            #expect(await sink.deliver(.titled("T")) == .rejected(reason: reason))
        }
    }

    @Test("A mail, a program and a call are given the time that they may take, unless another is named")
    func attemptLimit() {
        func deadline(_ sink: any NotificationSink, named deadline: Duration? = nil) -> Duration {
            NamedSink(name: "a", sink: sink, retries: .email, deadline: deadline).deadline
        }
        let mail = EmailSink(
            server: MailServer(url: "smtp://localhost", security: .none), envelope: envelope(["me@example.org"]),
            transport: CurlMailTransport(environment: [:]))
        #expect(deadline(mail) > Mail.usualLimit + Mail.usualAnswerLimit)
        #expect(deadline(mail, named: .seconds(5)) == .seconds(5))
        #expect(deadline(ExecSink(command: ["true"], limit: .seconds(600))) > .seconds(675))
        #expect(deadline(RecordingSink()) == .seconds(120))
    }

    @Test("Nothing of outsiders makes a header field or a part of its own")
    func hostile() async throws {
        try await ReceivingMailServer.run(.none, in: folder) { server in
            let title = "x\r\nBcc: evil@example.org\r\n\r\nbody =?utf-8?B?WA==?= \(hostileTitle)"
            let content = NotificationContent(
                title: title, body: "\r\n.\r\nMAIL FROM:<a@b>\r\n--=_\(hostileTitle)", threadIdentifier: title,
                url: title)
            #expect(await plainSink(server).deliver(.of(content, identifier: title)) == .delivered())
            let mails = try await server.received()
            #expect(mails.count == 1)
            let mail = try #require(mails.first)
            #expect(mail.defects == [] && mail.recipients == ["me@example.org"])
            #expect(mail.fields["bcc"] == nil)
            #expect(mail.fields["subject"]?.hasPrefix("x Bcc: evil@example.org body =?utf-8?B?WA==?= --help") == true)
            #expect(mail.plain?.isHarmless == true && mail.html?.contains("<script>") == false)
        }
    }

    @Test("What a server says decides: never, later, or not with this login")
    func refusals() async throws {
        try await ReceivingMailServer.run(in: folder) { server in
            let never = await sink(server, to: ["nobody@example.org", "nobody2@example.org"]).deliver(.titled("x"))
            #expect(never.name == "failed")
            #expect(await sink(server, to: ["later@example.org"]).deliver(.titled("x")).name == "failed")
            let login = await sink(server, password: "wrong").deliver(.titled("x"))
            guard case .failed(let reason, _) = login else { return #expect(Bool(false), "\(login)") }
            #expect(reason.contains("user or the password") && !reason.contains("wrong"))
            let untrusted = await EmailSink(
                server: MailServer(url: server.url, security: .startTLS), envelope: envelope(["me@example.org"]),
                transport: CurlMailTransport(environment: [:])
            ).deliver(.titled("x"))
            guard case .failed(let reason, _) = untrusted else { return #expect(Bool(false), "\(untrusted)") }
            #expect(reason.contains("no secure connection"))
            let mails = try await server.received()
            #expect(mails.isEmpty)
        }
    }

    @Test(
        "A refusal is told in the server's words, and is for ever where it is one of the message, not of who sends or gets it",
        arguments: [
            ("stranger@example.org", "me@example.org", "failed", "the sender stranger@example.org: 530 5.7.0 auth"),
            ("large@example.org", "me@example.org", "rejected", "552 5.3.4 too large"),
            ("crier@example.org", "nobody@example.org", "failed", "nobody@example.org: 550 5.1.1 no such user"),
            ("crier@example.org", "later@example.org", "failed", "450 4.2.0 come back later"),
            ("odd@example.org", "me@example.org", "rejected", "554 5.6.0 what a mail"),
            ("spam@example.org", "me@example.org", "failed", "mail from this client: 554 5.7.1 this is spam"),
            ("many@example.org", "me@example.org", "failed", "mail from this client: 550 5.4.5 enough for today"),
            ("closed@example.org", "me@example.org", "failed", "mail from this client: 554 5.3.2 no mail now"),
            ("busy@example.org", "me@example.org", "failed", "452 4.3.1 no room"),
            ("broken@example.org", "me@example.org", "unanswered", "did not say whether it took the mail"),
        ])
    func words(sender: String, recipient: String, name: String, words: String) async throws {
        try await ReceivingMailServer.run(.none, in: folder) { server in
            let outcome = await EmailSink(
                server: MailServer(url: server.url, security: .none),
                envelope: EmailSink.Envelope(sender: sender, recipients: [recipient]),
                transport: CurlMailTransport(environment: [:])
            ).deliver(.titled("x"))
            #expect(outcome.name == name && "\(outcome)".contains(words), "\(outcome)")
        }
    }

    @Test("One recipient who is refused keeps the mail from no other, and one who is put off not for ever")
    func recipients() async throws {
        try await ReceivingMailServer.run(.none, in: folder) { server in
            func deliver(to recipient: String, number: Int, receipt: String? = nil) async -> DeliveryOutcome {
                await EmailSink(
                    server: MailServer(url: server.url, security: .none),
                    envelope: envelope(["me@example.org", recipient, "you@example.org"]),
                    transport: CurlMailTransport(environment: [:])
                ).deliver(.of(NotificationContent(title: "x"), number: number, receipt: receipt))
            }
            let refused = await deliver(to: "nobody@example.org", number: 1)
            #expect(refused == .delivered(remark: "not taken for nobody@example.org: 550 5.1.1 no such user"))
            for number in [1, 2] {
                let reason = "the mail server says not now: later@example.org: 450 4.2.0 come back later"
                #expect(await deliver(to: "later@example.org", number: number) == .putOff(reason: reason))
            }
            for (name, recipients) in [
                ("put off", ["later@example.org", "me@example.org"]),
                ("put off", ["me@example.org", "later@example.org"]),
                ("failed", ["later@example.org", "later2@example.org"]),
                ("failed", ["later@example.org", "nobody@example.org"]),
            ] {
                let sink = EmailSink(
                    server: MailServer(url: server.url, security: .none), envelope: envelope(recipients),
                    transport: CurlMailTransport(environment: [:]))
                #expect(await sink.deliver(.titled("x")).name == name, "\(recipients)")
            }
            let third = await deliver(to: "later@example.org", number: 3)
            guard case .putOff("not taken for later@example.org: 450 4.2.0 come back later", let receipt?) = third
            else {
                return #expect(Bool(false), "\(third)")
            }
            let mails = try await server.received()
            #expect(mails.map(\.recipients) == Array(repeating: ["me@example.org", "you@example.org"], count: 2))
            let fourth = await deliver(to: "later@example.org", number: 4, receipt: receipt)
            let reason = "the mail server says not now: later@example.org: 450 4.2.0 come back later"
            #expect(fourth == .putOff(reason: reason, receipt: receipt))
            let nowhere = EmailSink(
                server: MailServer(url: "smtp://127.0.0.1:1", security: .none),
                envelope: envelope(["me@example.org", "later@example.org"]),
                transport: CurlMailTransport(environment: [:]))
            let fifth = await nowhere.deliver(.of(NotificationContent(title: "x"), number: 5, receipt: receipt))
            #expect(fifth.name == "failed", "a server that is not there says nothing of those who are left")
            #expect(await deliver(to: "other@example.org", number: 5, receipt: receipt) == .delivered())
            let later = try await server.received().dropFirst(2)
            #expect(later.map(\.recipients) == [["other@example.org"]])
            #expect(Set(mails.map { $0.fields["to"] }).count == 2, "each mail names all whom it is for")
        }
    }

    @Test("The mails of two sinks that go to others are two, and a repeat is the same")
    func messageIdentifiers() async throws {
        try await ReceivingMailServer.run(.none, in: folder) { server in
            for recipients in [["me@example.org"], ["me@example.org"], ["you@example.org"]] {
                let sink = EmailSink(
                    server: MailServer(url: server.url, security: .none), envelope: envelope(recipients),
                    transport: CurlMailTransport(environment: [:]))
                let content = NotificationContent(title: "x", threadIdentifier: "gank")
                #expect(await sink.deliver(.of(content)) == .delivered())
            }
            let mails = try await server.received()
            let identifiers = mails.map { $0.fields["message-id"] }
            #expect(identifiers[0] == identifiers[1] && identifiers[1] != identifiers[2])
            #expect(Set(mails.map { $0.fields["references"] }).count == 1)
        }
    }

    @Test("A server that has the whole mail may look at it for longer than it had to take it")
    func lateAnswer() async throws {
        try await ReceivingMailServer.run(.none, in: folder) { server in
            @Sendable func send(from sender: String) async throws(MailError) {
                let mail = Mail(
                    server: MailServer(url: server.url, security: .none), sender: "\(sender)@example.org",
                    recipients: ["me@example.org"], message: Array("Subject: x\r\n\r\nx\r\n".utf8), limit: .seconds(2))
                _ = try await CurlMailTransport(environment: [:]).send(mail)
            }
            async let slow: Void = send(from: "slow")
            // Behind it the limit of the other is over, too.
            let error = await #expect(throws: MailError.self) { try await send(from: "mute") }
            #expect(error?.kind == .timeout)
            try await send(from: "wake")
            try await slow
        }
    }

    @Test("A server that has taken a mail and answers nothing more is not waited for", .timeLimit(.minutes(5)))
    func unansweredGoodbye() async throws {
        try await ReceivingMailServer.run(.none, in: folder) { server in
            // With the usual limits, each of which is as long as the test may take, or longer.
            let mail = Mail(
                server: MailServer(url: server.url, security: .none), sender: "silent@example.org",
                recipients: ["me@example.org"], message: Array("Subject: x\r\n\r\nx\r\n".utf8))
            let refusals = try await CurlMailTransport(environment: [:]).send(mail)
            #expect(refusals.isEmpty)
            let mails = try await server.received()
            #expect(mails.map(\.sender) == ["silent@example.org"])
        }
    }

    @Test(
        "A server that does not say what it does with the whole mail keeps nobody who is to end",
        .timeLimit(.minutes(5)),
        arguments: ["stuck", "babbling"])
    func cancelledBehindMessage(sender: String) async throws {
        try await ReceivingMailServer.run(.none, in: folder) { server in
            let sink = plainSink(server, from: "\(sender)@example.org")
            let delivery = Task { await sink.deliver(.titled("x")) }
            await folder.appears("stuck")
            delivery.cancel()
            let outcome = await delivery.value
            #expect(outcome == .deferred(reason: "handing in the mail was stopped"))
        }
    }

    @Test("A mail that was taken is delivered, whoever is to end behind it", .timeLimit(.minutes(5)))
    func cancelledAtGoodbye() async throws {
        try await ReceivingMailServer.run(.none, in: folder) { server in
            let sink = plainSink(server, from: "silent@example.org")
            let delivery = Task { await sink.deliver(.titled("x")) }
            await folder.appears("goodbye")
            delivery.cancel()
            #expect(await delivery.value == .delivered())
        }
    }

    @Test(
        "Why nobody can log in is told",
        arguments: [
            ("/odd", "me", "the mail server offers no way to log in that is known here"),
            ("", "later", "the mail server says not now: 454 4.7.0 no logins now"),
            (
                "", "you",
                "the mail server does not accept the user or the password: 535 5.7.8 Authentication credentials invalid"
            ),
        ])
    func logins(path: String, user: String, reason: String) async throws {
        try await ReceivingMailServer.run(in: folder) { server in
            let sink = EmailSink(
                server: MailServer(url: server.url + path, security: .startTLS, user: user), password: { "p4ss word" },
                envelope: envelope(["me@example.org"]),
                transport: CurlMailTransport(environment: ["SSL_CERT_FILE": server.authority]))
            #expect(await sink.deliver(.titled("x")) == .failed(reason: reason))
        }
    }

    @Test("A server without encryption gets no mail that is to be encrypted, and one that is not there none at all")
    func unencrypted() async throws {
        try await ReceivingMailServer.run(.none, in: folder) { server in
            let outcome = await sink(server).deliver(.titled("x"))
            #expect(outcome == .failed(reason: "the mail server offers no encryption (STARTTLS)"))
            let mails = try await server.received()
            #expect(mails.isEmpty)
        }
        let gone = EmailSink(
            server: MailServer(url: "smtp://127.0.0.1:1", security: .none), envelope: envelope(["me@example.org"]),
            transport: CurlMailTransport(environment: [:]))
        #expect(await gone.deliver(.titled("x")).name == "failed")
    }

    @Test("A user's own texts take the place of the usual ones")
    func templates() async throws {
        try await ReceivingMailServer.run(.none, in: folder) { server in
            var layout = MailLayout()
            layout.subject = try NotificationTemplate("[{{source}}] {{title}}", escaping: .plain)
            layout.text = try NotificationTemplate("{{title}} at {{url}}", escaping: .plain)
            let content = NotificationContent(title: "<T>", threadIdentifier: "gank", url: "https://gank.io/")
            _ = await plainSink(server, layout).deliver(.of(content))
            layout.html = try NotificationTemplate("<i>{{title}}</i>", escaping: .html)
            _ = await plainSink(server, layout).deliver(.of(content, identifier: "gank:2"))
            let mails = try await server.received()
            #expect(mails.map(\.contentType) == ["text/plain", "multipart/alternative"])
            #expect(mails.map { $0.fields["subject"] } == ["[gank] <T>", "[gank] <T>"])
            #expect(mails.first?.plain?.trimmingCharacters(in: .newlines) == "<T> at https://gank.io/")
            #expect(mails.last?.html?.trimmingCharacters(in: .newlines) == "<i>&lt;T&gt;</i>")
        }
    }

    private func envelope(_ recipients: [String]) -> EmailSink.Envelope {
        EmailSink.Envelope(sender: "crier@example.org", recipients: recipients)
    }

    private func sink(
        _ server: ReceivingMailServer, to: [String] = ["me@example.org", "you@example.org"],
        password: String = "p4ss word"
    ) -> EmailSink {
        EmailSink(
            server: MailServer(url: server.url, security: .startTLS, user: "me"), password: { password },
            envelope: envelope(to), transport: CurlMailTransport(environment: ["SSL_CERT_FILE": server.authority]))
    }

    private func plainSink(
        _ server: ReceivingMailServer, _ layout: MailLayout = MailLayout(), from sender: String = "crier@example.org"
    ) -> EmailSink {
        EmailSink(
            server: MailServer(url: server.url, security: .none),
            envelope: EmailSink.Envelope(sender: sender, recipients: ["me@example.org"]), layout: layout,
            transport: CurlMailTransport(environment: [:]))
    }
}
