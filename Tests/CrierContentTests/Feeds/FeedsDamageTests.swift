import CrierContent
import CrierTesting
import Testing

/// One thing that goes wrong with bytes on their way.
private enum Damage: CaseIterable {
    case flip, replace, delete, cut, double, swap

    /// What means something to a parser.
    private static let telling = Array("<>&\"'/!?[]-=;:x\u{0} \n".utf8) + [0xFF, 0xC3, 0x80, 0xEF]

    func happens(to bytes: inout [UInt8], _ numbers: inout SeededNumbers) {
        guard let place = bytes.indices.randomElement(using: &numbers) else { return }
        let end = min(bytes.count, place + Int.random(in: 1...40, using: &numbers))
        switch self {
        case .flip: bytes[place] ^= 1 << UInt8.random(in: 0...7, using: &numbers)
        case .replace: bytes[place] = Damage.telling.randomElement(using: &numbers) ?? 0
        case .delete: bytes.removeSubrange(place..<end)
        case .cut: bytes.removeSubrange(place...)
        case .double: bytes.insert(contentsOf: bytes[place..<end], at: place)
        case .swap: if let other = bytes.indices.randomElement(using: &numbers) { bytes.swapAt(place, other) }
        }
    }
}

@Suite struct FeedsDamageTests {
    @Test(arguments: FixtureFeed.allCases)
    func damagedAtRandomAFeedIsReadOrRefusedAndNoItemIsWithoutIdentifier(feed: FixtureFeed) throws {
        let whole = try feed.bytes()
        var numbers = SeededNumbers(seed: UInt64(whole.count))
        var read = 0
        for round in 0..<600 {
            var bytes = whole
            for _ in 0...(round % 5) { Damage.allCases.randomElement(using: &numbers)?.happens(to: &bytes, &numbers) }
            guard let content = try? decodeFeed(bytes: bytes) else { continue }
            read += 1
            for item in content.items {
                #expect(!item.identifier.isEmpty)
                #expect(item.identifier.utf8.count <= ItemIdentity.maximumLength)
            }
            // Only items that are the same in everything share an identifier.
            #expect(Set(content.items.map(\.identifier)).count == Set(content.items).count)
        }
        #expect(read > 300)
    }

    /// An item whose end tag has come is there for good, and the same as in the whole feed.
    @Test(arguments: FixtureFeed.allCases.filter { $0 != .broken })
    func cutOffAtAnyByteAFeedKeepsItsCompleteItems(feed: FixtureFeed) throws {
        let bytes = try feed.bytes()
        let whole = try feed.decoded().items
        let ends = ["</item>", "</entry>"].flatMap { tag in
            bytes.indices.filter { bytes[$0...].starts(with: tag.utf8) }.map { $0 + tag.utf8.count }
        }
        #expect(ends.count == whole.count)
        for end in bytes.indices {
            let complete = ends.count { $0 <= end }
            let found = (try? decodeFeed(bytes: Array(bytes[..<end])))?.items ?? []
            #expect(Array(found.prefix(complete)) == Array(whole.prefix(complete)), "cut off at \(end)")
            #expect(found.count <= complete + 1)
        }
    }

    @Test func randomBytesAreNoFeed() {
        var numbers = SeededNumbers(seed: 7)
        for length in 0..<300 {
            let bytes = (0..<length).map { _ in UInt8.random(in: 0...255, using: &numbers) }
            #expect(throws: ContentError.self) { try decodeFeed(bytes: bytes) }
        }
    }

    @Test func anOrderOfTagsWithoutSenseIsReadWithoutHarm() throws {
        let pieces = [
            "<item>", "</item>", "<title>", "</title>", "<entry>", "</entry>", "<channel>", "</channel>", "<![CDATA[",
            "]]>", "<!--", "-->", "a", "&amp;", "&", "<", "<link href='/a'/>", "<media:group>", "</media:group>",
            "<author>", "<name>", "</author>", "<?x", "?>", "<!DOCTYPE a [", "]>", "<description>", "<br>",
        ]
        var numbers = SeededNumbers(seed: 11)
        for _ in 0..<1500 {
            let soup = (0..<24).compactMap { _ in pieces.randomElement(using: &numbers) }.joined()
            let content = try decodeFeed("<rss>" + soup)
            #expect(content.items.allSatisfy { !$0.identifier.isEmpty })
        }
    }
}
