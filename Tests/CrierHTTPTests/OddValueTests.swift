import CrierTesting
import Foundation
import Testing

@testable import CrierHTTP

/// What a program may hand over by mistake ends no process.
@Suite struct OddValueTests {
    @Test(arguments: [Duration.seconds(Int64.max), .seconds(1e20), .seconds(-1e20), .zero], [Int.min, 0, Int.max])
    func limitsBeyondTheirRangeAreTheNearest(time: Duration, number: Int) async throws {
        let limits = HTTPLimits(
            connect: time, total: time, slowFor: time, slowBytesPerSecond: number, bodyBytes: number,
            decodedRatio: number, ratioFloorBytes: number, wireBytes: number, headerBytes: number, redirects: number)
        let origin = try await ScriptedOrigin()
        await origin.script("/", [ScriptedAnswer(body: "text")])
        let isAnswered = await CurlTransport().failure(HTTPRequest(url: origin.url(), limits: limits)) == nil
        #expect(isAnswered == (time > .zero && number == .max))
    }

    @Test func noLeastRateIsNone() async throws {
        let origin = try await ScriptedOrigin()
        await origin.script("/", [ScriptedAnswer(body: "text")])
        let request = HTTPRequest(url: origin.url(), limits: HTTPLimits(slowBytesPerSecond: -1))
        #expect(await CurlTransport().failure(request) == nil)
    }

    @Test(arguments: ["-5", "x", "9223372036854775807"])
    func theOriginOfTestsTakesAnyLength(length: String) async throws {
        let origin = try await ScriptedOrigin()
        await origin.script("/", [ScriptedAnswer(body: "text")])
        var request = HTTPRequest(url: origin.url(), fields: ["Content-Length": length])
        // For a body that long it waits.
        request.limits.total = length.count > 2 ? .milliseconds(50) : .seconds(30)
        let error = await CurlTransport().failure(request)
        #expect(error?.kind == (length.count > 2 ? .timeout : nil))
    }

    @Test func aTimeIsToldInWordsHoweverLongItIs() throws {
        let url = try WebURL("https://a.example/")
        let words = [Duration.seconds(30), .milliseconds(1500), .seconds(1e20)].map {
            HTTPError.noAnswer(from: url, within: $0).description
        }
        #expect(
            words == ["30 s", "1500 ms", "2147483647 ms"].map { "no answer from a.example within \($0)" })
    }

    @Test func aClockThatShowsNoTimeMakesNothingFresh() {
        let noDate = Date(timeIntervalSince1970: .nan)
        let field = "Sun, 06 Nov 1994 08:49:37 GMT"
        #expect(Freshness(status: 200, fields: ["Expires": field], now: noDate) == nil)
        #expect(RetryAfter.parse(["Retry-After": field], now: noDate) == .zero)
    }
}
