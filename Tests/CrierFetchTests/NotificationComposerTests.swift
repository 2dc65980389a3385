import CrierContent
import CrierNotifications
import Foundation
import Testing

@testable import CrierFetch

/// 2023-11-14 22:13:20 UTC: the 15th in Shanghai.
let now = Date(timeIntervalSince1970: 1_700_000_000)

func item(_ identifier: String, _ hoursAgo: Double? = 1) -> ContentItem {
    ContentItem(
        identifier: identifier, title: "Title \(identifier)", url: "https://e.example/\(identifier)",
        published: hoursAgo.map { now.addingTimeInterval(-$0 * 3600) })
}

@Suite struct EachPolicyTests {
    private func titles(_ source: Source, _ findings: Findings) -> [String] {
        NotificationComposer(source: source).compose(findings).requests.map(\.content.title)
    }

    private let source = Source(name: "news", address: .url("https://e.example/feed"))

    @Test func eachNewItemIsOneNotificationOldestFirst() {
        let items = [item("c", 1), item("b", 2), item("a", 3)]
        #expect(titles(source, Findings(items: items, new: [items[1], items[0]], now: now)) == ["Title b", "Title c"])
    }

    /// Of what a run of the day, a notice or an update would be called, or another item whose identifier is so already.
    @Test(
        arguments: [
            ("day-2023-11-15", "~/day-2023-11-15"), ("day-2023-11-15-team", "~/day-2023-11-15-team"),
            ("~/day-2023-11-15", "~/~/day-2023-11-15"), ("gone-since-2023-11-15T10:00:00Z", nil),
            ("summary-00112233445566778899aabbccddeeff", nil), ("moved-to-0011223344556677", nil),
            ("a/update-1", "a/update-1~"), ("a/update-1~", "a/update-1~~"), ("a~2", "a~2~"),
        ] as [(String, String?)])
    func anItemThatIsCalledAsWhatCrierMakesHasAnIdentifierOfItsOwn(_ name: String, _ part: String?) {
        let composition = NotificationComposer(source: source).compose(
            Findings(items: [item(name)], new: [item(name)], now: now))
        #expect(composition.requests.map(\.identifier) == ["news/\(part ?? "~/\(name)")"])
    }

    @Test(arguments: ["day-1", "today-2023-11-15", "https://e.example/~ann/", "summary-1", "a/update-1/b", "~"])
    func anyOtherItemIsCalledAsItIs(_ name: String) {
        let composition = NotificationComposer(source: source).compose(
            Findings(items: [item(name)], new: [item(name)], now: now))
        #expect(composition.requests.map(\.identifier) == ["news/\(name)"])
    }

    @Test func aTextWithoutATitleIsHeadedByItsBeginningAndNotSaidTwice() throws {
        func content(_ summary: String) throws -> NotificationContent {
            var item = item("a")
            (item.title, item.summary) = (nil, summary)
            let composed = NotificationComposer(source: source).compose(Findings(items: [item], new: [item], now: now))
            return try #require(composed.requests.first?.content)
        }
        let short = try content("First.\nSecond.")
        #expect(short.title == "First." && short.body == "Second.")
        let long = try content(String(repeating: "word ", count: 60) + "end")
        #expect(long.title.hasSuffix("word…") && long.body.hasPrefix("…word ") && long.body.hasSuffix(" end"))
        #expect(long.title.dropLast() + " " + long.body.dropFirst() == String(repeating: "word ", count: 60) + "end")
        #expect(try content("").title == "https://e.example/a")
    }

    @Test func theRequestIsDerivedFromSourceAndItem() throws {
        var news = item("a")
        news.summary = "What it says."
        news.authors = ["Ann"]
        news.attachments = [
            ContentAttachment(url: "https://e.example/p.png", type: "image/png"),
            ContentAttachment(url: "https://e.example/x.zip", type: "application/zip"),
        ]
        var source = source
        source.level = .timeSensitive
        let request = try #require(
            NotificationComposer(source: source).compose(
                Findings(items: [news], new: [news], feedTitle: "The Feed", now: now)
            ).requests.first)
        #expect(request.identifier == "news/a")
        let content = request.content
        #expect(content.title == "Title a")
        #expect(content.subtitle == "The Feed")
        #expect(content.body == "What it says.")
        #expect(content.url == "https://e.example/a")
        #expect(content.threadIdentifier == "news")
        #expect(content.interruptionLevel == .timeSensitive)
        #expect(content.attachments == [NotificationAttachment(url: "https://e.example/p.png", type: "image/png")])
        #expect(
            content.userInfo["items"] == [
                [
                    "id": "a", "title": "Title a", "url": "https://e.example/a", "published": "2023-11-14T21:13:20Z",
                    "summary": "What it says.", "authors": ["Ann"],
                ]
            ])
    }

    @Test(arguments: ["audio/mpeg", "video/mp4"])
    func anEpisodeWithoutALinkLeadsToItsRecording(type: String) throws {
        var episode = item("a")
        episode.attachments = [
            ContentAttachment(url: "https://e.example/p.png", type: "image/png"),
            ContentAttachment(url: "http://192.168.1.1/", type: type),
            ContentAttachment(url: "https://e.example/1", type: type),
            ContentAttachment(url: "https://e.example/2", type: type),
        ]
        func request(_ item: ContentItem) throws -> NotificationRequest {
            let findings = Findings(items: [item], new: [item], now: now)
            return try #require(NotificationComposer(source: source).compose(findings).requests.first)
        }
        let linked = try request(episode)
        #expect(linked.content.url == "https://e.example/a")
        episode.url = nil
        let bare = try request(episode)
        #expect(bare.content.url == "https://e.example/1" && bare.identifier == linked.identifier)
        guard case .array(let told)? = bare.content.userInfo["items"], case .object(let fields)? = told.first else {
            return #expect(Bool(false), "\(bare.content.userInfo)")
        }
        #expect(fields["url"] == nil, "it is no address of the item")
        episode.attachments.removeLast(3)
        #expect(try request(episode).content.url == nil, "a picture is shown as such")
    }

    @Test(arguments: [nil, "Audio/MPEG"])
    func anEpisodeIsOneWhateverIsSaidOfItsFile(type: String?) throws {
        var episode = item("a")
        episode.url = nil
        episode.image = "https://e.example/cover"
        episode.attachments = [
            ContentAttachment(url: "https://e.example/cover"),
            ContentAttachment(url: "https://e.example/1", type: type),
        ]
        let findings = Findings(items: [episode], new: [episode], now: now)
        let request = try #require(NotificationComposer(source: source).compose(findings).requests.first)
        #expect(request.content.url == "https://e.example/1")
    }

    @Test func thePictureOfAnItemIsShownWhereNoFileIsOne() throws {
        func shown(_ attachments: [ContentAttachment], image: String?) throws -> [NotificationAttachment] {
            var news = item("a")
            news.attachments = attachments
            news.image = image
            let findings = Findings(items: [news], new: [news], now: now)
            let requests = NotificationComposer(source: source).compose(findings).requests
            #expect(requests.map(\.identifier) == ["news/a"])
            return try #require(requests.first).content.attachments
        }
        let image = "https://e.example/thumb"
        let recording = ContentAttachment(url: "https://e.example/1", type: "audio/mpeg")
        #expect(
            try shown([recording], image: image) == [
                NotificationAttachment(url: recording.url, type: "audio/mpeg"),
                NotificationAttachment(url: image, type: "image/*"),
            ])
        #expect(try shown([ContentAttachment(url: image)], image: image).map(\.url) == [image])
        let picture = ContentAttachment(url: "https://e.example/p", type: "Image/JPEG")
        #expect(try shown([picture], image: image) == [NotificationAttachment(url: picture.url, type: "Image/JPEG")])
        #expect(try shown([], image: "http://192.168.1.1/").isEmpty)
        let untyped = ContentAttachment(url: "https://e.example/p.JPG?w=600")
        #expect(try shown([untyped], image: nil) == [NotificationAttachment(url: untyped.url, type: "image/jpeg")])
        #expect(try shown([ContentAttachment(url: "https://e.example/p")], image: nil).isEmpty)
    }

    private func media(_ urls: [String], of address: SourceAddress) -> [String] {
        var news = item("a")
        news.attachments = urls.map { ContentAttachment(url: $0, type: "image/png") }
        let requests = NotificationComposer(source: Source(name: "news", address: address)).compose(
            Findings(items: [news], new: [news], now: now)
        ).requests
        return requests.flatMap { $0.content.attachments.map(\.url) }
    }

    @Test(arguments: [
        "http://192.168.1.1/apply.cgi?reboot=1", "http://127.0.0.1:9464/", "https://localhost/", "http://LocalHost./x",
        "http://printer/", "http://nas.local/", "http://u:p@10.0.0.1/", "http://[::1]/", "http://[fd00::1]:80/",
        "http://[::ffff:192.168.1.1]/", "http://0.0.0.0/", "http://3232235777/", "http://0xc0.0xa8.1.1/",
        "http://0300.0250.1.1/", "http://192.168.257/", "http://１９２.168.1.1/", "http://192%2e168.1.1/",
        "HTTP://10.1.2.3", "http:192.168.1.1/x.png",
    ])
    func aPictureOnAPrivateNetworkIsLeftOutUnlessTheSourceIsThereToo(_ url: String) {
        #expect(media([url, "https://e.example/p.png"], of: .url("https://e.example/")) == ["https://e.example/p.png"])
        for address in [
            .url("http://192.168.1.2/"), .url("http://localhost:8000/"), .url("http://nas.local/"),
            .url("file:///tmp/x"), .command(["feed"]),
        ] as [SourceAddress] {
            #expect(media([url], of: address) == [url], "\(address)")
        }
    }

    @Test(arguments: [
        "http://192.0.2.1/", "http://[2001:db8::1]/", "http://1.example/", "magnet:?xt=1", "http://10.example/",
    ])
    func anyOtherPictureIsShown(_ url: String) {
        #expect(media([url], of: .url("https://e.example/")) == [url])
    }

    @Test func anItemWithoutATitleIsCalledByItsTextOrItsAddress() {
        let text = ContentItem(identifier: "a", summary: "First line\nsecond line")
        let link = ContentItem(identifier: "b", url: "https://e.example/b")
        let bare = ContentItem(identifier: "c")
        let findings = Findings(items: [text, link, bare], new: [text, link, bare], now: now)
        #expect(titles(source, findings) == ["First line", "https://e.example/b", "New in news"])
    }

    @Test func moreThanTenNewItemsBecomeOneSummary() throws {
        let items = (1...11).map { item("\($0)", Double(20 - $0)) }
        let findings = Findings(items: items, new: items, homeURL: "https://e.example/", now: now)
        let requests = NotificationComposer(source: source).compose(findings).requests
        #expect(requests.count == 1)
        let content = try #require(requests.first?.content)
        #expect(content.title == "11 new in news")
        #expect(content.body.hasPrefix("• Title 11\n• Title 10\n"))
        #expect(content.body.hasSuffix("and 1 more"))
        #expect(content.url == "https://e.example/")
        let again = NotificationComposer(source: source).compose(
            Findings(items: items, new: items.reversed(), now: now)
        ).requests
        #expect(again.first?.identifier == requests.first?.identifier, "the identifier follows from the items")
        #expect(
            NotificationComposer(source: source).compose(Findings(items: items, new: Array(items.dropLast()), now: now))
                .requests.count == 10)
    }

    @Test func aSummaryHoldsFiftyItemsAndCountsTheRest() throws {
        func told(_ count: Int) throws -> ToldItems {
            let items = (1...count).map { item("\($0)", Double(100 - $0)) }
            let requests = NotificationComposer(source: source).compose(Findings(items: items, new: items, now: now))
                .requests
            return ToldItems(of: try #require(requests.first?.content))
        }
        #expect(try told(50).values.count == 50)
        #expect(try told(50).omitted == 0)
        #expect(try told(53).values.count == 50)
        #expect(try told(53).omitted == 3)
    }

    @Test func aRuleThatNamesTheSourcesOwnSinksPartsNothing() {
        var source = source
        source.sinks = ["desktop", "team"]
        let composer = NotificationComposer(source: source)
        let items = (1...11).map { item("\($0)", Double(20 - $0)) }
        var findings = Findings(items: items, new: items, now: now)
        let requests = composer.compose(findings).requests
        var ruling = Ruling()
        ruling.sinks = ["team", "desktop"]
        findings.rulings["3"] = ruling
        #expect(composer.compose(findings).requests == requests, "it is called as it was, too")
        ruling.sinks = ["team"]
        findings.rulings["3"] = ruling
        #expect(composer.compose(findings).requests.map(\.content.title) == ["10 new in news", "Title 3"])
    }

    @Test(arguments: [(BaselinePolicy.latest, ["Title c"]), (.none, []), (.all, ["Title a", "Title b", "Title c"])])
    func theFirstFetchRaisesWhatItsPolicySays(_ first: BaselinePolicy, _ expected: [String]) {
        var source = source
        source.first = first
        let items = [item("a", 3), item("b", 2), item("c", 1)]
        #expect(titles(source, Findings(items: items, new: items, isBaseline: true, now: now)) == expected)
    }

    @Test func thePolicyNoneRaisesNothing() {
        var source = source
        source.notify = .none
        #expect(titles(source, Findings(items: [item("a")], new: [item("a")], now: now)) == [])
    }
}

@Suite struct DailyPolicyTests {
    private var source: Source {
        var source = Source(
            name: "gank", address: .url("https://gank.example/api/today"), notify: .daily, title: "干货更新啦")
        source.mapping.timeZone = TimeZone(identifier: "Asia/Shanghai") ?? .gmt
        return source
    }

    private func compose(
        _ items: [ContentItem], new: [ContentItem]? = nil, announced: String?, isBaseline: Bool = false,
        first: BaselinePolicy = .latest
    ) -> Composition {
        var source = source
        source.first = first
        let findings = Findings(
            items: items, new: new ?? items, isBaseline: isBaseline, announcedDay: announced.flatMap(CalendarDay.init),
            now: now)
        return NotificationComposer(source: source).compose(findings)
    }

    @Test func theDayIsTheSourcesDay() {
        // 15:00 UTC on the 14th is 23:00 on the 14th in Shanghai; 17:00 UTC is 01:00 on the 15th.
        let before = ContentItem(identifier: "a", published: Date(timeIntervalSince1970: 1_699_974_000))
        let after = ContentItem(identifier: "b", published: Date(timeIntervalSince1970: 1_699_981_200))
        #expect(compose([before], announced: "2023-11-14").parts.isEmpty)
        let composition = compose([before, after], announced: "2023-11-14")
        #expect(composition.requests.map(\.identifier) == ["gank/day-2023-11-15"])
        #expect(composition.parts.first?.items.map(\.identifier) == ["b"])
    }

    @Test func atMostOncePerDay() {
        let first = compose([item("a", 1)], announced: "2023-11-14")
        #expect(first.requests.map(\.content.title) == ["干货更新啦"])
        #expect(first.announcedDay?.description == "2023-11-15")
        #expect(compose([item("a", 1), item("b", 0.5)], new: [item("b", 0.5)], announced: "2023-11-15").parts.isEmpty)
    }

    @Test func nothingOfTodayIsNothingAndStillAResult() {
        let composition = compose([item("a", 40)], announced: "2023-11-13")
        #expect(composition.parts.isEmpty)
        #expect(composition.announcedDay?.description == "2023-11-13")
    }

    @Test func aDayThatWasMissedIsToldOnceSinceItsDate() throws {
        let composition = compose(
            [item("today", 1), item("yesterday", 24), item("before", 48), item("old", 96)], announced: "2023-11-12")
        let request = try #require(composition.requests.first)
        #expect(composition.requests.count == 1)
        #expect(request.identifier == "gank/day-2023-11-15")
        #expect(request.content.subtitle == "3 items, since 2023-11-13")
        #expect(request.content.body == "• Title today\n• Title yesterday\n• Title before", "the newest day first")
        #expect(composition.announcedDay?.description == "2023-11-15")
    }

    @Test(arguments: [(["a"], "https://e.example/a"), (["a", "b"], "https://gank.example/")])
    func aDayOfOneItemLeadsToItAndAnyOtherToTheHomePage(_ names: [String], _ url: String) {
        let items = names.map { item($0) }
        let findings = Findings(items: items, new: items, homeURL: "https://gank.example/", now: now)
        #expect(NotificationComposer(source: source).compose(findings).requests.map(\.content.url) == [url])
    }

    @Test func aSingleMissedDayIsToldWithItsDate() {
        let composition = compose([item("a", 24)], announced: "2023-11-13")
        #expect(composition.requests.map(\.identifier) == ["gank/day-2023-11-14"])
        #expect(composition.requests.first?.content.subtitle == "1 item, 2023-11-14")
    }

    @Test func theFirstFetchTellsTheNewestDayByDefault() {
        let items = [item("a", 24), item("b", 48)]
        #expect(compose(items, announced: nil, isBaseline: true).requests.map(\.identifier) == ["gank/day-2023-11-14"])
        let none = compose(items, announced: nil, isBaseline: true, first: .none)
        #expect(none.parts.isEmpty)
        #expect(none.announcedDay?.description == "2023-11-14")
        #expect(
            compose(items, announced: nil, isBaseline: true, first: .all).requests.first?.content.subtitle
                == "2 items, since 2023-11-13")
    }

    @Test func contentOfTomorrowWaitsForItsDay() {
        let composition = compose([item("a", -20)], announced: nil, isBaseline: true)
        #expect(composition.parts.isEmpty)
        #expect(composition.announcedDay == nil)
    }

    @Test func aVisitWithoutNewContentAccountsForNoDay() {
        #expect(compose([], announced: "2023-11-10").announcedDay?.description == "2023-11-10")
        #expect(compose([item("a", 30)], new: [], announced: "2023-11-10").announcedDay?.description == "2023-11-10")
    }

    @Test func aDayThatAClockAccountedForAheadOfTimeIsNotBelieved() {
        let composition = compose([item("a", 1)], announced: "2029-12-31")
        #expect(composition.requests.map(\.identifier) == ["gank/day-2023-11-15"])
        #expect(composition.announcedDay?.description == "2023-11-15")
    }

    @Test func anotherPolicyForgetsTheDay() {
        var source = source
        source.notify = .each
        let findings = Findings(items: [], new: [], announcedDay: CalendarDay("2023-11-10"), now: now)
        #expect(NotificationComposer(source: source).compose(findings).announcedDay == nil)
    }

    @Test func aDayAndAnItemOfTheSameNameAreTwoIdentifiers() {
        var each = source
        each.notify = .each
        let day = item("2023-11-15", 1)
        let one = NotificationComposer(source: each).compose(Findings(items: [day], new: [day], now: now)).requests
        let other = compose([day], announced: "2023-11-14").requests
        #expect(one.map(\.identifier) != other.map(\.identifier))
    }

    @Test func anAbsentOrFarFutureDateCountsAsTheFirstSeenDate() {
        let composition = compose([item("a", nil), item("b", -900)], announced: "2023-11-14")
        #expect(composition.parts.first?.items.count == 2)
        #expect(compose([item("a", nil), item("b", -900)], new: [], announced: "2023-11-14").parts.isEmpty)
    }

    @Test func aChangeOfPolicyTellsNoOldDays() {
        let items = [item("old", 24), item("new", 1)]
        let composition = compose(items, new: [items[1]], announced: nil)
        #expect(composition.parts.first?.items.map(\.identifier) == ["new"])
    }
}

@Suite struct CalendarDayTests {
    @Test func textAndBack() {
        #expect(CalendarDay("2024-02-29")?.description == "2024-02-29")
        #expect(CalendarDay("yesterday") == nil)
        #expect(CalendarDay(Date(timeIntervalSince1970: -1), in: .gmt).description == "1969-12-31")
    }
}
