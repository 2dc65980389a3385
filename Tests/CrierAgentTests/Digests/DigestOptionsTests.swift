import CrierFetch
import CrierStore
import CrierTesting
import Testing

@testable import CrierAgent

@Suite struct DigestOptionsTests {
    @Test func aConfigurationThatIsReadAgainSpeaksTheLanguageOfTheLocale() async throws {
        let folder = try TemporaryFolder()
        let file = ConfigurationFile(path: try folder.write("digests: {all: {at: daily}}\n", to: "crier.yaml"))
        let surroundings = Surroundings(environment: ["LC_ALL": "zh_CN.UTF-8"], logger: Agent.quiet)
        let desk = AgentDesk(
            file: file, text: AgentDesk.Text(bytes: [], hasMistakes: false), configuration: try configuration(""),
            store: try Store(path: folder.file("crier.sqlite")), surroundings: surroundings)
        await desk.reload()
        #expect(await desk.configuration.digests.map(\.language) == [.simplifiedChinese])
    }

    @Test func aDigestCollectsSourcesByNameAndTag() throws {
        let read = try configuration(
            """
            sinks: {stdout: {}, desktop: {}}
            digests:
              all: {at: daily}
              some: {at: "mon..fri 08:30", sources: [a], tags: [tech], to: desktop, max: 5, group-by: tag, order: oldest}
              zoned: {at: "Sat *-*-1..7 18:00 Asia/Tokyo", tags: none}
            sources:
              a: {url: "https://a.example/"}
              b: {url: "https://b.example/", tags: [tech/linux]}
              c: {url: "https://c.example/", tags: [technology]}
            """)
        #expect(read.sources.map(\.digests) == [["all", "some"], ["all", "some"], ["all"]])
        #expect(read.digests.map(\.name) == ["all", "some", "zoned"])
        #expect(read.digests.map(\.timeZone.identifier) == ["Europe/Berlin", "Europe/Berlin", "Asia/Tokyo"])
        let some = read.digests[1]
        #expect(some.sinks == ["desktop"] && some.limit == 5 && some.grouping == .tag && some.order == .oldest)
        #expect(read.digests[0].sinks == ["stdout", "desktop"] && read.digests[0].emptiness == .skip)
    }

    @Test(
        arguments: [
            (
                "{}",
                "1:11: digests.d: \"at\" is missing; expected a calendar expression such as 08:30, mon..fri 08:30 or Sat *-*-1..7 18:00"
            ),
            (
                "{at: 25:00}",
                "1:19: digests.d.at: `25` is no hour: a number from 0 to 23, a range such as `0..1`, a step such as `0/2`, or `*`; expected a calendar expression such as 08:30, mon..fri 08:30 or Sat *-*-1..7 18:00"
            ),
            ("{at: daily, to: x}", "1:30: digests.d.to: there is no sink \"x\"; expected stdout"),
            (
                "{at: daily, sources: [nwes]}",
                "1:36: digests.d.sources: there is no source \"nwes\"; expected news; did you mean \"news\"?"
            ),
            (
                "{at: daily, group-by: sorce}",
                "1:36: digests.d.group-by: \"sorce\" is not known here; expected source, tag, day or category; did you mean \"source\"?"
            ),
            ("{at: daily, max: 0}", "1:31: digests.d.max: 0 is too small; expected at least 1"),
            ("{at: daily, evry: 1}", "1:26: digests.d: unknown key \"evry\"; expected at, time-zone"),
            ("{at: daily, html: '{{#x}}'}", "1:32"),
            (
                "daily",
                "1:14: digests.d: a single value where a mapping should be; expected the settings of a digest, such as {at: 08:30}"
            ),
        ])
    func aMistakeIsToldWithItsPlace(_ digest: String, _ problem: String) {
        let found = problems("digests: {d: \(digest)}\nsources: {news: {url: \"https://h.example/\"}}\n")
        #expect(found.count == 1)
        #expect(found.first?.hasPrefix(problem) == true, "\(found)")
    }

    @Test func anExpressionThatDoesNotCompileIsTold() {
        let found = problems("digests: {d: {at: daily, only: 'x('}}\n") { _, text in text == "x(" ? "bad" : nil }
        #expect(found == ["1:32: digests.d.only: bad; expected a valid jq expression"])
    }
}
