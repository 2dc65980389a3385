import CrierContent
import Testing

import struct Foundation.Date

struct ItemIdentityTests {
    private func item(
        id: String? = nil, link: String? = nil, day: Int? = nil, title: String? = nil, summary: String? = nil
    ) -> ContentItem {
        ContentItem(
            declaredIdentifier: id, title: title, url: link,
            published: day.map { Date(timeIntervalSince1970: Double($0) * 86_400) }, summary: summary)
    }

    private func identifiers(_ items: [ContentItem]) -> [String] {
        var items = items
        ItemIdentity.assign(to: &items)
        return items.map(\.identifier)
    }

    @Test func isTheDeclaredIdentifierWhateverElseChanges() {
        #expect(identifiers([item(id: " urn:1\n", link: "http://e.org/1", title: "a")]) == ["urn:1"])
        #expect(identifiers([item(id: "urn:1", link: "https://e.org/moved", day: 4, title: "b")]) == ["urn:1"])
        #expect(identifiers([item(id: "urn:1 \n")]) == ["urn:1"])
    }

    @Test func isNewWhereTheDeclaredIdentifierChangesAndTheLinkStays() {
        #expect(
            identifiers([item(id: "1", link: "http://e.org/")]) != identifiers([item(id: "2", link: "http://e.org/")]))
    }

    @Test func fallsBackToLinkAndDateThenLinkThenTitleAndDateThenContent() {
        let full = identifiers([item(link: "http://e.org/1", day: 1, title: "a")])
        #expect(full == identifiers([item(link: "http://e.org/1", day: 1, title: "corrected")]))
        #expect(full != identifiers([item(link: "http://e.org/1", day: 2, title: "a")]))
        let link = identifiers([item(link: "http://e.org/1", title: "a")])
        #expect(link == identifiers([item(link: "http://e.org/1", title: "b", summary: "c")]))
        #expect(link != full)
        let title = identifiers([item(day: 1, title: "a")])
        #expect(title == identifiers([item(day: 1, title: "a", summary: "more")]))
        #expect(title != identifiers([item(day: 2, title: "a")]))
        let content = identifiers([item(title: "a", summary: "b")])
        #expect(content != identifiers([item(title: "a", summary: "c")]))
        #expect(content != identifiers([item(title: "ab")]))
    }

    @Test func givesItemsWithNothingButTextDistinctIdentifiers() {
        let texts = identifiers([item(summary: "a"), item(summary: "b"), item(summary: "a")])
        #expect(texts[0] != texts[1])
        #expect(texts[2] == texts[0])
    }

    @Test func keepsItemsApartThatShareALink() {
        let site = "http://e.org/"
        let items = [item(id: "1", link: site), item(id: "2", link: site)]
        #expect(identifiers(items) == ["1", "2"])
        let unnamed = [item(link: site, title: "a"), item(link: site, title: "b")]
        #expect(Set(identifiers(unnamed)).count == 2)
    }

    @Test func doesNotDependOnTheOrder() {
        let items = [
            item(id: "x", link: "http://e.org/1", day: 3, title: "c"),
            item(id: "x", link: "http://e.org/2", day: 1, title: "a"),
            item(id: "x", link: "http://e.org/2", day: 2, title: "b"), item(id: "y", title: "d"),
            item(id: "y", title: "e"),
            item(title: "f"),
        ]
        let straight = identifiers(items)
        #expect(Set(straight).count == items.count)
        #expect(identifiers(items.reversed()) == straight.reversed())
        let ofOneDay = [1, 2].map { item(id: "x", link: "http://e.org/\($0)", day: 1) }
        #expect(identifiers(ofOneDay.reversed()) == identifiers(ofOneDay).reversed())
    }

    @Test func leavesTheOldestOfAClashItsPlainIdentifier() {
        let old = item(id: "x", link: "http://e.org/1", day: 1)
        let newer = item(id: "x", link: "http://e.org/2", day: 2)
        let newest = item(id: "x", link: "http://e.org/3", day: 3)
        #expect(identifiers([old]) == ["x"])
        let two = identifiers([newer, old])
        #expect(two[1] == "x")
        let three = identifiers([newest, newer, old])
        #expect(three[1...] == two[0...])
        // When the old one is gone, the newer one is still known: under the plain identifier.
        #expect(identifiers([newest, newer]) == [three[0], "x"])
    }

    @Test func leavesAPlainIdentifierToTheItemThatItIsRememberedFor() {
        func identifiers(_ items: [ContentItem], _ url: String?, _ title: String?, day: Int? = nil) -> [String] {
            var items = items
            ItemIdentity.assign(to: &items)
            #expect(ItemIdentity.clashes(in: items) == ["x"])
            let plain = ItemIdentity.plainIdentifiers(of: items)
            let owner = ItemIdentity.Owner(url: url, title: title, published: item(day: day).published)
            ItemIdentity.settle(&items, plain: plain, owners: ["x": owner])
            return items.map(\.identifier)
        }
        let old = item(id: "x", link: "http://e.org/1", day: 5, title: "a")
        let backdated = item(id: "x", link: "http://e.org/2", day: 1, title: "b")
        #expect(identifiers([backdated, old], "http://e.org/1", "a")[1] == "x")
        #expect(identifiers([backdated, old], "http://e.org/1", "before it was corrected")[1] == "x")
        #expect(identifiers([backdated, old], "http://e.org/1", "a", day: 4)[1] == "x", "before it was dated anew")
        let both = identifiers([backdated, old], "http://e.org/0", "gone")
        #expect(!both.contains("x"), "it was another's")
        #expect(Set(both).count == 2)
        let sameLink = [
            item(id: "x", link: "http://e.org/", day: 2, title: "b"),
            item(id: "x", link: "http://e.org/", day: 1, title: "c"),
        ]
        #expect(identifiers(sameLink, "http://e.org/", "b")[0] == "x")
        #expect(!identifiers(sameLink, "http://e.org/", "other").contains("x"), "either may have followed it")
    }

    @Test func isTheDeclaredOneOfAnItemThatIsAloneWhateverOthersWereCalled() {
        let alone = item(id: "x", link: "http://e.org/1", day: 9, title: "b")
        let extended = ItemIdentity.identifiers(of: alone, "x")[1]
        func owner(_ link: Int, day: Int?) -> ItemIdentity.Owner {
            ItemIdentity.Owner(url: "http://e.org/\(link)", title: "a", published: item(day: day).published)
        }
        for owners in [["x": owner(0, day: 1), extended: owner(1, day: nil)], [extended: owner(1, day: 1)]] {
            var items = [alone]
            ItemIdentity.assign(to: &items)
            ItemIdentity.settle(&items, plain: ItemIdentity.plainIdentifiers(of: items), owners: owners)
            #expect(items.map(\.identifier) == ["x"])
        }
    }

    @Test func hasNoClashesWhereItemsAreEqualOrHaveIdentifiersOfTheirOwn() {
        for items in [
            [item(id: "x"), item(id: "y")], [item(id: "x", title: "a"), item(id: "x", title: "a")],
            [item(link: "http://e.org/1"), item(link: "http://e.org/2")], [item(id: " x "), item(id: "z")],
        ] {
            var items = items
            ItemIdentity.assign(to: &items)
            #expect(ItemIdentity.clashes(in: items).isEmpty)
        }
    }

    @Test(arguments: [
        ("http://e.org/1?PHPSESSID=%&a=1#x", "http://e.org/1?a=1#x"),
        ("https://e.org/1?phpsessid=%", "https://e.org/1"),
        ("http://e.org/1;jsessionid=%.b?a=;jsessionid", "http://e.org/1?a=;jsessionid"),
        ("http://e.org/1;v=2;JSESSIONID=%/b", "http://e.org/1;v=2/b"), ("http://e.org/?JSESSIONID=%", "http://e.org/"),
    ])
    func sessionsOfTheVisitorTellNothing(_ form: String, _ bare: String) {
        func link(_ session: String) -> String { form.replacing("%", with: session) }
        #expect(identifiers([item(link: link("a"), day: 1)]) == identifiers([item(link: link("b"), day: 1)]))
        #expect(identifiers([item(link: link("a"))]) == identifiers([item(link: bare)]))
        #expect(identifiers([item(id: link("a"))]) == [bare])
        #expect(identifiers([item(id: "urn:\(form)")]) == ["urn:\(form)"])
    }

    @Test func aParameterThatAllLinksHaveIsASessionByItsNameAndValue() {
        func links(_ session: String, _ name: String = "sid") -> [String] {
            identifiers((1...3).map { item(link: "http://e.org/t.php?t=\($0)&\(name)=\(session)#p") })
        }
        let (one, other) = (String(repeating: "0a", count: 16), String(repeating: "1b", count: 16))
        #expect(links(one) == links(other))
        #expect(Set(links(one)).count == 3)
        #expect(links(one, "session_id") == links(other, "session_id"))
        #expect(links("12") != links("34"))
        #expect(links(String(repeating: "0g", count: 16)) != links(String(repeating: "1h", count: 16)))
        #expect(links(one, "id") != links(other, "id"))
        // What few links have is no session, nor is what tells pages apart, or one alone: they may be looked up by it.
        func few(_ session: String) -> [String] {
            identifiers((1...5).map { item(link: "http://e.org/t.php?t=\($0)" + ($0 < 3 ? "&sid=\(session)" : "")) })
        }
        #expect(few(one) != few(other))
        let pages = [one, other].map { item(link: "http://e.org/story?sid=\($0)") }
        #expect(Set(identifiers(pages)).count == 2)
        #expect(identifiers([pages[0]]) != identifiers([pages[1]]))
    }

    @Test func neverTakesAnUndatedNewcomerForTheItemItClashesWith() {
        let first = item(id: "x", link: "http://e.org/1", title: "a")
        let second = item(id: "x", link: "http://e.org/2", title: "b")
        let known = Set(identifiers([first]))
        #expect(known.isDisjoint(with: identifiers([second, first])))
    }

    @Test func isSharedByItemsThatAreEqualInEverything() {
        #expect(identifiers([item(id: "x", title: "a"), item(id: "x", title: "a")]) == ["x", "x"])
        #expect(Set(identifiers([item(id: "x", day: 1, title: "a"), item(id: "x", day: 2, title: "a")])).count == 2)
    }

    @Test func doesNotDependOnHowManyCopiesThereAre() {
        let old = item(id: "x", link: "http://e.org/1", day: 1)
        let newer = item(id: "x", link: "http://e.org/2", day: 2)
        let once = identifiers([newer, old])
        #expect(identifiers([newer, old, newer, old, old]) == [once[0], once[1], once[0], once[1], once[1]])
        // A copy of the oldest one does not make its date a shared one.
        #expect(once[1] == "x")
    }

    /// Of what was gone for long first the text is kept no longer, and then the title.
    @Test func aNameIsNobodyElsesWhenItsTextsAreKeptNoLonger() {
        let items = [3, 2, 1].map { (number: Int) in
            item(id: "x", link: "http://e.org/", day: number, title: "T\(number)", summary: "s\(number)")
        }
        let names = ItemIdentity.identifiers(of: items[0], "x")
        func settled(_ owners: [String: ItemIdentity.Owner]) -> [String] {
            var settled = items
            ItemIdentity.assign(to: &settled)
            ItemIdentity.settle(&settled, plain: ItemIdentity.plainIdentifiers(of: items), owners: owners)
            return settled.map(\.identifier)
        }
        let first = ItemIdentity.Owner(url: "http://e.org/", title: "T1", published: items[2].published)
        let gone = ItemIdentity.Owner(url: nil, title: nil, published: Date(timeIntervalSince1970: 0))
        let found = settled(["x": first, names[1]: gone])
        #expect(found[2] == "x")
        #expect(!found.contains(names[1]) && Set(found).count == 3)
        #expect(settled(["x": gone]).allSatisfy { $0 != "x" })
    }

    @Test func copiesHaveTheCategoriesOfAll() {
        func entry(_ categories: [String], link: String? = "http://e.org/1") -> ContentItem {
            var entry = item(id: "x", link: link, day: 1, title: "a")
            entry.categories = categories
            return entry
        }
        var items = [entry(["a", "b"]), entry(["b", "c"]), entry([]), entry(["d"])]
        ItemIdentity.assign(to: &items)
        #expect(items.map(\.identifier) == ["x", "x", "x", "x"])
        #expect(items[0].categories == ["a", "b", "c", "d"])
        // What has no address may be another.
        var others = [entry(["a"], link: nil), entry(["b"], link: nil)]
        ItemIdentity.assign(to: &others)
        #expect(others[0].identifier != others[1].identifier && others[0].categories == ["a"])
    }

    @Test func tellsItemsApartThatDifferInOnePartOnly() {
        var tagged = item(id: "x", title: "a")
        tagged.categories = ["t"]
        var heard = item(id: "x", title: "a")
        heard.attachments = [ContentAttachment(url: "http://e.org/a.mp3")]
        let all = identifiers([item(id: "x", title: "a"), tagged, heard, tagged])
        #expect(Set(all).count == 3)
        #expect(all[1] == all[3])
    }

    @Test func replacesLongIdentifiersByTheirHash() {
        let long = String(repeating: "é", count: 2000)
        let identifier = identifiers([item(id: long)])[0]
        #expect(identifier.utf8.count <= ItemIdentity.maximumLength)
        #expect(identifier != identifiers([item(id: long + "x")])[0])
        let longest = String(repeating: "a", count: ItemIdentity.maximumLength)
        #expect(identifiers([item(id: longest)]) == [longest])
        #expect(
            identifiers([item(id: longest + "a"), item(id: longest + "a", title: "b")]).allSatisfy {
                $0.utf8.count <= 256
            })
    }
}

struct NewItemsTests {
    private let now = Date(timeIntervalSince1970: 1_700_000_000)

    private func item(_ id: String, hours: Double? = nil) -> ContentItem {
        ContentItem(identifier: id, published: hours.map { now.addingTimeInterval($0 * 3600) })
    }

    private func new(_ items: [ContentItem], known: Set<String> = []) -> [String] {
        NewItems.among(items, known: known, now: now).map(\.identifier)
    }

    @Test func areThoseWhoseIdentifiersAreNotKnown() {
        #expect(new([item("a"), item("b")], known: ["a"]) == ["b"])
        #expect(new([item("a", hours: -1)], known: ["a"]).isEmpty)
        // An old date does not make an item known.
        #expect(new([item("a", hours: -9000)], known: ["b"]) == ["a"])
    }

    @Test func areNamedOnceEach() {
        #expect(new([item("b"), item("a"), item("b")]) == ["a", "b"])
        #expect(new([item("a"), item("a")]) == ["a"])
        #expect(new([item("a"), item("b"), item("a")], known: ["a"]) == ["b"])
    }

    @Test func uniqueItemsAreTheFirstOfEachIdentifierInTheirOrder() {
        var copy = item("b")
        copy.title = "second"
        #expect(NewItems.unique([item("b"), item("a"), copy, item("a")]) == [item("b"), item("a")])
        #expect(NewItems.unique([]).isEmpty)
    }

    @Test func standInTheOrderOfTheirDates() {
        #expect(new([item("c", hours: -1), item("a", hours: -3), item("b", hours: -2)]) == ["a", "b", "c"])
    }

    @Test func countAsSeenNowWhereTheDateIsAbsentOrFarAhead() {
        #expect(
            new([item("far", hours: 25), item("soon", hours: 23), item("none"), item("old", hours: -1)]) == [
                "old", "none", "far", "soon",
            ])
        #expect(NewItems.date(of: item("far", hours: 25), firstSeen: now) == now)
        #expect(NewItems.date(of: item("soon", hours: 23), firstSeen: now) == now.addingTimeInterval(23 * 3600))
    }

    @Test func ofOneDateStandOldestFirstByTheDocumentsOrder() {
        #expect(new([item("c"), item("b"), item("a")]) == ["a", "b", "c"])
        #expect(new([item("b", hours: -1), item("a", hours: -1)]) == ["a", "b"])
        #expect(new([item("x", hours: -2), item("a", hours: -1), item("b", hours: -1)]) == ["x", "a", "b"])
        #expect(new([item("b", hours: -1), item("a", hours: -1), item("x", hours: -2)]) == ["x", "a", "b"])
    }

    @Test func identifiersThatDifferBehindAControlCharacterAreTwo() {
        var items = ["x\u{0}one", "x\u{0}two"].map { ContentItem(declaredIdentifier: $0) }
        ItemIdentity.assign(to: &items)
        #expect(Set(items.map(\.identifier)).count == 2)
        #expect(items.allSatisfy { !$0.identifier.unicodeScalars.contains("\u{0}") })
    }
}
