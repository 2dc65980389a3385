import Testing

@testable import CrierContent

/// Hostile and careless JSON.
struct JSONGuardTests {
    @Test(arguments: [
        ("9007199254740993", "\"9007199254740993\""), (" -9007199254740993 ", "\"-9007199254740993\""),
        ("[1,9007199254740993]", "[1,\"9007199254740993\"]"), ("[9007199254740993,1]", "[\"9007199254740993\",1]"),
        ("{\"a\":9007199254740993,\"b\":1}", "{\"a\":\"9007199254740993\",\"b\":1}"),
        ("{\"a\":{\"b\":[9007199254740993]}}", "{\"a\":{\"b\":[\"9007199254740993\"]}}"),
        ("[999999999999999]", "[999999999999999]"), ("[1000000000000000]", "[\"1000000000000000\"]"),
        ("{\"9007199254740993\":1}", "{\"9007199254740993\":1}"),
        ("[\"a 12345678901234567890 \\\" 1\"]", "[\"a 12345678901234567890 \\\" 1\"]"),
        ("12345678901234567890", "\"12345678901234567890\""),
    ])
    func keepsLongIntegersInEveryPlace(_ json: String, _ value: String) throws {
        #expect(try JSONDocument.reprinted(json) == value)
    }

    @Test(arguments: [
        ("1e3", 1000), ("1E+3", 1000), ("1e-3", 0.001), ("-2.5e1", -25), ("0.1", 0.1), ("-0", 0),
        ("1.234567890123456789", 1.234567890123456789),
    ])
    func readsExponentsAndFractions(_ json: String, _ number: Double) throws {
        #expect(try JSONDocument.parse(Array("[\(json)]".utf8))[0].number == number)
    }

    @Test func takesTheLastOfMembersOfOneName() throws {
        #expect(try JSONDocument.reprinted("{\"a\":1,\"b\":2,\"a\":3}") == "{\"a\":3,\"b\":2}")
    }

    @Test func keepsNULWithinText() throws {
        #expect(try JSONDocument.parse(Array("[\"a\\u0000b\"]".utf8))[0].string == "a\u{0}b")
        #expect(JSONDocument.failure(Array("[1]\u{0}".utf8))?.kind == .malformed)
    }

    @Test(
        arguments: [
            [0x80], [0xC0, 0xAF], [0xE2, 0x82], [0xF0, 0x9F, 0x98], [0xED, 0xA0, 0x80], [0xF5, 0x80, 0x80, 0x80],
            [0xFE],
        ] as [[UInt8]])
    func repairsEveryKindOfInvalidUTF8(_ bytes: [UInt8]) throws {
        let text = try JSONDocument.parse(Array("[\"<".utf8) + bytes + Array(">\"]".utf8))[0].string ?? ""
        #expect(text.hasPrefix("<\u{FFFD}") && text.hasSuffix(">"))
        #expect(text.dropFirst().dropLast().allSatisfy { $0 == "\u{FFFD}" })
    }

    @Test(arguments: [
        "[1] x", "[1],", "{} {}", "1 2", "[1]]", "{\"a\":1}}", "[1,]", "{\"a\"}", "{\"a\":}", "{a:1}", "['a']", "[1 2]",
        "[\"a", "[", "{", "\"", "[tru]", "[01x]", "[\"\\x\"]", "<html>", "callback([1])", "[1]//c",
    ])
    func refusesWhatIsNoJSON(_ json: String) {
        #expect(JSONDocument.failure(Array(json.utf8))?.kind == .malformed, "\(json)")
    }

    @Test(arguments: [
        ("", "the JSON is empty"), ("{a:1}", "the name of a member is missing at line 1, column 2"),
        ("{\"a\":1,}", "the name of a member is missing at line 1, column 8"),
        ("{\"a\" 1}", "a colon is missing behind the name of a member at line 1, column 6"),
        ("[1,]", "a value is missing at line 1, column 4"),
        ("<html>", "a character that begins no value at line 1, column 1"),
        ("[\n\"ab", "a string that does not end at line 2, column 1"),
        ("[1,", "the text ends too early at line 1, column 4"),
        ("[01]", "a number with a zero before it at line 1, column 4"),
        ("[1.]", "a digit is missing at line 1, column 4"),
        ("[\"\\x\"]", "an escape that JSON does not have at line 1, column 3"),
        ("{\"a\"", "the text ends too early at line 1, column 5"),
    ])
    func saysWhatIsWrong(_ text: String, _ sentence: String) {
        #expect(
            JSONDocument.failure(Array(text.utf8))?.description.hasSuffix(sentence) == true,
            "\(JSONDocument.failure(Array(text.utf8))?.description ?? "")")
    }

    @Test(arguments: [
        "[\"a\" \"b\"]", "[\u{0}\"b\"]", "{\"a\":1 \"b\":2}", "[true\"b\"]", "[null \"b\"]", "[[]\"b\"]",
        "[0.4\u{0}\u{0}99999999999999999]", "[1 99999999999999999]", "[\"a\" -99999999999999999]", "[1]\u{B}",
        "\u{C}[1]",
    ])
    func refusesValuesWithoutASeparator(_ text: String) {
        #expect(JSONDocument.failure(Array(text.utf8))?.kind == .malformed)
    }

    @Test func saysInWhichLineAndColumn() {
        #expect(
            JSONDocument.failure(Array("{\n  \"a\": 1\n  \"b\": 2\n}".utf8))?.description
                == "malformed JSON: a comma or } is missing at line 3, column 3")
        #expect(
            JSONDocument.failure(Array("[\n\n  undefined]".utf8))?.description
                == "malformed JSON: a word that JSON does not have at line 3, column 3")
        #expect(
            JSONDocument.failure(Array("[1] [2]".utf8))?.description
                == "malformed JSON: more text follows the document at line 1, column 5")
        // Characters are counted.
        #expect(
            JSONDocument.failure(Array("[\"äöü\" 1]".utf8))?.description
                == "malformed JSON: a comma or ] is missing at line 1, column 8")
        #expect(JSONDocument.failure([])?.description == "the JSON is empty")
        #expect(JSONDocument.failure([0xEF, 0xBB, 0xBF])?.description == "the JSON is empty")
        #expect(JSONDocument.failure(Array(" \n".utf8))?.kind == .notAFeed)
        // No word of the document, which may be secret.
        #expect(JSONDocument.failure(Array("{\"token\": \"secret".utf8))?.description.contains("secret") == false)
    }

    @Test func refusesNestingBeyondTheBoundByItsDepthAlone() {
        func nested(_ depth: Int) -> [UInt8] {
            Array((String(repeating: "[", count: depth) + "1" + String(repeating: "]", count: depth)).utf8)
        }
        #expect(JSONDocument.failure(nested(200)) == nil)
        #expect(JSONDocument.failure(nested(201))?.description == "the JSON is nested more than 200 deep")
        let objects = String(repeating: "{\"a\":", count: 200) + "1" + String(repeating: "}", count: 200)
        #expect(JSONDocument.failure(Array(objects.utf8)) == nil)
        #expect(JSONDocument.failure(Array("[\(objects)]".utf8))?.kind == .tooLarge)
        let brackets = String(repeating: "[", count: 100_000)
        #expect(JSONDocument.failure(Array(brackets.utf8))?.kind == .tooLarge)
        #expect(JSONDocument.failure(Array("[\"\(brackets)\"]".utf8)) == nil)
        let wide = "[" + Array(repeating: "[[]]", count: 5000).joined(separator: ",") + "]"
        #expect(JSONDocument.failure(Array(wide.utf8)) == nil)
    }

    @Test func repairsManyFaultsAtOnce() throws {
        let element = "\"\\ud800\",12345678901234567890"
        let json = "[" + Array(repeating: element, count: 2000).joined(separator: ",") + "]"
        let value = try JSONDocument.parse(Array(json.utf8))
        #expect(value.count == 4000)
        #expect((0..<4000).allSatisfy { value[$0].string == ($0 % 2 == 0 ? "\u{FFFD}" : "12345678901234567890") })
    }
}
