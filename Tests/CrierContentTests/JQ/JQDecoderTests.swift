import Foundation
import Testing

@testable import CrierContent

struct JQDecoderTests {
    private func decode(
        _ json: String, items: String? = nil, when: String? = nil, fields: [ContentField: String] = [:]
    ) throws -> DecodedContent {
        let document = ContentDocument(body: Array(json.utf8), url: "https://e.org/api/list")
        let mapping = ContentMapping(format: .json, items: items, fields: fields, when: when)
        return try JQDecoder.decode(document, mapping: mapping)
    }

    /// Every test of what a mapping gives runs with plain paths and with a compiled program.
    private static let detours = ["", " | select(true)"]

    @Test(arguments: detours)
    func fillsEveryField(_ detour: String) throws {
        let json = """
            {"list": [{"i": 5, "t": " One\\n two ", "u": "/x", "p": "2024-03-05", "m": 1709663415,
            "s": "<p>a</p><p>b</p>",
              "w": ["A", "B"], "f": ["a.jpg", "b.jpg"], "c": ["x", 2]}]}
            """
        let fields: [ContentField: String] = [
            .id: ".i", .title: ".t", .url: ".u", .published: ".p", .updated: ".m", .summary: ".s", .author: ".w",
            .attachment: ".f[]",
            .category: ".c",
        ]
        let item = try #require(decode(json, items: ".list[]" + detour, fields: fields).items.first)
        #expect(item.declaredIdentifier == "5")
        #expect(item.title == "One two")
        #expect(item.url == "https://e.org/x")
        #expect(item.published?.timeIntervalSince1970 == 1_709_596_800)
        #expect(item.updated?.timeIntervalSince1970 == 1_709_663_415)
        #expect(item.summary == "a\nb")
        #expect(item.authors == ["A", "B"])
        #expect(item.attachments.map(\.url) == ["https://e.org/api/a.jpg", "https://e.org/api/b.jpg"])
        #expect(item.categories == ["x", "2"])
    }

    @Test(arguments: detours)
    func takesMissingNullAndEmptyFieldsForAbsent(_ detour: String) throws {
        let json = "[{\"t\": \"a\", \"w\": null, \"u\": \"\"}, {\"t\": \"b\", \"w\": {\"name\": 1}, \"u\": true}]"
        let fields: [ContentField: String] = [.title: ".t", .author: ".w", .url: ".u", .published: ".when"]
        let content = try decode(json, items: ".[]" + detour, fields: fields)
        #expect(content.items.map(\.title) == ["a", "b"])
        #expect(content.items.allSatisfy { $0.authors.isEmpty && $0.url == nil && $0.published == nil })
        #expect(content.remarks.isEmpty)
    }

    @Test(arguments: [
        ("Isn&#x27;t that &quot;x&quot; &amp; y", "Isn't that \"x\" & y"), ("a<BR>b", "a\nb"),
        ("<P>a</P>", "a"), ("<p class='x'>a", "a"),
        ("&lt;div class=\"md\"&gt;&lt;p&gt;Tom &amp;amp; I&lt;/p&gt;&lt;/div&gt;", "Tom & I"),
        ("vector<std::string> &lt;3", "vector<std::string> <3"), ("a < b && c > d", "a < b && c > d"),
    ])
    func aSummaryIsPlainOrHTMLAsItMayBe(text: String, summary: String) throws {
        let json = String(decoding: try JSONEncoder().encode([["t": "a", "s": text]]), as: UTF8.self)
        #expect(try decode(json, fields: [.title: ".t", .summary: ".s"]).items.first?.summary == summary)
    }

    @Test func givesEveryItemAnIdentifierOfItsOwn() throws {
        let json = "[{\"i\": 1, \"t\": \"a\"}, {\"i\": 1, \"t\": \"b\"}, {\"t\": \"c\"}, {\"t\": \"c\"}]"
        let identifiers = try decode(json, fields: [.id: ".i", .title: ".t"]).items.map(\.identifier)
        #expect(Set(identifiers).count == 3 && identifiers[2] == identifiers[3])
        #expect(!identifiers.contains(""))
    }

    @Test(arguments: [1, 200, 201]) func aPathMayBeLong(steps: Int) throws {
        let path = String(repeating: ".a", count: steps)
        let fields: [ContentField: String] = [.id: ".b", .title: path]
        #expect(try decode("{\"b\": 1}", items: ".", fields: fields).items.map(\.title) == [nil])
        // No document is deeper.
        guard steps <= 200 else { return }
        let nested = String(repeating: "{\"a\":", count: steps) + "\"x\"" + String(repeating: "}", count: steps)
        #expect(try decode(nested, items: ".", fields: fields).items.map(\.title) == ["x"])
    }

    @Test func aPathThatIsLongerThanAnyIsLibjqsToRefuse() throws {
        let path = String(repeating: ".a", count: 40_000)
        #expect(throws: ContentError.self) { try decode("{\"b\": 1}", items: ".", fields: [.title: path]) }
        let nested = String(repeating: "{\"a\":", count: 100_000) + "1" + String(repeating: "}", count: 100_000)
        #expect(throws: ContentError.self) { try decode(nested, items: ".", fields: [.title: ".a"]) }
    }

    /// As MongoDB writes its own, `{"$oid": …}`.
    @Test(arguments: detours)
    func anIdentifierMayBeAnObjectOrAnArray(_ detour: String) throws {
        let json = """
            [{"i": {"$oid": "x1"}}, {"i": {"$oid": "x2"}}, {"i": {"b": "\\"\\n", "a": 1.0}}, {"i": {"a": 1, "b": "\\"\\n"}},
            {"i": ["a", 1]}, {"i": ["a", 2]}, {"i": ["a"]}, {"i": [[12345678901234567890, null]]}]
            """
        let items = try decode(json, items: ".[]" + detour, fields: [.id: ".i"]).items
        #expect(
            items.map(\.declaredIdentifier) == [
                "{\"$oid\":\"x1\"}", "{\"$oid\":\"x2\"}", #"{"a":1,"b":"\"\u000a"}"#, #"{"a":1,"b":"\"\u000a"}"#,
                "[\"a\",1]", "[\"a\",2]", "a", "[\"12345678901234567890\",null]",
            ])
    }

    @Test(arguments: detours)
    func saysHowManyItemsHaveNoIdentifier(_ detour: String) throws {
        let json =
            "[{\"t\":1,\"i\":null},{\"t\":2,\"i\":false},{\"t\":3,\"i\":\"\"},{\"t\":4,\"i\":{}},{\"t\":5,\"i\":[]},{\"t\":6,\"i\":0}]"
        let content = try decode(json, items: ".[]" + detour, fields: [.id: ".i", .title: ".t"])
        #expect(content.items.map(\.declaredIdentifier) == [nil, nil, nil, nil, nil, "0"])
        #expect(content.remarks == ["5 items to which field id `.i` gives no identifier"])
        #expect(try decode(json, items: ".[]" + detour, fields: [.title: ".t"]).remarks.isEmpty)
    }

    @Test func findsTheItemsWithoutAProgramForThem() throws {
        #expect(try decode("[{\"t\": \"a\"}]", fields: [.title: ".t"]).items.count == 1)
        #expect(try decode("{\"items\": [{\"t\": \"a\"}]}", fields: [.title: ".t"]).items.count == 1)
    }

    @Test(arguments: [".ok == true", ".ok", ".ok and true", ".missing", "empty", ".ok, true"])
    func takesADocumentThatReportsAnErrorForAFailure(_ when: String) {
        do {
            _ = try decode(
                "{\"ok\": false, \"msg\": \"limit reached\\n\", \"token\": \"secret\"}", items: ".results[]", when: when
            )
            Issue.record("no error")
        } catch {
            let error = error as? ContentError
            #expect(error?.kind == .reportsError)
            #expect(error?.description.contains("limit reached") == true)
            #expect(error?.description.contains("secret") == false)
        }
    }

    @Test func anEmptyMessageIsNotWhatADocumentSays() {
        let json = "{\"ok\": false, \"msg\": \"\", \"error\": {\"message\": \"limit reached\"}}"
        let error = #expect(throws: ContentError.self) { try decode(json, items: ".results[]", when: ".ok") }
        #expect(error?.description.hasSuffix("; it says: limit reached") == true)
    }

    @Test(arguments: [".ok == true", ".ok", ".ok and true", ".ok | not | not"])
    func readsADocumentForWhichWhenHolds(_ when: String) throws {
        #expect(
            try decode("{\"ok\": true, \"r\": [{\"t\": 1}]}", items: ".r[]", when: when, fields: [.title: ".t"]).items
                .count == 1)
    }

    @Test func saysHowFarAPathGetsWhereThereAreNoItems() throws {
        let json = "{\"data\": {\"token\": \"secret\", \"posts\": null}}"
        let remark = try decode(json, items: ".data.posts[]?", fields: [.title: ".t"]).remarks.joined()
        #expect(remark.contains("`.data.posts` is null"))
        #expect(!remark.contains("secret"))
        let other = try decode(json, items: ".data.posts[]? | select(true)", fields: [.title: ".t"]).remarks.joined()
        #expect(other.hasSuffix("`.data.posts` is null, `.data` is an object with posts, token"))
        #expect(try decode("{\"posts\": []}").remarks.joined().contains("an object with posts"))
    }

    @Test func saysWhatIsOddInItems() throws {
        let fields: [ContentField: String] = [.title: ".t", .published: ".p"]
        let json = "[{\"t\": \"a\", \"p\": \"soon\"}, {\"p\": \"2024-03-05\"}, {\"x\": 1}]"
        let content = try decode(json, items: ".[]", fields: fields)
        #expect(content.items.count == 2)
        #expect(content.remarks.contains { $0.contains("2 items without a title") })
        #expect(content.remarks.contains { $0.contains("soon") })
        #expect(content.remarks.contains { $0.hasPrefix("1 item in which no field") })
    }

    @Test(arguments: detours)
    func saysWhichFieldFailsAndOnWhat(_ detour: String) throws {
        let content = try decode("[\"a\", {\"t\": \"b\"}]", items: ".[]" + detour, fields: [.title: ".t"])
        #expect(content.items.map(\.title) == ["b"])
        #expect(content.remarks.contains { $0.contains("field title `.t` fails in 1 item") && $0.contains("a string") })
    }

    @Test func namesTheExpressionThatDoesNotCompile() {
        do {
            _ = try decode("[]", items: ".[] | select(true)", fields: [.title: ".t", .url: ".u |"])
            Issue.record("no error")
        } catch {
            let error = error as? ContentError
            #expect(error?.kind == .badExpression)
            #expect(error?.description.contains("`.u |`") == true)
        }
        #expect(throws: ContentError.self) { try decode("[]", items: ".[") }
    }

    @Test func failsWhereItemsFail() {
        #expect(throws: ContentError.self) { try decode("{\"r\": 5}", items: ".r[]") }
        #expect(throws: ContentError.self) { try decode("{\"r\": 5}", items: ".r[] | select(true)") }
    }
}

/// The shapes of an API that writes local time with a wrong `Z`, nests items by category, and leaves members out.
struct GankShapeTests {
    private let shanghai = TimeZone(identifier: "Asia/Shanghai") ?? .gmt

    private func decode(
        _ json: String, items: String, fields: [ContentField: String], when: String
    ) throws -> DecodedContent {
        let document = ContentDocument(body: Array(json.utf8), url: "https://gank.example/api/today")
        let mapping = ContentMapping(
            format: .json, items: items, fields: fields, when: when, timeZone: shanghai, datesAreLocal: true)
        return try JQDecoder.decode(document, mapping: mapping)
    }

    private let fields: [ContentField: String] = [
        .id: "._id // .ganhuo_id", .title: ".title // .desc", .url: ".url", .published: ".publishedAt",
        .author: ".who // .author",
        .attachment: ".images", .category: ".type",
    ]

    @Test func mapsADayGroupedByCategory() throws {
        let json = """
            {"category": ["iOS", "Android"], "error": false, "results": {
              "Android": [{"_id": "56cc6d1d421aa95caa7081ab", "desc": "A library\\nfor lists ",
              "publishedAt": "2017-05-11T12:03:09.581Z",
                "images": ["http://img.example/1", "http://img.example/2"], "type": "Android",
                "url": "https://code.example/a", "who": "W"}],
              "iOS": [{"_id": "56cc6d1d421aa95caa7081ac", "desc": "Another", "publishedAt": "2017-05-11T12:03:09.5Z",
              "type": "iOS",
                "url": "https://code.example/b", "who": null, "user": {"email": "x@y", "access_token": "s3cret"}}]}}
            """
        let content = try decode(json, items: ".results[][]", fields: fields, when: ".error == false")
        #expect(content.items.map(\.title) == ["A library for lists", "Another"])
        #expect(content.items.map(\.authors) == [["W"], []])
        #expect(content.items.map { $0.attachments.count } == [2, 0])
        #expect(content.items[0].published?.timeIntervalSince1970.rounded(.down) == 1_494_475_389)
        #expect(content.remarks.isEmpty)
        #expect(!String(describing: content).contains("s3cret"))
        let none = "{\"category\": [], \"error\": false, \"results\": {}}"
        #expect(try decode(none, items: ".results[][]", fields: fields, when: ".error == false").items.isEmpty)
    }

    @Test func mapsAListOfDays() throws {
        let json = "{\"error\": false, \"results\": [\"2016-07-18\", \"2016-07-15\"]}"
        let content = try decode(
            json, items: ".results[]", fields: [.id: ".", .title: ".", .published: "."], when: ".error == false")
        #expect(content.items.map(\.title) == ["2016-07-18", "2016-07-15"])
        #expect(content.items.map(\.declaredIdentifier) == ["2016-07-18", "2016-07-15"])
        #expect(content.items[0].published?.timeIntervalSince1970 == 1_468_771_200)
    }

    @Test func mapsASearch() throws {
        let json = """
            {"count": 1, "error": false, "results": [{"desc": "D", "ganhuo_id": "57",
            "publishedAt": "2016-05-12T12:04:43.857000",
              "readability": "", "type": "iOS", "url": "https://e.org/1", "who": "W"}]}
            """
        let item = try #require(
            try decode(json, items: ".results[]", fields: fields, when: ".error == false").items.first)
        #expect(item.declaredIdentifier == "57")
        #expect(item.published?.timeIntervalSince1970.rounded(.down) == 1_463_025_883)
    }

    @Test func mapsTheSecondVersionsEnvelope() throws {
        let json = """
            {"data": [{"_id": "5e", "author": "a", "desc": "long", "images": [], "publishedAt": "2020-03-30 17:47:27",
              "title": "T", "type": "Android", "url": "https://e.org/x"}], "page": 1, "status": 100}
            """
        let item = try #require(try decode(json, items: ".data[]", fields: fields, when: ".status == 100").items.first)
        #expect(item.title == "T")
        #expect(item.authors == ["a"])
        #expect(item.attachments.isEmpty)
        #expect(item.published?.timeIntervalSince1970 == 1_585_561_647)
        #expect(throws: ContentError.self) {
            try decode("{\"status\": 201, \"data\": []}", items: ".data[]", fields: fields, when: ".status == 100")
        }
    }
}
