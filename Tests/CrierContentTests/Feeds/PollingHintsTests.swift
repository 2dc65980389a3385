import CrierContent
import Testing

@Suite struct PollingHintsTests {
    private func hints(_ elements: String) throws -> PollingHints {
        try decodeFeed(
            """
            <rss version="2.0" xmlns:sy="http://purl.org/rss/1.0/modules/syndication/"><channel>\(elements)
            <item><title>a</title></item></channel></rss>
            """
        ).hints
    }

    @Test(arguments: [
        ("60", 3600), (" 60 ", 3600), ("1", 60), ("0", nil), ("-5", nil), ("", nil), ("an hour", nil), ("1.5", nil),
        ("525600", 31_536_000), ("525601", 31_536_000), ("9223372036854775807", 31_536_000),
        ("99999999999999999999", 31_536_000), ("9999999999999999999x", nil),
    ])
    func theTimeToLiveIsInMinutesAndAYearAtMost(ttl: String, seconds: Int?) throws {
        #expect(try hints("<ttl>\(ttl)</ttl>") == PollingHints(interval: seconds.map { .seconds($0) }))
    }

    @Test(arguments: [
        ("hourly", "1", 3600), ("hourly", "2", 1800), ("daily", "24", 3600), ("weekly", "1", 604_800),
        ("monthly", "1", 2_592_000), ("yearly", "1", 31_536_000), ("Daily", "1", 86_400), (" daily ", " 2 ", 43_200),
        ("daily", "0", 86_400), ("daily", "-1", 86_400), ("daily", "often", 86_400), ("daily", "", 86_400),
        ("fortnightly", "1", nil), ("", "4", nil),
    ])
    func aPeriodIsDividedByItsFrequency(period: String, frequency: String, seconds: Int?) throws {
        let elements =
            "<sy:updatePeriod>\(period)</sy:updatePeriod><sy:updateFrequency>\(frequency)</sy:updateFrequency>"
        #expect(try hints(elements) == PollingHints(interval: seconds.map { .seconds($0) }))
    }

    @Test func aPeriodAloneIsOncePerPeriodAndAFrequencyAloneIsNothing() throws {
        #expect(try hints("<sy:updatePeriod>daily</sy:updatePeriod>").interval == .seconds(86_400))
        #expect(try hints("<sy:updateFrequency>3</sy:updateFrequency>").interval == nil)
    }

    @Test func aFrequencyBeyondMeasureIsNoIntervalOfNothing() throws {
        let often = "<sy:updatePeriod>hourly</sy:updatePeriod><sy:updateFrequency>100000</sy:updateFrequency>"
        #expect(try hints(often).interval.map { $0 > .zero } ?? true)
    }

    @Test func theTimeToLiveGoesBeforeThePeriod() throws {
        let period = "<sy:updatePeriod>daily</sy:updatePeriod>"
        #expect(try hints(period + "<ttl>10</ttl>").interval == .seconds(600))
        #expect(try hints(period + "<ttl>0</ttl>").interval == .seconds(86_400))
    }

    @Test(
        arguments: [
            ("<hour>0</hour><hour>7</hour>", [0, 7]), ("<hour>24</hour>", [0]), ("<hour> 07 </hour>", [7]),
            ("<hour>25</hour><hour>-1</hour><hour>noon</hour><hour/><hour>3.5</hour>", []),
            ("<hour>5</hour><hour>5</hour>", [5]), ("", []), ("5", []), ("<day>Monday</day>", []),
        ] as [(String, Set<Int>)])
    func hoursToSkipAreThoseOfADay(list: String, hours: Set<Int>) throws {
        #expect(try hints("<skipHours>\(list)</skipHours>") == PollingHints(skipHours: hours))
    }

    @Test(
        arguments: [
            ("<day>Sunday</day><day>Saturday</day>", [1, 7]), ("<day>MONDAY</day>", [2]), ("<day> friday </day>", [6]),
            ("<day>Freitag</day><day>8</day><day/>", []), ("<hour>3</hour>", []),
            ("<day>Tuesday</day><day>tuesday</day><day>Funday</day>", [3]),
        ] as [(String, Set<Int>)])
    func daysToSkipAreThoseOfAWeek(list: String, days: Set<Int>) throws {
        #expect(try hints("<skipDays>\(list)</skipDays>") == PollingHints(skipDays: days))
    }

    @Test func anHourOutsideItsListIsNone() throws {
        #expect(try hints("<hour>5</hour><day>Monday</day>") == PollingHints())
        #expect(try hints("<x><hour>5</hour></x>") == PollingHints())
    }

    @Test func severalListsAreOne() throws {
        let lists = "<skipHours><hour>1</hour></skipHours><skipHours><hour>2</hour></skipHours>"
        #expect(try hints(lists).skipHours == [1, 2])
    }

    @Test func whatAnItemSaysOfTimeIsNotTheFeeds() throws {
        let item =
            "<item><ttl>5</ttl><skipHours><hour>1</hour></skipHours><sy:updatePeriod>daily</sy:updatePeriod></item>"
        #expect(try hints(item) == PollingHints())
    }

    @Test func rdfAndAtomMayUseTheModuleToo() throws {
        let atom = try decodeFeed(
            """
            <feed xmlns="http://www.w3.org/2005/Atom" xmlns:sy="http://purl.org/rss/1.0/modules/syndication/">
            <sy:updatePeriod>hourly</sy:updatePeriod><entry><id>1</id></entry></feed>
            """)
        #expect(atom.hints == PollingHints(interval: .seconds(3600)))
    }
}
