import Testing

import struct Foundation.Date

@testable import CrierContent

/// Items of one identifier that nothing but their content tells from one another.
struct ClashingContentTests {
    private func item(
        _ content: String?, kind: TextKind = .html, id: String = "x", title: String = "a"
    ) -> ContentItem {
        var item = ContentItem(identifier: id, declaredIdentifier: id, title: title)
        item.markedContent = content.map { FeedText($0.utf8, kind: kind) }
        return item
    }

    private func originals(_ items: [ContentItem]) -> [Int] { ItemIdentity.originals(of: items) }

    private func renderings(of items: [ContentItem]) -> Int {
        var count = 0
        _ = ItemIdentity.originals(of: items) { text in
            count += 1
            return text.text(limit: .max)
        }
        return count
    }

    @Test func eachContentIsReadOnceHoweverManyThereAre() {
        let different = (0..<2000).map { item("<p>\($0)</p>") }
        #expect(renderings(of: different) == 2000)
        #expect(originals(different) == Array(0..<2000))
        let alike = (0..<2000).map { item("<p>a</p><!-- \($0) -->") }
        #expect(renderings(of: alike) == 2000)
        #expect(originals(alike).allSatisfy { $0 == 0 })
    }

    @Test func noContentIsReadWhereSomethingElseTellsItemsApart() {
        #expect(renderings(of: (0..<100).map { item("<p>\($0)</p>", id: "\($0)") }) == 0)
        #expect(renderings(of: (0..<100).map { item("<p>\($0)</p>", title: "\($0)") }) == 0)
        #expect(renderings(of: [item("a"), item("b"), item("c", id: "y")]) == 2)
    }

    @Test func contentsAreOneWhereReadersSeeTheSame() {
        let alike = [item("<p>a</p>"), item("b"), item("<div>a</div>"), item("a", kind: .plain)]
        #expect(originals(alike) == [0, 1, 0, 0])
        #expect(originals([item("\u{E9}"), item("e\u{301}")]) == [0, 0])
        // One with nothing to be seen is none that is missing.
        #expect(originals([item("<br>"), item(nil), item("<i></i>"), item(nil)]) == [0, 1, 0, 1])
        // More of it than is ever shown.
        let long = String(repeating: "word ", count: 30_000)
        #expect(originals([item(long + "a"), item(long + "b"), item(long + "<b>a</b>")]) == [0, 1, 0])
    }

    /// A part that is not looked at would make copies of items of which one is then left out.
    @Test func everyPartTellsItemsApart() {
        #expect(Mirror(reflecting: item(nil)).children.count == 15)
        let one = ContentAttachment(url: "u", type: "t", length: 1, duration: 1, title: "t")
        let now = Date(timeIntervalSince1970: 1)
        let changes: [(inout ContentItem) -> Void] = [
            { _ in }, { $0.identifier = "y" }, { $0.declaredIdentifier = "y" }, { $0.declaredIdentifier = nil },
            { $0.title = "b" }, { $0.title = nil }, { $0.url = "u" }, { $0.url = "" }, { $0.published = now },
            { $0.updated = now }, { $0.summary = "s" }, { $0.summary = "" }, { $0.content = "c" }, { $0.image = "u" },
            { $0.authors = ["n"] }, { $0.authors = ["n", "m"] }, { $0.categories = ["n"] }, { $0.commentsURL = "u" },
            { $0.externalURL = "u" }, { $0.sourceTitle = "t" }, { $0.attachments = [one] },
            { $0.attachments = [one, one] }, { $0.attachments = [ContentAttachment(url: "u")] },
            { $0.attachments = [ContentAttachment(url: "u", type: "")] },
        ]
        let items = changes.map { change in
            var changed = item(nil)
            change(&changed)
            return changed
        }
        #expect(Set(items).count == items.count)
        #expect(originals(items) == Array(items.indices))
        #expect(originals(items + items) == Array(items.indices) + Array(items.indices))
    }

    @Test func itemsThatReadersSeeAlikeShareTheirIdentifierAndOthersDoNot() {
        var items = [item("<p>a</p>"), item("b"), item("<div>a</div>")]
        ItemIdentity.assign(to: &items)
        #expect(items[0].identifier == items[2].identifier)
        #expect(items[0].identifier != items[1].identifier)
        #expect(ItemIdentity.clashes(in: items) == ["x"])
        var alike = [item("<p>a</p>"), item("<div>a</div>")]
        ItemIdentity.assign(to: &alike)
        #expect(alike.map(\.identifier) == ["x", "x"])
        #expect(ItemIdentity.clashes(in: alike).isEmpty)
    }

    @Test func itemsOfASetAreToldApartByTheirContent() {
        var (one, other) = (Hasher(), Hasher())
        FeedText("<p>a</p>".utf8, kind: .html).hash(into: &one)
        FeedText("<p>b</p>".utf8, kind: .html).hash(into: &other)
        #expect(one.finalize() != other.finalize())
        let texts = [FeedText("<p>a</p>".utf8, kind: .html), FeedText("a".utf8, kind: .plain)]
        #expect(Set(texts).count == 1)
    }
}
