import CrierHTTP
import CrierTesting
import Testing

@Suite struct LimitTests {
    private func error(_ answer: ScriptedAnswer, _ limits: HTTPLimits) async throws -> HTTPError? {
        let origin = try await ScriptedOrigin()
        await origin.script("/", [answer])
        return await CurlTransport().failure(HTTPRequest(url: origin.url(), limits: limits))
    }

    @Test func aBodyOfTheGreatestSizePassesAndOneByteMoreDoesNot() async throws {
        let limits = HTTPLimits(bodyBytes: 1000)
        let chunked = { (size: Int) in
            ScriptedAnswer.raw(
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
                    + "\(String(size, radix: 16))\r\n\(String(repeating: "a", count: size))\r\n0\r\n\r\n")
        }
        #expect(try await error(ScriptedAnswer(body: String(repeating: "a", count: 1000)), limits) == nil)
        #expect(try await error(chunked(1000), limits) == nil)
        #expect(try await error(chunked(1001), limits)?.kind == .tooLarge)
    }

    @Test func anAnnouncedBodyThatIsTooLargeIsNotFetched() async throws {
        let answer = ScriptedAnswer(steps: [
            .bytes(Array("HTTP/1.1 200 OK\r\nContent-Length: 1001\r\n\r\n".utf8)), .hang,
        ])
        let error = try #require(try await error(answer, HTTPLimits(bodyBytes: 1000)))
        #expect(error.kind == .tooLarge)
        #expect(error.description.hasSuffix(" is larger than 1000 bytes"))
    }

    @Test func theSizeOfABodyIsThatAfterUnpacking() async throws {
        let answer = ScriptedAnswer(fields: ["Content-Encoding": "gzip"], body: Gzip.zeros(copies: 100))
        #expect(try await error(answer, HTTPLimits(bodyBytes: 25_801)) == nil)
        #expect(try await error(answer, HTTPLimits(bodyBytes: 25_800))?.kind == .tooLarge)
    }

    @Test func aBodyThatUnpacksToTooManyTimesItsSizeIsRefused() async throws {
        // 2 MiB out of 13 kB: more than 150 times.
        let answer = ScriptedAnswer(fields: ["Content-Encoding": "gzip"], body: Gzip.zeros(copies: 8129))
        let error = try #require(try await error(answer, .polling))
        #expect(error.kind == .tooLarge)
        #expect(error.description.hasSuffix(" unpacks to more than 100 times its size"))
        #expect(try await self.error(answer, HTTPLimits(decodedRatio: 1000)) == nil)
        #expect(try await self.error(answer, HTTPLimits(ratioFloorBytes: 4 << 20)) == nil)
    }

    @Test func theHeaderIsLimited() async throws {
        let limits = HTTPLimits(headerBytes: 2000)
        let long = { ScriptedAnswer(fields: ["X-Long": String(repeating: "a", count: $0)]) }
        #expect(try await error(long(1900), limits) == nil)
        #expect(try await error(long(2000), limits)?.kind == .tooLarge)
        #expect(try await error(long(200_000), .polling)?.kind == .tooLarge)
        var many = HTTPFields()
        for _ in 0..<200 { many.append("X-Short", Array("0123456789".utf8)) }
        #expect(try await error(ScriptedAnswer(fields: many), limits)?.kind == .tooLarge)
    }

    @Test func trailersAndInterimAnswersCountAsHeader() async throws {
        let limits = HTTPLimits(headerBytes: 2000)
        let trailers = (0..<200).map { "X-\($0): 0123456789\r\n" }.joined()
        let chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\(trailers)\r\n"
        #expect(try await error(.raw(chunked), limits)?.kind == .tooLarge)
        let interim = String(repeating: "HTTP/1.1 100 Continue\r\n\r\n", count: 100)
        #expect(try await error(.raw(interim), limits)?.kind == .tooLarge)
    }

    @Test func aSilentOriginEndsTheTimeBudget() async throws {
        let error = try #require(try await error(.hang, HTTPLimits(total: .milliseconds(300))))
        #expect(error.kind == .timeout)
        #expect(error.description.hasPrefix("no answer from 127.0.0.1:"))
        #expect(error.description.hasSuffix(" within 300 ms"))
    }

    @Test func theTimeBudgetHoldsForTransfersThatWaitForAPlace() async throws {
        let origin = try await ScriptedOrigin()
        await origin.script("/", [.hang])
        let transport = CurlTransport()
        await withTaskGroup(of: HTTPError.Kind?.self) { group in
            let patient = HTTPRequest(url: origin.url())
            for _ in 0..<256 { group.addTask { await transport.failure(patient)?.kind } }
            await origin.received(256)
            let hasty = HTTPRequest(url: origin.url(), limits: HTTPLimits(total: .milliseconds(300)))
            #expect(await transport.failure(hasty)?.kind == .timeout)
            group.cancelAll()
            for await kind in group { #expect(kind == .cancelled) }
        }
        #expect(await origin.connections == 256)
    }

    @Test func whatTheObserverOfARedirectWaitsForIsNotTakenFromTheTimeBudget() async throws {
        let origin = try await ScriptedOrigin()
        await origin.script("/", [ScriptedAnswer(status: 302, fields: ["Location": "/b"])])
        await origin.script("/b", [ScriptedAnswer(body: "x")])
        await origin.script("/c", [.hang])
        let limits = HTTPLimits(total: .seconds(1))
        let transport = CurlTransport()
        var response: HTTPResponse?
        // Again where the machine is busy, and the origin itself takes longer.
        for _ in 0..<20 where response == nil {
            response = try? await transport.send(HTTPRequest(url: origin.url(), limits: limits)) { _ in
                #expect(await transport.failure(HTTPRequest(url: origin.url("/c"), limits: limits))?.kind == .timeout)
            }
        }
        #expect(response?.status == 200)
    }

    @Test func theTimeBudgetIsNamedWholeBehindRedirects() async throws {
        let origin = try await ScriptedOrigin()
        await origin.handle { request in
            let next = (Int(request.target.dropFirst()) ?? 0) + 1
            let head = "HTTP/1.1 302 Found\r\nLocation: /\(next)\r\nContent-Length: 0\r\n\r\n"
            return ScriptedAnswer(steps: next < 3 ? [.bytes(Array(head.utf8))] : [.hang])
        }
        let limits = HTTPLimits(total: .milliseconds(300))
        let error = await #expect(throws: HTTPError.self) {
            try await CurlTransport().send(HTTPRequest(url: origin.url("/0"), limits: limits))
        }
        #expect(error?.kind == .timeout)
        #expect(error?.description == "no answer from 127.0.0.1:\(origin.port) within 300 ms")
    }

    @Test func aTransferThatIsTooSlowIsEnded() async throws {
        let half = Array("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf".utf8)
        let answer = ScriptedAnswer(steps: [.bytes(half), .hang])
        let error = try #require(try await error(answer, HTTPLimits(slowFor: .seconds(1))))
        #expect(error.kind == .timeout)
        #expect(error.description.hasSuffix(" sent less than 100 bytes a second for 1 s"))
    }
}

extension HTTPTransport {
    /// The error that a request ends with.
    func failure(_ request: HTTPRequest) async -> HTTPError? {
        do {
            _ = try await send(request)
            return nil
        } catch {
            return error
        }
    }
}
