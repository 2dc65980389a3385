import CrierContent
import Foundation
import Testing

struct JQFilterTests {
    private let item = ContentItem(
        identifier: "sha256:0", declaredIdentifier: "1", title: "Swift 6.3 released", url: "https://e.org/1",
        published: Date(timeIntervalSince1970: 1_709_663_415.5), summary: "line\nline", authors: ["A", "B"],
        attachments: [ContentAttachment(url: "https://e.org/a.mp3", type: "audio/mpeg", length: 12)], categories: ["x"])

    private func kept(_ program: String, of items: [ContentItem], areKept: Bool = true) throws -> [ContentItem] {
        var faults: [String: String] = [:]
        defer { #expect(faults.isEmpty) }
        return try JQFilter(program).items(items, areKept: areKept, faults: &faults)
    }

    @Test(arguments: [
        (".title | test(\"release\"; \"i\")", true), (".title | test(\"beta\")", false), ("true", true),
        ("false", false),
        ("null", false), ("empty", false), ("0", true), (".id == \"1\"", true), ("true, false", false),
        (".published == \"2024-03-05T18:30:15Z\"", true), (".published > \"2024-03\"", true),
        (".updated == null", true),
        (".summary == \"line\\nline\"", true), (".authors | index(\"B\")", true), (".categories == [\"x\"]", true),
        (".attachments[0] | .url == \"https://e.org/a.mp3\" and .type == \"audio/mpeg\" and .length == 12", true),
        (".attachments[0] | .duration == null and .title == null", true),
        (
            "keys == (\"attachments authors categories commentsURL content externalURL id image published sourceTitle summary \" + \"title updated url\" | split(\" \"))",
            true
        ),
        ("select(.url | startswith(\"https:\"))", true),
        ("false, true", false),
    ])
    func keepsWhatTheProgramHolds(_ program: String, _ isKept: Bool) throws {
        #expect(try kept(program, of: [item]).count == (isKept ? 1 : 0))
    }

    @Test func reportsFailuresInsteadOfDroppingItems() throws {
        #expect(throws: ContentError.self) { try JQFilter(".title |") }
        let filter = try JQFilter(".updated | fromdate # of each")
        for areKept in [true, false] {
            var faults: [String: String] = [:]
            #expect(try filter.items([item], areKept: areKept, faults: &faults) == [item])
            #expect(faults.keys.sorted() == ["sha256:0"])
            #expect(faults["sha256:0"]?.contains("strptime/1 requires string inputs") == true)
        }
    }

    @Test func usesTheIdentifierMadeWhereNoneIsDeclared() throws {
        #expect(
            try kept(".id == \"made\" and .title == null", of: [ContentItem(identifier: "made")]).count == 1)
    }

    @Test(arguments: [
        (".author == \"A\"", "author"), ("(.[\"auth or\"] | not) and .title", "auth or"), (".title | .author", nil),
        (".categories | any(.author)", nil), ("true, .author", "author"),
        (".[0]", nil), ("true", nil), ("until(false; .)", nil),
    ])
    func tellsWhatNoItemHas(_ program: String, _ key: String?) throws {
        #expect(try JQFilter(program).unknownKey == key)
    }

    @Test func knowsTheKeysOfItems() throws {
        let data = try JSONEncoder().encode(ItemDocument(item))
        let object = try JSONSerialization.jsonObject(with: data) as? [String: Any]
        #expect(object?.keys.sorted() == ItemDocument.keys.sorted())
    }

    @Test func keepsTheOrderOfTheItemsThatItKeeps() throws {
        let items = (0..<50).map { ContentItem(identifier: "\($0)") }
        let some = try kept(".id | tonumber | . % 7 == 3", of: items)
        #expect(some.map(\.identifier) == ["3", "10", "17", "24", "31", "38", "45"])
        #expect(try kept("error(\"never run\")", of: []).isEmpty)
    }
}
