import Testing

import class Foundation.Thread

@testable import CrierContent

/// Badly written markup that was searched up to the end of the document again and again: each of these takes far more than
/// ten minutes where what a search finds is not remembered, and a few seconds where it is.
@Suite(.timeLimit(.minutes(5))) struct XMLRepairBoundsTests {
    private static let prefix = String(repeating: "a", count: 70)

    @Test(arguments: [
        // Sections that begin as in no XML and do not end.
        ("<item><title><! [CDATA[x</title></item>", 80_000, 4),
        // Parts without an end, in spellings that are no part's where one looks ahead.
        ("< title>x", 200_000, 2), ("<\(prefix):title>x", 10_000, 2),
    ])
    func whatIsNotThereIsSearchedForOnce(_ unit: String, count: Int, tags: Int) async throws {
        let document = "<rss><channel><item>" + String(repeating: unit, count: count)
        let (bytes, ending) = try #require(await repaired(document))
        #expect(ending.isCut)
        #expect(bytes.count { $0 == UInt8(ascii: "<") } >= count * tags)
    }

    /// On a thread of its own, so that the time limit ends the test whatever it does; nil where it has.
    private func repaired(_ document: String) async -> (bytes: [UInt8], ending: DocumentEnding)? {
        let (results, continuation) = AsyncStream.makeStream(of: (bytes: [UInt8], ending: DocumentEnding).self)
        Thread.detachNewThread {
            continuation.yield(XMLRepair.repaired(Array(document.utf8)[...]))
            continuation.finish()
        }
        return await results.first { _ in true }
    }

    /// What is remembered is not taken for what comes later.
    @Test func sectionsOfAllSpellingsStandAmongOneAnother() throws {
        let content = try decodeFeed(
            """
            <rss><channel><item><title><! [CDATA[a</title></item><item><title><![CDATA[b]]></title></item>
            <item><title><! [CDATA[c</title></item><item><title><![CDATA[d]]></title></item>
            <item><title><! [CDATA[e</title></item><item><title>f</title></item></channel></rss>
            """)
        #expect(content.items.map(\.title) == ["a", "b", "c", "d", "e", "f"])
    }

    @Test func partsWithAndWithoutEndsStandAmongOneAnother() throws {
        let content = try decodeFeed(
            """
            <rss><channel><item>< title>a<guid>1</guid></item><item><title>b</title><guid>2</guid></item>
            <item><guid>3<title>c</title></item><item><title>d<guid>4</guid></item>
            <item><guid>5</guid><title>e</title></item></channel></rss>
            """)
        #expect(content.items.map(\.title) == ["a", "b", "c", "d", "e"])
        #expect(content.items.map(\.declaredIdentifier) == ["1", "2", "3", "4", "5"])
    }
}
