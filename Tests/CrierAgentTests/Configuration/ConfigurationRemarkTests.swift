import CrierTesting
import Foundation
import Testing

@testable import CrierAgent

@Suite("What comes to nothing is told with its place")
struct ConfigurationRemarkTests {
    private let now = Date(timeIntervalSince1970: 1_700_000_000)

    private func places(_ text: String) throws -> [String] {
        try configuration(text).remarks(at: now).map { remark in
            remark.split(separator: ":", maxSplits: 4).dropFirst().prefix(3).joined(separator: ":")
        }
    }

    @Test func sourcesWithTheSameSettingsHaveTheirOwnPlaces() throws {
        let text = """
            x-often: &often {notify: daily, updates: notify}
            sources:
              a:
                url: https://e.example/a
                notify: none
                updates: replace
              b:
                url: https://e.example/b
                notify: none
                updates: replace
              merged: {url: 'https://e.example/c', <<: *often}
            """
        #expect(
            try places(text) == [
                "6:14: sources.a.updates", "10:14: sources.b.updates", "11:3: sources.merged.updates",
            ])
    }

    @Test func aTagIsToldAtEachKeyThatNamesIt() throws {
        let text = """
            digests:
              one: {at: '08:00', tags: [there, gone]}
              two: {at: '09:00', tags: gone}
            rules:
            - {tags: [gone], skip: true}
            - {tags: [gone, lost], skip: true}
            sources: {a: {url: 'https://e.example/a', tags: there/too}}
            """
        #expect(
            try places(text) == ["2:36: digests.one.tags", "3:28: digests.two.tags", "5:11: rules", "6:17: rules"])
    }

    @Test func aContentTypeAmongTheHeadersIsTold() throws {
        let text = """
            sinks: {w: {kind: webhook, url: 'https://e.example/a', headers: {X-A: b, content-type: application/json}}}
            sources: {a: {url: 'https://e.example/a'}}
            """
        #expect(try places(text) == ["1:65: sinks.w.headers"])
    }

    @Test func aKeyThatIsSentAsAFieldIsTold() throws {
        let text = """
            sinks:
              w: {kind: webhook, url: 'https://e.example/a', headers: {timeout: 5s, encoding: form, every: 1h}}
            sources:
              a:
                url: https://e.example/a
                headers:
                  Accept-Language: de
                  every: 6h
                  Notify: none
              b: {url: 'https://e.example/b', headers: {env: TOKEN, encoding: x, X-Key: {env: TOKEN}}}
            """
        func further(_ key: String) -> String {
            "\"\(key)\" is sent as an HTTP field; the key \"\(key)\" has its place one level further up"
        }
        #expect(
            try configuration(text).remarks(at: now) == [
                "c.yaml:2:60: sinks.w.headers: \(further("timeout"))",
                "c.yaml:2:73: sinks.w.headers: \(further("encoding"))",
                "c.yaml:8:7: sources.a.headers: \(further("every"))",
                "c.yaml:10:45: sources.b.headers: \"env\" is sent as an HTTP field; a secret stands behind the name of one: "
                    + "{X-Key: {env: …}}",
            ])
    }

    @Test func aTagThatLooksLikeSeveralIsTold() throws {
        let text = """
            rules:
            - {tags: -news -tech, skip: true}
            digests: {d: {at: '08:00', tags: "news, tech"}}
            sources:
              a: {url: 'https://e.example/a', tags: '-news -tech'}
              b:
                url: https://e.example/b
                tags: news, tech
              c:
                url: https://e.example/c
                tags: news, tech
              d:
                url: https://e.example/d
                tags: news, tech]
              e: {url: 'https://e.example/e', tags: [“tech”, 'Art, Culture', Today’s]}
            """
        let list = "is one tag; expected a list such as [news, tech]"
        #expect(
            try configuration(text).remarks(at: now) == [
                "c.yaml:2:10: rules.tags: \"-news -tech\" \(list)",
                "c.yaml:3:34: digests.d.tags: \"news, tech\" \(list)",
                "c.yaml:5:41: sources.a.tags: \"-news -tech\" \(list)",
                "c.yaml:8:11: sources.b.tags: \"news, tech\" \(list)",
                "c.yaml:11:11: sources.c.tags: \"news, tech\" \(list)",
                "c.yaml:14:11: sources.d.tags: \"news, tech]\" \(list)",
                "c.yaml:15:42: sources.e.tags: \"“tech”\" is a tag with these quotes in it; expected ' or \", or no quotes",
            ])
    }

    @Test func aTemplateWithoutAKeyIsTold() throws {
        let text = """
            sinks:
              stdout: {template: '{title} - {url}'}
              news: {kind: stdout, template: New}
              hook: {kind: webhook, url: 'https://e.example/a', template: '{"event": "news"}'}
              call: {kind: webhook, url: 'https://e.example/a', template: '{"text": "{body}"}'}
              mail: {kind: email, server: 'smtp://e.example', from: a@e.example, to: b@e.example, subject: News}
              post: {kind: email, server: 'smtp://e.example', from: a@e.example, to: b@e.example, subject: '{title}'}
            digests:
              news: {at: '08:00', text: News}
            """
        #expect(
            try configuration(text).remarks(at: now) == [
                "c.yaml:2:22: sinks.stdout.template: it is the same for each notification; a key is written {{title}}",
                "c.yaml:3:34: sinks.news.template: it is the same for each notification; a key is written {{title}}",
                "c.yaml:5:63: sinks.call.template: it is the same for each notification; a key is written {{body}}",
                "c.yaml:7:96: sinks.post.subject: it is the same for each notification; a key is written {{title}}",
                "c.yaml:9:29: digests.news.text: it is the same for each digest; a key is written {{title}}",
            ])
    }

    @Test func whatAWebHookSaysBesideItsTemplateOrWithoutOneIsTold() throws {
        let text = """
            sinks:
              plain: {kind: webhook, url: 'https://e.example/a', encoding: form, content-type: text/plain}
              both: {kind: webhook, url: 'https://e.example/a', encoding: form, template: '{"a": {{title}}}'}
              fine: {kind: webhook, url: 'https://e.example/a', template: '{{title}}', content-type: text/plain}
            sources: {a: {url: 'https://e.example/a'}}
            """
        #expect(
            try places(text) == [
                "2:84: sinks.plain.content-type", "3:63: sinks.both.encoding", "3:79: sinks.both.template",
            ])
    }

    @Test func aTemplateThatGivesNoJSONIsTold() throws {
        let text = """
            sinks:
              broken: {kind: webhook, url: 'https://e.example/a', template: '{"text": {{title}}}'}
              typed:
                kind: webhook
                url: https://e.example/a
                content-type: application/vnd.example+json; charset=utf-8
                template: '{"text": "{{title}}", }'
              good: {kind: webhook, url: 'https://e.example/a', template: '{"text": "{{title}}", "all": {{items}}}'}
              lone: {kind: webhook, url: 'https://e.example/a', template: '{{#items}}{"text": "{{title}}"}{{/items}}'}
              bare: {kind: webhook, url: 'https://e.example/a', template: '{{userInfo.digest}}'}
              badge: {kind: webhook, url: 'https://e.example/a', template: '{"n": {{badge}}}'}
              words: {kind: webhook, url: 'https://e.example/a', content-type: text/plain, template: '{{title}}'}
            sources: {a: {url: 'https://e.example/a'}}
            """
        #expect(
            try places(text) == [
                "2:65: sinks.broken.template", "7:15: sinks.typed.template", "11:64: sinks.badge.template",
            ])
    }

    @Test func aKeyOfATemplateThatThereIsNotIsTold() throws {
        let text = """
            sinks:
              stdout: {template: '{{source}}: {{titel}} {{#items}}{{summary}}{{author}}{{/items}} {{^url}}{{titel}}{{/url}}'}
              hook:
                {kind: webhook, url: 'https://e.example/a', template: '{"a": "{{date}}{{#userInfo}}{{x}}{{/userInfo}}{{userInfo.y}}"}'}
              mail: {kind: email, server: 'smtp://e.example', from: a@e.example, to: b@e.example, subject: '{{day}} {{summary}}', html: '{{body}}'}
            digests:
              news: {at: '08:00', text: '{{#groups}}{{title}}{{#items}}{{reading}}{{/items}}{{/groups}}{{more}}{{body}}'}
            """
        let told = "is no key of a notification and gives nothing"
        #expect(
            try configuration(text).remarks(at: now) == [
                "c.yaml:2:22: sinks.stdout.template: \"titel\" \(told); did you mean \"title\"?",
                "c.yaml:2:22: sinks.stdout.template: \"author\" \(told); did you mean \"authors\"?",
                "c.yaml:5:96: sinks.mail.subject: \"day\" \(told)",
                "c.yaml:5:96: sinks.mail.subject: only what a notification holds has the key \"summary\": it gives nothing here",
                "c.yaml:7:29: digests.news.text: \"body\" is no key of a digest and gives nothing",
            ])
    }

    @Test func aFormatBesideATemplateIsTold() throws {
        let text = """
            sinks:
              stdout: {format: json, template: '{{title}}'}
              text: {kind: stdout, format: text, template: '{{title}}'}
              json: {kind: stdout, format: json}
            """
        #expect(try places(text) == ["2:20: sinks.stdout.format"])
    }

    @Test func aMailServerAtThePortOfAnotherAddressIsTold() throws {
        let text = """
            sinks:
              a: {kind: email, from: a@e.example, to: b@e.example, server: 'smtp://e.example:465'}
              b: {kind: email, from: a@e.example, to: b@e.example, server: 'smtps://e.example:465'}
              c: {kind: email, from: a@e.example, to: b@e.example, server: 'smtp://e.example:4650'}
              d: {kind: email, from: a@e.example, to: b@e.example, server: 'smtp://e.example'}
            """
        #expect(
            try configuration(text).remarks(at: now) == [
                "c.yaml:2:64: sinks.a.server: 465 is the port of smtps://"
            ])
    }

    @Test func sinksThatWriteTheSameFileAreTold() throws {
        let text = """
            sinks:
              feed: {path: /srv/news}
              other: {kind: file, path: /srv/other}
              file: {path: /srv/news}
            """
        #expect(try places(text) == ["4:16: sinks.file.path"])
        #expect(
            try configuration(text).remarks(at: now) == [
                "c.yaml:4:16: sinks.file.path: the sink \"feed\" writes the same file"
            ])
    }

    @Test func aSourceThatReadsTheFeedInWhichItIsToldIsTold() throws {
        let folder = try TemporaryFolder()
        try folder.write("", to: "news it.xml")
        try FileManager.default.createSymbolicLink(atPath: folder.file("link"), withDestinationPath: "news it.xml")
        let text = """
            sinks:
              feed: {path: '\(folder.file("link"))'}
              other: {kind: feed, path: '\(folder.file("other.xml"))'}
            sources:
              a: {url: 'file://\(folder.file("news%20it.xml"))', to: feed}
              b: {url: 'file://\(folder.file("other.xml"))', to: feed}
              c: {url: 'https://c.example/', to: other}
            """
        let words = "the source \"a\" reads this file and goes to this sink: it tells the same for ever"
        #expect(try configuration(text).remarks(at: now) == ["c.yaml:2:16: sinks.feed.path: \(words)"])
    }

    @Test func aSinkThatWritesAFileOfTheStateIsTold() throws {
        let folder = try TemporaryFolder()
        try folder.write("", to: "state/other")
        try FileManager.default.createSymbolicLink(atPath: folder.file("link"), withDestinationPath: "state")
        let paths = ["state/s.db", "link/s.db.lock", "state/s.db-wal", "state/s.db-shm", "state/s.db.xml", "s.db"]
        let lines = paths.enumerated().map { number, path in
            "  s\(number): {kind: \(number == 0 ? "feed" : "file"), path: '\(folder.file(path))'}"
        }
        let read = try configuration("sinks:\n" + lines.joined(separator: "\n") + "\n")
        for state in ["state/s.db", "link/s.db"] {
            let told = read.remarks(at: now, statePath: folder.file(state))
            #expect(told.count == 4 && told.allSatisfy { $0.contains(".path: it is a file of the state, ") }, "\(told)")
        }
        #expect(read.remarks(at: now).isEmpty, "where that is not known")
    }

    @Test func rulesThatDoNothingAreTold() throws {
        let text = """
            rules: [{}, {skip: true}, {when: .a, skip: false}]
            sources:
              a: {url: 'https://e.example/a', rules: [{when: .a, to: stdout}, {when: .a}, {level: critical}]}
            """
        let words = "does nothing, as it says neither `skip`, `level` nor `to`"
        #expect(
            try configuration(text).remarks(at: now) == [
                "c.yaml:1:8: rules: number 1 \(words)", "c.yaml:3:42: sources.a.rules: number 2 \(words)",
            ])
    }

    @Test func whereItStandsIsNoDifferenceOfTheConfiguration() throws {
        let text = "quiet-hours: 00:00-24:00\nsources: {a: {url: 'https://e.example/a'}}\n"
        let moved = "# mine\n\(text)"
        #expect(try configuration(text) == configuration(moved))
        #expect(try places(text) == ["1:14: quiet-hours"])
        #expect(try places(moved) == ["2:14: quiet-hours"])
    }

    @Test func anAddressWithAPasswordIsTold() throws {
        let text = """
            sources:
              a: {url: 'https://me:secret@e.example/a'}
              b: {url: 'https://me@e.example/b'}
              c: {url: 'https://e.example/@me:secret@x'}
              d:
                url: https://me:secret@e.example/d
                enabled: false
            """
        #expect(try places(text) == ["2:12: sources.a.url", "6:10: sources.d.url"])
        #expect(try configuration(text).remarks(at: now).allSatisfy { !$0.contains("secret") })
    }

    @Test func sinksAndHostsThatNobodyUsesAreTold() throws {
        let text = """
            hosts:
              e.example:443: {gap: 5s}
              '[2001:DB8::1]': {gap: 5s}
              127.0.0.1:8080: {gap: 5s}
              exmaple.org: {gap: 5s}
            sinks:
              desktop: {}
              stdout: {}
              team: {kind: file, path: /a}
              mail: {kind: file, path: /b}
              idle: {kind: file, path: /c}
            digests: {d: {at: '08:00', to: [mail]}}
            sources:
              a: {url: 'https://E.example/a', to: [desktop], rules: [{to: [team]}]}
              b: {url: 'http://[2001:db8::1]:8080/', to: [desktop], enabled: false}
              c: {url: 'http://127.0.0.1:8080/', to: [stdout]}
            """
        #expect(try places(text) == ["5:3: hosts.exmaple.org", "11:3: sinks.idle"])
        // What is left out because of a mistake may be what uses them; and who has no source yet begins with a sink.
        let broken = text + "\n  d: {url: 'https://exmaple.org/', to: [idle], every: x}"
        #expect(load(broken).configuration?.remarks(at: now) == [])
        #expect(try places("sinks: {a: {kind: stdout}}\nhosts: {e.example: {}}") == [])
        #expect(try places("sinks: {a: {kind: stdout}}\nsources: {a: {url: 'https://e.example/'}}") == [])
    }

    @Test func encryptionBesideAnAddressThatIsEncryptedIsTold() throws {
        func sink(_ scheme: String, _ encryption: String) -> String {
            "sinks: {email: {server: '\(scheme)://e.example', encryption: \(encryption), from: a@e.example, to: b@e.example}}"
        }
        #expect(try places(sink("smtps", "none")) == ["1:58: sinks.email.encryption"])
        for (scheme, encryption) in [("smtps", "starttls"), ("smtp", "none"), ("smtp", "starttls")] {
            #expect(try places(sink(scheme, encryption)) == [])
        }
    }

    /// One that is also for what is within it, and none for what only begins so.
    @Test func aTagStandsForThoseWithinIt() throws {
        let text = """
            rules:
            - {tags: [a], level: passive}
            - {tags: [a/b], level: critical}
            - {skip: true}
            digests: {d: {at: '08:00', tags: [a/b, c], sources: [z]}}
            sources:
              x: {url: 'https://e.example/x', tags: [a/b/c, c], rules: [{level: active}]}
              y: {url: 'https://e.example/y', tags: [ab], enabled: false}
              z: {url: 'https://e.example/z', tags: [a, a/x]}
            """
        let read = try configuration(text)
        let sources = read.sources + read.disabledSources
        #expect(sources.map(\.name) == ["x", "z", "y"])
        #expect(
            sources.map { $0.rules.map(\.level) } == [[.active, .passive, .critical, nil], [.passive, nil], [nil]])
        #expect(sources.map(\.digests) == [["d"], ["d"], []])
    }
}
