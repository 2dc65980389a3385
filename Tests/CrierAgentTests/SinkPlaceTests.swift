import CrierDelivery
import CrierNotifications
import CrierStore
import CrierTesting
import Foundation
import Testing

@testable import CrierAgent

/// By what a sink is known that is called otherwise in the configuration than it was.
@Suite struct SinkPlaceTests {
    /// Settings of a kind: some, the same place in another light, and another place.
    private struct Case {
        let (one, same, other): (String, String, String)
    }

    /// Every kind has its line here; of what leads to one place there is no other.
    private func settings(of kind: SinkKind) -> Case {
        let (secret, other) = ("{file: /s}", "{file: /t}")
        return switch kind {
        case .stdout: Case(one: "", same: "format: json", other: "kind: desktop")
        case .desktop: Case(one: "", same: "timeout: 5s", other: "kind: stdout")
        case .file: Case(one: "path: /a", same: "path: /a, ordered: true", other: "path: /b")
        case .feed: Case(one: "path: /a", same: "path: /a, title: News", other: "path: /b")
        case .exec: Case(one: "command: [/a, b]", same: "command: [/a, b], timeout: 9s", other: "command: [/a, c]")
        case .webhook:
            Case(
                one: "url: 'https://a.example/'", same: "url: 'https://a.example/', secret: \(secret)",
                other: "url: \(secret)")
        case .ntfy: Case(one: "topic: a", same: "topic: a, token: \(secret)", other: "topic: b")
        case .gotify:
            Case(
                one: "url: 'https://a.example/', token: \(secret)",
                same: "url: 'https://a.example/', token: \(secret), images: false",
                other: "url: 'https://a.example/', token: \(other)")
        case .slack, .discord, .mattermost:
            Case(one: "url: \(secret)", same: "url: \(secret), ordered: true", other: "url: \(other)")
        case .telegram:
            Case(
                one: "chat: '1', token: \(secret)", same: "chat: '1', token: \(other)",
                other: "chat: '2', token: \(secret)")
        case .matrix:
            Case(
                one: "url: 'https://a.example/', room: '!a:a.example', token: \(secret)",
                same: "url: 'https://a.example/', room: '!a:a.example', token: \(other)",
                other: "url: 'https://a.example/', room: '!b:a.example', token: \(secret)")
        case .pushover:
            Case(
                one: "token: \(secret), user: \(secret)", same: "token: \(other), user: \(secret)",
                other: "token: \(secret), user: \(other)")
        case .email:
            Case(
                one: "server: 'smtps://a.example', from: a@a.example, to: [b@a.example]",
                same: "server: 'smtps://b.example', from: c@a.example, to: [b@a.example]",
                other: "server: 'smtps://a.example', from: a@a.example, to: [c@a.example]")
        case .apprise:
            Case(one: "targets: \(secret)", same: "targets: \(secret), ordered: true", other: "targets: \(other)")
        }
    }

    private func sinks(_ name: String, _ kind: SinkKind, _ settings: String) throws -> Configuration {
        let kind = settings.contains("kind:") ? "" : "kind: \(kind.rawValue), "
        return try configuration("sinks: {\(name): {\(kind)\(settings)}}\nsources: {a: {url: 'https://a.example/'}}\n")
    }

    @Test(arguments: SinkKind.allCases) func aSinkIsKnownByItsKindAndWhereItLeads(kind: SinkKind) throws {
        let (now, settings) = (Date(timeIntervalSince1970: 1_700_000_000), settings(of: kind))
        let store = try Store.inMemory()
        func renames(_ name: String, _ text: String) throws -> [SinkRename] {
            try sinks(name, kind, text).adoptEdits(in: store, at: now).sinks
        }
        #expect(try renames("first", settings.one) == [])
        #expect(try renames("first", settings.same) == [])
        #expect(try renames("second", settings.one) == [SinkRename(from: "first", to: "second")])
        #expect(try renames("second", settings.same) == [])
        #expect(try renames("third", settings.other) == [])
        #expect(try renames("third", settings.one) == [], "it leads elsewhere")
        #expect(try renames("fourth", settings.same) == [SinkRename(from: "third", to: "fourth")])
    }

    /// Whoever only looks sees what the next run makes of it.
    @Test func whatWaitsIsSeenUnderTheNewName() throws {
        let now = Date(timeIntervalSince1970: 1_700_000_000)
        let folder = try TemporaryFolder()
        let store = try Store(path: folder.file("crier.sqlite"))
        try sinks("phone", .ntfy, "topic: a").adoptEdits(in: store, at: now)
        try store.add(
            NotificationRequest(identifier: "1", content: NotificationContent(title: "T")), to: ["phone"], at: now)
        let renamed = try sinks("mobile", .ntfy, "topic: a")
        #expect(try renamed.foreseen(store, at: now).waitingDeliveryCounts() == ["mobile": 1])
        #expect(try store.waitingDeliveryCounts() == ["phone": 1])
        try renamed.adoptEdits(in: store, at: now)
        #expect(try store.waitingDeliveryCounts() == ["mobile": 1])
    }
}
