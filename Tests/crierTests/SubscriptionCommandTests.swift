import CrierTesting
import Foundation
import Testing

@Suite struct SubscriptionCommandTests {
    private let opml = """
        <opml version="1.0"><body><outline text="Ferry news" xmlUrl="https://ferry.example/feed"/>
        <outline text="科技"><outline text="Linux"><outline text="阮一峰的网络日志" xmlUrl="feed://blog.example/atom.xml" category="/daily"/>
        </outline></outline><outline text="Followed" xmlUrl="https://e.example/feed"/>
        <outline text="A program" xmlUrl="exec:~/bin/feed"/><outline text="Lost" type="rss"/>
        <outline text="Ferry news" xmlUrl="https://user:SECRET@ferry.example/other"/></body></opml>
        """
    private let config = "# mine\nsources:\n  # the first\n  old: {url: 'https://e.example/feed'}   # kept\n"

    @Test func importAppendsWhatIsNewAndTellsTheRest() async throws {
        let crier = try BuiltCrier(config)
        let file = try crier.folder.write(opml, to: "list.opml")
        let run = try await crier.run("import", file)
        #expect(run.status == 0, "\(run.errors)")
        #expect(
            run.output == """
                Added ferry-news: https://ferry.example/feed
                Added ruan-yi-feng-de-wang-luo-ri-zhi: http://blog.example/atom.xml
                Followed already, as old: https://e.example/feed
                Added ferry-news-2: https://ferry.example/other
                3 added, 1 followed already, 2 left out.

                """)
        #expect(run.errors.split(separator: "\n").count == 3)
        #expect(run.errors.contains("ferry-news-2, url: it holds a password"))
        #expect(run.errors.contains("“Lost”: a feed without an address (xmlUrl)"))
        #expect(run.errors.contains("“A program”: \"exec\" is no scheme that is read here"))
        #expect(
            crier.folder.read("crier.yaml") == config + """
                  ferry-news:
                    url: https://ferry.example/feed
                    title: Ferry news
                  ruan-yi-feng-de-wang-luo-ri-zhi:
                    url: http://blog.example/atom.xml
                    title: 阮一峰的网络日志
                    tags: [科技/Linux, daily]
                  ferry-news-2:
                    url: https://user:SECRET@ferry.example/other
                    title: Ferry news

                """)
        #expect(try await crier.run("check").status == 0)
        let again = try await crier.run("import", file)
        #expect(again.output.hasSuffix("0 added, 4 followed already, 2 left out.\n"))
        let listed = try await crier.run("list", "--format", "json").objects
        #expect(listed.map { $0["tags"] as? [String] } == [[], [], ["科技/Linux", "daily"], []])
    }

    @Test func whatIsListedTwiceIsOneSourceAndSaidToBe() async throws {
        let crier = try BuiltCrier(config)
        let list = """
            <opml version="1.0"><body><outline text="A"><outline text="News" xmlUrl="https://n.example/"/></outline>
            <outline text="B"><outline text="News again" xmlUrl="feed:https://N.example:443/"/></outline>
            <outline text="Old" xmlUrl="https://e.example/feed"/><outline text="Old" xmlUrl="https://e.example/feed"/></body></opml>
            """
        #expect(
            try await crier.run("import", try crier.folder.write(list, to: "list.opml")).output == """
                Added news: https://n.example/, listed 2 times
                Followed already, as old: https://e.example/feed, listed 2 times
                1 added, 1 followed already, 0 left out.

                """)
        #expect(crier.folder.read("crier.yaml")?.contains("tags: [A, B]\n") == true)
    }

    @Test func noFeedIsCalledAsCrierItself() async throws {
        let crier = try BuiltCrier(config)
        let list = """
            <opml version="1.0"><body><outline text="Crier" xmlUrl="https://a.example/"/>
            <outline text="(Digest)" xmlUrl="https://b.example/"/></body></opml>
            """
        let run = try await crier.run("import", try crier.folder.write(list, to: "list.opml"))
        #expect(run.lines.dropLast() == ["Added crier-2: https://a.example/", "Added digest-2: https://b.example/"])
        let origin = try await ScriptedOrigin()
        await origin.script("/feed", [ScriptedAnswer(body: atomFeed(1...2, title: "CRIER"))])
        let added = try await crier.run("add", origin.url("/feed"))
        #expect(added.lines.first?.hasPrefix("Added crier-3: ") == true, "\(added.output)")
        await origin.stop()
    }

    @Test func feedsOfOneTitleAreNumberedAndOfVeryManyThatCannotBeFollowedTheFirstAreTold() async throws {
        let crier = try BuiltCrier("")
        let feeds = (1...3).map { "<outline text='News' xmlUrl='https://\($0).example/'/>" }.joined()
        let lost = String(repeating: "<outline text='Lost' type='rss'/>", count: 1002)
        let list = try crier.folder.write("<opml><body>\(feeds)\(lost)</body></opml>", to: "list.opml")
        let run = try await crier.run("import", list)
        #expect(
            run.lines == [
                "Added news: https://1.example/", "Added news-2: https://2.example/",
                "Added news-3: https://3.example/",
                "3 added, 0 followed already, 1002 left out.",
            ])
        #expect(run.errors.contains("and 2 more that cannot be followed\n"))
    }

    @Test func brokenXMLIsToldAndCountsForNothingLeftOut() async throws {
        let crier = try BuiltCrier(config)
        let file = try crier.folder.write(
            "<opml><body><outline text='R&D' xmlUrl='https://f.example/?a=1&b=2'>", to: "list.opml")
        let run = try await crier.run("import", file)
        #expect(run.output.hasSuffix("1 added, 0 followed already, 0 left out.\n"), "\(run.output)")
        #expect(run.errors == "the XML is broken; read as far as it makes sense\n")
    }

    @Test func aDryRunChangesNothing() async throws {
        let crier = try BuiltCrier(config)
        let run = try await crier.run("import", "--dry-run", crier.folder.write(opml, to: "list.opml"))
        #expect(run.output.hasPrefix("Would add ferry-news: https://ferry.example/feed\n"))
        #expect(run.output.hasSuffix("3 would be added, 1 followed already, 2 left out.\n"))
        #expect(!(run.output + run.errors).contains("SECRET"))
        #expect(crier.folder.read("crier.yaml") == config)
        try crier.folder.write("sources: {a: {url: 'https://a.example/'}}\n", to: "crier.yaml")
        let refused = try await crier.run("import", "--dry-run", crier.folder.file("list.opml"))
        #expect(
            refused.status == 78 && refused.errors.contains("do not stand on lines of their own"), "nor would it be")
    }

    @Test func importMakesTheFirstConfiguration() async throws {
        let crier = try BuiltCrier()
        _ = try await crier.run("import", crier.folder.write(opml, to: "list.opml"))
        #expect(crier.folder.read("crier.yaml")?.hasPrefix("sources:\n  ferry-news:\n    url: https://ferry") == true)
        #expect(try await crier.run("check").output.contains("4 sources"))
    }

    @Test func aPipeIsNoConfigurationToBeEdited() async throws {
        let crier = try BuiltCrier()
        #expect(mkfifo(crier.folder.file("crier.yaml"), 0o600) == 0)
        let list = try crier.folder.write(opml, to: "list.opml")
        for arguments in [["add", "https://e.example/", "--no-visit", "--name", "a"], ["import", list]] {
            let run = try await crier.run(arguments)
            #expect(run.status == 74)
            #expect(run.errors.hasSuffix("crier.yaml: it is no regular file, and no other is replaced\n"))
        }
    }

    @Test func aPipeBehindStandardOutputIsNoFile() async throws {
        let crier = try BuiltCrier(config)
        let process = crier.process(["-c", "\"$0\" export --force /dev/stdout | cat", BuiltCrier.binary])
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        let errors = Pipe()
        process.standardError = errors
        process.standardOutput = FileHandle.nullDevice
        try await process.runToEnd()
        let text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        #expect(text.hasSuffix("crier: /dev/stdout: it is no regular file, and no other is replaced\n"), "\(text)")
    }

    @Test func whatNobodySeesIsSeenInTheFiles() async throws {
        let crier = try BuiltCrier("")
        let list = """
            <opml version="2.0"><body><outline text="a\u{202E}b">
            <outline text="t\u{2066}t" xmlUrl="https://e.example/"/></outline></body></opml>
            """
        try await crier.run("import", crier.folder.write(list, to: "list.opml"))
        let text = try #require(crier.folder.read("crier.yaml"))
        #expect(text.contains(#"title: "t\u2066t""#) && text.contains(#"tags: ["a\u202eb"]"#), "\(text)")
        let written = try await crier.run("export").output
        #expect(written.contains("a&#8238;b") && written.contains("t&#8294;t"), "\(written)")
        #expect(try await crier.run("add", "https://f.example/", "--no-visit", "--name", "a\u{200B}b").status == 64)
    }

    @Test func exportReplacesFilesAndNothingElse() async throws {
        let crier = try BuiltCrier(config)
        try await crier.authorize()
        let state = try Data(contentsOf: URL(fileURLWithPath: crier.statePath))
        let (link, pipe) = (crier.folder.file("link"), crier.folder.file("pipe"))
        #expect(mkfifo(pipe, 0o600) == 0)
        try crier.folder.write("old", to: "list.opml")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "list.opml")
        #expect(try await crier.run("export", "--force", link).status == 0)
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "list.opml")
        #expect(crier.folder.read("list.opml")?.contains("https://e.example/feed") == true)
        for (path, status, words) in [
            (pipe, 74, "it is no regular file"), (crier.statePath, 73, "is the state"),
            (crier.folder.file("./crier.yaml"), 73, "is the configuration"),
        ] {
            let run = try await crier.run("export", "--force", path)
            #expect(run.status == Int32(status), "\(path)")
            #expect(run.errors.contains(words), "\(run.errors)")
        }
        #expect(crier.folder.read("crier.yaml") == config)
        #expect(try Data(contentsOf: URL(fileURLWithPath: crier.statePath)) == state)
    }

    @Test func whatIsNoListChangesNothing() async throws {
        let crier = try BuiltCrier(config)
        let feed = try crier.folder.write(atomFeed(1...1), to: "feed.xml")
        for (file, status) in [(feed, 65), (crier.folder.file("absent"), 66)] {
            let run = try await crier.run("import", file)
            #expect(run.status == Int32(status))
            #expect(run.errors.split(separator: "\n").count == 1)
        }
        #expect(crier.folder.read("crier.yaml") == config)
    }

    @Test func exportWritesWhatImportReads() async throws {
        let crier = try BuiltCrier(
            """
            sources:
              a: {url: 'https://me:SECRET@a.example/feed', title: A & b, tags: [tech/linux, daily]}
              b: {url: 'https://b.example/feed', tags: news}
              off: {url: 'https://off.example/feed', enabled: false}
              api: {url: 'https://api.example/', format: json, items: '.[]', fields: {title: .t}}
              program: {command: [true]}
              file: {url: 'file:///tmp/feed.xml'}
            """)
        let file = crier.folder.file("out.opml")
        let run = try await crier.run("export", file)
        #expect(run.output == "\(file): 2 feeds\n")
        #expect(run.errors.contains("a: the password is left out"))
        for name in ["api", "program", "file"] {
            #expect(run.errors.contains("\(name) is no feed for other readers: left out"))
        }
        #expect(run.errors.contains("off is disabled: left out"))
        let text = crier.folder.read("out.opml") ?? ""
        #expect(!text.contains("SECRET"))
        #expect(try await crier.run("export").output == text)
        #expect(try await crier.run("export", "-").output == text)
        try crier.folder.write("", to: "empty")
        let words = "is there already; --force replaces it"
        for (path, words) in [
            (file, words), (crier.folder.file("empty"), words),
            (crier.folder.file("crier.yaml"), "is the configuration, which no list replaces"),
        ] {
            let before = try String(contentsOfFile: path, encoding: .utf8)
            let again = try await crier.run("export", path)
            #expect(again.status == 73)
            #expect(again.errors.hasSuffix("crier: \(path) \(words)\n"))
            #expect(try String(contentsOfFile: path, encoding: .utf8) == before)
        }
        #expect(try await crier.run("export", "--force", file).status == 0)
        let own = try await crier.run("import", "--dry-run", file)
        #expect(own.output.hasPrefix("Followed already, as a: https://a.example/feed\n"), "\(own)")
        #expect(own.output.hasSuffix("\n0 would be added, 2 followed already, 0 left out.\n"), "\(own)")
        let others = "<opml><body><outline text='You' xmlUrl='https://you:OTHER@a.example/feed'/></body></opml>"
        let added = try await crier.run("import", "--dry-run", crier.folder.write(others, to: "others.opml"))
        #expect(added.output.hasPrefix("Would add you: "), "\(added)")
        let other = try BuiltCrier("")
        #expect(try await other.run("import", file).status == 0)
        #expect(
            other.folder.read("crier.yaml") == """
                sources:
                  a-b:
                    url: https://a.example/feed
                    title: A & b
                    tags: [tech/linux, daily]
                  b:
                    url: https://b.example/feed
                    tags: [news]

                """)
    }

    /// Titles that YAML, XML or a name would take for something else.
    @Test func titlesInEveryScriptComeBackAsTheyWere() async throws {
        let titles = [
            "日本語", "emoji 😀", "null", "yes", "1.5e3", "~", "- x", "# z", "{a}", "a: b", "it's", "say \"hi\"", "a & b",
            "é",
        ]
        let outlines = titles.enumerated().map { number, title in
            let text = title.replacing("&", with: "&amp;").replacing("\"", with: "&quot;")
            return "<outline text=\"\(text)\" xmlUrl=\"https://e.example/\(number)\"/>"
        }
        let crier = try BuiltCrier("")
        let file = try crier.folder.write("<opml><body>\(outlines.joined())</body></opml>", to: "list.opml")
        #expect(try await crier.run("import", file).status == 0)
        #expect(try await crier.run("check").status == 0)
        let exported = try await crier.run("export").output
        let other = try BuiltCrier("")
        #expect(try await other.run("import", other.folder.write(exported, to: "again.opml")).status == 0)
        #expect(other.folder.read("crier.yaml") == crier.folder.read("crier.yaml"))
        for title in titles {
            let text = title.replacing("&", with: "&amp;").replacing("\"", with: "&quot;")
            #expect(exported.contains(" title=\"\(text)\""), "\(title)")
        }
    }

    @Test func anotherSpellingOfAnAddressIsFollowedAlready() async throws {
        let crier = try BuiltCrier(config)
        let file = try crier.folder.write(
            """
            <opml><body><outline text="One" xmlUrl="HTTPS://E.Example:443/feed"/><outline text="Two" xmlUrl="http://n/1"/>
            <outline text="Three" xmlUrl="HTTP://N/1"/><outline text="Four" xmlUrl="feed://n/1"/>
            <outline text="Five" xmlUrl="http://www.e.example/feed/"/><outline text="Six" xmlUrl="https://www.n/1/"/>
            </body></opml>
            """, to: "list.opml")
        let run = try await crier.run("import", file)
        #expect(run.output.contains("Followed already, as old: HTTPS://E.Example:443/feed, listed 2 times\n"))
        #expect(run.output.contains("Added two: http://n/1, listed 4 times\n"), "\(run.output)")
        #expect(run.output.hasSuffix("1 added, 1 followed already, 0 left out.\n"), "\(run.output)\(run.errors)")
    }

    @Test func filesOfThisMachineAreLeftOut() async throws {
        let crier = try BuiltCrier(config)
        let file = try crier.folder.write(
            """
            <opml><body><outline text="Passwords" xmlUrl="file:///etc/passwd"/>
            <outline text="Behind" xmlUrl="feed:FILE:///etc/hosts"/></body></opml>
            """, to: "list.opml")
        let run = try await crier.run("import", file)
        #expect(run.output == "0 added, 0 followed already, 2 left out.\n")
        #expect(run.errors.contains("“Passwords”: a file of this machine"))
        #expect(run.errors.contains("“Behind”: a file of this machine"))
        #expect(crier.folder.read("crier.yaml") == config)
    }

    @Test(arguments: ["''", "[]", "[a, '']", "{a: b}", "[[a]]"])
    func tagsAreTexts(tags: String) async throws {
        let run = try await BuiltCrier("sources: {x: {url: 'https://e.example/', tags: \(tags)}}").run("check")
        #expect(run.status == 78, "\(run.errors)")
    }

    @Test func aFeedInAnotherScriptIsNamedInLatinLetters() async throws {
        let origin = try await ScriptedOrigin()
        let names = [
            "干货集中营": "gan-huo-ji-zhong-ying", "Новости": "novosti", "한글 소식": "hangeul-sosig", "🎉": "127-0-0-1",
        ]
        for (number, (title, name)) in names.sorted(by: { $0.key < $1.key }).enumerated() {
            await origin.script("/\(number)", [ScriptedAnswer(body: atomFeed(1...1, title: title))])
            let run = try await BuiltCrier("").run("add", origin.url("/\(number)"))
            #expect(run.output.hasPrefix("Added \(name): "), "\(run.output)\(run.errors)")
        }
        await origin.stop()
    }

    @Test(arguments: [
        ("http://münchen.example/", "http://XN--mnchen-3ya.example"), ("http://h/~a?x=%2f", "http://h/%7Ea?x=%2F"),
        ("http://h/日", "http://h/%e6%97%a5"), ("http://[2001:db8::1]:8080/", "http://[2001:DB8:0:0::1]:8080"),
    ])
    func whatMeansTheSameAddressIsFollowedAlready(followed: String, listed: String) async throws {
        let crier = try BuiltCrier("sources:\n  old: {url: '\(followed)'}\n")
        let list = "<opml><body><outline text=\"One\" xmlUrl=\"\(listed)\"/></body></opml>"
        let run = try await crier.run("import", crier.folder.write(list, to: "list.opml"))
        #expect(run.output.hasPrefix("Followed already, as old: "), "\(run.output)\(run.errors)")
    }

    /// It will be followed again when it is mended.
    @Test func aSourceWithAMistakeIsFollowedAlready() async throws {
        let crier = try BuiltCrier("sources:\n  old: {url: 'https://e.example/feed', evry: 1h}\n")
        let list = "<opml><body><outline text=\"One\" xmlUrl=\"https://E.example/feed\"/></body></opml>"
        let run = try await crier.run("import", crier.folder.write(list, to: "list.opml"))
        #expect(run.output.hasSuffix("0 added, 1 followed already, 0 left out.\n"), "\(run.output)\(run.errors)")
    }

    @Test(arguments: ["", "\n", " "])
    func anAddressThatTheListsEndHasCutIsNone(end: String) async throws {
        let crier = try BuiltCrier("")
        let list = """
            <opml><body><outline text="One" xmlUrl="https://a.example/feed"/>
            <outline text="Two" xmlUrl="https://news.example/fe\(end)
            """
        let run = try await crier.run("import", crier.folder.write(list, to: "list.opml"))
        #expect(run.output == "Added one: https://a.example/feed\n1 added, 0 followed already, 0 left out.\n")
        #expect(run.errors == "the XML is broken; read as far as it makes sense\n")
    }

    @Test func manyThatAreImportedAtOnceRaiseWhatComesFromNowOn() async throws {
        func list(_ count: Int) -> String {
            let outlines = (1...count).map { "<outline text=\"F\($0)\" xmlUrl=\"https://e.example/\($0)\"/>" }
            return "<opml><body>\(outlines.joined())</body></opml>"
        }
        for (count, isQuiet) in [(10, false), (11, true)] {
            let crier = try BuiltCrier("")
            let run = try await crier.run("import", crier.folder.write(list(count), to: "list.opml"))
            #expect(run.errors.contains("(first: none)") == isQuiet, "\(run.errors)")
            let text = try #require(crier.folder.read("crier.yaml"))
            #expect(text.split(separator: "\n").count { $0 == "    first: none" } == (isQuiet ? count : 0))
        }
    }

    @Test func shortNamesComeBackAsTheyWere() async throws {
        let crier = try BuiltCrier("sources:\n  go: {url: 'https://h.example/'}\n")
        let other = try BuiltCrier("")
        let run = try await other.run("import", other.folder.write(crier.run("export").output, to: "list.opml"))
        #expect(run.output.hasPrefix("Added go: https://h.example/\n"), "\(run.output)\(run.errors)")
        #expect(other.folder.read("crier.yaml") == "sources:\n  go:\n    url: https://h.example/\n")
    }

    /// A script that keeps the list would not know that it lacks some.
    @Test func whatLacksASourceSaysSo() async throws {
        let crier = try BuiltCrier(
            "sources:\n  a: {url: 'https://a.example/'}\n  b: {url: 'https://b.example/', evry: 1h}\n")
        for arguments in [
            ["export"], ["export", crier.folder.file("list.opml")], ["list"], ["list", "--format", "json"],
        ] {
            let run = try await crier.run(arguments)
            #expect(run.status == 78, "\(arguments)")
            #expect(run.errors.contains("evry"))
            let shown = run.output + (crier.folder.read("list.opml") ?? "")
            #expect(shown.contains("https://a.example/") && !shown.contains("https://b.example/"))
        }
    }
}
