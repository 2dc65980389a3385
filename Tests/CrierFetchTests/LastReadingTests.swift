import Testing

@testable import CrierFetch

/// Feeds that say what they said last, and call, date or link all of it otherwise.
@Suite struct LastReadingTests {
    /// By the clock of the bench, so many hours after its start: 14 November, 22:13:20.
    private static func moment(_ hours: Int, minute: Int = 13) -> (day: Int, time: String) {
        let hour = 22 + hours
        let digits = { (number: Int) in number < 10 ? "0\(number)" : "\(number)" }
        return (14 + hour / 24, "\(digits(hour % 24)):\(digits(minute)):20")
    }

    private static func text(_ number: Int) -> String {
        "What \(number) says in a sentence, and in some more words than that"
    }

    /// What a generator makes anew at each request.
    enum Generator: CaseIterable {
        case identifiersAndDates, identifiersWithoutDates, signatures, undatedSignatures, datesAndCounts,
            datesWithoutLinks, signaturesOfADay, identifiersOfSeveralHosts

        func entry(_ number: Int, request: Int) -> RSSEntry {
            var entry = RSSEntry(number: number, text: LastReadingTests.text(number))
            let moment = LastReadingTests.moment(request)
            if ![.signatures, .undatedSignatures].contains(self) { (entry.day, entry.time) = moment }
            if self == .signaturesOfADay { (entry.day, entry.time) = (14, "1\(number):00:00") }
            switch self {
            case .identifiersAndDates: entry.guid = "\(request)-\(number)"
            case .identifiersWithoutDates: (entry.guid, entry.isDated) = ("\(request)-\(number)", false)
            case .signatures, .undatedSignatures, .signaturesOfADay:
                entry.query = "?sig=\(request * 7919 + number * 31)"
                entry.isDated = self != .undatedSignatures
            case .identifiersOfSeveralHosts: (entry.guid, entry.host) = ("\(request)-\(number)", "h\(number).example")
            case .datesAndCounts: entry.text?.append("; \(request * 3 + number) views")
            case .datesWithoutLinks: entry.hasLink = false
            }
            return entry
        }
    }

    @Test(arguments: Generator.allCases)
    func whatIsMadeAnewAtEachRequestIsToldOnce(_ generator: Generator) async throws {
        let visits = [1...8, 1...8, 1...8, 2...9, 2...9].enumerated().map { request, numbers in
            numbers.map { generator.entry($0, request: request) }
        }
        let told = try await newTitles(visits, hours: 1)
        #expect(told == [(1...8).map { "T\($0)" }, [], [], ["T9"], []])
    }

    /// What another engine makes of dates.
    enum Change: CaseIterable { case zone, days, none, build }

    @Test(arguments: Change.allCases, [true, false])
    func aMoveThatChangesDatesMakesNothingNew(_ change: Change, hasGUIDs: Bool) async throws {
        let former = (1...6).map { RSSEntry(number: $0, guid: hasGUIDs ? "a\($0)" : nil, text: Self.text($0)) }
        var moved = (1...7).map { number in
            var entry = RSSEntry(
                number: number, guid: hasGUIDs ? "b\(number)" : nil, host: "f.example", text: Self.text(number))
            switch change {
            case .zone: (entry.time, entry.text) = ("18:00:00", "More")
            case .days: (entry.time, entry.text) = ("00:00:00", "More")
            case .none: entry.isDated = false
            case .build: (entry.day, entry.time) = Self.moment(20, minute: 1)
            }
            return entry
        }
        if change != .none { (moved[6].day, moved[6].time) = Self.moment(21) }
        #expect(try await newTitles([former, moved], hours: 24).last == ["T7"])
    }

    // MARK: - Told

    /// What a stream of other items with the same titles and pages tells.
    enum Stream: CaseIterable {
        case weeklyMenus, measurements, lateMeasurements, measurementsOfNow, reports, results, comics, issues, names
        case alerts

        func entry(_ number: Int, visit: Int) -> RSSEntry {
            var entry = RSSEntry(
                number: number, guid: "\(visit)-\(number)", text: "Degrees: \(visit * 7 + number), wind: \(visit)")
            (entry.day, entry.time) = LastReadingTests.moment(visit, minute: 10 - number)
            switch self {
            case .weeklyMenus:
                (entry.day, entry.time) = (15 + number + visit, "00:00:00")
                entry.text = "\(["Soup", "Pizza", "Rice"][visit % 3]) and what goes with it, as our kitchen makes it"
            case .measurements: break
            case .lateMeasurements: (entry.day, entry.time) = LastReadingTests.moment(visit - 3, minute: number)
            case .measurementsOfNow: (entry.day, entry.time) = LastReadingTests.moment(visit)
            case .reports:
                (entry.day, entry.time) = LastReadingTests.moment(visit, minute: 5)
                entry.text = LastReadingTests.text(number)
            case .results:
                // Of leagues, whose last matches were days before.
                (entry.day, entry.time) = (1 + number + visit * 2, "18:30:00")
            case .comics:
                (entry.day, entry.time) = LastReadingTests.moment(visit)
                (entry.text, entry.enclosure) = (LastReadingTests.text(number), "https://e.example/\(visit).png")
            case .issues: (entry.guid, entry.isDated, entry.text, entry.query) = (nil, false, nil, "?issue=\(visit)")
            case .names: (entry.isDated, entry.text) = (false, nil)
            case .alerts: (entry.title, entry.isDated) = ("Down", false)
            }
            return entry
        }
    }

    @Test(arguments: Stream.allCases)
    func othersOfTheSameTitlesAndPagesAreNew(_ stream: Stream) async throws {
        let visits = (0..<4).map { visit in (1...5).map { stream.entry($0, visit: visit) } }
        #expect(try await newTitles(visits, hours: 1).map(\.count) == [5, 5, 5, 5])
    }

    /// A chart, whose places have the identifiers, and whose dates are those of the request.
    @Test func whatChangesPlacesIsNotNew() async throws {
        let visits = [[1, 2, 3], [2, 1, 3], [4, 2, 1]].enumerated().map { request, numbers in
            numbers.enumerated().map { place, number in
                var entry = RSSEntry(number: number, guid: "place-\(place)", text: Self.text(number))
                (entry.day, entry.time) = Self.moment(request)
                return entry
            }
        }
        #expect(try await newTitles(visits, hours: 1).dropFirst() == [[], ["T4"]])
    }

    /// The days of a menu, whose dishes were there on other days, with another text.
    @Test func whatComesToAnotherPlaceWithAnotherTextIsNew() async throws {
        let visits = (0..<3).map { week in
            (0..<3).map { place in
                let dish = (place + week) % 4
                var entry = RSSEntry(number: dish, guid: "day-\(place)", text: "Week \(week): \(Self.text(dish))")
                (entry.day, entry.time) = Self.moment(week * 24, minute: 12 - place)
                return entry
            }
        }
        #expect(try await newTitles(visits, hours: 24).map(\.count) == [3, 3, 3])
    }

    /// Made anew at each request, with what was said once and is so again.
    @Test func aStateThatComesBackIsToldEachTime() async throws {
        let visits = [true, false, true, true, false].enumerated().map { request, isUp in
            (1...4).map { number in
                let state = number == 1 && !isUp ? "It is down, and we are looking into that" : Self.text(number)
                return RSSEntry(number: number, guid: "\(request)-\(number)", isDated: false, text: state)
            }
        }
        #expect(try await newTitles(visits, hours: 1).dropFirst() == [["T1"], ["T1"], [], ["T1"]])
    }

    /// One of each region for each day, in the evening.
    @Test func bulletinsThatSayWhatTheySaidOnOtherDaysAreNew() async throws {
        let visits = (0..<6).map { visit in
            let day = (visit + 1) / 2
            let bulletins = (1...4).map { number in
                let text = Self.text(day == 1 && number > 2 ? number + 4 : number)
                return RSSEntry(number: number, guid: "\(number)-\(day)", day: 14 + day, time: "00:00:00", text: text)
            }
            return bulletins + [RSSEntry(number: 5, guid: "x", text: "\(visit)")]
        }
        // At 22:13 and 10:13.
        #expect(try await newTitles(visits, hours: 12).map(\.count) == [5, 4, 0, 4, 0, 4])
    }

    /// Another engine, and in the last hour the same title once more.
    @Test func oneOfATitleThatIsThereIsNewWhereAllHasMoved() async throws {
        let former = (1...6).map { RSSEntry(number: $0, guid: "a\($0)", text: "s") }
        var moved = (1...7).map { RSSEntry(number: $0, guid: "b\($0)", isDated: false, text: "s") }
        moved[6].title = "T3"
        #expect(try await newTitles([former, moved], hours: 1).last == ["T3"])
    }
}
