import CrierContent
import CrierFetch
import CrierNotifications
import Testing

import struct Foundation.TimeZone

@testable import CrierAgent

@Suite("A configuration becomes values")
struct ConfigurationTests {
    /// A letter with its accent is one scalar or two.
    @Test func aSinkIsNamedAsItCallsItself() throws {
        let text =
            "sinks: {\"caf\\u00e9\": {kind: stdout}}\nsources: {a: {url: 'https://a.example', to: [\"cafe\\u0301\"]}}"
        #expect(try configuration(text).sources[0].sinks[0].unicodeScalars.count == 4)
    }

    @Test func aSinkThatIsNamedTwiceIsOne() throws {
        let text = "sources: {a: {url: 'https://a.example', to: [stdout, stdout]}}"
        #expect(try configuration(text).sources[0].sinks == ["stdout"])
    }

    /// YAML's own tags say what the file says anyway.
    @Test func aTagOfYAMLItselfIsNoMistake() throws {
        let text = "sources: {a: {url: 'https://a.example', title: !!str 2024}}"
        #expect(try configuration(text).sources[0].title == "2024")
    }

    @Test func thePathOfAFileHoldsNoNUL() {
        #expect(
            problems("sources: {a: {url: 'file:///home/a%00b.xml'}}") == [
                "1:20: sources.a.url: the address holds %00; expected the path of a file, which has no such character"
            ])
    }

    @Test(
        "an empty file is a good one",
        arguments: ["", "\n", "# nothing\n", "sinks:\nsources:\n", "{}", "\u{FEFF}", "---\n"])
    func empty(text: String) throws {
        let read = try configuration(text)
        #expect(read == Configuration(timeZone: berlin, sinks: [.default], sources: []))
        #expect(read.sinks == [SinkConfiguration(name: "stdout", settings: .stdout(StdoutSinkSettings(format: .text)))])
    }

    @Test func aSourceIsAnAddressAndDefaults() throws {
        let read = try configuration("sources:\n  blog:\n    url: https://example.org/feed\n")
        #expect(
            read.sources == [
                Source(
                    name: "blog", address: .url("https://example.org/feed"),
                    mapping: ContentMapping(timeZone: berlin), sinks: ["stdout"])
            ])
    }

    @Test func aFileWithoutAZoneMayLeaveItToTheMachine() throws {
        let text = "sources: {a: {url: 'https://a/'}, b: {url: 'https://b/', time-zone: Asia/Tokyo}}"
        let read = try #require(Configuration.load(text: text, file: "c.yaml", machineTimeZone: nil).configuration)
        let machine = TimeZone.current.identifier
        #expect(read.timeZone.identifier == machine)
        #expect(read.sources.map(\.mapping.timeZone.identifier) == [machine, "Asia/Tokyo"])
        let named = Configuration.load(text: "time-zone: Asia/Tokyo\n\(text)", file: "c.yaml", machineTimeZone: nil)
        #expect(named.configuration?.sources.map(\.mapping.timeZone.identifier) == ["Asia/Tokyo", "Asia/Tokyo"])
    }

    @Test func everyKeyOfASourceLands() throws {
        let read = try configuration(
            """
            time-zone: UTC
            sinks: {desktop: {}, log: {kind: stdout}, team: {kind: webhook, url: "https://h/"}}
            sources:
              api:
                url: http://localhost:8080/x
                format: json
                items: .results[]
                fields:
                  id: ._id
                  title: .desc
                  url: .u
                  published: .p
                  updated: .q
                  summary: .s
                  author: .who
                  attachment: .img
                  category: .tag
                when: .error == false
                time-zone: Asia/Shanghai
                dates: local
                every: 1h30m
                notify: daily
                first: all
                title: 干货更新啦
                only: .title | test("release")
                level: time-sensitive
                to: [team, log]
            """)
        let shanghai = try #require(TimeZone(identifier: "Asia/Shanghai"))
        let expressions: [ContentField: String] = [
            .id: "._id", .title: ".desc", .url: ".u", .published: ".p", .updated: ".q", .summary: ".s", .author: ".who",
            .attachment: ".img", .category: ".tag",
        ]
        #expect(
            read.sources == [
                Source(
                    name: "api", address: .url("http://localhost:8080/x"),
                    mapping: ContentMapping(
                        format: .json, items: ".results[]", fields: expressions, when: ".error == false",
                        timeZone: shanghai, datesAreLocal: true),
                    every: .seconds(5400), isEveryChosen: true, notify: .daily, first: .all, title: "干货更新啦",
                    only: #".title | test("release")"#, level: .timeSensitive, sinks: ["team", "log"])
            ])
    }

    @Test func commandsAndSwitchedOffSources() throws {
        let read = try configuration(
            """
            time-zone: Asia/Tokyo
            sources:
              z: {command: [git, log, -1], every: 1s, to: stdout}
              off: {url: "file:///x.xml", enabled: false, every: 5s}
              a: {url: "https://h/", format: json-feed, when: .version, enabled: True}
            """)
        #expect(read.sources.map(\.name) == ["z", "a"])
        #expect(read.disabledSources.map(\.name) == ["off"])
        #expect(read.sources.first?.address == .command(["git", "log", "-1"]))
        #expect(read.sources.first?.every == .seconds(1))
        #expect(read.sources.first?.mapping.timeZone.identifier == "Asia/Tokyo")
        #expect(read.sources.last?.mapping.format == .jsonFeed)
        #expect(read.sources.last?.sinks == ["stdout"])
    }

    @Test func sinksStandInFileOrder() throws {
        let read = try configuration(
            """
            sinks:
              team:
                kind: webhook
                url: https://hooks.example.org/in
                secret: {env: TEAM_SECRET}
                headers: {X-Channel: news, X-Number: 5}
                timeout: 5s
              desktop:
              other:
                kind: desktop
                app-name: News
                icon: mail
                category: im.received
                timeout: 0s
              stdout: {format: json}
              webhook: {url: "http://h/", secret: {file: ~/s}}
            """)
        let team = WebhookSinkSettings(
            url: "https://hooks.example.org/in", secret: .environment("TEAM_SECRET"),
            headers: ["X-Channel": "news", "X-Number": "5"], timeout: .seconds(5))
        let other = DesktopSinkSettings(appName: "News", icon: "mail", category: "im.received", timeout: .zero)
        #expect(
            read.sinks == [
                SinkConfiguration(name: "team", settings: .webhook(team)),
                SinkConfiguration(name: "desktop", settings: .desktop(DesktopSinkSettings())),
                SinkConfiguration(name: "other", settings: .desktop(other)),
                SinkConfiguration(name: "stdout", settings: .stdout(StdoutSinkSettings(format: .json))),
                SinkConfiguration(
                    name: "webhook", settings: .webhook(WebhookSinkSettings(url: "http://h/", secret: .file("~/s")))),
            ])
    }

    @Test(
        "text is taken as it is written, whatever YAML 1.1 makes of it",
        arguments: ["no", "2024", "1e3", "12:30", "true"])
    func text(word: String) throws {
        #expect(try configuration("sources: {a: {url: \"https://h/\", title: \(word)}}").sources.first?.title == word)
    }

    @Test(
        "this machine may be asked often",
        arguments: [
            "http://127.0.0.1:8080/", "http://127.1.2.3/", "http://127.000.000.001/", "http://127.1/",
            "http://localhost/", "http://LOCALHOST:1",
            "http://a.localhost/",
            "http://[::1]:80/x", "file:///x", "http://me:pw@localhost/",
        ])
    func loopback(url: String) throws {
        #expect(try configuration("sources: {a: {url: \"\(url)\", every: 1s}}").sources.first?.every == .seconds(1))
    }

    @Test(
        "others may not",
        arguments: [
            "http://127.0.0.1.example.org/", "http://127.0.0.08/", "http://localhost.org/", "http://128.0.0.1/",
            "http://localhost@example.org/",
            "http://[::2]/", "http://[fe80::1%25eth0]/", "http://127.example.org",
        ])
    func remote(url: String) {
        #expect(load("sources: {a: {url: \"\(url)\", every: 899s}}").problems.count == 1)
        #expect(load("sources: {a: {url: \"\(url)\", every: 900s}}").problems == [])
    }

    @Test("what is in brackets is an IPv6 address", arguments: ["http://[zz]/", "http://[1:2]:80/", "http://[v1.x]/"])
    func brackets(url: String) {
        #expect(
            problems("sources: {a: {url: \"\(url)\"}}") == [
                "1:20: sources.a.url: the address has a bad host; expected an IPv6 address between [ and ]"
            ])
    }

    @Test(
        "durations",
        arguments: [
            ("90s", 90), ("15m", 900), ("1h30m", 5400), ("2d", 172_800), ("1w", 604_800), ("1w2d3h4m5s", 788_645),
        ])
    func durations(text: String, seconds: Int) throws {
        #expect(try DurationText.parse(text) == .seconds(seconds))
        #expect(try DurationText.parse(DurationText.describe(.seconds(seconds))) == .seconds(seconds))
    }

    @Test("not durations", arguments: ["", "s", "1h1h", "1m1h", "-1h", "1.5h", "1H30", "１h", "h1", " 1h"])
    func notDurations(text: String) {
        #expect(throws: ValueComplaint.self) { try DurationText.parse(text) }
    }
}
