import Testing

@testable import CrierAgent

@Suite("Problems of a source say where, what, what was expected and what was perhaps meant")
struct SourceProblemTests {
    @Test(
        "sources",
        arguments: [
            ("{}", "2:3: sources.feed: there is nothing to fetch; expected url or command"),
            ("", "2:3: sources.feed: there is nothing to fetch; expected url or command"),
            (
                "feed",
                "2:9: sources.feed: a single value where a mapping should be; expected the settings of a source, such as {url: …}"
            ),
            (
                #"{url: "https://h/", command: [a]}"#,
                "2:38: sources.feed: both url and command are given; expected one of them"
            ),
            (#"{urll: "https://h/"}"#, #"2:10: sources.feed: unknown key "urll"; did you mean "url"?"#),
            (
                "{url: ./x.xml}",
                "2:15: sources.feed.url: a path is not an address; expected file:// and the absolute path, such as file:///home/me/feed.xml"
            ),
            (
                "{url: /home/me/x.xml}",
                #"2:15: sources.feed.url: a path is not an address; expected file:// and the absolute path, such as file:///home/me/feed.xml; did you mean "file:///home/me/x.xml"?"#
            ),
            (
                "{url: ~/x.xml}",
                "2:15: sources.feed.url: a path is not an address; expected file:// and the absolute path, such as file:///home/me/feed.xml"
            ),
            (
                "{url: /}",
                "2:15: sources.feed.url: a path is not an address; expected file:// and the absolute path, such as file:///home/me/feed.xml"
            ),
            (
                "{url: 'feed:https://h/'}",
                #"2:15: sources.feed.url: "feed:" stands before the address; expected the address alone"#
            ),
            (
                "{url: 'https://https://h/'}",
                "2:15: sources.feed.url: the address begins twice; expected an address that begins with https://, http:// or file:/// once"
            ),
            (
                "{url: 'https://http//h/'}",
                "2:15: sources.feed.url: the address begins twice; expected an address that begins with https://, http:// or file:/// once"
            ),
            (
                "{url: 'https://a.example,https://b.example'}",
                "2:15: sources.feed.url: the address has a comma in its host; expected one address"
            ),
            (
                "{url: 'https://..'}",
                "2:15: sources.feed.url: the address has a dot too many in its host; expected a host such as example.org"
            ),
            (
                "{url: 'https://a..example/'}",
                "2:15: sources.feed.url: the address has a dot too many in its host; expected a host such as example.org"
            ),
            (
                "{url: example.org/feed}",
                "2:15: sources.feed.url: the address has no scheme; expected an address that begins with https://, http:// or file:///"
            ),
            (
                #"{url: "localhost:8080/feed"}"#,
                "2:15: sources.feed.url: the address has no scheme; expected an address that begins with https://, http:// or file:///"
            ),
            (
                #"{url: "htps://h/"}"#,
                #"2:15: sources.feed.url: "htps" is no scheme that is read here; expected an address that begins with https://, http:// or file:///; did you mean "https"?"#
            ),
            (
                #"{url: "ftp://h/"}"#,
                #"2:15: sources.feed.url: "ftp" is no scheme that is read here; expected an address that begins with https://, http:// or file:///"#
            ),
            (
                #"{url: "feed://h/"}"#,
                #"2:15: sources.feed.url: "feed" is no scheme that is read here; expected an address that begins with https://, http:// or file:///; did you mean "https"?"#
            ),
            (
                #"{url: "file:x.xml"}"#,
                "2:15: sources.feed.url: a file address has three slashes and the absolute path; expected an address such as file:///home/me/feed.xml"
            ),
            (
                #"{url: "file://home/x.xml"}"#,
                "2:15: sources.feed.url: a file address has three slashes and the absolute path; expected an address such as file:///home/me/feed.xml"
            ),
            (
                #"{url: "https:/h/"}"#,
                "2:15: sources.feed.url: the address has no //; expected an address that begins with https://, http:// or file:///"
            ),
            (
                #"{url: "https:///x"}"#,
                "2:15: sources.feed.url: the address has no host; expected an address that begins with https://, http:// or file:///"
            ),
            (
                #"{url: "https://h:99999/"}"#,
                "2:15: sources.feed.url: the address has a bad port; expected a port from 1 to 65535"
            ),
            (
                #"{url: "https://[::1/"}"#,
                "2:15: sources.feed.url: the address has a [ without a ]; expected an address that begins with https://, http:// or file:///"
            ),
            (
                #"{url: "https://h/a b"}"#,
                "2:15: sources.feed.url: the address holds a space or a control character; expected an address that begins with https://, http:// or file:///"
            ),
            ("{url: [a]}", "2:15: sources.feed.url: a list where a single value should be; expected an address"),
            ("{url: }", "2:15: sources.feed.url: nothing where a single value should be; expected an address"),
            (
                "{command: git log}",
                "2:19: sources.feed.command: a single value where a list should be; expected a list: the program and its arguments, such as [git, log]"
            ),
            (
                "{command: []}",
                "2:19: sources.feed.command: an empty list; expected a list: the program and its arguments, such as [git, log]"
            ),
            (
                "{command: [a, {b: c}]}",
                "2:23: sources.feed.command: a mapping where a single value should be; expected text"
            ),
            (
                #"{url: "https://h/", every: 60}"#,
                #"2:36: sources.feed.every: "60" has no unit; expected 60m, 60h, 60d or 60w"#
            ),
            (
                #"{url: "https://h/", every: 3600}"#,
                #"2:36: sources.feed.every: "3600" has no unit; expected 3600s, 3600m, 3600h or 3600d"#
            ),
            (
                #"{url: "https://h/", every: 1 hour}"#,
                #"2:36: sources.feed.every: "1 hour" is not a duration; expected a duration of at least 15m such as 15m, 1h30m, 2d or 1w; did you mean "1h"?"#
            ),
            (
                #"{url: "https://h/", every: 30m1h}"#,
                #"2:36: sources.feed.every: "30m1h" is not a duration; expected a duration of at least 15m such as 15m, 1h30m, 2d or 1w"#
            ),
            (
                #"{url: "https://h/", every: 1h30}"#,
                #"2:36: sources.feed.every: "1h30" is not a duration; expected a duration of at least 15m such as 15m, 1h30m, 2d or 1w"#
            ),
            (
                #"{url: "https://h/", every: soon}"#,
                #"2:36: sources.feed.every: "soon" is not a duration; expected a duration of at least 15m such as 15m, 1h30m, 2d or 1w"#
            ),
            (
                #"{url: "https://h/", every: 99999w}"#,
                #"2:36: sources.feed.every: "99999w" is longer than ten years; expected a duration of at least 15m such as 15m, 1h30m, 2d or 1w"#
            ),
            (
                #"{url: "https://h/", every: 99999999999999999999s}"#,
                #"2:36: sources.feed.every: "99999999999999999999s" is not a duration; expected a duration of at least 15m such as 15m, 1h30m, 2d or 1w"#
            ),
            (
                #"{url: "https://h/", every: 14m}"#,
                #"2:36: sources.feed.every: "14m" is too often for somebody else's server; expected at least 15m"#
            ),
            (
                #"{url: "file:///x", every: 0s}"#,
                #"2:35: sources.feed.every: "0s" is too short; expected at least 1s"#
            ),
            (
                #"{url: "https://h/", notify: dayly}"#,
                #"2:37: sources.feed.notify: "dayly" is not known here; expected each, daily or none; did you mean "daily"?"#
            ),
            (
                #"{url: "https://h/", first: newest}"#,
                #"2:36: sources.feed.first: "newest" is not known here; expected latest, none or all"#
            ),
            (
                #"{url: "https://h/", level: urgent}"#,
                #"2:36: sources.feed.level: "urgent" is not known here; expected passive, active, time-sensitive or critical"#
            ),
            (
                #"{url: "https://h/", level: timesensitive}"#,
                #"2:36: sources.feed.level: "timesensitive" is not known here; expected passive, active, time-sensitive or critical; did you mean "time-sensitive"?"#
            ),
            (
                #"{url: "https://h/", enabled: yes}"#,
                #"2:38: sources.feed.enabled: "yes" is neither true nor false; expected true or false; did you mean "true"?"#
            ),
            (
                #"{url: "https://h/", enabled: 'true'}"#,
                "2:38: sources.feed.enabled: text in quotes; expected true or false"
            ),
            (
                #"{url: "https://h/", enabled: maybe}"#,
                #"2:38: sources.feed.enabled: "maybe" is neither true nor false; expected true or false"#
            ),
            (
                #"{url: "https://h/", dates: UTC}"#,
                #"2:36: sources.feed.dates: "UTC" is not known here; expected declared or local"#
            ),
            (
                #"{url: "https://h/", format: htlm}"#,
                #"2:37: sources.feed.format: "htlm" is not known here; expected auto, rss, atom, rdf, json-feed, json, html or xml; did you mean "html"?"#
            ),
            (
                #"{url: "https://h/", format: xml, items: //a, fields: {url: b}}"#,
                #"2:62: sources.feed: format xml needs "fields" with a title; expected fields: {title: XPATH}"#
            ),
            (
                #"{url: "https://h/", items: .a}"#,
                "2:36: sources.feed.items: a feed says itself where its items are; expected format: json, html or xml beside it"
            ),
            (
                #"{url: "https://h/", format: rss, fields: {title: a}}"#,
                "2:50: sources.feed.fields: a feed says itself where its items are; expected format: json, html or xml beside it"
            ),
            (
                #"{url: "https://h/", when: .a}"#,
                #"2:35: sources.feed.when: "when" is for JSON documents; expected format: json or json-feed beside it"#
            ),
            (
                #"{url: "https://h/", format: json, fields: {titel: .a}}"#,
                #"2:52: sources.feed.fields: unknown field "titel"; expected id, title, url, published, updated, summary, author, attachment or category; did you mean "title"?"#
            ),
            (
                #"{url: "https://h/", format: json, fields: .a}"#,
                "2:51: sources.feed.fields: a single value where a mapping should be; expected a mapping from item fields to expressions, such as {title: .name}"
            ),
            (
                #"{url: "https://h/", to: desktop}"#,
                #"2:33: sources.feed.to: there is no sink "desktop"; expected stdout"#
            ),
            (
                #"{url: "https://h/", to: [stdout, sdtout]}"#,
                #"2:42: sources.feed.to: there is no sink "sdtout"; expected stdout; did you mean "stdout"?"#
            ),
            (
                #"{url: "https://h/", to: "stdout, stdout"}"#,
                #"2:33: sources.feed.to: there is no sink "stdout, stdout"; expected stdout; did you mean "[stdout, stdout]"?"#
            ),
            (
                #"{url: "https://h/", to: []}"#,
                "2:33: sources.feed.to: an empty list; expected a name of a sink or a list of them"
            ),
            (#"{url: "https://h/", title: ""}"#, "2:36: sources.feed.title: an empty text; expected text"),
            (
                #"{url: "https://h/", <<: 5}"#,
                "2:33: sources.feed: a single value after <<; expected an alias of a mapping"
            ),
            (
                #"{url: "https://h/", every: 1234567}"#,
                #"2:36: sources.feed.every: "1234567" has no unit; expected Ns, Nm, Nh, Nd or Nw"#
            ),
            (
                #"{url: "file:///"}"#,
                "2:15: sources.feed.url: a file address has three slashes and the absolute path; expected an address such as file:///home/me/feed.xml"
            ),
            (
                #"{url: "https://[]/"}"#,
                "2:15: sources.feed.url: the address has no host; expected an address that begins with https://, http:// or file:///"
            ),
            (
                #"{url: "https://[::1]x/"}"#,
                "2:15: sources.feed.url: the address has a bad host; expected an address that begins with https://, http:// or file:///"
            ),
            (
                #"{url: "https://me@mail.example:pw@h/"}"#,
                "2:15: sources.feed.url: the address has two @; expected %40 for one in its user or password"
            ),
            (
                "{url: \"https://h/a\u{a0}b\"}",
                "2:15: sources.feed.url: the address holds a space or a control character; expected an address that begins with https://, http:// or file:///"
            ),
            (
                #"{url: "https://h:+80/"}"#,
                "2:15: sources.feed.url: the address has a bad port; expected a port from 1 to 65535"
            ),
            (
                #"{url: "https://h/", every: 0 s}"#,
                #"2:36: sources.feed.every: "0 s" is not a duration; expected a duration of at least 15m such as 15m, 1h30m, 2d or 1w"#
            ),
            (
                #"{url: "https://h/", every: 600 weeks}"#,
                #"2:36: sources.feed.every: "600 weeks" is not a duration; expected a duration of at least 15m such as 15m, 1h30m, 2d or 1w"#
            ),
        ])
    func sources(source: String, problem: String) {
        #expect(problems("sources:\n  feed: \(source)\n") == [problem])
    }

    @Test(
        arguments: zip(
            ["\u{200b}", "\u{feff}", "\u{ad}", "\u{2060}", "\u{202e}", "\u{200f}"],
            ["U+200B", "U+FEFF", "U+00AD", "U+2060", "U+202E", "U+200F"]))
    func aCharacterOfAnAddressThatNobodySeesIsNamed(character: String, name: String) {
        for url in ["https://h/feed\(character)", "\(character)https://h/feed", "https://h\(character).example/"] {
            #expect(
                problems("sources: {a: {url: '\(url)'}}\n") == [
                    "1:20: sources.a.url: the address holds \(name), a character that nobody sees; expected the address without it"
                ])
        }
    }

    /// Some scripts need it.
    @Test(arguments: [
        "https://h/a\u{200c}b", "https://h./", "https://me:a..b,c@h/", "https://h/a..b,c", "https://https/",
    ])
    func whatIsOddInAnAddressMayBeMeant(url: String) {
        #expect(problems("sources: {a: {url: '\(url)'}}\n") == [])
    }

    /// Nothing is suggested that would be refused, and a server of others is not asked as often as one's own.
    @Test(
        arguments: [
            ("https://h/", "10 min", nil), ("https://h/", "1M", nil), ("file:///x", "1M", "1m"),
            ("https://h/", "20 min", "20m"),
        ] as [(String, String, String?)])
    func aTimeBetweenTwoVisitsIsSuggestedIfItIsTaken(url: String, every: String, suggestion: String?) {
        let examples = url.hasPrefix("file") ? "such as 90s, 15m," : "of at least 15m such as 15m,"
        #expect(
            problems("sources: {a: {every: \(every), url: '\(url)'}}\n") == [
                "1:22: sources.a.every: \"\(every)\" is not a duration; expected a duration \(examples) 1h30m, 2d or 1w"
                    + (suggestion.map { "; did you mean \"\($0)\"?" } ?? "")
            ])
    }

    @Test func theLeastTimeIsThatOfTheKey() {
        let sources = "{a: {url: 'https://h/', every: 0s, expect-every: 5}, b: {url: 'https://h/', every: }}"
        #expect(
            problems("sources: \(sources)\n") == [
                "1:41: sources.a.every: \"0s\" is too short; expected at least 15m",
                "1:59: sources.a.expect-every: \"5\" has no unit; expected 5h, 5d or 5w",
                "1:93: sources.b.every: nothing where a single value should be; expected a duration of at least 15m such as 15m, "
                    + "1h30m, 2d or 1w",
            ])
    }
}
