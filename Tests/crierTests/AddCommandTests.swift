import CLinux
import CrierTesting
import Foundation
import Testing

/// `crier add` and `crier try` of what is no feed, and of what is wrong.
@Suite struct AddCommandTests {
    private static let page = """
        <!DOCTYPE html><html><head><title>News</title></head><body>
        <article><h2><a href="/one">One</a></h2></article><article><h2><a href="/two">Two</a></h2></article></body></html>
        """
    private static let today = """
        {"error": false, "results": {"iOS": [{"_id": "a", "desc": "A thing", "url": "https://e.example/a",
        "publishedAt": "2026-11-20T23:58:00.288Z"}]}}
        """

    @Test func aPageIsReadByXPathWithoutBeingToldThatItIsHTML() async throws {
        let origin = try await ScriptedOrigin()
        await origin.script("/news", [ScriptedAnswer(body: Self.page)])
        let crier = try BuiltCrier("")
        let mapping = ["--items", "//article", "--field", "title=h2", "--field", "url=h2/a/@href"]
        let tried = try await crier.run(["try", origin.url("/news"), "--format", "json"] + mapping)
        #expect(tried.objects.map { $0["url"] as? String } == [origin.url("/one"), origin.url("/two")])
        let run = try await crier.run(["add", origin.url("/news"), "--name", "news"] + mapping)
        #expect(run.status == 0, "\(run.errors)")
        #expect(crier.folder.read("crier.yaml")?.contains("    format: html\n    items: //article\n") == true)
        #expect(try await crier.run("check").status == 0)
        await origin.stop()
    }

    @Test func aPasswordInAnAddressIsRemarkedOn() async throws {
        let crier = try BuiltCrier("")
        let words = "it holds a password, for whoever sees this file; `auth: {user: NAME, password: {file: PATH}}`"
        let added = try await crier.run("add", "https://me:secret@e.example/a", "--name", "a", "--no-visit")
        #expect(added.status == 0 && added.errors.contains("url: \(words)"))
        let list = "<opml><body><outline title='b' xmlUrl='https://me:secret@e.example/b'/></body></opml>"
        let path = try crier.folder.write(list, to: "list.opml")
        let imported = try await crier.run("import", path)
        #expect(imported.status == 0 && imported.errors.contains("b, url: \(words)"))
        #expect(try await crier.run("check").errors.components(separatedBy: words).count == 3)
        #expect(!(added.output + added.errors + imported.output + imported.errors).contains("secret"))
    }

    @Test func anExpressionThatWasWrongBeforeKeepsNothingFromBeingEdited() async throws {
        let old = "sources:\n  old: {url: 'https://o.example/', only: 'select('}\n  gone: {url: 'https://g.example/'}\n"
        let crier = try BuiltCrier(old)
        let added = try await crier.run("add", "https://n.example/", "--no-visit", "--name", "new")
        #expect(added.status == 0, "\(added.errors)")
        let list = "<opml><body><outline title='b' xmlUrl='https://b.example/'/></body></opml>"
        let imported = try await crier.run("import", try crier.folder.write(list, to: "list.opml"))
        #expect(imported.status == 0, "\(imported.errors)")
        let removed = try await crier.run("remove", "gone")
        #expect(removed.status == 0, "\(removed.errors)")
        let text = crier.folder.read("crier.yaml") ?? ""
        #expect(
            text.contains("  old: {") && text.contains("  new:\n") && text.contains("  b:\n") && !text.contains("gone"))
    }

    @Test func whatLeadsToAFeedThatIsFollowedIsNotFollowedTwice() async throws {
        let origin = try await ScriptedOrigin()
        await origin.script("/feed", [ScriptedAnswer(body: atomFeed(1...1))])
        await origin.script("/old", [ScriptedAnswer(status: 301, fields: ["Location": "/feed"])])
        let crier = try BuiltCrier("")
        #expect(try await crier.run("add", origin.url("/feed"), "--name", "news").status == 0)
        let run = try await crier.run("add", origin.url("/old"))
        #expect(run.status == 64)
        let (old, feed) = (origin.url("/old"), origin.url("/feed"))
        #expect(
            run.errors.contains("\(old) leads to \(feed), which is followed already, as news: `crier remove news` ends")
        )
        let count = await origin.requests.count
        let twice = try await crier.run("add", feed)
        #expect(twice.status == 64 && twice.errors.contains("\(feed) is followed already, as news"))
        #expect(await origin.requests.count == count, "nobody is asked for that")
        #expect(try await crier.run("add", origin.url("/old"), "--name", "again").status == 0)
        await origin.stop()
    }

    @Test func whatFindsNothingIsNotAddedAndTheAdviceIsTaken() async throws {
        let origin = try await ScriptedOrigin()
        await origin.script("/api", [ScriptedAnswer(body: #"[{"name": "a"}]"#)])
        let crier = try BuiltCrier("sources:\n")
        let bare = try await crier.run("add", origin.url("/api"), "--items", ".[]")
        #expect(bare.status == 69 && bare.errors.hasSuffix("left out; see --items and --field\n"), "\(bare.errors)")
        let options = [origin.url("/api"), "--items", ".[]", "--field", "title=.title"]
        let mapped = try await crier.run(["add"] + options)
        #expect(
            mapped.errors.hasSuffix("or add it unseen: --no-visit --name NAME --read json\n"), "\(mapped.errors)")
        let unseen = try await crier.run(["add"] + options + ["--no-visit", "--name", "a", "--read", "json"])
        #expect(unseen.status == 0, "\(unseen.errors)")
        await origin.stop()
    }

    @Test func aDailyContentAPIIsAddedByOneCommand() async throws {
        let origin = try await ScriptedOrigin()
        await origin.script("/api/today", [ScriptedAnswer(body: Self.today)])
        let crier = try BuiltCrier("sinks:\n  stdout: {}\n  desktop: {}\n")
        let run = try await crier.run(
            "add", origin.url("/api/today"), "--name", "gank", "--items", ".results[][]", "--field", "id=._id",
            "--field", "title=.desc", "--field", "url=.url", "--field", "published=.publishedAt", "--when",
            ".error == false", "--time-zone", "Asia/Shanghai", "--dates", "local", "--every", "2h", "--notify",
            "daily", "--first", "none", "--title", "干货更新啦", "--only", ".title != null", "--skip", ".url == null",
            "--level", "time-sensitive", "--expect-every", "7d", "--tag", "tech/ios", "--tag", "daily", "--to", "stdout"
        )
        #expect(run.status == 0, "\(run.errors)")
        #expect(
            crier.folder.read("crier.yaml")
                == """
                sinks:
                  stdout: {}
                  desktop: {}

                sources:
                  gank:
                    url: \(origin.url("/api/today"))
                    format: json
                    items: .results[][]
                    fields:
                      id: ._id
                      title: .desc
                      url: .url
                      published: .publishedAt
                    when: .error == false
                    time-zone: Asia/Shanghai
                    dates: local
                    every: 2h
                    notify: daily
                    first: none
                    title: 干货更新啦
                    only: .title != null
                    skip: .url == null
                    level: time-sensitive
                    expect-every: 7d
                    tags: [tech/ios, daily]
                    to: [stdout]

                """)
        #expect(try await crier.run("check").status == 0)
        // The Z is wrong: it is the time in China.
        let tried = try await crier.run("try", "gank", "--format", "json")
        #expect(tried.objects.first?["published"] as? String == "2026-11-20T15:58:00Z")
        await origin.stop()
    }

    /// Who has the same as a page, too, gives that to whoever asks for a feed.
    @Test func anExpressionForJSONAsksForJSON() async throws {
        let origin = try await ScriptedOrigin()
        await origin.handle { request in
            request.fields["Accept"]?.hasPrefix("application/json") == true
                ? ScriptedAnswer(body: #"[{"name": "One"}]"#) : ScriptedAnswer(body: "<!doctype html><p>One")
        }
        let crier = try BuiltCrier("")
        let tried = try await crier.run("try", origin.url("/api"), "--items", ".[]", "--field", "title=.name")
        #expect(tried.status == 0 && tried.output.contains("One"), "\(tried.errors)")
        let added = try await crier.run(
            "add", origin.url("/api"), "--name", "a", "--items", ".[]", "--field", "title=.name")
        #expect(added.status == 0, "\(added.errors)")
        await origin.stop()
    }

    @Test func whatAMappingMissesIsTold() async throws {
        let origin = try await ScriptedOrigin()
        await origin.script("/api", [ScriptedAnswer(body: #"{"posts": [{"name": "One", "link": "/1"}]}"#)])
        await origin.script("/page", [ScriptedAnswer(body: "<!doctype html><article><h2>One</h2></article>")])
        let crier = try BuiltCrier("")
        let empty = try await crier.run(
            "add", origin.url("/api"), "--name", "a", "--items", ".list[]?", "--field", "title=.t")
        #expect(
            empty.status == 0 && empty.errors.contains("no items from `.list[]?`: `.list` is null"), "\(empty.errors)")
        let nameless = try await crier.run(
            "add", origin.url("/api"), "--name", "d", "--items", ".posts[]", "--field", "title=.t")
        #expect(
            nameless.status == 69 && nameless.errors.contains("in which no field gives anything"), "\(nameless.errors)")
        let page = try await crier.run(
            "add", origin.url("/page"), "--name", "d", "--items", "//articl", "--field", "title=h2")
        #expect(page.status == 69 && page.errors.contains("`//articl` selects nothing"), "\(page.errors)")
        #expect(try await crier.run("list", "--format", "json").objects.count == 1)
        let slip = try await crier.run(
            "add", origin.url("/api"), "--name", "b", "--items", ".posts[]", "--field", "title=.name", "--field",
            "url=.url")
        #expect(slip.errors.contains("field url: `.url` gives nothing in any item"), "\(slip.errors)")
        let broken = try await crier.run(
            "add", origin.url("/api"), "--name", "c", "--items", ".list[]", "--field", "title=.t")
        #expect(broken.status == 69)
        #expect(broken.errors.contains("`.list[]`: jq: Cannot iterate over null"), "\(broken.errors)")
        await origin.stop()
    }

    @Test func aWrongOptionIsWrongUsageAndVisitsNobody() async throws {
        let origin = try await ScriptedOrigin()
        await origin.script("/feed", [ScriptedAnswer(body: atomFeed(1...1))])
        let crier = try BuiltCrier("# mine\n")
        let feed = origin.url("/feed")
        for arguments in [
            [feed, "--time-zone", "Mars/X"], [feed, "--field", "titel=.t"], [feed, "--read", "jsn"],
            [feed, "--dates", "wrong"], [feed, "--no-visit"], [feed, "--name", "a b"],
            [feed, "--name", "x", "--no-visit", "--items", "//a", "--field", "title=b"],
            ["ftp://e.example/feed"], ["not a url"], [""], ["/no/url"],
        ] {
            let run = try await crier.run(["add"] + arguments)
            #expect(run.status == 64, "\(arguments): \(run.errors)")
            #expect(!run.errors.contains("Usage: crier <subcommand>"), "the usage of the command, \(run.errors)")
        }
        for arguments in [
            ["--notify", "dayly"], ["--level", "loud"], ["--first", "some"], ["--every", "1x"],
            ["--expect-every", "1m"], ["--only", ".title |"], ["--skip", ".title |"], ["--when", ".ok"],
            ["--tag", "/"],
        ] {
            let run = try await crier.run(["add", feed] + arguments)
            #expect(run.status == 64)
            #expect(run.errors.hasPrefix("crier: \(arguments[0]): "), "\(run.errors)")
        }
        let mapped = ["--items", ".a[]", "--field", "title=.t", "--when", ".ok", "--every", "1x"]
        #expect(try await crier.run(["add", feed] + mapped).errors.hasPrefix("crier: --every: "))
        let sink = try await crier.run("add", feed, "--to", "stdot")
        #expect(sink.errors == "crier: --to: no sink is called \"stdot\"; did you mean \"stdout\"?\n", "\(sink.errors)")
        let other = try await crier.run("add", feed, "--to", "phone")
        #expect(other.errors == "crier: --to: no sink is called \"phone\"; there is \"stdout\"\n", "\(other.errors)")
        #expect(await origin.requests.isEmpty)
        #expect(crier.folder.read("crier.yaml") == "# mine\n")
        await origin.stop()
    }

    @Test func aTimeZoneIsCalledAsInTheConfiguration() async throws {
        let crier = try BuiltCrier("")
        let feed = try crier.folder.write(atomFeed(1...1), to: "feed.xml")
        for (command, place) in [("add", "file://\(feed)"), ("try", "file://\(feed)"), ("parse", feed)] {
            for (zone, meant) in [("CET", ""), ("Japan", ""), ("Singapore", "; did you mean Asia/Singapore?")] {
                let run = try await crier.run(command, place, "--time-zone", zone)
                #expect(run.status == 64, "\(command) \(zone)")
                let rule = "--time-zone takes a name with a slash such as Asia/Shanghai, or UTC"
                #expect(run.errors.contains("\(rule), not “\(zone)”\(meant)\n"), "\(run.errors)")
            }
            #expect(try await crier.run(command, place, "--time-zone", "UTC").status == 0)
        }
    }

    @Test func anAddressIsTakenAsItWasMeant() async throws {
        let crier = try BuiltCrier()
        let origin = try await ScriptedOrigin()
        await origin.script("/feed", [ScriptedAnswer(body: atomFeed(1...1))])
        let address = origin.url("/feed").replacing("http://", with: "")
        let run = try await crier.run("add", address, "--name", "a")
        #expect(run.status == 0 && run.errors.contains("Taken as http://\(address)"), "\(run.errors)")
        let other = try await crier.run("add", "localhost.example/a", "--name", "b", "--no-visit")
        #expect(other.status == 0 && other.errors.contains("Taken as https://localhost.example/a"), "\(other.errors)")
        for (place, meant) in [
            ("[::1]:1/a", "http://[::1]:1/a"), ("[2001:db8::1]/a", "https://[2001:db8::1]/a"),
            (" https://e.example/d\n", "https://e.example/d"),
        ] {
            let run = try await crier.run("add", place, "--name", "c\(place.count)", "--no-visit")
            #expect(run.status == 0 && run.errors.contains("Taken as \(meant)\n"), "\(run.errors)")
        }
        for path in ["./feed.xml", "../feed.xml", "~/feed.xml"] {
            let run = try await crier.run("add", path)
            #expect(
                run.status == 64 && run.errors.contains("to follow a file give its URL: file:///…"), "\(run.errors)")
        }
        await origin.stop()
    }

    @Test func tryTakesNoMappingForASourceAndSaysWhatAnAddressIs() async throws {
        let crier = try BuiltCrier("sources:\n  a: {command: [cat, '\(#filePath)']}\n")
        for arguments in [["a", "--items", ".x"], ["a", "--when", ".x"], ["a", "--header", "X: y"]] {
            let run = try await crier.run(["try"] + arguments)
            #expect(run.status == 64)
            #expect(run.errors.contains("a source has its own in the configuration"))
        }
        let address = try await crier.run("try", "e.example/feed")
        #expect(address.status == 64)
        #expect(address.errors.contains("an address begins with https://"), "\(address.errors)")
    }

    @Test func editsAtTheSameTimeLoseNothing() async throws {
        let crier = try BuiltCrier("# mine\n")
        let names = (1...8).map { "news-\($0)" }
        try await withThrowingTaskGroup(of: Int32.self) { group in
            for name in names {
                group.addTask {
                    try await crier.run("add", "https://e.example/\(name)", "--name", name, "--no-visit").status
                }
            }
            for try await status in group { #expect(status == 0) }
        }
        #expect(
            Set(try await crier.run("list", "--format", "json").objects.map { $0["source"] as? String }) == Set(names))
        #expect(crier.folder.read("crier.yaml")?.hasPrefix("# mine\n") == true)
    }

    /// As a container has it, also one whose root may only be read, and on a file system that reserves no room.
    @Test(
        .enabled(if: MountSpace.isPossible, "may not mount a tmpfs (unshare -rm)"),
        arguments: [
            "", "mount -o remount,bind,ro \"$folder\"",
            """
            cp "$CRIER_CONFIG" "$folder.yaml"; mount -t ramfs none "$folder"; cp "$folder.yaml" "$CRIER_CONFIG"
            mount --bind "$CRIER_CONFIG" "$CRIER_CONFIG"
            """,
        ])
    func aFileThatIsMountedByItselfIsWrittenOver(_ change: String) async throws {
        var crier = try BuiltCrier()
        // Nearly a page, so that it needs another one.
        let sources = "sources:\n  old: {url: 'https://a.example/a'}\n"
        let text = sources.padding(toLength: 4090, withPad: "#", startingAt: 0) + "\n"
        let path = try crier.folder.write(text, to: "mounted/crier.yaml")
        crier.environment.merge([
            "CRIER_CONFIG": path, "folder": crier.folder.file("mounted"), "crier": BuiltCrier.binary,
        ]) { $1 }
        let script = """
            for path in "$folder" "$CRIER_CONFIG"; do mount --bind "$path" "$path"; done; \(change)
            "$crier" add https://b.example/ --name new --no-visit > /dev/null; echo "$?"; "$crier" list --format json
            "$crier" remove new > /dev/null; echo "$?"
            """
        let lines = try await MountSpace.output(of: script, crier.environment).split(separator: "\n")
        #expect(lines.count == 4 && lines.first == "0" && lines.last == "0", "\(lines)")
        #expect(crier.folder.read("mounted/crier.yaml") == text)
    }

    #if os(Linux)
        /// As in a container that does not know who is named there: the mode alone would let in the group.
        @Test(.enabled(if: MountSpace.isPossible, "may not mount a tmpfs (unshare -rm)"))
        func aFileWhoseAccessListCannotBeKeptIsOpenToNoGroup() async throws {
            var crier = try BuiltCrier("sources:\n  old: {url: 'https://a.example/a'}\n")
            let path = crier.folder.file("crier.yaml")
            // Owner, a user, group, mask and others, each as kind, permissions and number.
            let list: [UInt8] =
                [2, 0, 0, 0, 1, 0, 6, 0, 255, 255, 255, 255, 2, 0, 4, 0, 57, 48, 0, 0, 4, 0, 0, 0, 255, 255, 255, 255]
                + [16, 0, 4, 0, 255, 255, 255, 255, 32, 0, 0, 0, 255, 255, 255, 255]
            guard setxattr(path, "system.posix_acl_access", list, list.count, 0) == 0 else {
                return print("skipped: the disk knows no access lists")
            }
            crier.environment["crier"] = BuiltCrier.binary
            let script = "\"$crier\" add https://b.example/ --name new --no-visit > /dev/null; echo \"$?\""
            #expect(try await MountSpace.output(of: script, crier.environment) == "0\n")
            #expect(crier.folder.read("crier.yaml")?.contains("new:") == true)
            var status = stat()
            #expect(stat(path, &status) == 0 && status.st_mode & 0o7777 == 0o600)
        }
    #endif

    @Test func whatIsWrittenDuringAVisitStays() async throws {
        let origin = try await ScriptedOrigin()
        let feed = atomFeed(1...1)
        let answer = "HTTP/1.1 200 OK\r\nContent-Length: \(feed.utf8.count)\r\n\r\n\(feed)"
        await origin.script("/feed", [ScriptedAnswer(steps: [.gate("written"), .bytes(Array(answer.utf8))])])
        let crier = try BuiltCrier("# mine\n")
        async let added = crier.run("add", origin.url("/feed"), "--name", "news")
        await origin.received(1)
        try crier.folder.write("# mine, and more\ntime-zone: UTC\n", to: "crier.yaml")
        await origin.open("written")
        #expect(try await added.status == 0)
        #expect(
            crier.folder.read("crier.yaml")
                == "# mine, and more\ntime-zone: UTC\n\nsources:\n  news:\n    url: \(origin.url("/feed"))\n")
        await origin.stop()
    }

    @Test func aPageOfNoFeedIsNotAdvisedToBeAdded() async throws {
        let origin = try await ScriptedOrigin()
        await origin.script("/news", [ScriptedAnswer(body: Self.page)])
        let crier = try BuiltCrier("")
        let run = try await crier.run("add", origin.url("/news"))
        #expect(
            run.errors
                == "crier: \(origin.url("/news")): an HTML page where a feed was expected, titled “News”; it names no feed; "
                + "of an API or a page say what its items are: --items, --field\n")
        await origin.stop()
    }
}
