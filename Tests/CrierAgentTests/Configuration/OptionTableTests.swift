import CrierContent
import CrierFetch
import CrierNotifications
import Testing

@testable import CrierAgent

@Suite("The table of options and the decoder agree")
struct OptionTableTests {
    /// A configuration that gives a row's key as `value`, with what the key needs beside it.
    private func text(_ row: Option, _ value: String) -> String {
        switch row.section {
        case "": return "sources: {name: {url: \"https://example.org/\"}}\n\(row.key): \(value)\n"
        case "sinks.*":
            let kind = row.sink ?? .webhook
            var lines = ["sinks:", "  name:"]
            if row.key != "kind" { lines.append("    kind: \(kind.rawValue)") }
            for other in OptionTable.rows(in: "sinks.*", sink: kind)
            where other.fallback == .required && other.key != row.key {
                lines.append("    \(other.key): \(other.example)")
            }
            // A login takes two.
            if kind == .email, row.key == "user" { lines.append("    password: {env: X}") }
            if kind == .email, row.key == "password" { lines.append("    user: x") }
            return (lines + ["    \(row.key): \(value)"]).joined(separator: "\n") + "\n"
        case "digests.*":
            let at = row.key == "at" ? "" : "    at: daily\n"
            return """
                sinks: {desktop: {}, stdout: {}, email: {server: "smtps://h/", from: a@h.example, to: b@h.example}}
                sources: {example: {url: "https://example.org/"}, other: {url: "https://other.example/"}}
                digests:
                  name:
                \(at)    \(row.key): \(value)

                """
        case "hosts.*": return "hosts:\n  example.org:\n    \(row.key): \(value)\n"
        case OptionTable.rulesSection:
            let other = row.key == "to" ? "level: critical" : "to: stdout"
            return """
                sinks: {desktop: {}, stdout: {}}
                sources:
                  name:
                    url: https://example.org/
                    rules:
                      - \(other)
                        \(row.key): \(value)

                """
        case OptionTable.commonRulesSection:
            let other = row.key == "to" ? "level: critical" : "to: stdout"
            return """
                sinks: {desktop: {}, stdout: {}}
                rules:
                  - \(other)
                    \(row.key): \(value)
                sources: {name: {url: https://example.org/}, other: {url: https://example.org/, tags: security}}

                """
        default:
            var lines = ["sinks: {desktop: {}, stdout: {}}", "sources:", "  name:"]
            // A secret stands in it.
            let url = "https://example.org/" + (row.key == "secrets" ? "{key}" : "")
            if row.key != "url", row.key != "command" { lines.append("    url: \(url)") }
            if ["items", "fields", "when"].contains(row.key) { lines.append("    format: json") }
            if ["items", "when"].contains(row.key) { lines.append("    fields: {title: .title}") }
            return (lines + ["    \(row.key): \(value)"]).joined(separator: "\n") + "\n"
        }
    }

    private func withoutKey(_ row: Option) -> String {
        text(row, "X").split(separator: "\n").filter { !$0.hasSuffix("\(row.key): X") }.joined(separator: "\n")
    }

    @Test("an example is read, and changes what is read", arguments: OptionTable.rows)
    func example(row: Option) throws {
        let read = try configuration(text(row, row.example))
        let other = load(withoutKey(row))
        #expect(other.configuration != read || !other.problems.isEmpty)
    }

    @Test("a default given is the same as a default left out", arguments: OptionTable.rows)
    func fallback(row: Option) throws {
        // An interval that is written down is kept also where the default would be made longer.
        guard case .value(let value) = row.fallback, row.path != "sources.*.every" else { return }
        if row.section == "hosts.*" {
            #expect(try configuration(text(row, value)).hosts == ["example.org": HostPace()])
        } else {
            #expect(try configuration(text(row, value)) == configuration(withoutKey(row)))
        }
    }

    @Test("a value of another type is refused", arguments: OptionTable.rows)
    func type(row: Option) {
        let found = load(text(row, "[{a: b}]")).problems
        #expect(found.contains { $0.path.hasSuffix(".\(row.key)") || $0.path == row.key })
    }

    @Test("no row stands twice, and every summary is one sentence")
    func rows() {
        let names = OptionTable.rows.map { "\($0.path) \($0.sink?.rawValue ?? "")" }
        #expect(Set(names).count == names.count)
        for row in OptionTable.rows {
            #expect(row.summary.hasSuffix(".") && !row.summary.contains("\n") && !row.summary.contains(". "))
        }
    }

    @Test("a key that is not in the table is refused everywhere")
    func unknown() {
        // Without its kind a sink has no keys to name.
        for row in OptionTable.rows where row.path != "sinks.*.kind" {
            let found = problems(text(row, row.example).replacing("\(row.key): \(row.example)", with: "xyzzy: 1"))
            #expect(found.contains { $0.contains(#"unknown key "xyzzy"; expected "#) }, "\(row.path): \(found)")
        }
    }

    @Test("a kind of sink has its own keys only")
    func kinds() {
        for kind in SinkKind.allCases {
            let known = Set(OptionTable.rows(in: "sinks.*", sink: kind).map(\.key))
            let all = Set(OptionTable.rows.filter { $0.section == "sinks.*" }.map(\.key))
            for key in all.subtracting(known) {
                let found = problems("sinks: {name: {kind: \(kind.rawValue), \(key): 1}}")
                #expect(found.contains { $0.contains("unknown key \"\(key)\"") })
            }
        }
    }

    @Test("settings made in code have the defaults of the table")
    func settings() throws {
        let read = try configuration("sinks: {stdout: {}, desktop: {}, webhook: {url: \"https://h/\"}}")
        #expect(
            read.sinks.map(\.settings) == [
                .stdout(StdoutSinkSettings()), .desktop(DesktopSinkSettings()),
                .webhook(WebhookSinkSettings(url: "https://h/")),
            ])
    }

    @Test(
        "the nearest word is found",
        arguments: [
            ("evry", "every"), ("everyy", "every"), ("eevry", "every"), ("EVERY", "every"), ("ulr", "url"),
            ("time-zoen", "time-zone"), ("x", nil), ("completely", nil),
        ])
    func nearestWord(word: String, expected: String?) {
        #expect(nearest(to: word, among: ["url", "every", "time-zone", "format"]) == expected)
    }

    @Test(
        "distances",
        arguments: [
            ("", "", 0), ("", "abc", 3), ("abc", "", 3), ("abc", "acb", 1), ("kitten", "sitting", 3), ("ca", "abc", 3),
        ])
    func distance(one: String, other: String, expected: Int) {
        #expect(editDistance(Array(one), Array(other)) == expected)
    }
}
