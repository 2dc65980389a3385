import CrierTesting
import Foundation
import Testing

@Suite("What is only printed by what runs by itself is warned of once")
struct UnseenNewsTests: DoctorSuite {
    private let remedy = "name another sink in the configuration, such as `sinks: {desktop: {}}`"
    private let news = "sources:\n  news: {url: 'https://news.example/feed'}\n"

    private func home(_ config: String) throws -> Home {
        let home = try Home()
        try home.folder.write(config, to: ".config/crier/crier.yaml")
        return home
    }

    private func told(_ home: Home) async throws -> [String] {
        findings(try await home.crier.run("doctor", "--format", "json"), "sink").compactMap { $0["words"] as? String }
    }

    @Test func whereNoSinkIsConfigured() async throws {
        let home = try home(news)
        #expect(try await told(home) == [], "nothing runs by itself")
        let words = "hat is new is raised at standard output alone, which leads to"
        for (way, place) in [
            ("--agent", "the journal (`journalctl --user -t crier`)"),
            ("--cron", "cron's mail, if it can send any"),
        ] {
            let run = try await home.crier.run("install", way)
            #expect(run.status == 0)
            #expect(run.errors.contains("W\(words) \(place); \(remedy).\n"), "\(run.errors)")
        }
        let both = "the journal (`journalctl --user -t crier`) and to cron's mail, if it can send any"
        #expect(try await told(home) == ["w\(words) \(both)"])
        let run = try await home.crier.run("doctor", "--format", "json")
        #expect(findings(run, "sink").first?["verdict"] as? String == "warn")
        #expect(findings(run, "sink").first?["remedy"] as? String == remedy)
    }

    @Test(arguments: [
        (
            """
            sinks: {stdout: {}, file: {path: /tmp/a}}
            sources: {a: {url: 'file:///a', to: stdout}, b: {url: 'file:///b'}}
            """, "a"
        ),
        (
            """
            sinks: {stdout: {}, file: {path: /tmp/a}}
            digests: {d: {at: '08:00', to: [stdout], sources: [a, b]}}
            sources:
              a: {url: 'file:///a', notify: none}
              b: {url: 'file:///b', notify: none}
              c: {url: 'file:///c', to: stdout, rules: [{when: 'true', to: [file]}]}
              e: {url: 'file:///e', to: stdout, notify: none}
            """, "2 sources"
        ),
        ("sinks: {desktop: {}}\nsources: {a: {url: 'file:///a'}}", nil),
        ("sources: {}", nil),
    ])
    func sourcesAreLookedAtOneByOne(config: String, whose: String?) async throws {
        let home = try home(config + "\n")
        #expect(try await home.crier.run("check").status == 0)
        let run = try await home.crier.run("install", "--timer")
        #expect(run.status == 0)
        let words = whose.map { ["hat is new of \($0) is raised at standard output alone, which leads to "] } ?? []
        #expect(words.allSatisfy(run.errors.contains), "\(run.errors)")
        #expect(run.errors.contains("standard output alone") == !words.isEmpty)
        #expect(try await told(home).count == words.count)
    }
}
