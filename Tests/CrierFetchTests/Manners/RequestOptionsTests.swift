import CrierContent
import CrierHTTP
import CrierProcess
import CrierStore
import CrierTesting
import Testing

@testable import CrierFetch

/// What a source's own options put on the wire.
@Suite struct RequestOptionsTests {
    private func bench(_ request: SourceRequest, environment: [String: String] = [:]) async throws -> FetchBench {
        var bench = try await FetchBench(environment: environment)
        bench.source.request = request
        await bench.publish([("a", 2)], fields: ["ETag": "\"1\"", "Last-Modified": "Tue, 14 Nov 2023 20:00:00 GMT"])
        return bench
    }

    @Test func headersAreSentAndReplaceOurOwn() async throws {
        let request = SourceRequest(fields: [
            .init("accept", .plain("application/x")), .init("Cookie", .plain("a=b")),
            .init("X-Key", .secret(.environment("KEY"))),
        ])
        let bench = try await bench(request, environment: ["KEY": "s3cret"])
        _ = try await bench.fetch()
        let fields = try #require(await bench.origin.requests.first?.fields)
        #expect(fields.combined("Accept") == "application/x")
        #expect(fields["Cookie"] == "a=b")
        #expect(fields["X-Key"] == "s3cret")
        await bench.origin.stop()
    }

    @Test func secretsAreSentInTheAddressAndMarksAreRemembered() async throws {
        let environment = ["KEY": "a/b c", "PATH_KEY": "s3cret-path"]
        let secrets: [String: SecretReference] = ["key": .environment("KEY"), "p": .environment("PATH_KEY")]
        var bench = try await bench(SourceRequest(secrets: secrets), environment: environment)
        let written = bench.origin.url("/{p}/feed?k={key}&x={none}")
        bench.source.address = .url(written)
        let fields: HTTPFields = ["ETag": "\"1\""]
        let moved = ScriptedAnswer(status: 301, fields: ["Location": "/s3cret-path/other"])
        let (old, new) = (bench.atom([("a", 2)]), bench.atom([("a", 2), ("b", 1)]))
        await bench.origin.script(
            "/s3cret-path/feed",
            [
                ScriptedAnswer(fields: fields, body: old), ScriptedAnswer(status: 304, fields: fields), moved, moved,
                ScriptedAnswer(status: 403),
            ])
        await bench.origin.script(
            "/s3cret-path/other", [ScriptedAnswer(fields: fields, body: new), ScriptedAnswer(status: 304)])
        func lastURL() async throws -> String? {
            _ = try await bench.fetch()
            return try bench.store.states()[bench.source.name]?.lastURL
        }
        #expect(try await lastURL() == written)
        #expect(try await lastURL() == written)
        #expect(await bench.origin.requests.last?.fields["If-None-Match"] == "\"1\"")
        #expect(try await lastURL() == bench.origin.url("/{p}/other"))
        #expect(try await lastURL() == bench.origin.url("/{p}/other"), "not modified there")
        let sent = await bench.origin.requests
        #expect(sent.first?.target == "/s3cret-path/feed?k=a%2Fb%20c&x={none}")
        #expect(sent.last?.target == "/s3cret-path/other" && sent.last?.fields["If-None-Match"] == "\"1\"")
        let state = try #require(try bench.store.states()[bench.source.name])
        #expect(state.move?.adopted == nil && state.lastStatus == 304)
        #expect(try await bench.fetch().failure?.cause.contains("403") == true)
        await bench.origin.stop()
    }

    @Test func whatIsLinkedBesideASecretAddressIsFoundThere() async throws {
        let request = SourceRequest(secrets: ["k": .environment("KEY")])
        var bench = try await bench(request, environment: ["KEY": "s3cret-key"])
        bench.source.address = .url(bench.origin.url("/{k}/feed"))
        bench.source.first = .all
        let item = "<item><title>T</title><guid isPermaLink='false'>1</guid><link>items/1</link></item>"
        let body = "<rss version='2.0'><channel><title>F</title>\(item)</channel></rss>"
        await bench.origin.script("/s3cret-key/feed", [ScriptedAnswer(body: body)])
        #expect(try await bench.fetch().newItems.map(\.url) == [bench.origin.url("/s3cret-key/items/1")])
        await bench.origin.stop()
    }

    /// One that is short is a word of any address.
    @Test func aShortSecretIsNotLookedForInOtherAddresses() {
        var secrets = SentSecrets()
        secrets.insert(["a": "e", "b": "abcdef"], ofAddress: "https://e.example/{a}?b={b}")
        let sent = secrets.filled("https://e.example/{a}?b={b}")
        #expect(sent == "https://e.example/e?b=abcdef")
        #expect(secrets.shown(sent) == "https://e.example/{a}?b={b}")
        #expect(secrets.shown("https://e.example/e?c=abcdef") == "https://e.example/e?c={b}")
    }

    /// Of a podcast, whose feed names itself.
    @Test func whereAFeedSaysThatItIsNowIsShownWithMarks() async throws {
        let request = SourceRequest(secrets: ["k": .environment("KEY")])
        var bench = try await bench(request, environment: ["KEY": "s3cret-key"])
        bench.source.address = .url(bench.origin.url("/feed?k={k}"))
        func feed(_ path: String) -> ScriptedAnswer {
            let address = bench.origin.url("\(path)?k=s3cret-key")
            return ScriptedAnswer(
                body: """
                    <rss version='2.0' xmlns:itunes='http://www.itunes.com/dtds/podcast-1.0.dtd'><channel><title>F</title>
                    <itunes:new-feed-url>\(address)</itunes:new-feed-url></channel></rss>
                    """)
        }
        await bench.origin.script("/feed", [feed("/feed"), feed("/new")])
        for url in [nil, bench.origin.url("/new?k={k}")] {
            _ = try await bench.fetch()
            let state = try #require(try bench.store.states()[bench.source.name])
            #expect(state.announcedURL(of: bench.source) == url)
        }
        await bench.origin.stop()
    }

    @Test func basicAndBearerAreSentWithASecretFoundThen() async throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("p:w\n", to: "password")
        var bench = try await bench(SourceRequest(authorization: .basic(user: "me", password: .file(path))))
        _ = try await bench.fetch()
        try folder.write("new\n", to: "password")
        _ = try await bench.fetch()
        bench.source.request.authorization = .bearer(.command(["printf", "to%s", "ken"]))
        _ = try await bench.fetch()
        let sent = await bench.origin.requests.map { $0.fields["Authorization"] }
        #expect(sent == ["Basic bWU6cDp3", "Basic bWU6bmV3", "Bearer token"])
        await bench.origin.stop()
    }

    @Test func httpsThatIsSentNoCredentialsOfHTTPAndWantsThemIsNamed() async throws {
        let (from, to) = ("http://near.example/feed", "https://near.example/feed")
        let transport = ScriptedTransport()
        let redirects = [HTTPRedirect(status: 301, from: from, to: to)]
        transport.script(from, [.success(HTTPResponse(status: 401, url: to, redirects: redirects))])
        var bench = try await FetchBench(transport: transport, environment: ["KEY": "key"])
        bench.source.address = .url(from)
        bench.source.request.fields = [.init("Accept-Language", .plain("de"))]
        #expect(try await bench.fetch().failure?.cause == "HTTP status 401, unauthorized", "there are none")
        bench.source.request.authorization = .bearer(.environment("KEY"))
        #expect(
            try await bench.fetch().failure?.cause == """
                HTTP status 401, unauthorized, by https://near.example, where a redirect leads and no credentials go: \
                give that address
                """)
        let loud = "HTTPS://near.example/feed"
        let same = [HTTPRedirect(status: 301, from: loud, to: to)]
        transport.script(loud, [.success(HTTPResponse(status: 401, url: to, redirects: same))])
        bench.source.address = .url(loud)
        #expect(try await bench.fetch().failure?.cause == "HTTP status 401, unauthorized", "it is sent them")
        await bench.origin.stop()
    }

    @Test func aHostThatIsSentNoCredentialsAndWantsThemIsNamed() async throws {
        var bench = try await bench(
            SourceRequest(authorization: .basic(user: "me", password: .environment("KEY"))),
            environment: ["KEY": "key"])
        bench.source.request.proxy = bench.origin.url("")
        bench.source.address = .url("http://far.example/feed")
        await bench.origin.handle { request in
            request.fields["Host"] == "far.example"
                ? ScriptedAnswer(status: 302, fields: ["Location": "http://near.example/"])
                : ScriptedAnswer(status: 401)
        }
        #expect(
            try await bench.fetch().failure?.cause
                == "HTTP status 401, unauthorized, by near.example, where a redirect leads and no credentials go")
        #expect(await bench.origin.requests.map { $0.fields["Authorization"] } == ["Basic bWU6a2V5", nil])
        bench.source.address = .url("http://near.example/feed")
        #expect(try await bench.fetch().failure?.cause == "HTTP status 401, unauthorized")
        await bench.origin.script(
            "http://near.example/feed",
            [ScriptedAnswer(status: 302, fields: ["Location": "/login"])])
        await bench.origin.script("http://near.example/login", [ScriptedAnswer(status: 401)])
        #expect(
            try await bench.fetch().failure?.cause == "HTTP status 401, unauthorized",
            "another page of the origin itself is sent them")
        await bench.origin.stop()
    }

    @Test(arguments: [
        (401, "X-Key", "credentials"), (403, "X-Key", "credentials"),
        (403, "User-Agent", "header fields of the source"),
        (406, "Accept", "header fields of the source"), (401, "User-Agent", nil),
        (404, "X-Key", nil), (403, nil, nil),
    ])
    func whoIsSentNothingOfTheUsersAndWantsItIsNamed(status: Int, field: String?, wish: String?) async throws {
        var bench = try await bench(SourceRequest(fields: field.map { [.init($0, .plain("mine"))] } ?? []))
        bench.source.request.proxy = bench.origin.url("")
        bench.source.address = .url("http://far.example/feed")
        await bench.origin.handle { request in
            request.fields["Host"] == "far.example"
                ? ScriptedAnswer(status: 301, fields: ["Location": "http://www.far.example/"])
                : ScriptedAnswer(status: status)
        }
        let cause = try #require(try await bench.fetch().failure?.cause)
        let told = wish.map { ", by www.far.example, where a redirect leads and no \($0) go" } ?? ""
        #expect(cause == HTTPStatus.words(status) + told)
        if let field { #expect(await bench.origin.requests.map { $0.fields[field] == "mine" } == [true, false]) }
        await bench.origin.stop()
    }

    @Test func aSecretThatCannotBeHadIsAFailureWithoutAVisit() async throws {
        let bench = try await bench(SourceRequest(authorization: .bearer(.environment("hunter2"))))
        let report = try await bench.fetch()
        #expect(report.failure?.stage == .fetch)
        #expect(
            report.failure?.cause == "the secret cannot be read: the environment variable is not set")
        #expect(await bench.origin.connections == 0)
        await bench.origin.stop()
    }

    @Test func aSecretThatIsNoHeaderValueIsNotShown() async throws {
        let bench = try await bench(
            SourceRequest(fields: [.init("X-Key", .secret(.environment("KEY")))]),
            environment: ["KEY": "hunter\r\nX: 2"])
        let cause = try #require(try await bench.fetch().failure?.cause)
        #expect(cause == "the header field X-Key has a line break in it")
        #expect(await bench.origin.connections == 0)
        await bench.origin.stop()
    }

    @Test(
        "A body makes a POST of its media type, which is unconditional",
        arguments: [
            (#" {"query": "x"}"#, "application/json"), ("[1]", "application/json"), ("<q/>", "application/xml"),
            ("a=b&c=d", "application/x-www-form-urlencoded"),
        ])
    func body(text: String, mediaType: String) async throws {
        let bench = try await bench(SourceRequest(body: text))
        for _ in 1...2 { _ = try await bench.fetch() }
        let requests = await bench.origin.requests
        #expect(requests.count == 2)
        for request in requests {
            #expect(request.method == "POST")
            #expect(request.body == Array(text.utf8))
            #expect(request.fields["Content-Type"] == mediaType)
            #expect(request.fields["If-None-Match"] == nil)
            #expect(request.fields["If-Modified-Since"] == nil)
        }
        await bench.origin.stop()
    }

    @Test func anotherOriginGetsOurOwnFieldsInPlaceOfTheUsers() async throws {
        var bench = try await ProxiedBench()
        bench.source.request = SourceRequest(fields: [
            .init("User-Agent", .plain("mine")), .init("accept", .plain("a/b")),
            .init("Accept-Language", .secret(.environment("HOME"))),
        ])
        await bench.play("http://news.example/feed", bench.redirect(302, to: "http://other.example/"))
        await bench.play("http://other.example/", bench.feed("a"))
        #expect(try await bench.fetch().result == .newData)
        let requests = await bench.origin.requests
        #expect(requests[0].fields["User-Agent"] == "mine")
        #expect(requests[0].fields["Accept"] == "a/b")
        #expect(requests[1].fields["User-Agent"] == "crier-test/1")
        #expect(requests[1].fields["Accept"]?.hasPrefix("application/atom+xml, ") == true)
        #expect(requests[1].fields["Accept-Language"] == nil)
        await bench.origin.stop()
    }

    @Test func aQueryIsConditionalAndTheUsersMediaTypeCounts() async throws {
        let request = SourceRequest(method: "QUERY", body: "x", fields: [.init("content-type", .plain("text/x"))])
        let bench = try await bench(request)
        for _ in 1...2 { _ = try await bench.fetch() }
        let last = try #require(await bench.origin.requests.last)
        #expect(last.method == "QUERY")
        #expect(last.fields.combined("Content-Type") == "text/x")
        #expect(last.fields["If-None-Match"] == "\"1\"")
        await bench.origin.stop()
    }

    @Test func aNotModifiedToAPostIsAFailure() async throws {
        let bench = try await bench(SourceRequest(body: "x"))
        _ = try await bench.fetch()
        await bench.origin.script("/feed", [ScriptedAnswer(status: 304)])
        #expect(
            try await bench.fetch().failure?.cause == "HTTP status 304, not modified, to a request without conditions")
        await bench.origin.stop()
    }

    @Test func theProxyOfTheSourceIsAsked() async throws {
        let proxy = try await ScriptedOrigin()
        var bench = try await bench(SourceRequest(proxy: proxy.url()))
        bench.source.address = .url("http://public.example/feed")
        await proxy.handle { [text = bench.atom([("a", 2)])] _ in ScriptedAnswer(body: text) }
        #expect(try await bench.fetch().result == .newData)
        #expect(await proxy.requests.map(\.target) == ["http://public.example/feed"])
        await proxy.stop()
        await bench.origin.stop()
    }

    @Test(.enabled(if: TLSServer.isAvailable, "there is no openssl program on this machine"))
    func theAuthoritiesOfTheSourceAreTrusted() async throws {
        let server = try await TLSServer.start()
        defer { server.stop() }
        let home = server.authority.split(separator: "/").dropLast().map { "/" + $0 }.joined()
        for path in [server.authority, "~/ca.pem"] {
            var bench = try await bench(SourceRequest(caFile: path), environment: ["HOME": home])
            bench.source.address = .url("https://localhost:\(server.port)/feed.xml")
            #expect(try await bench.fetch().failure == nil)
            await bench.origin.stop()
        }
    }

    /// It stands in the states of users: another one would be a first visit of every source.
    @Test func aFingerprintIsThatOfEarlierVersions() {
        func hex(_ source: Source) -> String {
            source.fingerprint.withUnsafeBytes { bytes in
                bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
            }
        }
        var source = Source(name: "s0", address: .url("http://127.0.0.1:45447/s0.xml?0"), first: .none)
        #expect(hex(source) == "9404badd46a4dd5f2f00b0e9639c4c0a030cb33ddae3fb482ca2a13c7a76936a")
        source.mapping = ContentMapping(
            format: .json, items: ".results[][]",
            fields: [.id: "._id", .title: ".desc", .url: ".url", .published: ".publishedAt", .author: ".who"],
            when: ".error == false")
        source.address = .url("http://127.0.0.1:45447/s2.json?2")
        #expect(hex(source) == "1a3bbc2b0b2d334fb9df7cbc31f04ddf2546ed24d0742526743374d08e3f1487")
    }

    @Test func whatTheAnswerDependsOnChangesTheFingerprintAndWhoAsksDoesNot() {
        let source = Source(name: "a", address: .url("https://a.example/"))
        func fingerprint(_ request: SourceRequest) -> SourceFingerprint {
            var source = source
            source.request = request
            return source.fingerprint
        }
        let plain = fingerprint(SourceRequest())
        #expect(fingerprint(SourceRequest(proxy: "http://p/", caFile: "/ca")) == plain)
        #expect(
            fingerprint(SourceRequest(authorization: .bearer(.environment("A"))))
                == fingerprint(SourceRequest(authorization: .bearer(.file("/b")))))
        let others = [
            SourceRequest(method: "POST"), SourceRequest(body: "x"), SourceRequest(fields: [.init("A", .plain("b"))]),
            SourceRequest(fields: [.init("A", .plain("c"))]),
            SourceRequest(authorization: .basic(user: "me", password: .environment("P"))),
        ].map(fingerprint)
        #expect(Set(others + [plain]).count == 6)
        #expect(
            fingerprint(SourceRequest(fields: [.init("X", .secret(.environment("A")))]))
                == fingerprint(SourceRequest(fields: [.init("x", .secret(.environment("B")))])))
    }
}
