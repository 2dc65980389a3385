import CrierNotifications
import CrierStore
import CrierTesting
import Foundation
import Testing

@Suite struct SourceCommandTests {
    @Test func checkSaysWhatIsAllowedAndComesToNothing() async throws {
        let crier = try BuiltCrier(
            """
            quiet-hours: [sun 00:00-24:00, mon..sat 00:00-24:00]
            digests:
              gone: {at: '2020-01-01 08:00'}
              leap: {at: '*-02-29 08:00'}
              none: {at: '*-02-30 08:00'}
              tagged: {at: '08:00', tags: [nope, tech]}
            rules: [{tags: nope, skip: true}, {tags: [tech/linux, "tech/li"], level: critical}]
            sources:
              day: {url: 'https://e.example/1', notify: daily, updates: replace}
              off: {url: 'https://e.example/2', notify: none, updates: notify, enabled: false, tags: tech/linux}
              each: {url: 'https://e.example/3', updates: replace}
              plain: {url: 'https://e.example/4', notify: daily}
            """)
        let run = try await crier.run("check")
        #expect(run.status == 0)
        let file = crier.folder.file("crier.yaml")
        #expect(
            run.errors == """
                \(file):1:14: quiet-hours: they never end: what waits for their end is not told
                \(file):3:14: digests.gone.at: "2020-01-01 08:00" never comes: what waits for the digest is not told
                \(file):5:14: digests.none.at: "*-02-30 08:00" never comes: what waits for the digest is not told
                \(file):6:32: digests.tagged.tags: no source has the tag "nope"
                \(file):7:16: rules: no source has the tag "nope"
                \(file):7:55: rules: no source has the tag "tech/li"
                \(file):9:61: sources.day.updates: "replace" tells of nothing beside `notify: daily`; updates are told with `notify: each`
                \(file):10:60: sources.off.updates: "notify" tells of nothing beside `notify: none`; updates are told with `notify: each`

                """)
    }

    @Test func addFindsTheFeedBehindAPageAndKeepsTheFile() async throws {
        let origin = try await ScriptedOrigin()
        let page = """
            <!DOCTYPE html><html><head><title>Blog</title>
            <link rel="alternate" type="application/atom+xml" title="Posts" href="/feed.xml">
            <link rel="alternate" type="application/rss+xml" title="Comments" href="/comments.xml"></head><body>hello</body></html>
            """
        await origin.script("/blog/", [ScriptedAnswer(fields: ["Content-Type": "text/html"], body: page)])
        await origin.script("/feed.xml", [ScriptedAnswer(body: atomFeed(1...2, title: "Das Café &amp; Bär"))])
        let crier = try BuiltCrier(
            "# my news\ntime-zone: UTC   # here\n\nsources:\n  # the first\n  old: {url: 'https://e.example/'}\n# the end\n"
        )
        let run = try await crier.run("add", origin.url("/blog/"), "--every", "2h", "--notify", "daily")
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.output.hasPrefix("Added das-cafe-bar: \(origin.url("/feed.xml"))\nIts newest item: Item 2\n"))
        #expect(run.errors.contains("The page names another feed: \(origin.url("/comments.xml"))"))
        let text = crier.folder.read("crier.yaml") ?? ""
        #expect(
            text.hasPrefix(
                "# my news\ntime-zone: UTC   # here\n\nsources:\n  # the first\n  old: {url: 'https://e.example/'}\n"))
        #expect(text.contains("das-cafe-bar:"))
        #expect(text.contains("# the end"))
        #expect(try await crier.run("list").output.contains("das-cafe-bar  2 h    daily"))
        let again = try await crier.run("add", origin.url("/feed.xml#top"))
        #expect(again.status == 64)
        #expect(
            again.errors.contains(
                "is followed already, as das-cafe-bar: `crier remove das-cafe-bar` ends that; give a --name to follow it twice"
            ))
        #expect(try await crier.run("add", origin.url("/feed.xml"), "--name", "twice").status == 0)
        #expect(try await crier.run("add", origin.url("/other"), "--name", "twice").status == 64)
        #expect(try await crier.run("remove", "das-cafe-bar").status == 0)
        #expect(!(crier.folder.read("crier.yaml") ?? "").contains("das-cafe-bar:"))
        await origin.stop()
    }

    @Test func addReadsTheSchemeOfAFeedReaderAsThatOfTheWeb() async throws {
        let origin = try await ScriptedOrigin()
        let feed = "feed:" + origin.url("/feed.xml").dropFirst("http:".count)
        let page = "<html><head><link rel=alternate type=application/atom+xml href='\(feed)'></head></html>"
        await origin.script("/", [ScriptedAnswer(fields: ["Content-Type": "text/html"], body: page)])
        await origin.script("/feed.xml", [ScriptedAnswer(body: atomFeed(1...2, title: "A"))])
        for address in ["feed:" + origin.url("/"), feed] {
            let crier = try BuiltCrier("")
            let run = try await crier.run("add", address)
            #expect(run.status == 0, "\(run.errors)")
            #expect(run.output.hasPrefix("Added a: \(origin.url("/feed.xml"))\n"))
        }
    }

    @Test func addMakesTheFirstConfiguration() async throws {
        let origin = try await ScriptedOrigin()
        await origin.script("/feed", [ScriptedAnswer(body: atomFeed(1...1))])
        var crier = try BuiltCrier()
        crier.environment["CRIER_CONFIG"] = crier.folder.file("new/folder/crier.yaml")
        #expect(try await crier.run("add", origin.url("/feed"), "--name", "news").status == 0)
        #expect(crier.folder.read("new/folder/crier.yaml") == "sources:\n  news:\n    url: \(origin.url("/feed"))\n")
        await origin.stop()
    }

    @Test func addOfAContentAPITakesItsMapping() async throws {
        let origin = try await ScriptedOrigin()
        await origin.script("/api", [ScriptedAnswer(body: #"{"posts": [{"name": "One", "link": "/1"}]}"#)])
        let crier = try BuiltCrier("")
        let run = try await crier.run(
            "add", origin.url("/api"), "--name", "api", "--items", ".posts[]", "--field", "title=.name", "--field",
            "url=.link")
        #expect(run.output.contains("Its newest item: One"), "\(run.errors)")
        let tried = try await crier.run("try", "api", "--format", "json")
        #expect(tried.objects.first?["url"] as? String == origin.url("/1"))
        #expect(tried.objects.first?["notifies"] as? Bool == true)
        let slip = try await crier.run(
            "try", origin.url("/api"), "--items", ".posts[]", "--field", "title=.title", "--field", "url=.link")
        #expect(slip.errors.contains("1 item without a title; the first is an object with link, name"))
        #expect(slip.errors.contains("field title: `.title` gives nothing in any item"))
        let lost = try await crier.run("try", origin.url("/api"), "--items", ".list[]?", "--field", "title=.t")
        #expect(lost.errors.contains("no items from `.list[]?`: `.list` is null"), "\(lost.errors)")
        await origin.stop()
    }

    @Test func addOfWhatIsNoFeedChangesNothing() async throws {
        let origin = try await ScriptedOrigin()
        await origin.script("/page", [ScriptedAnswer(body: "<html><title>x</title><p>nothing here")])
        let crier = try BuiltCrier("# empty\n")
        for address in [origin.url("/page"), origin.url("/missing"), "http://127.0.0.1:1/"] {
            let run = try await crier.run("add", address)
            #expect(run.status == 69)
            #expect(run.errors.hasPrefix("crier: \(address): "))
            #expect(run.errors.split(separator: "\n").count == 1)
        }
        let bad = try await crier.run("add", origin.url("/page"), "--name", "x", "--no-visit", "--every", "soon")
        #expect(bad.status == 64)
        #expect(bad.errors.hasPrefix("crier: --every: "))
        #expect(crier.folder.read("crier.yaml") == "# empty\n")
        await origin.stop()
    }

    @Test func aLinkedConfigurationStaysALink() async throws {
        let crier = try BuiltCrier()
        let target = try crier.folder.write("# dotfiles\n", to: "dotfiles/crier.yaml")
        try FileManager.default.createSymbolicLink(atPath: crier.folder.file("crier.yaml"), withDestinationPath: target)
        #expect(try await crier.run("add", "https://e.example/feed", "--name", "x", "--no-visit").status == 0)
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: crier.folder.file("crier.yaml")) == target)
        #expect(crier.folder.read("dotfiles/crier.yaml")?.contains("  x:\n") == true)
    }

    @Test func noJSONShowsWhatSteersATerminalAndNoneLosesIt() async throws {
        let crier = try BuiltCrier()
        let harmful = "\u{9b}1m\u{202e}\u{200b}\u{e0041}"
        let feed = """
            {"version": "https://jsonfeed.org/version/1.1", "title": "F",
            "items": [{"id": "a\(harmful)b", "title": "T\(harmful)", "url": "https://e.example/\(harmful)"}]}
            """
        let path = try crier.folder.write(feed, to: "feed.json")
        try crier.folder.write("sources:\n  news: {url: 'file://\(path)'}\n", to: "crier.yaml")
        func objects(_ arguments: String...) async throws -> [[String: Any]] {
            let run = try await crier.run(arguments + ["--format", "json"])
            let scalars = Set(harmful.unicodeScalars.filter { !$0.isASCII })
            #expect(!run.output.unicodeScalars.contains(where: scalars.contains), "\(arguments)")
            return run.objects
        }
        #expect(try await objects("try", "news").first?["id"] as? String == "a\(harmful)b")
        let items = try await objects("parse", path).first?["items"] as? [[String: Any]]
        #expect(items?.first?["id"] as? String == "a\(harmful)b")
        #expect(try await objects("fetch", "--dry-run").first?["identifier"] as? String == "news/a\(harmful)b")
        _ = try await crier.run("fetch")
        #expect(try await objects("deliveries", "list").first?["identifier"] as? String == "news/a\(harmful)b")
        let account = try await objects("why", "news").first
        #expect((account?["deliveries"] as? [[String: Any]])?.count == 1)
    }

    @Test func tryExplainsAndTouchesNoState() async throws {
        let origin = try await ScriptedOrigin()
        await origin.script("/feed", [ScriptedAnswer(body: atomFeed(1...2))])
        let crier = try BuiltCrier("sources:\n  news: {url: '\(origin.url("/feed"))', only: '.title | test(\"2\")'}\n")
        let run = try await crier.run("try", "news")
        #expect(run.output.contains("● Item 2"))
        #expect(run.output.contains("would not notify: `only` leaves it out"))
        let json = try await crier.run("try", origin.url("/feed"), "--format", "json")
        #expect(json.objects.map { $0["notifies"] as? Bool } == [false, true])
        #expect(!FileManager.default.fileExists(atPath: crier.statePath))
        #expect(try await crier.run("try", origin.url("/missing")).status == 69)
        await origin.stop()
    }

    @Test func theReadyConfigurationsPassTheCheckWithTheirExpressions() async throws {
        let config = Checkout.file("config")
        let crier = try BuiltCrier()
        let files = try FileManager.default.contentsOfDirectory(atPath: config).filter { $0.hasSuffix(".yaml") }
        #expect(files.count >= 5)
        for file in files {
            let run = try await crier.run("check", "--config", "\(config)/\(file)")
            #expect(run.status == 0, "\(run.errors)")
        }
    }

    @Test func passwordsOfAddressesAndArgumentsOfProgramsAreNotShown() async throws {
        let crier = try BuiltCrier(
            """
            sources:
              a: {url: 'http://me:SECRET@127.0.0.1:1/feed'}
              b: {command: [printf, SECRET]}
            """)
        let shown = try await crier.shown(by: [
            ["list"], ["list", "--format", "json"], ["fetch"], ["status"], ["why", "a"],
        ])
        #expect(shown.contains("http://127.0.0.1:1/feed"))
        #expect(!shown.contains("SECRET"))
        let bad = try await crier.run("try", "http://me:SEC/RET@127.0.0.1:x/ok")
        #expect(!bad.errors.contains("RET"))
    }

    @Test func parseReadsAFileThroughAMapping() async throws {
        let crier = try BuiltCrier()
        try crier.folder.write(#"{"posts": [{"name": "One", "day": "2024-03-05"}, {"name": "Two"}]}"#, to: "api.json")
        let file = crier.folder.file("api.json")
        let run = try await crier.run(
            "parse", "--format", "json", file, "--items", ".posts[]", "--field", "title=.name", "--field",
            "published=.day")
        let items = run.objects.first?["items"] as? [[String: Any]]
        #expect(items?.compactMap { $0["title"] as? String } == ["One", "Two"], "\(run.errors)")
        #expect(items?.first?["published"] as? String == "2024-03-05T00:00:00Z")
        let lost = try await crier.run("parse", file, "--items", ".list[]?", "--field", "title=.name")
        #expect(lost.errors.contains("no items from `.list[]?`: `.list` is null, `.` is an object with posts"))
        let wrong = try await crier.run("parse", file, "--items", ".posts[] | select(.a > )")
        #expect(wrong.status == 64)
        #expect(wrong.errors.contains("unexpected ')' (character 24)"), "\(wrong.errors)")
        let checked = try await crier.run(
            "parse", file, "--read", "json", "--when", ".posts | length == 2", "--items", ".posts[]", "--field",
            "title=.name")
        #expect(checked.status == 0 && checked.errors.isEmpty, "\(checked.errors)")
    }

    /// Where the machine stands says nothing about a feed.
    @Test func aZonesNameMeansTheSameOnEveryMachine() async throws {
        let origin = try await ScriptedOrigin()
        let item = "<item><guid>1</guid><title>a</title><pubDate>Tue, 05 Mar 2024 12:00:00 IST</pubDate></item>"
        let feed = "<rss version=\"2.0\"><channel><title>t</title>\(item)</channel></rss>"
        await origin.script("/feed", [ScriptedAnswer(body: feed)])
        var crier = try BuiltCrier()
        crier.environment["TZ"] = "Asia/Kolkata"
        let run = try await crier.run("try", origin.url("/feed"), "--format", "json")
        #expect(run.objects.first?["published"] as? String == "2024-03-05T10:00:00Z", "\(run)")
        await origin.stop()
    }

    @Test func parseReadsFiles() async throws {
        let crier = try BuiltCrier()
        let feed = try crier.folder.write(atomFeed(1...1), to: "feed.xml")
        let none = try crier.folder.write("nothing", to: "none")
        let run = try await crier.run("parse", "--format", "json", feed, none)
        #expect(run.status == 65)
        #expect(run.objects.count == 2)
        let item = (run.objects[0]["items"] as? [[String: Any]])?.first ?? [:]
        #expect(
            Set(item.keys) == [
                "id", "title", "url", "published", "updated", "summary", "content", "authors", "attachments",
                "categories", "image", "commentsURL", "externalURL", "sourceTitle",
            ])
        #expect(item["updated"] as? String == "2023-11-14T22:13:21Z")
        #expect(item["published"] is NSNull)
        #expect(run.objects[0]["format"] as? String == "atom")
        #expect(run.objects[1]["error"] is String)
    }

    @Test func parseReadsStandardInput() async throws {
        let crier = try BuiltCrier()
        // More than is read at once.
        let feed = try crier.folder.write(atomFeed(1...1000), to: "feed.xml")
        for script in ["cat '\(feed)' | \"$0\" parse --format json -", "\"$0\" parse --format json - < '\(feed)'"] {
            let run = try await crier.run(shell: script)
            #expect(run.status == 0, "\(run.errors)")
            #expect(run.objects.first?["file"] as? String == "-")
            #expect((run.objects.first?["items"] as? [[String: Any]])?.count == 1000)
        }
        let none = try crier.folder.write("nothing", to: "none")
        let both = try await crier.run("parse", crier.folder.file("missing"), none)
        #expect(both.status == 66, "that one is not there counts most")
    }
}

@Suite struct LookingCommandTests {
    @Test func statusAndWhyTellWhatHappened() async throws {
        let origin = try await ScriptedOrigin()
        await origin.script(
            "/feed",
            [ScriptedAnswer(body: atomFeed(1...1)), ScriptedAnswer(status: 503, fields: ["Retry-After": "9000"])])
        let crier = try BuiltCrier(
            "sources:\n  news: {url: '\(origin.url("/feed"))'}\n  later: {url: '\(origin.url("/feed"))'}\n")
        #expect(try await crier.run("status").output.contains("never"))
        #expect(!FileManager.default.fileExists(atPath: crier.statePath), "looking makes no state")
        try await crier.authorize()
        _ = try await crier.run("fetch", "news")
        _ = try await crier.run("fetch", "news", "--force")
        let status = try await crier.run("status").output
        #expect(status.contains("SOURCE  LAST VISIT"))
        #expect(status.contains("news failed once: fetch: HTTP status 503, service unavailable"))
        let why = try await crier.run("why", "news").output
        #expect(why.contains("Answer        fetch failed: HTTP status 503, service unavailable"))
        #expect(why.contains("set by the origin's Retry-After"))
        #expect(why.contains("Item 1 → stdout: delivered"))
        #expect(try await crier.run("why", "later").output == "later was never visited; `crier fetch later` does it.\n")
        let objects = try await crier.run("status", "--format", "json").objects
        #expect(objects.map { $0["type"] as? String } == ["source", "source", "overview"])
        #expect(objects[0]["failureStage"] as? String == "fetch")
        await origin.stop()
    }

    @Test func deliveriesCanBeDroppedAndTriedAgain() async throws {
        let origin = try await ScriptedOrigin()
        await origin.script("/feed", [ScriptedAnswer(body: atomFeed(1...2))])
        let crier = try BuiltCrier(
            "sinks: {team: {kind: webhook, url: 'http://127.0.0.1:1/'}}\nsources:\n  news: {url: '\(origin.url("/feed"))', first: all}\n"
        )
        try await crier.authorize()
        _ = try await crier.run("fetch")
        let waiting = try await crier.run("deliveries", "list")
        #expect(waiting.output.contains("no connection to 127.0.0.1"))
        let ids = try await crier.run("deliveries", "list", "--format", "json").objects.compactMap { $0["id"] as? Int }
        #expect(ids.count == 2)
        #expect(try await crier.run("deliveries", "drop", "\(ids[0])").output == "1 dropped.\n")
        #expect(try await crier.run("deliveries", "retry", "--all").output == "1 due with the next `crier fetch`.\n")
        #expect(try await crier.run("deliveries", "retry", "999").status == 64)
        await origin.stop()
    }

    @Test func whatWasDeliveredIsShownWithItsEndAndItsRevision() async throws {
        let crier = try BuiltCrier("sources: {}\n")
        try await crier.authorize()
        for title in ["One", "Two"] {
            let request = NotificationRequest(identifier: "a", content: NotificationContent(title: title))
            try Store(path: crier.statePath).add(request, to: ["stdout"], at: Date())
        }
        #expect(try await crier.run("fetch", "--quiet").output == "Two\n")
        let list = try await crier.run("deliveries", "list", "--all", "--format", "json")
        let shown = try await crier.run("deliveries", "show", String(try #require(list.objects.last?["id"] as? Int)))
            .output
        for expected in [
            "Two\n", "Source        -\n", "State         delivered\n", "Revision      2\n", "Ended         ",
        ] {
            #expect(shown.contains(expected), "\(expected) is missing in\n\(shown)")
        }
        #expect(!shown.contains("Next attempt"))
    }

    @Test(arguments: ["bash", "zsh", "fish"])
    func completionKnowsTheCommands(_ shell: String) async throws {
        let run = try await BuiltCrier().run("completion", shell)
        #expect(run.status == 0)
        #expect(run.output.contains("deliveries"))
    }

    @Test func everyCommandExplainsItself() async throws {
        let crier = try BuiltCrier()
        for command in [
            "add", "remove", "list", "check", "try", "fetch", "authorize", "status", "why", "deliveries", "sink",
            "parse", "completion", "import", "export",
        ] {
            let run = try await crier.run("help", command)
            #expect(run.status == 0)
            #expect(run.output.hasPrefix("OVERVIEW: "))
        }
    }
}
