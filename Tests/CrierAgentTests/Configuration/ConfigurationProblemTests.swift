import Testing

@testable import CrierAgent

private let kinds =
    "stdout, desktop, file, exec, webhook, ntfy, gotify, slack, discord, mattermost, telegram, matrix, pushover, email, "
    + "apprise or feed"

@Suite("Problems of a configuration say where, what, what was expected and what was perhaps meant")
struct ConfigurationProblemTests {
    @Test(
        "syntax",
        arguments: [
            ("sources:\n\ta:\n", "2:1: a tab indents the line; expected spaces: YAML knows no other indentation"),
            (
                "sources:\n  a:\n    url: \"x\n",
                "3:10: a quote is opened and never closed; expected the same quote at the end"
            ),
            (
                "a: b: c\n",
                #"1:5: a colon where no key can stand; expected the keys of one mapping indented alike, and quotes around a value that holds ": ""#
            ),
            (
                "sources:\n  a:\n    url: x\n   every: 1h\n",
                "4:4: this does not fit the lines above it; expected the keys of one mapping indented alike, and nothing after a closing quote or bracket"
            ),
            (
                "sources\n  a: b\n",
                #"2:4: a colon where no key can stand; expected the keys of one mapping indented alike, and quotes around a value that holds ": ""#
            ),
            ("sinks: [a, b\nsources: {}\n", "1:8: a list that begins with [ is not closed; expected a comma or ]"),
            (
                "sinks: {a: 1\nsources: {}\n",
                "1:8: a mapping that begins with { is not closed; expected a comma or }"
            ),
            ("time-zone: @home\n", #"1:12: a value cannot begin with "@"; expected the value in quotes"#),
            ("time-zone: %home\n", #"1:12: a value cannot begin with "%"; expected the value in quotes"#),
            ("time-zone: `home`\n", #"1:12: a value cannot begin with "`"; expected the value in quotes"#),
            (
                "time-zone: *home\n",
                "1:12: * begins an alias, but no anchor has its name; expected the value in quotes if the * belongs to it"
            ),
            ("time-zone: *\n", "1:12: a value cannot begin with * or &; expected the value in quotes"),
            (
                "time-zone: \"\\d\"\n",
                "1:13: an unknown escape after a backslash; expected single quotes around text with backslashes"
            ),
            ("a: 1\n---\nb: 2\n", "2:1: a second document begins; expected one document, without lines of ---"),
            (
                "a: 1\n- b\n",
                "2:1: this does not fit the lines above it; expected the keys of one mapping indented alike, and nothing after a closing quote or bracket"
            ),
            ("a: - b\n", "1:4: a list entry where none can stand; expected - on a line of its own below the key"),
            ("- a\nb: 1\n", "2:1: this does not fit the list above it; expected - and the next entry"),
            ("time-zone: \"\u{7}\"\n", #"1:13: a control character; expected text, or "\xNN" in double quotes"#),
            (
                "time-zone: 'it's'\n",
                "1:16: this does not fit the lines above it; expected the keys of one mapping indented alike, and nothing after a closing quote or bracket"
            ),
            ("time-zone: |x\n  a\n", "1:13: text after | or >; expected the text on the following lines, indented"),
            ("time-zone: !{a}\n", "1:12: a value cannot begin with !; expected the value in quotes"),
            ("? [a, b]\n: c\n", "1:3: a key that is not text; expected KEY: VALUE"),
            ("a: &a 1\n*a : c\n", "2:1: a key that is not text; expected KEY: VALUE"),
            ("{time-zone: UTC, 'time-zone': UTC}\n", #"1:18: the key "time-zone" is given twice, first in line 1"#),
            ("time-zone: ]\n", "1:12: a value is missing; expected a value"),
            ("a: {\n\n", "3:1: a [ or { is not closed; expected ] or }"),
            (
                "time-zone: a\n  b: c\n",
                #"2:4: a colon where no key can stand; expected the keys of one mapping indented alike, and quotes around a value that holds ": ""#
            ),
            ("sources: {a: {url: x}\n", "1:10: a mapping that begins with { is not closed; expected a comma or }"),
            ("a: 'b\n", "1:4: a quote is opened and never closed; expected the same quote at the end"),
            ("key\n", "1:1: a single value where a mapping should be; expected KEY: VALUE"),
            ("- a\n", "1:1: a list where a mapping should be; expected KEY: VALUE"),
            (
                "sources:\n  a\n  b: c\n",
                #"3:4: a colon where no key can stand; expected the keys of one mapping indented alike, and quotes around a value that holds ": ""#
            ),
        ])
    func syntax(text: String, problem: String) {
        #expect(problems(text) == [problem])
    }

    @Test(
        "keys and values",
        arguments: [
            ("timezone: UTC\n", #"1:1: unknown key "timezone"; did you mean "time-zone"?"#),
            (
                "quiet: 1\n",
                #"1:1: unknown key "quiet"; expected time-zone, quiet-hours, background, metrics-port, unique, rules, sinks, digests, sources or hosts"#
            ),
            (
                "quiet-hours: 22-7\n",
                #"1:14: quiet-hours: "22-7" is not a period of the day; expected a period such as 22:30-07:30, with days (mon..fri) before it and a time zone after it if need be"#
            ),
            (
                "quiet-hours: mo..fri 22:00-07:00\n",
                #"1:14: quiet-hours: "mo" is not a day; expected mon, tue, wed, thu, fri, sat or sun; did you mean "mon"?"#
            ),
            (
                "time-zone: Asia/Shanghia\n",
                #"1:12: time-zone: "Asia/Shanghia" is not a time zone; expected a name with a slash such as Asia/Shanghai, or UTC; did you mean "Asia/Shanghai"?"#
            ),
            (
                "time-zone: CST\n",
                #"1:12: time-zone: "CST" is not a time zone; expected a name with a slash such as Asia/Shanghai, or UTC"#
            ),
            (
                "time-zone: berlin\n",
                #"1:12: time-zone: "berlin" is not a time zone; expected a name with a slash such as Asia/Shanghai, or UTC; did you mean "Europe/Berlin"?"#
            ),
            (
                "time-zone: asia/shanghai\n",
                #"1:12: time-zone: "asia/shanghai" is not a time zone; expected a name with a slash such as Asia/Shanghai, or UTC; did you mean "Asia/Shanghai"?"#
            ),
            (
                "time-zone: GMT+8\n",
                #"1:12: time-zone: "GMT+8" is not a time zone; expected a name with a slash such as Asia/Shanghai, or UTC"#
            ),
            (
                "time-zone: Etc/Nowhere\n",
                #"1:12: time-zone: "Etc/Nowhere" is not a time zone; expected a name with a slash such as Asia/Shanghai, or UTC"#
            ),
            (
                "time-zone: [a]\n",
                "1:12: time-zone: a list where a single value should be; expected a time zone such as Asia/Shanghai"
            ),
            (
                "time-zone:\n",
                "1:11: time-zone: nothing where a single value should be; expected a time zone such as Asia/Shanghai"
            ),
            ("time-zone: !home\n", "1:12: time-zone: a value cannot begin with !; expected the value in quotes"),
            ("sinks: stdout\n", "1:8: sinks: a single value where a mapping should be; expected sinks by name"),
            ("sinks: [stdout]\n", "1:8: sinks: a list where a mapping should be; expected sinks by name"),
            (
                "sinks: {team: {}}\n",
                #"1:9: sinks.team: "kind" is missing, and the name is not a kind; expected kind: \#(kinds)"#
            ),
            (
                "sinks: {destkop: {}}\n",
                #"1:9: sinks.destkop: "kind" is missing, and the name is not a kind; expected kind: \#(kinds); did you mean "desktop"?"#
            ),
            (
                "sinks: {team: {kind: webhok}}\n",
                #"1:22: sinks.team.kind: "webhok" is not known here; expected \#(kinds); did you mean "webhook"?"#
            ),
            ("sinks: {x: {kind: gotify, token: {env: A}}}\n", #"1:9: sinks.x: "url" is missing; expected an address"#),
            ("sinks: {desktop: {icn: x}}\n", #"1:19: sinks.desktop: unknown key "icn"; did you mean "icon"?"#),
            (
                "sinks: {desktop: {url: x}}\n",
                #"1:19: sinks.desktop: unknown key "url"; expected kind, ordered, app-name, icon, category or timeout"#
            ),
            (
                "sinks: {stdout: {format: jsn}}\n",
                #"1:26: sinks.stdout.format: "jsn" is not known here; expected text or json; did you mean "json"?"#
            ),
            (
                "sinks: {desktop: {timeout: 5}}\n",
                #"1:28: sinks.desktop.timeout: "5" has no unit; expected 5s, 5m, 5h, 5d or 5w"#
            ),
            (
                "sinks: {\"a b\": {kind: stdout}}\n",
                #"1:9: sinks: "a b" cannot be a name; expected 1 to 64 characters without spaces, without invisible characters and without any of / \ : , " ' # [ ] { }, not beginning with any of - & * ! | > % @ `"#
            ),
            (
                "sinks: {w: {kind: webhook, url: \"file:///x\"}}\n",
                #"1:33: sinks.w.url: "file" is no scheme that is read here; expected an address that begins with https:// or http://"#
            ),
            (
                "sinks: {w: {kind: webhook, url: \"https://h/\", timeout: 0s}}\n",
                #"1:56: sinks.w.timeout: "0s" is too short; expected at least 1s"#
            ),
            (
                "sinks: {w: {kind: webhook, url: \"https://h/\", headers: {\"a b\": c}}}\n",
                #"1:57: sinks.w.headers: "a b" is no name of an HTTP field; expected letters, digits and hyphens"#
            ),
            (
                "sinks: {w: {kind: webhook, url: \"https://h/\", headers: {a: \"c\\nd\"}}}\n",
                #"1:57: sinks.w.headers: the value of "a" holds a line end or another control character; expected one line"#
            ),
            (
                "sinks: {w: {kind: webhook, url: \"https://h/\", headers: [a]}}\n",
                "1:56: sinks.w.headers: a list where a mapping should be; expected a mapping from field names to text or to where a secret is found"
            ),
        ])
    func keysAndValues(text: String, problem: String) {
        #expect(problems(text) == [problem])
    }

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
                #"2:36: sources.feed.every: "60" has no unit; expected 60s, 60m, 60h, 60d or 60w"#
            ),
            (
                #"{url: "https://h/", every: 3600}"#,
                #"2:36: sources.feed.every: "3600" has no unit; expected 3600s, 3600m, 3600h, 3600d or 3600w"#
            ),
            (
                #"{url: "https://h/", every: 1 hour}"#,
                #"2:36: sources.feed.every: "1 hour" is not a duration; expected a duration such as 90s, 15m, 1h30m, 2d or 1w; did you mean "1h"?"#
            ),
            (
                #"{url: "https://h/", every: 30m1h}"#,
                #"2:36: sources.feed.every: "30m1h" is not a duration; expected a duration such as 90s, 15m, 1h30m, 2d or 1w"#
            ),
            (
                #"{url: "https://h/", every: 1h30}"#,
                #"2:36: sources.feed.every: "1h30" is not a duration; expected a duration such as 90s, 15m, 1h30m, 2d or 1w"#
            ),
            (
                #"{url: "https://h/", every: soon}"#,
                #"2:36: sources.feed.every: "soon" is not a duration; expected a duration such as 90s, 15m, 1h30m, 2d or 1w"#
            ),
            (
                #"{url: "https://h/", every: 99999w}"#,
                #"2:36: sources.feed.every: "99999w" is longer than ten years; expected a duration such as 90s, 15m, 1h30m, 2d or 1w"#
            ),
            (
                #"{url: "https://h/", every: 99999999999999999999s}"#,
                #"2:36: sources.feed.every: "99999999999999999999s" is not a duration; expected a duration such as 90s, 15m, 1h30m, 2d or 1w"#
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
                #"{url: "https://h/", to: []}"#,
                "2:33: sources.feed.to: an empty list; expected a name of a sink or a list of them"
            ),
            (#"{url: "https://h/", title: ""}"#, "2:36: sources.feed.title: an empty text; expected text"),
            (
                #"{url: "https://h/", <<: 5}"#,
                "2:33: sources.feed: a single value after <<; expected an alias of a mapping"
            ),
        ])
    func sources(source: String, problem: String) {
        #expect(problems("sources:\n  feed: \(source)\n") == [problem])
    }
}
