import CrierHTTP
import CrierNotifications
import CrierTesting
import Foundation
import Testing

@testable import CrierAgent
@testable import CrierDelivery
@testable import CrierFetch

@Suite(
    "Digests by mail", .serialized, .enabled(if: ReceivingMailServer.isPossible, "\(PythonTools.needs)"))
struct DigestMailTests {
    @Test("A user's own templates are the text and the HTML of a digest's mail")
    func templates() async throws {
        let folder = try TemporaryFolder()
        try await ReceivingMailServer.run(.none, in: folder) { server in
            let looks = try configuration(
                #"digests: {morning: {at: daily, text: "\e[1m{{title}}\e[0m ({{count}})", html: '<p>{{title}}</p>'}}"#
            ).digestLooks
            let sink = EmailSink(
                server: MailServer(url: server.url, security: .none),
                envelope: EmailSink.Envelope(sender: "crier@example.org", recipients: ["me@example.org"]),
                looks: looks, transport: CurlMailTransport(environment: [:]))
            #expect(await sink.deliver(try DigestSinkTests.attempt(.simplifiedChinese)) == .delivered())
            let mail = try #require(try await server.received().first)
            #expect(mail.contentType == "multipart/alternative" && mail.defects == [])
            #expect(mail.plain == "早上好 (8)\n" && mail.html == "<p>早上好</p>\n")
        }
    }

    @Test("A digest arrives as text and HTML, and the days of one are a thread")
    func arrives() async throws {
        let folder = try TemporaryFolder()
        try await ReceivingMailServer.run(.none, in: folder) { server in
            let sink = EmailSink(
                server: MailServer(url: server.url, security: .none),
                envelope: EmailSink.Envelope(sender: "crier@example.org", recipients: ["me@example.org"]),
                transport: CurlMailTransport(environment: [:]))
            let page = try DigestLooksTests.page(.simplifiedChinese)
            let day = try #require(CalendarDay("2026-11-21"))
            var digest = Digest(name: "morning", at: try CalendarExpression("08:30"), timeZone: .gmt)
            digest.language = .simplifiedChinese
            let content = DigestComposer(digest: digest, sources: []).content(of: page, on: day)
            let created = try Date("2026-11-21T00:30:00Z", strategy: .iso8601)
            for date in ["2026-11-21", "2026-11-22"] {
                let request = NotificationRequest(identifier: "digest/morning/\(date)", content: content)
                #expect(await sink.deliver(DeliveryAttempt(request: request, created: created)) == .delivered())
            }
            let mails = try await server.received()
            let mail = try #require(mails.first)
            #expect(mails.count == 2 && mail.defects == [] && mail.longestLine <= 78)
            #expect(mail.contentType == "multipart/alternative")
            #expect(mail.fields["subject"] == "早上好，11月21日：8 条新内容")
            #expect(Set(mails.map { $0.fields["message-id"] }).count == 2)
            #expect(Set(mails.map { $0.fields["references"] }).count == 1 && mail.fields["references"] != nil)
            #expect(!mail.fieldNames.contains { $0.lowercased() == "list-unsubscribe" })
            #expect(mail.plain == DigestPrint(width: 72).text(of: page))
            #expect(mail.html == DigestLooks().html(of: page))
        }
    }
}
