import CrierContent
import Testing

import struct Foundation.Date

/// A feed of each kind, and everything that it says.
@Suite struct FeedsWholeTests {
    private func item(
        id: String? = nil, _ title: String? = nil, _ url: String? = nil, published: Date? = nil, updated: Date? = nil,
        summary: String? = nil, content: String? = nil, authors: [String] = [],
        attachments: [ContentAttachment] = [], categories: [String] = [], image: String? = nil,
        comments: String? = nil, related: String? = nil, source: String? = nil
    ) -> ContentItem {
        ContentItem(
            declaredIdentifier: id, title: title, url: url, published: published, updated: updated, summary: summary,
            content: content, authors: authors, attachments: attachments, categories: categories, image: image,
            commentsURL: comments, externalURL: related, sourceTitle: source)
    }

    private func check(
        _ feed: FixtureFeed, is format: ContentFormat, title: String?, home: String?,
        hints: PollingHints = PollingHints(), items: [ContentItem]
    ) throws {
        let content = try feed.decoded()
        #expect(content.format == format)
        #expect(content.title == title)
        #expect(content.homeURL == home)
        #expect(content.hints == hints)
        #expect(content.remarks.isEmpty == (feed != .broken))
        #expect(content.bareItems == items)
    }

    @Test func rss090HasTitlesAndLinksOnly() throws {
        try check(
            .rss090, is: .rdf, title: "Harbour news", home: "http://harbour.example/",
            items: [
                item("A barge runs late", "http://harbour.example/barge"),
                item("Fog & foghorns", "http://harbour.example/fog"),
            ])
    }

    @Test func rss091NamesItsDocumentTypeAndItsEntities() throws {
        try check(
            .rss091, is: .rss, title: "Bakery", home: "http://bakery.example/",
            hints: PollingHints(skipHours: [1, 2], skipDays: [1]),
            items: [
                item("Rye & caraway", "http://bakery.example/rye", summary: "A dense loaf."),
                item("Café opens", "http://bakery.example/cafe"),
            ])
    }

    @Test func rss092HasItemsOfADescriptionAlone() throws {
        try check(
            .rss092, is: .rss, title: "Short notes", home: "http://notes.example/",
            items: [
                item(summary: "Walked to the mill and back."),
                item(
                    summary: "Heard an owl.",
                    attachments: [
                        ContentAttachment(url: "http://notes.example/owl.mp3", type: "audio/mpeg", length: 4096)
                    ], categories: ["owls"], source: "Birds"),
            ])
    }

    @Test func rss10LeansOnItsModules() throws {
        try check(
            .rss10, is: .rdf, title: "Lab book", home: "http://lab.example/",
            hints: PollingHints(interval: .seconds(86_400)),
            items: [
                item(
                    id: "http://lab.example/2", "Second run", "http://lab.example/2?from=rdf", published: epiphany,
                    summary: "Colder.", authors: ["Ines"], categories: ["cold", "physics"]),
                item(
                    id: "http://lab.example/1", "First run", "http://lab.example/1", summary: "Warm.\nToo warm."),
            ])
    }

    @Test func rss20HasItAll() throws {
        try check(
            .rss20, is: .rss, title: "Ferry", home: "https://ferry.example/",
            hints: PollingHints(interval: .seconds(1800)),
            items: [
                item(
                    id: "crossing-17", "Crossing 17 is off", "https://ferry.example/17", published: epiphany,
                    summary: "Wind.\nCome tomorrow.", authors: ["The mate"], categories: ["delays", "wind"],
                    comments: "https://ferry.example/17#comments"),
                item(id: "https://ferry.example/16", "Crossing 16 is on time", "https://ferry.example/16"),
            ])
    }

    @Test func podcastsSayMostThingsTwice() throws {
        try check(
            .podcast, is: .rss, title: "Kettle talk", home: "https://kettle.example",
            items: [
                item(
                    id: "kettle-7", "7: Whistles", published: epiphany, summary: "All about whistles.",
                    authors: ["Mo"],
                    attachments: [
                        ContentAttachment(
                            url: "https://cdn.kettle.example/7.mp3?a=1&b=2", type: "audio/mpeg", length: 31_415_926,
                            duration: 1901)
                    ], image: "https://kettle.example/7.jpg"),
                item(
                    "Spouts", summary: "Of spouts",
                    attachments: [ContentAttachment(url: "https://cdn.kettle.example/6.mp3", type: "audio/mpeg")]),
            ])
    }

    @Test func mediaStandInGroupsOrBesideEnclosures() throws {
        try check(
            .media, is: .rss, title: "Film club", home: nil,
            items: [
                item(
                    "The long take", "https://film.example/1", summary: "One shot.",
                    attachments: [
                        ContentAttachment(url: "https://film.example/1.mp4", type: "video/mp4", length: 1000),
                        ContentAttachment(url: "https://film.example/1.webm", type: "video/webm"),
                        ContentAttachment(url: "https://film.example/1.jpg"),
                    ], image: "https://film.example/1.jpg"),
                item(
                    "Titled",
                    attachments: [ContentAttachment(url: "https://film.example/2.mp4", type: "video/mp4", length: 2000)]
                ),
            ])
    }

    @Test func atom03HasModesAndOtherDates() throws {
        try check(
            .atom03, is: .atom, title: "Garden", home: "http://garden.example/",
            items: [
                item(
                    id: "tag:garden.example,2025:1", "Leeks up", "http://garden.example/leeks", published: epiphany,
                    updated: epiphany.addingTimeInterval(7200), summary: "Green & tall", authors: ["Flora"]),
                item(
                    id: "tag:garden.example,2025:2", "Compost", "http://garden.example/compost", summary: "Warm",
                    authors: ["Moss"]),
            ])
    }

    @Test func atom10HasBasesSourcesAndTypes() throws {
        try check(
            .atom10, is: .atom, title: "Tower <log>", home: "https://tower.example/",
            items: [
                item(
                    id: "urn:tower:2", "Smoke & fire", "https://tower.example/log/2", updated: epiphany,
                    summary: "North ridge", content: "Everything in full.", authors: ["Watch"],
                    attachments: [
                        ContentAttachment(url: "https://tower.example/log/2.png", type: "image/png", length: 512)
                    ], categories: ["fire", "Smoke signals"], image: "https://tower.example/log/2.png",
                    related: "http://fire.example/"),
                item(
                    id: "urn:tower:1", "Quiet", "https://other.example/quiet",
                    published: epiphany.addingTimeInterval(-90_000), updated: epiphany.addingTimeInterval(-86_400),
                    authors: ["Nora"], source: "Other"),
            ])
    }

    @Test func brokenXMLSaysWhatAPersonWouldRead() throws {
        try check(
            .broken, is: .rss, title: "Yard & sale", home: "http://yard.example/",
            items: [
                item("Lamp < 5 €", "http://yard.example/a?x=1&y=2", summary: "Brass\nshade"),
                item(
                    id: "chair-1", "Chair",
                    attachments: [ContentAttachment(url: "http://yard.example/chair.jpg", type: "image/jpeg")],
                    image: "http://yard.example/chair.jpg"),
                item("Rug", summary: "Red rug"),
            ])
    }
}
