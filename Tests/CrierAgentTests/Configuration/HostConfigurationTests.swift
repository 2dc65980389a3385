import CrierFetch
import Testing

@testable import CrierAgent

@Suite("The pace of hosts")
struct HostConfigurationTests {
    @Test("is read with its defaults, by name in lower case")
    func pace() throws {
        let read = try configuration(
            """
            hosts:
              API.example.org: {parallel: 4, gap: 0s}
              127.0.0.1:8080: {gap: 5s}
              "[2001:DB8::1]": {parallel: 2}
              plain:
            """)
        #expect(
            read.hosts == [
                "api.example.org": HostPace(parallel: 4, gap: .zero),
                "127.0.0.1:8080": HostPace(parallel: 1, gap: .seconds(5)),
                "[2001:db8::1]": HostPace(parallel: 2, gap: .seconds(2)), "plain": HostPace(),
            ])
    }

    @Test(
        "a mistake says where, what and what was expected, and spoils the file: it is about other people's servers",
        arguments: [
            ("hosts: [a]", "1:8: hosts: a list where a mapping should be; expected the pace of hosts by name"),
            (
                "hosts: {\"https://a.example\": {}}",
                "1:9: hosts: \"https://a.example\" is no name of a host; "
                    + "expected a name such as api.example.org or 127.0.0.1:8080, without https:// and path"
            ),
            (
                "hosts: {a.example/feed: {}}",
                "1:9: hosts: \"a.example/feed\" is no name of a host; "
                    + "expected a name such as api.example.org or 127.0.0.1:8080, without https:// and path"
            ),
            (
                "hosts: {\"a.example:99999\": {}}",
                "1:9: hosts: \"a.example:99999\" is no name of a host; "
                    + "expected a name such as api.example.org or 127.0.0.1:8080, without https:// and path"
            ),
            ("hosts: {a.example: {gap: 5s}, A.example: {}}", "1:31: hosts: \"A.example\" is given twice"),
            (
                "hosts: {a.example: 5s}",
                "1:20: hosts.a.example: a single value where a mapping should be; "
                    + "expected the pace of a host, such as {gap: 5s}"
            ),
            (
                "hosts: {a.example: {paralel: 2}}",
                "1:21: hosts.a.example: unknown key \"paralel\"; did you mean \"parallel\"?"
            ),
            (
                "hosts: {a.example: {parallel: 0}}",
                "1:31: hosts.a.example.parallel: 0 is too small; expected at least 1"
            ),
            (
                "hosts: {a.example: {parallel: many}}",
                "1:31: hosts.a.example.parallel: \"many\" is not a whole number; expected a number such as 20"
            ),
            (
                "hosts: {a.example: {gap: 5}}",
                "1:26: hosts.a.example.gap: \"5\" has no unit; expected 5s, 5m, 5h, 5d or 5w"
            ),
            (
                "hosts: {a.example: {gap: -1s}}",
                "1:26: hosts.a.example.gap: \"-1s\" is not a duration; "
                    + "expected a duration such as 90s, 15m, 1h30m, 2d or 1w"
            ),
            (
                "hosts: {a.example: {gap: 0 s}}",
                "1:26: hosts.a.example.gap: \"0 s\" is not a duration; "
                    + "expected a duration such as 90s, 15m, 1h30m, 2d or 1w; did you mean \"0s\"?"
            ),
        ])
    func mistakes(text: String, problem: String) {
        let result = load(text)
        #expect(problems(text) == [problem])
        #expect(result.configuration == nil)
    }

    @Test func aNameThatIsLongerThanAnyHostsIsNone() {
        let said = problems("hosts: {\(String(repeating: "a", count: 261)): {}}")
        #expect(said.count == 1 && said.first?.contains("is no name of a host") == true, "\(said)")
    }
}
