import CrierStore
import CrierTesting
import Foundation
import Testing

@Suite("The doctor says what is there, what is not, and what to do")
struct DoctorCommandTests: DoctorSuite {
    @Test func aMachineWithEverythingIsWell() async throws {
        let crier = try machine(
            "sinks: {file: {path: /tmp/news}}\nsources:\n  news: {url: 'https://news.example/feed'}\n",
            [
                "systemctl": systemctl("crier-fetch.timer", "enabled", "active"),
                "loginctl": "echo yes", "timedatectl": "echo yes",
            ])
        try await crier.authorize()
        try await crier.run("install", "--timer")
        let run = try await crier.run("doctor", "--format", "json")
        #expect(run.status == 0)
        // What a network there is, is the machine's.
        let others = run.objects.filter { $0["subject"] as? String != "network" }
        #expect(others.allSatisfy { $0["verdict"] as? String == "ok" }, "\(run.output)")
        #expect(
            Set(others.compactMap { $0["subject"] as? String }) == [
                "libraries", "configuration", "state", "authorization", "desktop", "service", "lingering", "clock",
            ])
    }

    @Test func textSaysTheRemedyUnderTheLine() async throws {
        let crier = try machine(nil, ["systemctl": "exit 1"])
        let run = try await crier.run("doctor")
        #expect(run.status == 69)
        #expect(
            run.lines.starts(with: [
                "ok   libraries: libcurl, libxml2 and libjq can be loaded",
                "fail configuration: there is none at \(crier.folder.file("crier.yaml"))", "     → crier add URL",
                "ok   state: there is none yet at \(crier.statePath): the first fetch makes it",
            ]))
        #expect(run.output.contains("warn service: nothing"))
        #expect(run.output.contains("     → crier install --timer --enable\n"))
    }

    @Test func whatKeepsTheStateFromBeingMadeHasItsRemedy() async throws {
        var crier = try machine(nil)
        try crier.folder.write("", to: "file")
        try FileManager.default.createSymbolicLink(
            atPath: "\(crier.statePath).lock", withDestinationPath: crier.folder.file("file"))
        func remedies() async throws -> [String] {
            let run = try await crier.run("doctor", "--format", "json")
            return findings(run, "state").filter { $0["verdict"] as? String == "fail" }.compactMap {
                $0["remedy"] as? String
            }
        }
        #expect(try await remedies() == ["mv \(crier.statePath).lock elsewhere"])
        #expect(try await crier.run("authorize", "--allow").status == 0)
        #expect(try await remedies() == ["mv \(crier.statePath).lock elsewhere"])
        let file = crier.folder.file("file")
        crier.environment["CRIER_STATE"] = "\(file)/crier/crier.sqlite"
        #expect(
            try await remedies() == ["mv \(file) elsewhere, as it is no folder, or choose another place with --state"])
    }

    @Test func whatCannotBeLookedAtIsNotTakenForMissing() async throws {
        var crier = try machine(nil)
        let (locked, loop) = (crier.folder.file("locked"), crier.folder.file("loop"))
        try FileManager.default.createDirectory(
            atPath: locked, withIntermediateDirectories: false, attributes: [.posixPermissions: 0])
        defer { try? FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: locked) }
        try FileManager.default.createSymbolicLink(atPath: loop, withDestinationPath: loop)
        crier.environment["CRIER_STATE"] = "\(locked)/crier.sqlite"
        for (path, cause) in [
            ("\(locked)/crier.yaml", "Permission denied"), (loop, "Too many levels of symbolic links"),
        ] {
            crier.environment["CRIER_CONFIG"] = path
            guard let run = try await crier.runAsNobody("doctor", "--format", "json") else { return }
            let words = findings(run, "configuration").first?["words"] as? String
            #expect(words == "\(path): cannot read: \(cause)")
            #expect(findings(run, "state").first?["verdict"] as? String == "fail")
            #expect(findings(run, "authorization").isEmpty, "nobody can know")
        }
    }

    @Test func whatTheUserHasSwitchedOffAndSinksThatAreGoneAreTold() async throws {
        let crier = try machine("quiet-hours: 00:00-24:00\nsinks: {team: {kind: exec, command: [/bin/false]}}\n")
        try await crier.authorize()
        #expect(try await verdicts(crier, "quiet") == ["ok"])
        #expect(try await verdicts(crier, "background") + verdicts(crier, "sink") == [])
        try await crier.run("background", "off")
        try await crier.run("mute", "1h")
        for name in ["team", "other"] {
            try Store(path: crier.statePath).markGone(name, reason: "HTTP 410", at: Date())
        }
        let run = try await crier.run("doctor", "--format", "json")
        for (subject, words, remedy) in [
            ("background", "fetching in the background is switched off", "crier background on"),
            ("quiet", "muted until ", "crier unmute"), ("sink", "team is gone: HTTP 410", "crier sink test team"),
        ] {
            let found = findings(run, subject)
            #expect(found.count == 1 && found[0]["verdict"] as? String == "warn", "\(found)")
            #expect((found.first?["words"] as? String)?.hasPrefix(words) == true, "\(found)")
            #expect(found.first?["remedy"] as? String == remedy)
        }
    }

    @Test func mistakesOfTheConfigurationAreTold() async throws {
        let crier = try machine("sources:\n  news: {url: 'https://news.example/feed', only: 'select('}\n")
        let run = try await crier.run("doctor", "--format", "json")
        #expect(run.status == 69)
        let finding = try #require(findings(run, "configuration").first)
        #expect(finding["verdict"] as? String == "fail")
        #expect((finding["words"] as? String)?.contains("crier.yaml:2:") == true)
        #expect(finding["remedy"] as? String == "crier check")
    }

    @Test func severalMistakesAreCounted() async throws {
        let crier = try machine("sources: {a: {urll: x}, b: {urll: y}}\n")
        let run = try await crier.run("doctor", "--format", "json")
        let words = findings(run, "configuration").first?["words"] as? String
        #expect(words?.hasPrefix("2 mistakes: ") == true, "\(words ?? "nothing")")
    }

    @Test func secretsAndAuthoritiesThatAreMissingAreTold() async throws {
        var crier = try machine(
            """
            sinks:
              team: {kind: webhook, url: 'https://e.example/', secret: {env: NOPE_NOPE}}
              chat: {kind: slack, url: {file: /no/such/file}}
              mine: {kind: ntfy, topic: x, token: {command: [no-such-program]}}
              unit: {kind: gotify, url: 'https://e.example/', token: {credential: team}}
            sources:
              api: {url: 'https://e.example/', auth: {bearer: {file: ~/token}}, ca-file: /no/authority.pem}
              mine: {url: 'https://e.example/{k}', secrets: {k: {command: [no-such-program]}}}
            """)
        let run = try await crier.run("doctor", "--format", "json")
        #expect(
            findings(run, "secrets").compactMap { $0["words"] as? String } == [
                "a secret of the sink team is in an environment variable that is not set here",
                "a secret of the sink chat is in a file that is not there or cannot be read",
                "a secret of the sink mine is printed by a program that is not there",
                "a secret of the source api is in a file that is not there or cannot be read",
                "a secret of the source mine is printed by a program that is not there",
            ])
        let verdicts = findings(run, "secrets").compactMap { $0["verdict"] as? String }
        #expect(verdicts == ["warn", "fail", "fail", "fail", "fail"])
        #expect(try await self.verdicts(crier, "ca-file") == ["fail"])
        #expect(!run.output.contains("NOPE_NOPE") && !run.output.contains("such/file"))
        crier.environment["NOPE_NOPE"] = "x"
        try crier.folder.write("secret", to: "token")
        try #require(chmod(crier.folder.file("token"), 0o640) == 0)
        #expect(try await self.verdicts(crier, "secrets") == ["fail", "fail", "fail"])
    }

    @Test func secretsAndAuthoritiesThatAreThereAreWell() async throws {
        var crier = try machine(
            """
            sinks:
              team: {kind: webhook, url: 'https://e.example/', secret: {env: TEAM_SECRET}}
              mine: {kind: ntfy, topic: x, token: {command: [print-it]}}
            sources:
              api: {url: 'https://e.example/', auth: {bearer: {file: ~/token}}, ca-file: ~/authority.pem}
            """, ["print-it": "exit 1"])
        crier.environment["TEAM_SECRET"] = "x"
        for name in ["token", "authority.pem"] {
            try crier.folder.write("secret", to: name)
            try #require(chmod(crier.folder.file(name), 0o600) == 0)
        }
        let run = try await crier.run("doctor", "--format", "json")
        #expect(findings(run, "secrets").compactMap { $0["words"] as? String } == ["all are where they should be"])
        #expect(findings(run, "ca-file").isEmpty)
    }

    @Test func aCorruptStateIsFoundAndLeftAsItIs() async throws {
        let crier = try machine(Self.desktopConfig)
        let text = "SQLite format 3\0" + String(repeating: "this is no database", count: 1000)
        try crier.folder.write(text, to: "crier.sqlite")
        let run = try await crier.run("doctor", "--format", "json")
        #expect(findings(run, "state").compactMap { $0["verdict"] as? String } == ["fail"])
        #expect(
            findings(run, "state").first?["remedy"] as? String
                == "mv \(crier.statePath)* elsewhere; or go back to a copy: crier backup --help")
        #expect(findings(run, "authorization").isEmpty, "nobody can know")
        #expect(crier.folder.read("crier.sqlite") == text)
    }

    @Test func aDamagedStateThatWasSetAsideIsToldOf() async throws {
        let crier = try machine(Self.desktopConfig)
        try await crier.authorize()
        let aside = crier.statePath + ".corrupt-20261129T195200"
        for path in [aside, aside + "-wal", crier.statePath + ".corrupt-20251129T195200"] {
            try Data().write(to: URL(fileURLWithPath: path))
        }
        let state = findings(try await crier.run("doctor", "--format", "json"), "state")
        #expect(state.compactMap { $0["verdict"] as? String } == ["ok", "warn"])
        #expect(state.last?["words"] as? String == "a damaged one was set aside as \(aside)")
        #expect(state.last?["remedy"] as? String == "go back to a copy: crier backup --help; or rm \(aside)*")
    }

    @Test func programsThatAreMissingAreNamed() async throws {
        let crier = try machine(
            """
            sinks: {desktop: {}, mine: {kind: exec, command: [tell-me, x]}}
            sources:
              log: {command: [no-such-program], format: json, fields: {title: .a}}
            """)
        let run = try await crier.run("doctor", "--format", "json")
        #expect(run.status == 69)
        #expect(
            findings(run, "programs").compactMap { $0["words"] as? String } == [
                "the sink desktop needs notify-send, which is not there",
                "the sink mine needs tell-me, which is not there",
                "the source log needs no-such-program, which is not there",
            ])
    }

    @Test func programsInTheHomeFolderAreFound() async throws {
        let crier = try machine("sinks: {mine: {kind: exec, command: [~/bin/tell-me]}}\n", ["tell-me": "exit 0"])
        #expect(try await verdicts(crier, "programs") == ["ok"])
        #expect(try await crier.run("sink", "test", "mine").status == 0)
    }

    @Test func aUnitThatIsNotStartedIsTold() async throws {
        let crier = try machine(
            Self.desktopConfig, ["systemctl": systemctl("crier-agent.service", "disabled", "inactive")])
        try await crier.run("install", "--agent")
        let run = try await crier.run("doctor", "--format", "json")
        let finding = try #require(findings(run, "service").first)
        #expect(finding["verdict"] as? String == "warn")
        #expect(finding["words"] as? String == "crier-agent.service is not enabled and inactive")
        #expect(finding["remedy"] as? String == "systemctl --user enable --now crier-agent.service")
    }

    @Test func anAgentThatWasStartedByHandRunsCrier() async throws {
        var bench = try await AgentBench()
        bench.crier.environment["HOME"] = bench.crier.folder.path
        bench.crier.environment["XDG_CONFIG_HOME"] = nil
        bench.crier.environment["PATH"] = bench.crier.folder.file("bin")
        let agent = try await bench.agent()
        let run = try await bench.crier.run("doctor", "--format", "json")
        let service = findings(run, "service")
        #expect(service.compactMap { $0["words"] as? String } == ["an agent runs (process \(agent.identifier))"])
        #expect(service.first?["verdict"] as? String == "ok")
        #expect(await agent.end() == 0)
        #expect(try await verdicts(bench.crier, "service") == ["warn"])
        await bench.origin.stop()
    }

    @Test func sourcesThatAreDisabledCount() async throws {
        for (more, words, verdict) in [
            ("", "1 source, 1 disabled", "warn"), (", b: {url: 'https://f.example/'}", "2 sources, 1 disabled", "ok"),
        ] {
            let crier = try machine("sources: {a: {url: 'https://e.example/', enabled: false}\(more)}\n")
            let run = try await crier.run("doctor", "--format", "json")
            let finding = try #require(findings(run, "configuration").first)
            #expect((finding["words"] as? String)?.hasSuffix(": \(words)") == true)
            #expect(finding["verdict"] as? String == verdict)
        }
    }

    @Test func lingeringAndClockAreAskedFor() async throws {
        let crier = try machine(
            Self.desktopConfig, ["loginctl": "echo no", "timedatectl": "echo no", "systemctl": "echo enabled"])
        try await crier.run("install", "--agent")
        #expect(try await verdicts(crier, "lingering") == ["warn"])
        #expect(try await verdicts(crier, "clock") == ["warn"])
    }

    @Test func aClockThatWasSetBackIsTold() async throws {
        let crier = try machine(Self.desktopConfig, ["timedatectl": "echo yes"])
        var state = SourceState(name: "news")
        state.lastFetched = Date().addingTimeInterval(3600)
        try Store(path: crier.statePath).commit(FetchCommit(state: state, date: Date()))
        let clock = try #require(findings(try await crier.run("doctor", "--format", "json"), "clock").first)
        #expect(clock["verdict"] as? String == "warn")
        #expect((clock["words"] as? String)?.hasPrefix("the last visit lies ahead, on ") == true)
        #expect(clock["remedy"] as? String == "timedatectl set-ntp true")
    }

    /// As in a container that has no package of them.
    @Test func authoritiesThatAreMissingAreToldToWhoeverNeedsThem() async throws {
        let crier = try machine("")
        func findings() async throws -> [[String: Any]] {
            var slim = crier
            slim.environment["CURL_CA_BUNDLE"] = "/no/ca-certificates.crt"
            return self.findings(try await slim.run("doctor", "--format", "json"), "certificates")
        }
        func mail(_ server: String) -> String {
            "sinks: {mail: {kind: email, \(server), from: a@e.example, to: b@e.example}}"
        }
        for (sections, isTold) in [
            ("sources: {a: {url: 'HTTPS://e.example/'}}", true), ("sources: {a: {url: 'http://e.example/'}}", false),
            ("sources: {a: {url: 'https://e.example/', ca-file: /no/own.pem}}", false),
            ("sinks: {hook: {kind: webhook, url: 'https://e.example/'}}", true),
            ("sinks: {hook: {kind: webhook, url: 'http://e.example/'}}", false),
            ("sinks: {ntfy: {topic: a}}", true), ("sinks: {ntfy: {url: 'http://e.example', topic: a}}", false),
            ("sinks: {file: {path: /tmp/news}}", false),
            ("sinks: {hook: {kind: webhook, url: {env: HOOK}}}", false),
            ("sinks: {slack: {url: {env: HOOK}}}", true), ("sinks: {discord: {url: {env: HOOK}}}", true),
            ("sinks: {mattermost: {url: {env: HOOK}}}", false), (mail("server: 'smtp://e.example'"), true),
            (mail("server: 'smtp://e.example', encryption: none"), false),
            (mail("server: 'SMTPS://e.example', encryption: none"), true),
        ] {
            try crier.folder.write(sections, to: "crier.yaml")
            let found = try await findings()
            #expect(found.count == (isTold ? 1 : 0), "\(sections)")
            if isTold { #expect(found.first?["verdict"] as? String == "fail") }
        }
        try crier.folder.write("sources: {a: {url: 'https://e.example/'}}", to: "crier.yaml")
        let words = try await findings().first?["words"] as? String
        #expect(words == "the authorities, /no/ca-certificates.crt, are not there or cannot be read: no https works")
        var other = crier
        other.environment["CURL_CA_BUNDLE"] = try crier.folder.write("", to: "authorities.pem")
        #expect(try await verdicts(other, "certificates").isEmpty)
    }

    @Test func aZoneThatIsNotKnownIsToldOf() async throws {
        var crier = try machine("sources: {}\n", [:])
        let known = [
            "", "Asia/Tokyo", "/usr/share/zoneinfo/UTC", "/usr/share/zoneinfo/posix/Asia/Tokyo", ":/etc/localtime",
        ]
        for (zone, verdict) in [("JST-9", ["warn"])] + known.map({ ($0, []) }) {
            crier.environment["TZ"] = zone
            #expect(try await verdicts(crier, "time zone") == verdict, "\(zone)")
            if verdict.isEmpty { continue }
            let words = try await crier.run("doctor").output
            #expect(words.contains("those of \(TimeZone.current.identifier)\n"), "that of the machine")
        }
    }
}
