import CrierHTTP
import Foundation
import Testing

@Suite struct FreshnessTests {
    private let now = Date(timeIntervalSince1970: 784_111_777)

    private func lifetime(_ fields: HTTPFields, status: Int = 200) -> Duration? {
        Freshness(status: status, fields: fields, now: now)?.lifetime
    }

    @Test(arguments: [
        ("max-age=3600", 3600), ("public, MAX-AGE = \"60\"", 60), ("max-age=504921600", 504_921_600),
        ("max-age=99999999999999999999", Int(Int32.max)), ("private=\"a, max-age=1\", max-age=5", 5),
        ("max-age=7, max-age=x", 7), ("no-cache=\"Set-Cookie\", max-age=9", 9),
    ])
    func maxAgeIsTheLifetime(cacheControl: String, seconds: Int) {
        #expect(lifetime(["Cache-Control": cacheControl]) == .seconds(seconds))
    }

    @Test(arguments: [
        "no-cache", "no-store", "no-cache, max-age=3600", "max-age=3600, No-Store", "max-age=0", "max-age=-1",
        "max-age", "max-age=x, max-age=7", "max-age=1.5", "public", "", "s-maxage=60",
    ])
    func thatSaysNothingOrNoTimeAtAll(cacheControl: String) {
        #expect(lifetime(["Cache-Control": cacheControl]) == nil)
    }

    @Test func anAgeIsTakenOff() {
        #expect(lifetime(["Cache-Control": "max-age=100", "Age": "40"]) == .seconds(60))
        #expect(lifetime(["Cache-Control": "max-age=100", "Age": "100"]) == nil)
        #expect(lifetime(["Cache-Control": "max-age=100", "Age": "999999"]) == nil)
        #expect(lifetime(["Cache-Control": "max-age=100", "Age": "soon"]) == .seconds(100))
    }

    @Test func expiresCountsFromTheDateOfTheAnswer() {
        let expires = "Sun, 06 Nov 1994 09:49:37 GMT"
        #expect(lifetime(["Expires": expires]) == .seconds(3600))
        #expect(lifetime(["Expires": expires, "Date": "Sun, 06 Nov 1994 09:39:37 GMT"]) == .seconds(600))
        #expect(lifetime(["Expires": expires, "Date": "yesterday", "Age": "600"]) == .seconds(3000))
        #expect(lifetime(["Expires": "0"]) == nil)
        #expect(lifetime(["Expires": "Sun, 06 Nov 1994 07:49:37 GMT"]) == nil)
        #expect(lifetime(["Expires": expires, "Cache-Control": "max-age=5"]) == .seconds(5))
        #expect(lifetime(["Expires": expires, "Cache-Control": "public"]) == .seconds(3600))
        for invalid in ["max-age=-1", "max-age=x", "max-age"] {
            #expect(lifetime(["Expires": expires, "Cache-Control": invalid]) == nil, "\(invalid)")
        }
    }

    @Test func theFieldThatSaysSoIsNamed() {
        let expires = "Sun, 06 Nov 1994 09:49:37 GMT"
        let both: HTTPFields = ["Cache-Control": "public, max-age=60", "Expires": expires]
        #expect(Freshness(status: 200, fields: both, now: now)?.field == "Cache-Control: max-age=60")
        #expect(Freshness(status: 200, fields: ["Expires": expires], now: now)?.field == "Expires")
    }

    @Test func severalFieldsAreOne() {
        var fields: HTTPFields = ["Cache-Control": "public"]
        fields.append("cache-control", Array("max-age=8".utf8))
        #expect(lifetime(fields) == .seconds(8))
    }

    @Test func aPassingErrorIsNeverFresh() {
        let fields: HTTPFields = ["Cache-Control": "max-age=60"]
        for status in [200, 203, 301, 304, 308, 404, 410] { #expect(lifetime(fields, status: status) == .seconds(60)) }
        for status in [302, 307, 400, 403, 429, 500, 503] { #expect(lifetime(fields, status: status) == nil) }
    }
}

@Suite struct RetryAfterTests {
    private let now = Date(timeIntervalSince1970: 784_111_777.5)

    private func wait(_ value: String, _ others: HTTPFields = [:]) -> Duration? {
        var fields = others
        fields.append("Retry-After", Array(value.utf8))
        return RetryAfter.parse(fields, now: now)
    }

    @Test func secondsOrADate() {
        #expect(wait("120") == .seconds(120))
        #expect(wait(" 0 ") == .zero)
        #expect(wait("Sun, 06 Nov 1994 08:50:37 GMT") == .seconds(60))
        #expect(wait("Sun, 06 Nov 1994 08:49:37 GMT") == .zero)
        #expect(wait("99999999999999999999999") == .seconds(Int(Int32.max)))
    }

    @Test func aDateIsOfTheOriginsClock() {
        let date = "Sun, 06 Nov 1994 08:50:37 GMT"
        #expect(wait(date, ["Date": "Sun, 06 Nov 1994 07:50:37 GMT"]) == .seconds(3600))
        #expect(wait(date, ["Date": "Sun, 06 Nov 1994 07:50:37 GMT", "Age": "600"]) == .seconds(3000))
        #expect(wait(date, ["Date": "Sun, 06 Nov 1994 08:50:38 GMT"]) == .zero)
        #expect(wait(date, ["Date": "yesterday"]) == .seconds(60))
        #expect(wait("120", ["Date": "Sun, 06 Nov 1994 07:50:37 GMT"]) == .seconds(120))
    }

    @Test(arguments: [("10800.57", 10_801), ("2.0", 2), ("0.2", 1), ("10800, 60", 10_800), ("60 , 90.5", 91)])
    func aFractionIsRoundedUpAndOfAListTheLongestCounts(value: String, seconds: Int) {
        #expect(wait(value) == .seconds(seconds))
    }

    @Test(arguments: ["", "-5", "soon", "1.", ".5", "1.5.2", "1, soon", "1,", "+3", "5 s"]) func anythingElseIsNotSaid(
        value: String
    ) {
        #expect(wait(value) == nil)
    }

    @Test func ofSeveralTheLongestCounts() {
        var fields: HTTPFields = [:]
        for value in ["10", "9000", "soon"] { fields.append("Retry-After", Array(value.utf8)) }
        #expect(RetryAfter.parse(fields, now: Date(timeIntervalSince1970: 0)) == .seconds(9000))
    }

    @Test func theFieldOfAnAnswer() {
        #expect(RetryAfter.parse(["retry-after": "7"] as HTTPFields, now: now) == .seconds(7))
        #expect(RetryAfter.parse([:] as HTTPFields, now: now) == nil)
    }
}
