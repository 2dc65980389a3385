import CrierTesting
import Foundation
import Testing

/// From a content API to a raised notification with nothing but real parts: the built program, an origin on a loopback socket, a
/// notification daemon on a bus of its own, and a receiver that checks signatures with the standard's public library.
@Suite struct EndToEndTests {
    private static let secret = "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3"

    @Test(
        .enabled(if: DesktopSession.isPossible, "needs dunst, Xvfb, dbus-run-session, libnotify-bin"),
        .enabled(if: WebhookReceiver.isPossible, "\(PythonTools.needs)"))
    func anOriginsNewsReachDesktopAndTeam() async throws {
        let folder = try TemporaryFolder()
        let receiver = WebhookReceiver(secret: Self.secret, folder: folder)
        let origin = try await ScriptedOrigin()
        await origin.script(
            "/feed",
            [
                ScriptedAnswer(fields: ["ETag": "\"1\""], body: atomFeed(1...1)),
                ScriptedAnswer(body: atomFeed(1...2).replacing("Item 2", with: "-u &lt;b&gt;C:\\new&lt;/b&gt; 干货")),
            ])
        try await receiver.run { url in
            _ = try await DesktopSession.run(in: folder) { session in
                try await runOn(session, url, receiver, origin)
            }
        }
        await origin.stop()
    }

    private func runOn(
        _ session: DesktopSession, _ url: String, _ receiver: WebhookReceiver, _ origin: ScriptedOrigin
    ) async throws {
        var crier = try BuiltCrier(
            """
            sinks:
              desktop: {app-name: News}
              team: {kind: webhook, url: '\(url)', secret: {env: TEAM_SECRET}}
            sources:
              news: {url: '\(origin.url("/feed"))'}
            """)
        crier.environment.merge(session.variables) { $1 }
        crier.environment["TEAM_SECRET"] = Self.secret
        try await crier.authorize()
        #expect(try await crier.run("fetch").output.hasSuffix("raised 2 notifications (desktop, team).\n"))
        #expect(try await crier.run("fetch", "--force").status == 0)
        #expect(try await crier.run("fetch", "--force").output == "Nothing new in 1 source.\n")
        #expect(await origin.requests.dropFirst().first?.fields["If-None-Match"] == "\"1\"")

        let shown = try await session.history()
        #expect(shown.map(\.title) == ["Item 1", #"-u <b>C:\new</b> 干货"#])
        #expect(shown.allSatisfy { $0.applicationName == "News" && $0.category == "x-crier.feed.new" })
        let bodies = receiver.bodies
        #expect(bodies.count == 2)
        #expect(bodies.first?.contains(#""title":"Item 1""#) == true)
        #expect(bodies.last?.contains(#""identifier":"news/urn:item:2""#) == true)
        #expect(try await crier.run("sink", "test", "team").status == 0)
        #expect(receiver.bodies.last?.contains("Test of the sink team") == true)
    }

    @Test func withoutASessionBusTheDesktopWaitsAndLosesNothing() async throws {
        let origin = try await ScriptedOrigin()
        await origin.script("/feed", [ScriptedAnswer(body: atomFeed(1...1)), ScriptedAnswer(body: atomFeed(1...2))])
        let crier = try BuiltCrier("sinks: {desktop: {}}\nsources:\n  news: {url: '\(origin.url("/feed"))'}\n")
        try await crier.authorize()
        let run = try await crier.run("fetch")
        #expect(run.status == 0)
        #expect(run.errors.hasPrefix("crier: desktop: 1 not delivered yet: "))
        let delivery = try #require(try await crier.run("deliveries", "--format", "json").objects.first)
        #expect(delivery["state"] as? String == "pending")
        #expect(delivery["attempts"] as? Int == 0)
        // Cron has been told, and hears of it no more; whoever asks does.
        let next = try await crier.run("fetch", "--force", "--quiet")
        #expect(next.status == 0 && next.errors.isEmpty && next.output.isEmpty)
        try await crier.run("deliveries", "retry", "--all")
        #expect(try await crier.run("fetch").errors.hasPrefix("crier: desktop: 2 not delivered yet: "))
        let test = try await crier.run("sink", "test", "desktop")
        #expect(test.status == 69)
        await origin.stop()
    }

    @Test func aFailingReceiverIsTriedAgainWithTheSameIdentifier() async throws {
        let origin = try await ScriptedOrigin()
        let receiver = try await ScriptedOrigin()
        await origin.script("/feed", [ScriptedAnswer(body: atomFeed(1...1))])
        await receiver.script(
            "/",
            [
                ScriptedAnswer(status: 503), ScriptedAnswer(status: 302, fields: ["Location": "/x"]),
                ScriptedAnswer(status: 204),
            ])
        let crier = try BuiltCrier(
            """
            sinks: {team: {kind: webhook, url: '\(receiver.url("/"))', secret: {command: [printf, 'whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3']}}}
            sources:
              news: {url: '\(origin.url("/feed"))'}
            """)
        try await crier.authorize()
        for _ in 0..<3 {
            _ = try await crier.run("fetch")
            _ = try await crier.run("deliveries", "retry", "--all")
        }
        let requests = await receiver.requests
        #expect(requests.count == 3)
        #expect(Set(requests.map { $0.fields["webhook-id"] }).count == 1)
        #expect(Set(requests.map(\.body)).count == 1)
        #expect(requests.allSatisfy { $0.fields["webhook-signature"]?.hasPrefix("v1,") == true })
        await origin.stop()
        await receiver.stop()
    }

    @Test func aReceiverThatIsGoneIsToldAndRevivedByATest() async throws {
        let origin = try await ScriptedOrigin()
        let receiver = try await ScriptedOrigin()
        await origin.script("/feed", [ScriptedAnswer(body: atomFeed(1...1))])
        await receiver.script("/", [ScriptedAnswer(status: 410), ScriptedAnswer(status: 204)])
        let crier = try BuiltCrier(
            "sinks: {team: {kind: webhook, url: '\(receiver.url("/"))'}}\nsources:\n  news: {url: '\(origin.url("/feed"))'}\n"
        )
        try await crier.authorize()
        _ = try await crier.run("fetch")
        _ = try await crier.run("fetch", "--force")
        #expect(await receiver.requests.count == 1)
        #expect(
            try await crier.run("status").output.contains(
                "The sink team is gone; `crier sink test team` tries it again."))
        #expect(try await crier.run("sink", "test", "team").status == 0)
        #expect(try await crier.run("fetch", "--force").output.contains("raised 1 notification (team)"))
        await origin.stop()
        await receiver.stop()
    }
}
