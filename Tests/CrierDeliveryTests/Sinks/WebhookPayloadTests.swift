import CrierNotifications
import CrierTesting
import Foundation
import Testing

@testable import CrierDelivery

@Suite("Bodies and signatures of web hooks")
struct WebhookPayloadTests {
    @Test("A body that fits is left as it is")
    func fits() throws {
        let body = String(repeating: "x", count: 5_000)
        let data = try data(.of(NotificationContent(title: "T", body: body, userInfo: ["n": .number(3)])))
        #expect(data["body"] as? String == body)
        #expect((data["userInfo"] as? [String: Int]) == ["n": 3])
    }

    @Test("Too long items lose their ends first, then their summaries, then the last ones go and are counted")
    func items() throws {
        func item(_ number: Int, _ length: Int, _ text: String = "summary") -> UserInfoValue {
            ["id": .string("\(number)"), text: .string(String(repeating: "长", count: length))]
        }
        let two: [String: UserInfoValue] = ["items": .array([item(1, 7_000), item(2, 40)]), "kept": "yes"]
        let cut = try data(.of(NotificationContent(title: "T", userInfo: two)))
        let summaries = (cut["items"] as? [[String: String]])?.compactMap { $0["summary"]?.count }
        #expect(summaries == [500, 40])
        #expect(cut["userInfo"] as? [String: String] == ["kept": "yes"])

        #expect(cut["omittedItems"] as? Int == 0)

        func identifiers(_ items: [UserInfoValue], omitted: Int) throws -> [String] {
            let told: [String: UserInfoValue] = [
                "items": .array(items), "omittedItems": .number(Double(omitted)), "kept": "no",
            ]
            let fewer = try data(.of(NotificationContent(title: "T", userInfo: told)))
            #expect(fewer["userInfo"] as? [String: String] == [:])
            let kept = (fewer["items"] as? [[String: String]])?.compactMap { $0["id"] } ?? []
            #expect(fewer["omittedItems"] as? Int == omitted + items.count - kept.count)
            return kept
        }
        #expect(try identifiers((1...50).map { item($0, 400) }, omitted: 7) == (1...50).map { "\($0)" })
        #expect(try identifiers((1...50).map { item($0, 400, "title") }, omitted: 7) == (1...16).map { "\($0)" })
    }

    @Test("An item's identifier and address are whole or not there")
    func wholeAddresses() throws {
        func address(_ length: Int) -> UserInfoValue {
            .string("https://a.example/" + String(repeating: "b", count: length))
        }
        let items: [UserInfoValue] = [
            ["id": "1", "url": address(1_500), "summary": .string(String(repeating: "s", count: 20_000))],
            ["id": address(3_000), "url": address(3_000), "title": "T"],
        ]
        let cut = try data(.of(NotificationContent(title: "T", userInfo: ["items": .array(items)])))
        let told = try #require(cut["items"] as? [[String: String]])
        #expect(told.map { $0["url"]?.count } == [1_518, nil])
        #expect(told.map { $0["id"] } == ["1", nil])
        #expect(told.map { $0["title"] } == [nil, "T"])
    }

    @Test("Every text may be too long, only the identifier stays whole")
    func everything() throws {
        let long = String(repeating: "\u{1b}é\n", count: 30_000)
        let identifier = String(repeating: "gank:1/", count: 1_000)
        let content = NotificationContent(
            title: long, subtitle: long, body: long, threadIdentifier: long, categoryIdentifier: long,
            userInfo: ["items": .array([.string(long)]), long: .string(long)],
            attachments: [NotificationAttachment(url: long)], url: "https://gank.io/" + long)
        let data = try data(.of(content, identifier: identifier))
        #expect(data["identifier"] as? String == identifier)
        #expect((data["body"] as? String)?.count == 500)
        #expect((data["title"] as? String)?.count == 200)
        #expect(data["url"] is NSNull)
        var kept = content
        kept.url = "https://gank.io/1"
        #expect(try self.data(.of(kept))["url"] as? String == "https://gank.io/1")
    }

    @Test("The other data go before anything of the items")
    func otherData() throws {
        let told: [String: UserInfoValue] = [
            "items": [["id": "1", "summary": "s"]], "own": .string(String(repeating: "x", count: 20_000)),
        ]
        let data = try data(.of(NotificationContent(title: "T", userInfo: told)))
        #expect(data["userInfo"] as? [String: String] == [:])
        #expect(data["items"] as? [[String: String]] == [["id": "1", "summary": "s"]])
    }

    @Test("An identifier that does not fit at all gives no body")
    func identifier() {
        let identifier = String(repeating: "x", count: 20_000)
        #expect(WebhookPayload.standard(.titled("T", identifier: identifier)) == nil)
    }

    @Test("A known message has the known signature")
    func knownSignature() throws {
        // The example of the standard's own reference implementations.
        let header = try WebhookSignature.header(
            id: "msg_p5jXN8AQM9LWM0D4loKWxJek", timestamp: 1_614_265_330, body: Array(#"{"test": 2432232314}"#.utf8),
            secrets: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
        #expect(header == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=")
    }

    @Test("What follows whsec_ must be base64, with or without padding")
    func prefixedSecrets() throws {
        func header(_ secret: String) throws -> String? {
            try WebhookSignature.header(id: "msg_1", timestamp: 1, body: [], secrets: secret)
        }
        #expect(try header("whsec_c2VjcmV0cw") == header("whsec_c2VjcmV0cw=="))
        #expect(try header("c2VjcmV0cw==") == header("whsec_c2VjcmV0cw=="))
        #expect(try header("a-text!") == header("whsec_YS10ZXh0IQ=="))
        #expect(try header("\u{feff} two  spaces\u{200b}!\u{200b} ") == header("whsec_dHdvICBzcGFjZXPigIsh"))
        #expect(
            try header(" whsec_c2VjcmV0cw \r\n \na-text!\n") == "\(header("whsec_c2VjcmV0cw")!) \(header("a-text!")!)")
        for broken in ["whsec_", "whsec_no base64"] {
            #expect(throws: WebhookSignature.InvalidSecret.self) { try header(broken) }
        }
    }

    @Test("All signature vectors hold", .enabled(if: SignatureVector.areThere, "needs ../shared/corpora"))
    func vectors() throws {
        let vectors = try SignatureVector.all()
        #expect(!vectors.isEmpty)
        for vector in vectors {
            let header = try WebhookSignature.header(
                id: vector.id, timestamp: vector.timestamp, body: Array(vector.payload.utf8), secrets: vector.secret)
            #expect(header == vector.signature, "\(vector.id)")
        }
    }

    private func data(_ attempt: DeliveryAttempt) throws -> [String: Any] {
        let bytes = try #require(WebhookPayload.standard(attempt))
        #expect(bytes.count < 20_000)
        let body = try #require(try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
        return try #require(body["data"] as? [String: Any])
    }
}

/// A signature that other implementations give.
private struct SignatureVector: Decodable {
    let secret: String
    let id: String
    let timestamp: Int
    let payload: String
    let signature: String

    enum CodingKeys: String, CodingKey {
        case id = "msg_id"
        case secret, timestamp, payload, signature
    }

    private static let file = Checkout.corpora.appendingPathComponent("standard-webhooks/vectors.jsonl")
    static var areThere: Bool { FileManager.default.fileExists(atPath: file.path) }

    static func all() throws -> [SignatureVector] {
        let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
        return try lines.map { try JSONDecoder().decode(Self.self, from: Data($0.utf8)) }
    }
}
