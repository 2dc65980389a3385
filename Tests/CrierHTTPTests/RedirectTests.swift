import CrierHTTP
import CrierTesting
import Testing

import struct Foundation.Date

@Suite struct RedirectTests {
    private func redirect(_ status: Int, _ location: String) -> ScriptedAnswer {
        ScriptedAnswer(status: status, fields: ["Location": location])
    }

    @Test(arguments: [301, 302, 303, 307, 308]) func redirectsAreFollowedAndRecorded(status: Int) async throws {
        let origin = try await ScriptedOrigin()
        await origin.script("/a/b", [redirect(status, "../c?d=e")])
        await origin.script("/c", [ScriptedAnswer(body: "here")])
        let response = try await CurlTransport().send(HTTPRequest(url: origin.url("/a/b")))
        #expect(response.body == Array("here".utf8))
        #expect(response.url == origin.url("/c?d=e"))
        let expected = HTTPRedirect(status: status, from: origin.url("/a/b"), to: origin.url("/c?d=e"))
        #expect(response.redirects == [expected])
        #expect(expected.isPermanent == (status == 301 || status == 308))
    }

    @Test(arguments: [300, 304, 305, 399]) func otherStatusesAreTheAnswer(status: Int) async throws {
        let origin = try await ScriptedOrigin()
        await origin.script("/", [redirect(status, "/c")])
        #expect(try await CurlTransport().send(HTTPRequest(url: origin.url())).status == status)
    }

    @Test func aRedirectWithoutALocationIsTheAnswer() async throws {
        let origin = try await ScriptedOrigin()
        await origin.script("/", [ScriptedAnswer(status: 302, body: "lost")])
        let response = try await CurlTransport().send(HTTPRequest(url: origin.url()))
        #expect(response.status == 302)
        #expect(response.body == Array("lost".utf8))
    }

    /// Neither the rest of a body nor all of it is waited for.
    @Test(arguments: ["", "moved"]) func aRedirectWhoseBodyDoesNotComeIsFollowed(body: String) async throws {
        let origin = try await ScriptedOrigin()
        let head = "HTTP/1.1 301 Moved\r\nLocation: /c\r\nContent-Length: 500\r\n\r\n"
        await origin.script("/a", [ScriptedAnswer(steps: [.bytes(Array((head + body).utf8)), .hang])])
        await origin.script("/c", [ScriptedAnswer(body: "here")])
        let response = try await CurlTransport().send(HTTPRequest(url: origin.url("/a")))
        #expect(response.body == Array("here".utf8))
        #expect(response.redirects.count == 1)
        await origin.stop()
    }

    @Test func redirectsAreTheAnswerWhenTheCallerWantsThem() async throws {
        let origin = try await ScriptedOrigin()
        await origin.script("/", [redirect(302, "/c")])
        let response = try await CurlTransport().send(HTTPRequest(url: origin.url(), followsRedirects: false))
        #expect(response.status == 302)
        #expect(response.redirects.isEmpty)
        #expect(await origin.requests.count == 1)
    }

    @Test func aLaterRedirectThatAsksToBeWaitedForIsTheAnswer() async throws {
        let origin = try await ScriptedOrigin()
        await origin.script("/", [redirect(302, "/b")])
        await origin.script("/b", [ScriptedAnswer(status: 302, fields: ["Location": "/c", "Retry-After": "60"])])
        let request = HTTPRequest(url: origin.url(), waitsForRedirects: Date(timeIntervalSince1970: 0))
        let response = try await CurlTransport().send(request)
        #expect(response.status == 302 && response.url == origin.url("/b"))
        #expect(response.redirects.map(\.to) == [origin.url("/b")])
        #expect(await origin.requests.map(\.target) == ["/", "/b"])
        await origin.stop()
    }

    @Test func aRedirectThatItsObserverRefusesIsNotFollowed() async throws {
        let origin = try await ScriptedOrigin()
        await origin.script("/", [ScriptedAnswer(status: 302, fields: ["Location": "/b"])])
        let error = await #expect(throws: HTTPError.self) {
            try await CurlTransport().send(HTTPRequest(url: origin.url())) { url throws(HTTPError) in
                throw HTTPError(.refusedRedirect, "not \(url)")
            }
        }
        #expect(error == HTTPError(.refusedRedirect, "not \(origin.url("/b"))"))
        #expect(await origin.requests.count == 1)
    }

    @Test(arguments: [
        (301, "POST", "GET"), (302, "POST", "GET"), (303, "POST", "GET"), (307, "POST", "POST"), (308, "POST", "POST"),
        (301, "PUT", "PUT"), (302, "PUT", "PUT"), (303, "PUT", "GET"), (303, "HEAD", "HEAD"), (302, "HEAD", "HEAD"),
    ])
    func theMethodChangesAsTheStatusSays(status: Int, method: String, next: String) async throws {
        let origin = try await ScriptedOrigin()
        await origin.script("/", [redirect(status, "/c")])
        await origin.script("/c", [ScriptedAnswer(body: "x")])
        let body: [UInt8]? = method == "HEAD" ? nil : Array("body".utf8)
        let fields: HTTPFields = ["Content-Type": "text/plain", "X-A": "b"]
        _ = try await CurlTransport().send(HTTPRequest(method: method, url: origin.url(), fields: fields, body: body))
        let last = try #require(await origin.requests.last)
        #expect(last.method == next)
        #expect(last.body == (next == method ? body ?? [] : []))
        #expect(last.fields["Content-Type"] == (next == method ? "text/plain" : nil))
        #expect(last.fields["X-A"] == "b")
    }

    @Test(arguments: ["http://second.example/", "http://first.example:8080/", "http://www.first.example/"])
    func anotherOriginGetsNothingThatWasMeantForTheFirst(other: String) async throws {
        // Behind a proxy, names of public origins can be had.
        let proxy = try await ScriptedOrigin()
        await proxy.handle { request in
            switch request.target {
            case "http://first.example/": ScriptedAnswer(status: 302, fields: ["Location": "/same"])
            case "http://first.example/same": ScriptedAnswer(status: 302, fields: ["Location": "\(other)"])
            case other: ScriptedAnswer(status: 302, fields: ["Location": "http://first.example/back"])
            default: ScriptedAnswer(body: "x")
            }
        }
        let secrets: HTTPFields = [
            "Cookie": "a=b", "X-Token": "secret", "If-None-Match": "\"a\"", "Accept": "a/b", "Accept-Language": "de",
            "User-Agent": "secret",
        ]
        let request = HTTPRequest(
            url: "http://u:p@first.example/", fields: secrets,
            publicFields: ["User-Agent": "crier/1.0", "Accept": "c/d"], proxy: proxy.url())
        let response = try await CurlTransport().send(request)
        #expect(response.redirects.map(\.from) == ["http://first.example/", "http://first.example/same", other])
        let requests = await proxy.requests
        let same = try #require(requests.dropFirst().first)
        #expect(same.fields["Authorization"] == "Basic dTpw")
        #expect(same.fields["X-Token"] == "secret")
        // Nor does the first get it back from there.
        #expect(requests.count == 4)
        for request in requests.dropFirst(2) {
            #expect(
                request.fields.all.map(\.name).sorted() == ["Accept", "Accept-Encoding", "Host", "User-Agent"])
            #expect(request.fields["User-Agent"] == "crier/1.0")
            #expect(request.fields["Accept"] == "c/d")
        }
    }

    @Test(arguments: ["/", "/b", "/c"]) func validatorsAreSentToTheAddressThatGaveThemAndToNoOther(
        _ giver: String
    ) async throws {
        let origin = try await ScriptedOrigin()
        await origin.script("/", [redirect(302, "/b")])
        await origin.script("/b", [ScriptedAnswer(body: "x")])
        var request = HTTPRequest(url: origin.url())
        HTTPValidators(etag: Array("\"a\"".utf8)).apply(to: &request, givenBy: origin.url(giver))
        _ = try await CurlTransport().send(request)
        let asked = await origin.requests.filter { $0.fields["If-None-Match"] != nil }.map(\.target)
        #expect(asked == ["/", "/b"].filter { $0 == giver })
    }

    @Test func credentialsInALocationAreNotUsed() async throws {
        let origin = try await ScriptedOrigin()
        await origin.script("/", [redirect(302, "http://eve:x@127.0.0.1:\(origin.port)/c")])
        await origin.script("/c", [ScriptedAnswer(body: "x")])
        let response = try await CurlTransport().send(HTTPRequest(url: origin.url()))
        #expect(response.url == origin.url("/c"))
        #expect(await origin.requests.last?.fields["Authorization"] == nil)
    }

    @Test func bytesBeyondASCIIInALocationAreEncoded() async throws {
        let origin = try await ScriptedOrigin()
        var fields = HTTPFields()
        fields.append("Location", Array("/a b/".utf8) + [0xe9])
        await origin.script("/", [ScriptedAnswer(status: 302, fields: fields)])
        await origin.script("/a%20b/%e9", [ScriptedAnswer(body: "x")])
        #expect(try await CurlTransport().send(HTTPRequest(url: origin.url())).status == 200)
    }

    private func refusal(_ origin: ScriptedOrigin, _ limits: HTTPLimits = .polling) async throws -> HTTPError {
        let error = await #expect(throws: HTTPError.self) {
            try await CurlTransport().send(HTTPRequest(url: origin.url(), limits: limits))
        }
        return try #require(error)
    }

    @Test func aCircleIsRefused() async throws {
        let origin = try await ScriptedOrigin()
        await origin.script("/", [redirect(302, "/b")])
        await origin.script("/b", [redirect(302, "/#again")])
        let error = try await refusal(origin)
        #expect(error.kind == .refusedRedirect)
        let host = "127.0.0.1:\(origin.port)"
        #expect(error.description == "\(host) redirects in a circle, by way of \(host)")
        #expect(await origin.requests.count == 2)
    }

    @Test func asManyRedirectsAsAllowedAreFollowedAndNotOneMore() async throws {
        let origin = try await ScriptedOrigin()
        for hop in 0..<5 { await origin.script(hop == 0 ? "/" : "/\(hop)", [redirect(302, "/\(hop + 1)")]) }
        await origin.script("/5", [ScriptedAnswer(body: "x")])
        #expect(try await CurlTransport().send(HTTPRequest(url: origin.url())).redirects.count == 5)
        let error = try await refusal(origin, HTTPLimits(redirects: 4))
        #expect(error.kind == .refusedRedirect)
        #expect(error.description == "127.0.0.1:\(origin.port) redirects more than 4 times")
        let none = try await refusal(origin, .webhook)
        #expect(none.kind == .refusedRedirect)
        #expect(none.description == "127.0.0.1:\(origin.port) redirects to \(origin.url()), which is not followed")
    }

    @Test(arguments: ["file:///etc/passwd", "ftp://127.0.0.1/", "gopher://127.0.0.1/", "javascript:alert(1)"])
    func otherSchemesAreRefused(location: String) async throws {
        let origin = try await ScriptedOrigin()
        await origin.script("/", [redirect(302, location)])
        #expect(try await refusal(origin).kind == .refusedRedirect)
    }

    @Test(arguments: ["http://", "http://[::1", "//127.0.0.1:999999/"])
    func aLocationThatIsNoURLIsRefused(location: String) async throws {
        let origin = try await ScriptedOrigin()
        await origin.script("/", [redirect(302, location)])
        #expect(try await refusal(origin).kind == .refusedRedirect)
    }
}
