import Testing

@testable import CrierHTTP

/// The rule alone, for what cannot be had on a loopback address.
@Suite struct RedirectRuleTests {
    private func next(
        from url: String, to location: String, originIsPrivate: Bool = false, _ status: Int = 302,
        body: [UInt8]? = nil
    ) throws(HTTPError) -> CurlHop? {
        let origin = try WebURL(url)
        var rule = RedirectRule(HTTPRequest(url: url), origin: origin, originIsPrivate: originIsPrivate)
        let hop = CurlHop(
            method: body == nil ? "GET" : "POST", url: origin,
            fields: ["X-Token": "secret", "Content-Type": "text/x-a"], body: body,
            credentials: origin.credentials, proxy: nil, caFile: nil, limits: .polling, followsRedirects: true,
            deadline: .now + .seconds(1), mayBePrivate: true)
        let answer = CurlAnswer(status: status, fields: ["Location": location], body: [], peer: nil)
        return try rule.next(after: hop, answer)
    }

    @Test func fromHttpsToHttpIsRefused() {
        let error = #expect(throws: HTTPError.self) {
            try next(from: "https://a.example/?key=1", to: "http://a.example/f?key=1")
        }
        #expect(error?.kind == .refusedRedirect)
        #expect(error?.description == "a.example redirects from https to http: http://a.example/")
        let file = #expect(throws: HTTPError.self) { try next(from: "https://a.example/", to: "file:///etc/passwd") }
        #expect(file?.description == "a.example redirects from https to file: file:///")
    }

    @Test(arguments: ["https://a.example/b", "https://www.a.example/", "//a.example/b", "/b", "b", "?c"])
    func fromHttpToHttpsAndOnTheSameSchemeIsFollowed(location: String) throws {
        #expect(try next(from: "http://a.example/", to: location) != nil)
    }

    @Test(arguments: ["#f", "#", "#/b?c"]) func aFragmentAloneIsTheSameDocument(location: String) throws {
        let url = "https://a.example/b/c?d"
        #expect(try WebURL(url).resolving(Array(location.utf8))?.text == url)
        let error = #expect(throws: HTTPError.self) { try next(from: url, to: location) }
        #expect(error?.description == "a.example redirects in a circle, by way of a.example")
    }

    @Test(arguments: ["https://a.example/", "http://a.example:8080/", "http://b.example/", "http://a.example./"])
    func secretsStayWithTheirOrigin(location: String) throws {
        let hop = try #require(try next(from: "http://u:p@a.example/", to: location))
        #expect(hop.fields["X-Token"] == nil)
        #expect(hop.credentials == nil)
    }

    @Test(arguments: ["http://A.example:80/b", "/b"]) func theSameOriginKeepsThem(location: String) throws {
        let hop = try #require(try next(from: "http://u:p@a.example/", to: location))
        #expect(hop.fields["X-Token"] == "secret")
        #expect(hop.credentials == WebURL.Credentials(user: "u", password: "p"))
    }

    @Test(arguments: [("bücher", "xn--bcher-kva"), ("xn--bcher-kva", "b%C3%BCcher"), ("bücher", "BÜCHER")])
    func aHostIsTheSameInWhateverLetters(one: String, other: String) throws {
        func follow(to host: String) throws -> CurlHop? {
            try next(from: "http://u:p@\(one).example/", to: "http://\(host)/b", originIsPrivate: true, 307, body: [1])
        }
        let hop = try #require(try follow(to: other + ".example"))
        #expect(hop.credentials == WebURL.Credentials(user: "u", password: "p"))
        #expect(hop.body == [1] && hop.mayBePrivate)
        #expect(throws: HTTPError.self) { try follow(to: "b\(other).example") }
    }

    @Test(arguments: [
        ("/b", 307, true), ("https://a.example/", 308, true), ("http://a.example:8080/", 307, false),
        ("https://www.a.example/", 308, false), ("http://b.example/", 307, false), ("http://b.example/", 302, true),
    ])
    func aBodyStaysWithItsServer(location: String, status: Int, isFollowed: Bool) throws {
        func follow() throws -> CurlHop? {
            try next(from: "http://a.example/", to: location, status, body: Array("key=secret".utf8))
        }
        guard !isFollowed else {
            #expect(try follow()?.body == (status == 302 ? nil : Array("key=secret".utf8)))
            return
        }
        let error = #expect(throws: HTTPError.self) { try follow() }
        #expect(error?.kind == .refusedRedirect)
        #expect(error?.description.hasPrefix("a.example wants the body of the request to be sent to ") == true)
    }

    @Test(arguments: [
        ("http://nas.local/", "http://nas.local/b", true), ("http://nas.local/", "https://nas.local/", true),
        ("http://nas.local/", "http://nas.local:8080/", false), ("http://nas.local/", "http://router.local/", false),
        ("http://nas.local:81/", "https://nas.local/", false),
    ])
    func aPrivateHostMayRedirectToItself(url: String, location: String, isAllowed: Bool) throws {
        #expect(try next(from: url, to: location, originIsPrivate: true)?.mayBePrivate == isAllowed)
        #expect(try next(from: url, to: location)?.mayBePrivate == false)
    }

    @Test(
        arguments: [
            ("/b", 307, "text/x-a"), ("https://a.example/", 308, "text/x-a"), ("/b", 302, nil),
            ("http://b.example/", 303, nil),
        ] as [(String, Int, String?)])
    func aMediaTypeGoesWhereItsBodyGoes(location: String, status: Int, type: String?) throws {
        let hop = try #require(try next(from: "http://a.example/", to: location, status, body: [1]))
        #expect(hop.fields["Content-Type"] == type && (hop.body == nil) == (type == nil))
        #expect((hop.fields["X-Token"] == nil) == !location.hasPrefix("/"))
    }

    @Test(
        arguments: [
            (HTTPRequest(url: "http://a.example/"), false), (HTTPRequest(url: "http://u:p@a.example/"), true),
            (HTTPRequest(url: "http://a.example/", fields: ["X-Token": "secret"]), true),
            (HTTPRequest(url: "http://a.example/", fields: ["X-A": "b"], publicFields: ["X-A": "b"]), false),
            (HTTPRequest(url: "http://a.example/", fields: ["User-Agent": "c", "If-None-Match": "\"a\""]), false),
        ] as [(HTTPRequest, Bool)])
    func aRequestHasSecretsWhereAnotherOriginIsSentLess(request: HTTPRequest, hasSecrets: Bool) {
        #expect(request.hasSecrets == hasSecrets)
    }
}
