import CrierHTTP
import Foundation
import Testing

@Suite struct RequestLimitTests {
    private let now = Date(timeIntervalSince1970: 1_700_000_000.5)

    private func limit(_ status: Int, _ fields: HTTPFields = [:]) -> RequestLimit {
        RequestLimit(status: status, fields: fields, now: now)
    }

    @Test func tooManyRequestsIsOneAndForbiddenWhereItSaysSo() {
        #expect(limit(429).isReached && limit(429).wait == nil)
        #expect(!limit(403).isReached)
        #expect(!limit(403, ["X-RateLimit-Remaining": "7", "X-RateLimit-Reset": "1700000900"]).isReached)
        #expect(limit(403, ["Retry-After": "60"]).isReached)
        for name in ["X-RateLimit-Remaining", "ratelimit-remaining", "X-Rate-Limit-Remaining"] {
            for none in ["0", "0.0"] { #expect(limit(403, [name: none]).isReached, "\(name)") }
        }
        for status in [200, 404, 500, 503] {
            #expect(!limit(status, ["Retry-After": "60", "X-RateLimit-Remaining": "0"]).isReached)
        }
    }

    @Test func theWaitIsRetryAfterOrTheTimeUntilALimitIsSetBack() {
        #expect(limit(503, ["Retry-After": "60"]).wait == .seconds(60))
        #expect(limit(429, ["Retry-After": "60", "X-RateLimit-Reset": "1700000900"]).wait == .seconds(60))
        #expect(limit(429, ["X-RateLimit-Reset": "1700000900"]).wait == .seconds(900), "since 1970")
        let behind = "Tue, 14 Nov 2023 21:13:20 GMT"
        #expect(
            limit(429, ["X-RateLimit-Reset": "1700000900", "Date": behind]).wait == .seconds(4500), "by its own clock")
        #expect(limit(429, ["RateLimit-Reset": "30"]).wait == .seconds(30), "from now on")
        #expect(limit(403, ["x-ratelimit-remaining": "0.0", "x-ratelimit-reset": "243.2"]).wait == .seconds(244))
    }

    @Test(arguments: ["1600000000", "1800000000", "0", "-1", "soon", "nan", "inf", "1e300", ""])
    func whatIsNoTimeAheadIsNotSaid(reset: String) {
        #expect(limit(429, ["X-RateLimit-Reset": reset]).wait == nil)
    }

    @Test func elsewhereItsEndSaysNothing() {
        #expect(limit(404, ["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "1700000900"]).wait == nil)
    }
}
