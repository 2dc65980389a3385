import Testing

@testable import CrierContent

struct JSONTextTests {
    private func parse(_ text: String) throws -> String { try JSONText.parse(Array(text.utf8)).json }

    private func failure(_ bytes: [UInt8]) -> ContentError? {
        do throws(ContentError) {
            _ = try JSONText.parse(bytes)
            return nil
        } catch { return error }
    }

    @Test func keepsEveryDigitOfLongIntegers() throws {
        #expect(try parse("[9007199254740993, 9007199254740992]") == "[\"9007199254740993\",\"9007199254740992\"]")
        #expect(try parse("{\"id\":-1234567890123456}") == "{\"id\":\"-1234567890123456\"}")
        #expect(try parse("[123456789012345, 1.234567890123456789]").hasPrefix("[123456789012345,1.23456789"))
        #expect(try parse("[\"a 12345678901234567890 \\\" 12345678901234567890\"]").contains("a 12345678901234567890"))
        #expect(try parse("12345678901234567890") == "\"12345678901234567890\"")
    }

    @Test func givesNumbersAsTheyAreWritten() throws {
        let value = try JSONText.parse(Array("[1, 10, 123456789012345, 1.5, -0.25]".utf8))
        #expect((0..<5).map { value[$0].text } == ["1", "10", "123456789012345", "1.5", "-0.25"])
    }

    @Test func skipsAByteOrderMark() throws {
        #expect(try JSONText.parse([0xEF, 0xBB, 0xBF] + Array("[12345678901234567890]".utf8)).count == 1)
    }

    @Test func repairsInvalidUTF8() throws {
        let value = try JSONText.parse(Array("[\"a".utf8) + [0xFF, 0xC3] + Array("b\"]".utf8))
        #expect(value[0].string == "a\u{FFFD}\u{FFFD}b")
        #expect(try JSONText.parse(Array("[\"\\ud800\\u00e9\"]".utf8))[0].string == "\u{FFFD}é")
        let halves = try JSONText.parse(
            Array("[\"\\uDC00x\\uD83D\\uDE00\\uD83D\\uD83D\\\\ud800\", 12345678901234567890]".utf8))
        #expect(halves[0].string == "\u{FFFD}x😀\u{FFFD}\u{FFFD}\\ud800")
        #expect(halves[1].string == "12345678901234567890")
    }

    @Test func saysWhereJSONIsMalformed() {
        let error = failure(Array("{\n \"a\": 1,\n \"b\" 2}".utf8))
        #expect(error?.kind == .malformed)
        #expect(error?.description.contains("line 3, column") == true)
        #expect(failure(Array("[1] [2]".utf8))?.kind == .malformed)
        #expect(failure(Array("{\"token\": \"secret".utf8))?.description.contains("secret") == false)
        #expect(failure([])?.kind == .notAFeed)
        #expect(failure(Array(" \n".utf8))?.kind == .notAFeed)
    }

    @Test(arguments: ["[nan]", "[1,\n-nan]", "NaN", "{\"a\": Infinity}", "[-Infinity]", "[nul]"])
    func refusesWordsThatJSONDoesNotHave(_ text: String) {
        #expect(failure(Array(text.utf8))?.kind == .malformed)
    }

    @Test func readsTheWordsThatJSONHas() throws {
        #expect(try parse("[null,true,false,\"nan\",\"Infinity\"]") == "[null,true,false,\"nan\",\"Infinity\"]")
    }

    @Test func boundsTheDepth() {
        #expect(failure(Array(String(repeating: "[", count: 100_000).utf8))?.kind == .tooLarge)
        let nested = String(repeating: "[", count: 150) + String(repeating: "]", count: 150)
        #expect(failure(Array(nested.utf8)) == nil)
        #expect(failure(Array(("[\"" + String(repeating: "[", count: 1000) + "\"]").utf8)) == nil)
    }
}
