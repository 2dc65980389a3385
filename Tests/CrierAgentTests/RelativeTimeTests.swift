import Foundation
import Testing

@testable import CrierAgent

@Suite struct RelativeTimeTests {
    private let now = Date(timeIntervalSince1970: 1_700_000_000)

    @Test func whatIsYetToComeIsNeverBehind() {
        for seconds in [-5, 0, 0.4] { #expect(RelativeTime.ahead(now + seconds, from: now) == "in a moment") }
        #expect(RelativeTime.ahead(now + 30, from: now) == "in 30 s")
    }

    @Test func belowASecondItIsNow() {
        #expect(RelativeTime.words(now, from: now) == "now")
        #expect(RelativeTime.words(now + 0.4, from: now) == "now")
        #expect(RelativeTime.words(now - 0.4, from: now) == "just now")
    }
}
