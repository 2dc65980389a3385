import CrierNotifications
import Foundation
import Testing

@testable import CrierStore

/// A notification's content as the outbox holds it.
@Suite struct StoredContentTests {
    static let contents: [NotificationContent] = [
        NotificationContent(title: ""),
        NotificationContent(
            title: "\"Quoted\" \\ back", subtitle: "\u{0}\u{1}\t\r\n\u{7f}", body: "Zwölf 漢字 👩‍👩‍👧 \u{2028} \u{feff}\n</a>",
            sound: .named("message-new-\"instant\""), badge: 7, threadIdentifier: "news", categoryIdentifier: "c",
            interruptionLevel: .timeSensitive, relevanceScore: 0.1,
            attachments: [
                NotificationAttachment(url: "https://e.example/a?b=\"c\"", type: "image/png"),
                NotificationAttachment(url: "https://e.example/2"),
            ], url: "https://e.example/ü"),
        NotificationContent(
            title: "Data", sound: nil, badge: -1, relevanceScore: 1,
            userInfo: [
                "items": [["id": "1", "authors": ["Ada", "Grace"]], .null, .bool(true), .bool(false)],
                "a \"key\"\n": .number(-0.5), "": .object([:]), "none": .array([]), "great": .number(1e300),
                "whole": .number(12_345_678_901_234_568), "small": .number(.leastNonzeroMagnitude),
                "digits": "12345678901234567",
            ]),
        NotificationContent(title: "Many", badge: .max),
    ]

    @Test(arguments: contents) func whatIsWrittenIsReadAgain(content: NotificationContent) throws {
        #expect(try NotificationContent(stored: content.stored()) == content)
    }

    /// So earlier versions wrote it, and so the keys are known to readers of the file.
    @Test(arguments: contents) func itIsTheTypesOwnCoding(content: NotificationContent) throws {
        let encoded = String(decoding: try JSONEncoder().encode(content), as: UTF8.self)
        #expect(try NotificationContent(stored: encoded) == content)
        let decoded = try JSONDecoder().decode(NotificationContent.self, from: Data(content.stored().utf8))
        #expect(decoded == content)
    }

    @Test func valuesAreWrittenAsLiterals() {
        let values: [UserInfoValue] = [7, -1.5, true, "text", ["a", 1], ["b": false]]
        let same: [UserInfoValue] = [
            .number(7), .number(-1.5), .bool(true), .string("text"), .array([.string("a"), .number(1)]),
            .object(["b": .bool(false)]),
        ]
        #expect(values == same)
    }

    @Test func whatCouldNotBeReadAgainIsRefused() throws {
        let store = try Store.inMemory()
        var deep = UserInfoValue.null
        for _ in 0..<250 { deep = .array([deep]) }
        let unfit = [
            "relevanceScore is a number that JSON does not have": NotificationContent(title: "t", relevanceScore: .nan),
            "userInfo.deep\(String(repeating: "[0]", count: 28))[0… is nested too deep":
                NotificationContent(title: "t", userInfo: ["deep": deep]),
            "userInfo.parts[1].size is a number that JSON does not have": NotificationContent(
                title: "t", userInfo: ["parts": [.null, ["size": .number(.infinity)]]]),
        ]
        for (fault, content) in unfit {
            let error = #expect(throws: StoreError.self) {
                try store.add(NotificationRequest(identifier: "a", content: content), to: ["desktop"], at: noon)
            }
            #expect(error == StoreError(.invalidRequest, "the notification a cannot be stored: its \(fault)"))
        }
        #expect(try store.deliveries(in: Set(Delivery.State.allCases)).isEmpty)
    }

    @Test(arguments: ["", "{}", "[]", #"{"title":"t"}"#, "no JSON"]) func damageIsTold(text: String) {
        #expect(throws: (any Error).self) { try NotificationContent(stored: text) }
    }
}
