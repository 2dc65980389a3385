import CrierDelivery
import CrierNotifications
import CrierTesting
import Foundation
import Testing

@testable import CrierAgent

@Suite("A sink's `images`")
struct SinkImagesTests {
    private static let picture = "https://gank.example/a.png"
    private static let kinds = SinkKind.allCases.filter { kind in
        OptionTable.rows(in: "sinks.*", sink: kind).contains { $0.key == "images" }
    }

    @Test("no service is given the address of a picture that it is not to show", arguments: kinds)
    func images(kind: SinkKind) async throws {
        #expect(try await deliver(kind, "").contains(Self.picture))
        #expect(try await deliver(kind, "    images: true\n").contains(Self.picture))
        #expect(try await !deliver(kind, "    images: false\n").contains(Self.picture))
        let bare = try sink(kind, "    images: false\n", ScriptedTransport())
        #expect(await !bare.capabilities.features.contains(.images))
    }

    @Test func everyServiceThatShowsPicturesHasTheOption() async throws {
        for kind in SinkKind.allCases {
            guard case .service = try configured(kind, "").settings else { continue }
            let showsImages = try await sink(kind, "", ScriptedTransport()).capabilities.features.contains(.images)
            #expect(showsImages == Self.kinds.contains(kind), "\(kind)")
        }
    }

    /// The body of what the service is sent.
    private func deliver(_ kind: SinkKind, _ options: String) async throws -> String {
        let transport = ScriptedTransport()
        let content = NotificationContent(
            title: "A", attachments: [NotificationAttachment(url: Self.picture, type: "image/png")])
        _ = try await sink(kind, options, transport).deliver(
            DeliveryAttempt(
                request: NotificationRequest(identifier: "a", content: content),
                created: Date(timeIntervalSince1970: 0)))
        let body = String(decoding: try #require(transport.requests.last).body ?? [], as: UTF8.self)
        return body.replacing("\\/", with: "/")
    }

    private func sink(
        _ kind: SinkKind, _ options: String, _ transport: ScriptedTransport
    ) throws -> any NotificationSink {
        let environment = ["TOKEN": "t0ken", "ADDRESS": "https://hooks.example.org/in"]
        return try configured(kind, options).makeSink(Surroundings(transport: transport, environment: environment)).sink
    }

    /// With its required keys and the options.
    private func configured(_ kind: SinkKind, _ options: String) throws -> SinkConfiguration {
        let required = OptionTable.rows(in: "sinks.*", sink: kind).filter { $0.fallback == .required }.map { row in
            let value =
                switch row.type {
                case .secret: "{env: \(row.key == "url" ? "ADDRESS" : "TOKEN")}"
                default: row.example
                }
            return "    \(row.key): \(value)\n"
        }
        let text = "sinks:\n  tested:\n    kind: \(kind.rawValue)\n" + required.joined() + options
        return try #require(try configuration(text).sinks.first)
    }
}
