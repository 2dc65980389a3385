import Testing

@testable import CrierContent

struct JSONDocumentTests {
    @Test func givesNumbersAsTheyAreWritten() throws {
        let value = try JSONDocument.parse(Array("[1, 10, 123456789012345, 1.5, -0.25]".utf8))
        #expect((0..<5).map { value[$0].text } == ["1", "10", "123456789012345", "1.5", "-0.25"])
    }

    @Test func skipsAByteOrderMark() throws {
        #expect(try JSONDocument.parse([0xEF, 0xBB, 0xBF] + Array("[12345678901234567890]".utf8)).count == 1)
    }

    @Test func repairsInvalidUTF8() throws {
        let value = try JSONDocument.parse(Array("[\"a".utf8) + [0xFF, 0xC3] + Array("b\"]".utf8))
        #expect(value[0].string == "a\u{FFFD}\u{FFFD}b")
        #expect(try JSONDocument.parse(Array("[\"\\ud800\\u00e9\"]".utf8))[0].string == "\u{FFFD}é")
        let halves = try JSONDocument.parse(
            Array("[\"\\uDC00x\\uD83D\\uDE00\\uD83D\\uD83D\\\\ud800\", 12345678901234567890]".utf8))
        #expect(halves[0].string == "\u{FFFD}x😀\u{FFFD}\u{FFFD}\\ud800")
        #expect(halves[1].string == "12345678901234567890")
        #expect(try JSONDocument.parse(Array("[\"\\ud83d and more\"]".utf8))[0].string == "\u{FFFD} and more")
        // Those beyond 15 bytes are read in another way.
        let letters = [UInt8](repeating: 0x61, count: 30)
        let long = try JSONDocument.parse(Array("[\"".utf8) + letters + [0xFF] + Array("\"]".utf8))
        #expect(long[0].string == String(repeating: "a", count: 30) + "\u{FFFD}")
    }

    @Test func readsEveryEscape() throws {
        let value = try JSONDocument.parse(
            Array(#"["\"\\\/\b\f\n\r\t\u0041\u00e9\u4E2D\uD834\udd1e", "", "\u0000", "é\n中"]"#.utf8))
        #expect(value[0].string == "\"\\/\u{8}\u{C}\n\r\tAé中\u{1D11E}")
        #expect(value.elements.dropFirst().map(\.string) == ["", "\0", "é\n中"])
        for text in [#"["\x"]"#, #"["\u12"]"#, #"["\u12g4"]"#, #"["\'"]"#, #"["\"#, #"["\u"#, #"["\ud83d\u"]"#] {
            #expect(JSONDocument.failure(Array(text.utf8))?.kind == .malformed, "\(text)")
        }
    }

    /// RFC 8259 section 7 forbids them, and documents have them.
    @Test func keepsControlCharactersWithinStrings() throws {
        let value = try JSONDocument.parse(Array("[\"a\tb\nc\u{0}\u{1F}\\n\"]".utf8))
        #expect(value[0].string == "a\tb\nc\u{0}\u{1F}\n")
    }

    @Test func findsMembersByTheBytesOfTheirNames() throws {
        let value = try JSONDocument.parse(
            Array(#"{"\u0061\n":1,"é":2,"e\u0301":3,"b":4,"12345678901234567890":5,"<"#.utf8) + [0xFF]
                + Array(#"":6,"":7,"b":{"b":8}}"#.utf8))
        #expect(
            ["a\n", "é", "e\u{301}", "12345678901234567890", "<\u{FFFD}", ""].map { value[$0].number } == [
                1, 2, 3, 5, 6, 7,
            ])
        #expect(value["b"]["b"].number == 8)
        #expect(value["c"].kind == .absent)
        #expect(value["b"]["b"]["b"].kind == .absent)
        #expect(value.count == 7)
        #expect(value.members.map(\.name) == ["a\n", "é", "e\u{301}", "b", "12345678901234567890", "<\u{FFFD}", ""])
        #expect(value.shape.hasPrefix("an object with , 12345678901234567890, <"))
        #expect(try JSONDocument.parse(Array("\"{}\"".utf8))["a"].kind == .absent)
    }

    @Test func givesTheElementsOfArraysOnly() throws {
        let value = try JSONDocument.parse(Array(#"[[1,[2,3],{"a":4}],"x",{"b":[5]},null,true,[]]"#.utf8))
        #expect(value.elements.map(\.count) == [3, 0, 1, 0, 0, 0])
        #expect(value[0][1][1].number == 3)
        #expect(value[0][2]["a"].number == 4)
        #expect(value[2]["b"][0].number == 5)
        #expect([-1, 6, Int.max].map { value[$0].kind } == [.absent, .absent, .absent])
        #expect(value[2][0].kind == .absent && Array(value[2].elements).isEmpty)
        #expect(value.elements.map(\.isTruthy) == [true, true, true, false, true, true])
        #expect(value.elements.map(\.boolean) == [nil, nil, nil, nil, true, nil])
        #expect(value.elements.map(\.text) == [nil, "x", nil, nil, nil, nil])
        #expect(
            value.elements.map(\.shape) == [
                "an array of 3", "a string", "an object with b", "null", "true", "an empty array",
            ])
    }

    @Test func readsNumbersOfEveryForm() throws {
        let value = try JSONDocument.parse(Array("[1E5, 0.1, 1e400, -1e400, 1e-400, -0, 0e0, 5e-324, 1.0]".utf8))
        let numbers = value.elements.map { $0.number ?? .nan }
        #expect(numbers == [100_000, 0.1, .infinity, -.infinity, 0, 0, 0, .leastNonzeroMagnitude, 1])
        #expect(numbers[5].sign == .minus)
        #expect(value.elements.map(\.text) == ["100000", "0.1", nil, nil, "0", "0", "0", "5e-324", "1"])
    }

    @Test(arguments: [
        "01", "-01", "00", "1.", ".5", "-", "-a", "+1", "1e", "1e+", "1.e1", "0x1", "1_000", "--1", "1.5.2", "١",
    ])
    func refusesNumbersThatJSONDoesNotHave(_ text: String) {
        #expect(JSONDocument.failure(Array(text.utf8))?.kind == .malformed)
        #expect(JSONDocument.failure(Array("[\(text)]".utf8))?.kind == .malformed)
    }

    @Test func refusesADocumentThatEndsAnywhereWithin() {
        let text = Array(
            #"{"a": [1, -2.5e+3, "é\n\u00e9\ud83d\ude00", true, false, null, {}, []], "b": {"c": 12345678901234567890}}"#
                .utf8)
        for end in 0..<text.count {
            #expect(JSONDocument.failure(Array(text[..<end]))?.kind == (end == 0 ? .notAFeed : .malformed), "\(end)")
        }
        #expect(JSONDocument.failure(text) == nil)
    }

    @Test(arguments: ["[nan]", "[1,\n-nan]", "NaN", "{\"a\": Infinity}", "[-Infinity]", "[nul]"])
    func refusesWordsThatJSONDoesNotHave(_ text: String) {
        #expect(JSONDocument.failure(Array(text.utf8))?.kind == .malformed)
    }

    @Test func readsTheWordsThatJSONHas() throws {
        #expect(
            try JSONDocument.reprinted("[null,true,false,\"nan\",\"Infinity\"]")
                == "[null,true,false,\"nan\",\"Infinity\"]")
    }
}
