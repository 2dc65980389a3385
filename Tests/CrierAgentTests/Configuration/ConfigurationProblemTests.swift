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
            (
                "time-zone: \"C:\\users\"\n",
                "1:17: a bad escape after a backslash; expected single quotes around text with backslashes"
            ),
            (
                "time-zone: \"\\ud800\"\n",
                "1:15: a bad escape after a backslash; expected single quotes around text with backslashes"
            ),
            // What there is no sentence of our own for.
            ("%FOO x\n---\ntime-zone: UTC\n", "1:5: YAML cannot read this: found unknown directive name"),
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
            (
                "sources:\n  a:\n    title: \"news\n    url: \"https://e.example/\"\n",
                "3:12: a quote is opened here and closed in line 4 only; expected the same quote at the end"
            ),
            (
                "a:\n- 'news\n- 'tech'\n- 'b'\n",
                "2:3: a quote is opened here and closed in line 3 only; expected the same quote at the end"
            ),
            (
                "sources:\n  a:\n    title: \"news\n    format: \"\"\n    url: https://e.example/\n",
                "3:12: a quote is opened here and closed in line 4 only; expected the same quote at the end"
            ),
            (
                "sources:\n  a:\n    title: \"long\n      text\"\n   url: x\n",
                "5:4: this does not fit the lines above it; expected the keys of one mapping indented alike, and nothing after a closing quote or bracket"
            ),
            ("- a\n", "1:1: a list where a mapping should be; expected KEY: VALUE"),
            (
                "sources:\n  a\n  b: c\n",
                #"3:4: a colon where no key can stand; expected the keys of one mapping indented alike, and quotes around a value that holds ": ""#
            ),
        ])
    func syntax(text: String, problem: String) {
        #expect(problems(text) == [problem])
    }

    /// To YAML it is a mapping whose key is a mapping.
    @Test(arguments: [
        "{{title}}", "{{title}} - {{url}}", "{{title}}: {{url}}", "{{title}} x", "{{title}}, {{url}}", "{{{title}}}",
    ])
    func aTemplateWithoutQuotesIsToldAsThat(template: String) {
        let told = "a value cannot begin with {{; expected the value in single quotes"
        #expect(problems("sinks:\n  stdout:\n    template: \(template)\n    format: text\n") == ["3:15: \(told)"])
        #expect(problems("sinks:\n  stdout: {template: \(template)}\n") == ["2:22: \(told)"])
    }

    /// What is behind the braces is a comment to it.
    @Test func soIsOneThatBeginsWithASection() {
        let told = "a value cannot begin with {{; expected the value in single quotes"
        let text = "sinks:\n  stdout:\n    template: {{#items}}{{url}}{{/items}}\n"
        #expect(problems(text) == ["3:15: \(told)"])
        #expect(problems("\(text)\n    format: text\n") == ["3:15: \(told)"])
    }

    @Test(arguments: zip(["\u{a0}", "\u{3000}"], ["U+00A0", "U+3000"]))
    func aSpaceThatIsNoneToYAMLIsNamed(space: String, name: String) {
        let indents = "the character \(name) indents the line; expected spaces: YAML knows no other indentation"
        let behind = "which YAML does not take for one"
        #expect(problems("x-a:\n\(space)\(space)b: c\n") == ["2:1: \(indents)"])
        #expect(problems("sources:\n  a:\n    url: 'file:///x'\n   \(space)every: 1h\n") == ["4:4: \(indents)"])
        #expect(problems("sources:\n  a: {url: 'file:///x'}\n  \(space) every: 1h\n") == ["3:3: sources: \(indents)"])
        #expect(problems("sources:\n  a:\n   \(space)url: 'file:///x'\n") == ["3:4: sources.a: \(indents)"])
        #expect(
            problems("sources:\n  a:\n    url:\(space)file:///x\n")
                == ["3:5: sources.a: the space behind the colon of \"url\" is \(name), \(behind); expected url: VALUE"])
        #expect(
            problems("sources:\n  a:\n    url: 'file:///x'\n    every:\(space)1h\n")
                == ["4:5: the space behind the colon of \"every\" is \(name), \(behind); expected every: VALUE"])
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
                "digests: {d: {at: daily, sources: 'a, b'}}\nsources: {a: {url: 'file:///x'}, b: {url: 'file:///y'}}\n",
                #"1:35: digests.d.sources: there is no source "a, b"; expected a or b; did you mean "[a, b]"?"#
            ),
            (
                "sinks: {m: {kind: email, server: 'feed://h', from: a@e.example, to: b@e.example}}\n",
                #"1:34: sinks.m.server: "feed" is no scheme that is read here; expected an address that begins with smtps:// or smtp://"#
            ),
            (
                "quiet-hours: mo..fri 22:00-07:00\n",
                #"1:14: quiet-hours: "mo" is not a day; expected mon, tue, wed, thu, fri, sat or sun; did you mean "mon"?"#
            ),
            (
                "quiet-hours: mon..wed..fri 22:00-07:00\n",
                #"1:14: quiet-hours: "mon..wed..fri" are not days; expected days such as mon..fri or sat,sun"#
            ),
            (
                "sinks: {stdout: json}\n",
                "1:17: sinks.stdout: a single value where a mapping should be; expected the settings of a sink, such as {kind: desktop}"
            ),
            (
                "digests: {\"a b\": {at: daily}}\n",
                #"1:11: digests: "a b" cannot be a name; expected \#(OptionSections.nameRule)"#
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
            ("sinks: {team: {kidn: exec}}\n", #"1:16: sinks.team: unknown key "kidn"; did you mean "kind"?"#),
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
                #"1:57: sinks.w.headers: a blank behind "a" in the name of an HTTP field; expected letters, digits and hyphens, "#
                    + "then a colon"
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
}
