import CrierDelivery
import CrierFetch
import CrierNotifications
import Testing

import struct Foundation.Date
import struct Foundation.TimeZone

@testable import CrierAgent

@Suite("Options of quiet hours, rules and order become values")
struct CareOptionsTests {
    @Test(
        "a period of the day",
        arguments: [
            ("22:30-07:30", [1, 2, 3, 4, 5, 6, 7], 1350, 450, "Europe/Berlin"),
            ("mon..fri 22:30-7:30", [1, 2, 3, 4, 5], 1350, 450, "Europe/Berlin"),
            ("sat,sun 00:00-24:00 Asia/Tokyo", [6, 7], 0, 1440, "Asia/Tokyo"),
            ("sun..tue,thu 1:05-2:00", [7, 1, 2, 4], 65, 120, "Europe/Berlin"),
            ("Mon..FRI,sunday 1:05-2:00", [1, 2, 3, 4, 5, 7], 65, 120, "Europe/Berlin"),
        ])
    func period(text: String, days: [Int], start: Int, end: Int, zone: String) throws {
        let expected = QuietHours.Period(
            days: Set(days), start: start, end: end, timeZone: TimeZone(identifier: zone) ?? .gmt)
        #expect(try configuration("quiet-hours: \(text)").quietHours == QuietHours([expected]))
    }

    @Test func quietHoursAreInTheZoneOfTheFileAndCanBeSeveral() throws {
        let read = try configuration("time-zone: Asia/Tokyo\nquiet-hours: [22:00-06:00, 'sun 12:00-14:00']\n")
        #expect(read.quietHours.periods.map(\.timeZone.identifier) == ["Asia/Tokyo", "Asia/Tokyo"])
        #expect(read.quietHours.periods.map(\.days.count) == [7, 1])
    }

    @Test(
        "no period of the day",
        arguments: [
            "22:30", "22:30-", "-07:30", "24:00-07:00", "22:60-07:00", "22:30-07:30 CET", "mon.fri 22:30-07:30",
            "mon.. 22:30-07:30", "22:30-07:30 Europe/Berlin x", "a b 22:30-07:30", "07:00-7:00", "00:00-00:00",
        ])
    func noPeriod(text: String) {
        #expect(problems("quiet-hours: \(text)\n").count == 1)
    }

    @Test func rulesAreRead() throws {
        let read = try configuration(
            """
            sinks: {stdout: {}, team: {kind: webhook, url: "https://h/", ordered: true}}
            sources:
              a:
                url: https://example.org/
                skip: .title == "x"
                updates: replace
                rules:
                  - when: .title | test("CVE")
                    level: critical
                    to: team
                  - skip: true
            """)
        let source = try #require(read.sources.first)
        #expect(source.skip == #".title == "x""#)
        #expect(source.updates == .replace)
        #expect(
            source.rules == [
                ItemRule(when: #".title | test("CVE")"#, level: .critical, sinks: ["team"]), ItemRule(skip: true),
            ])
        #expect(read.sinks.map(\.isOrdered) == [false, true])
        #expect(!source.isUnique)
    }

    @Test func rulesAtTheTopComeBehindThoseOfEachSourceThatHasOneOfTheirTags() throws {
        let read = try configuration(
            """
            sinks: {stdout: {}, team: {kind: webhook, url: "https://h/"}}
            rules:
              - {tags: [tech, work], to: team}
              - {when: .title == "x", level: critical}
            sources:
              a: {url: "https://example.org/", tags: tech/linux, rules: [{to: stdout}]}
              b: {url: "https://example.org/", tags: [technical, home]}
              c: {url: "https://example.org/", tags: [home, work], enabled: false}
            """)
        let everywhere = ItemRule(when: #".title == "x""#, level: .critical)
        let team = ItemRule(sinks: ["team"])
        #expect(read.sources.map(\.rules) == [[ItemRule(sinks: ["stdout"]), team, everywhere], [everywhere]])
        #expect(read.disabledSources.map(\.rules) == [[team, everywhere]])
    }

    @Test func aMistakeInARuleAtTheTopSaysWhereAndSpoilsTheFile() {
        let text = """
            rules: [{when: "bad", to: stdut}]
            sources: {a: {url: "https://example.org/"}}
            """
        let result = load(text, validate: { $1 == "bad" ? "no jq" : nil })
        #expect(result.configuration == nil)
        #expect(
            result.problems.map { String("\($0)".dropFirst("c.yaml:".count)) } == [
                #"1:16: rules.when: no jq; expected a valid jq expression"#,
                #"1:27: rules.to: there is no sink "stdut"; expected stdout; did you mean "stdout"?"#,
            ])
    }

    @Test func aMistakeInARuleSaysWhereAndSpoilsItsSourceOnly() {
        let text = """
            sources:
              a: {url: "https://example.org/", rules: [{when: "bad", to: stdut}]}
              b: {url: "https://example.org/"}
            unique: url
            """
        let result = load(text, validate: { $1 == "bad" ? "no jq" : nil })
        #expect(result.configuration?.sources.map(\.name) == ["b"])
        #expect(result.configuration?.sources.map(\.isUnique) == [true])
        #expect(
            result.problems.map { String("\($0)".dropFirst("c.yaml:".count)) } == [
                #"2:51: sources.a.rules.when: no jq; expected a valid jq expression"#,
                #"2:62: sources.a.rules.to: there is no sink "stdut"; expected stdout; did you mean "stdout"?"#,
            ])
    }

    @Test func aConditionThatBeginsWithWhatNoItemHasSaysWhatMayBeMeant() {
        let text = """
            rules: [{when: '.categorie | any(. == "x")', skip: true}]
            digests: {m: {at: '08:00', only: '.zzz'}}
            sources:
              a: {url: "https://example.org/", only: '.author == "Ann"', skip: '.title | test("x")'}
              b: {url: "https://example.org/", rules: [{when: '.link', skip: true}, {when: '.url', skip: true}]}
            """
        let keys =
            "id, title, url, published, updated, summary, content, image, commentsURL, externalURL, sourceTitle, "
            + "authors, categories or attachments"
        func remarks(_ validate: ExpressionValidator?) -> [String]? {
            let result = load(text, validate: validate)
            #expect(result.problems.isEmpty, "it may be meant so")
            return result.configuration?.remarks(at: Date(timeIntervalSince1970: 0)).map {
                String($0.dropFirst("c.yaml:".count))
            }
        }
        #expect(
            remarks { _, _ in nil } == [
                #"1:16: rules.when: no item has the key "categorie"; did you mean "categories"?"#,
                #"2:34: digests.m.only: no item has the key "zzz"; expected \#(keys)"#,
                #"4:42: sources.a.only: no item has the key "author"; expected any(.authors[]; . == "x")"#,
                #"5:51: sources.b.rules.when: no item has the key "link"; expected \#(keys)"#,
            ])
        #expect(remarks(nil) == [], "programs are not run where nothing is to be checked")
    }

    @Test func aConditionThatAssignsSaysThatItIsAlwaysMet() {
        let remark =
            "\"=\" sets a value instead of comparing, and what it yields is always met; did you mean \"==\"?"
        func remarks(_ condition: String) -> [String]? {
            let text = "sources: {a: {url: 'https://example.org/', only: '\(condition)'}}"
            return load(text, validate: { _, _ in nil }).configuration?.remarks(at: Date(timeIntervalSince1970: 0))
        }
        for condition in [".title = \"x\"", ".title=null", ".zzz = 1", "(.title | length)= 3"] {
            #expect(remarks(condition)?.count == 1 && remarks(condition)?[0].hasSuffix("only: \(remark)") == true)
        }
        let comparisons = [
            ".title == \"=\"", ".title != \"a = b\\\" =\"", "(.title | length) >= 3", ".url | length <= 2 # = 3",
            ".title |= 3", "(.id // \"\") == \"\"", ".title = (.title | length) | .title == 3",
            "\"\\(\"=\")\" == .title",
            "(.title = \"\") | .summary",
        ]
        for condition in comparisons { #expect(remarks(condition) == []) }
        let ofDocuments =
            "sources: {a: {url: 'https://example.org/', format: json, when: .error = false, fields: {title: .a}}}"
        let configuration = load(ofDocuments, validate: { _, _ in nil }).configuration
        #expect(
            configuration?.remarks(at: Date(timeIntervalSince1970: 0)) == ["c.yaml:1:64: sources.a.when: \(remark)"])
        // Each place is told, though the condition is looked at once.
        let twice = """
            sources:
              a: {url: 'https://a.example/', only: '.title = 1'}
              b: {url: 'https://b.example/', every: 2h, only: '.title = 1'}
              c: {url: 'https://c.example/', only: '.title = 1'}
            """
        let told = load(twice, validate: { _, _ in nil }).configuration?.remarks(at: Date(timeIntervalSince1970: 0))
        #expect(told?.map { $0.hasSuffix("only: \(remark)") } == [true, true, true], "\(told ?? [])")
    }

    @Test(
        arguments: [
            (#""release""#, #"it says the same of each item; expected a condition such as .title | test("release")"#),
            (" true ", #"it says the same of each item; expected a condition such as .title | test("release")"#),
            (#".title | test("\brust")"#, #""\b" is a backspace in a text of jq; expected \\b for the edge of a word"#),
            (#".authors == "Ann""#, #""authors" is a list, and no text; expected any(.authors[]; . == "x")"#),
            (#".authors != "Ann""#, #""authors" is a list, and no text; expected all(.authors[]; . != "x")"#),
            (#".category == "a""#, #"no item has the key "category"; expected any(.categories[]; . == "x")"#),
            (
                #".categories[] == "a""#,
                "it gives several answers, and is met only where all of them are; "
                    + "expected one answer, as any(…; …) and all(…; …) give of a list"
            ),
            (
                #".title | test("swift", "i")"#,
                "it gives several answers, and is met only where all of them are; "
                    + "expected one answer, as any(…; …) and all(…; …) give of a list"
            ),
            (#".title | test("\\brust\\b"; "i")"#, nil), (#"any(.categories[]; . == "a")"#, nil),
            (#".categories[] | select(. == "a")"#, nil), (#".title == "\\\\back""#, nil), (".authors == []", nil),
            ("tojson | test(\"x\")", nil),
        ] as [(String, String?)])
    func aConditionThatSaysSomethingElseThanItSeemsIsRemarkedOn(_ condition: String, _ remark: String?) {
        let text = "sources: {a: {url: 'https://example.org/', only: '\(condition)'}}"
        let remarks = load(text, validate: { _, _ in nil }).configuration?.remarks(at: Date(timeIntervalSince1970: 0))
        #expect(remarks == [remark.map { "c.yaml:1:50: sources.a.only: \($0)" }].compactMap(\.self))
    }

    @Test func aRuleMayBeForEveryItem() {
        let text = "sources: {a: {url: 'https://example.org/', rules: [{when: 'true', level: passive}]}}"
        let remarks = load(text, validate: { _, _ in nil }).configuration?.remarks(at: Date(timeIntervalSince1970: 0))
        #expect(remarks == [])
    }

    @Test func whatSourcesShareIsToldOnce() {
        let text = """
            x-x: &x {only: .titel}
            sources: {a: {url: 'https://a.example/', <<: *x}, b: {url: 'https://b.example/', <<: *x}}
            """
        let remarks = load(text, validate: { _, _ in nil }).configuration?.remarks(at: Date(timeIntervalSince1970: 0))
        let words = #"no item has the key "titel", and so of 1 more; did you mean "title"?"#
        #expect(remarks == ["c.yaml:1:16: sources.a.only: \(words)"])
    }

    @Test(
        "how long to mute",
        arguments: [("1h", 3600), ("2d", 172_800), ("until 08:00", 31_600), ("until 23:13", 86_380)])
    func mute(text: String, seconds: Int) throws {
        // 2023-11-14 23:13:20 in Berlin.
        let now = Date(timeIntervalSince1970: 1_700_000_000)
        let end = try MuteEnd.date(text.split(separator: " ").map(String.init), now: now, timeZone: berlin)
        #expect(end.timeIntervalSince(now) == Double(seconds))
    }

    @Test func mutingUntilATimeThatTheClocksLeaveOutEndsWhenTheyHaveBeenMovedOn() throws {
        // At 01:00 the clocks of Troll are moved on by two hours.
        let now = try Date("2026-03-29T00:30:00Z", strategy: .iso8601)
        let troll = try #require(TimeZone(identifier: "Antarctica/Troll"))
        #expect(try MuteEnd.date(["until", "01:00"], now: now, timeZone: troll).timeIntervalSince(now) == 1800)
    }

    @Test func aTimeThatIsTooLongIsCalledSo() {
        let error = #expect(throws: UnclearTime.self) {
            try MuteEnd.date(["521w"], now: Date(), timeZone: berlin)
        }
        #expect(error?.description == "\"521w\" is longer than ten years")
    }

    @Test(
        "tags and commands that name nothing",
        arguments: [
            (#"{command: [b], tags: [""]}"#, #"tags: an empty text; expected a text such as news or tech/linux"#),
            (#"{command: [b], tags: "/"}"#, #"tags: "/" is no tag; expected a text such as news or tech/linux"#),
            (#"{command: [""]}"#, "command: an empty text for the program; expected a list: the program"),
            (#"{command: [b, "a\0b"]}"#, "command: a NUL in a command; expected a list: the program"),
        ])
    func nothing(source: String, problem: String) {
        let found = problems("sources:\n  a: \(source)\n")
        #expect(found.count == 1)
        #expect(found.first?.contains("sources.a.\(problem)") == true, "\(found)")
        let digest = "digests: {m: {at: '08:00', tags: [a, '//']}}\nrules: [{tags: [''], skip: true}]\n"
        #expect(problems(digest).map { $0.contains(".tags: ") || $0.contains("rules.tags: ") } == [true, true])
    }

    @Test func anArgumentMayBeEmpty() throws {
        #expect(problems("sources: {a: {command: [b, '']}}") == [])
    }

    @Test("how long to mute, unclear", arguments: ["", "1", "0s", "until", "until 25:00", "for 1h"])
    func unclearMute(text: String) {
        let words = text.split(separator: " ").map(String.init)
        #expect(throws: UnclearTime.self) { try MuteEnd.date(words, now: Date(), timeZone: berlin) }
    }
}
