import CrierHTTP
import Foundation
import Testing

@Suite struct HTTPDateTests {
    private let now = Date(timeIntervalSince1970: 1_700_000_000)

    private func seconds(_ text: String) -> Double? { HTTPDate.parse(text, now: now)?.timeIntervalSince1970 }

    @Test(arguments: [
        "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
        "sun, 06 nov 1994 08:49:37 gmt", "Sun, 6 Nov 1994 08:49:37 +0000", "Sun, 06-Nov-1994 08:49:37 GMT",
        " Sun, 06 Nov 1994 08:49:37 GMT ",
    ])
    func everyFormIsTheSameSecond(text: String) {
        #expect(seconds(text) == 784_111_777)
    }

    @Test(arguments: [
        "Sun, 06 Nov 1994 08:49:37 GMT", "Thu, 01 Jan 1970 00:00:00 GMT", "Wed, 31 Dec 1969 23:59:59 GMT",
        "Fri, 31 Dec 9999 23:59:59 GMT",
    ])
    func whatIsReadIsWrittenAgain(text: String) throws {
        #expect(HTTPDate.text(try #require(HTTPDate.parse(text, now: now))) == text)
    }

    @Test func aDateThatNoCalendarHasIsWrittenAllTheSame() {
        for seconds in [Double.greatestFiniteMagnitude, -.infinity, 1e18] {
            #expect(HTTPDate.text(Date(timeIntervalSince1970: seconds)).hasSuffix(" GMT"))
        }
    }

    @Test func daysAreCountedWithLeapYears() {
        #expect(seconds("Thu, 01 Jan 1970 00:00:00 GMT") == 0)
        #expect(seconds("Tue, 29 Feb 2000 23:59:60 GMT") == 951_868_800)
        #expect(seconds("Fri, 01 Mar 2024 00:00:00 GMT") == 1_709_251_200)
        #expect(seconds("Tue, 19 Jan 2038 03:14:08 GMT") == 2_147_483_648)
        #expect(seconds("Fri, 31 Dec 9999 23:59:59 GMT") == 253_402_300_799)
        #expect(seconds("Mon, 01 Jan 0001 00:00:00 GMT") == -62_135_596_800)
    }

    @Test func aYearOfTwoDigitsIsAtMostFiftyYearsAhead() {
        #expect(seconds("Wednesday, 01-Jan-70 00:00:00 GMT") == 3_155_760_000)
        #expect(seconds("Thursday, 01-Jan-76 00:00:00 GMT") == 189_302_400)
    }

    @Test(arguments: [
        "", "0", "-1", "now", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 PST",
        "Sun, 32 Nov 1994 08:49:37 GMT",
        "Wed, 29 Feb 2023 00:00:00 GMT", "Sun, 06 Nov 1994 24:49:37 GMT", "Sun, 06 Nov 1994 8:4937 GMT",
        "Sun, 06 Foo 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:-9:37 GMT",
        "Sun, 06 Nov 99999999999999999999 08:49:37 GMT",
        "Sun, ０６ Nov 1994 08:49:37 GMT", "1994-11-06T08:49:37Z", "Sunday, 06-Nov 08:49:37 GMT",
        "Sunday, 06-Nov-xx 08:49:37 GMT",
    ])
    func whatIsNoDateIsNone(text: String) {
        #expect(seconds(text) == nil)
    }
}
