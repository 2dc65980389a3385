import Testing

@testable import CrierDelivery

@Suite struct MailHeaderTests {
    /// RFC 2047 §2.
    @Test(arguments: ["Subject", "X-A", "List-Unsubscribe-Post"]) func noLineOfAnEncodedTextIsTooLong(name: String) {
        for text in ["中", "👩🏽‍🚀", "é", "ab"].map({ String(repeating: $0, count: 120) }) {
            let lines = MailHeader.field(name, text).components(separatedBy: "\r\n")
            #expect(lines.count > 1 && lines.allSatisfy { $0.utf8.count <= 76 }, "\(lines)")
            #expect(lines.dropFirst().allSatisfy { $0.hasPrefix(" =?utf-8?B?") })
        }
    }

    /// RFC 2045 §6.7 (3): what ends a line is taken away on the way.
    @Test func aBlankAtTheEndOfALineIsWritten() {
        #expect(QuotedPrintable.encode("a b \nc\t\n-- ") == "a b=20\r\nc=09\r\n--=20")
    }
}
