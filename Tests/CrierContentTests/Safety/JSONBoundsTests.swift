import Testing

@testable import CrierContent

/// JSON whose values would take a hundred times its size in memory.
struct JSONBoundsTests {
    private func failure(_ unit: String, count: Int) -> ContentError? {
        let text = "{\"items\":[" + Array(repeating: unit, count: count).joined(separator: ",") + "]}"
        do throws(ContentError) {
            _ = try JSONText.parse(Array(text.utf8))
            return nil
        } catch { return error }
    }

    @Test(arguments: ["{}", "[]", "[{}]"])
    func refusesMillionsOfEmptyValuesBeforeTheyAreBuilt(_ unit: String) {
        let error = failure(unit, count: 3_000_000)
        #expect(error?.kind == .tooLarge)
        #expect(error?.description.contains("ask for fewer items") == true)
    }

    @Test func handsNoStringWithoutSeparatorToLibjq() {
        for text in ["[\"a\" \"b\"]", "[\u{0}\"b\"]", "{\"a\":1 \"b\":2}", "[true\"b\"]", "[null \"b\"]", "[[]\"b\"]"] {
            var survey = JSONSurvey()
            Array(text.utf8).withUnsafeBufferPointer { survey.read($0) }
            let place = survey.unseparated
            #expect(place.map { String(decoding: Array(text.utf8)[$0], as: UTF8.self) } == "\"b\"", "\(text)")
            #expect(throws: ContentError.self) { _ = try JSONText.parse(Array(text.utf8)) }
        }
    }

    /// Long integers become strings before libjq sees them.
    @Test func handsNoLongIntegerWithoutSeparatorToLibjq() throws {
        for text in ["[0.4\u{0}\u{0}99999999999999999]", "[1 99999999999999999]", "[\"a\" -99999999999999999]"] {
            var survey = JSONSurvey()
            Array(text.utf8).withUnsafeBufferPointer { survey.read($0) }
            let place = try #require(survey.unseparated)
            #expect(String(decoding: Array(text.utf8)[place], as: UTF8.self).hasSuffix("99999999999999999"), "\(text)")
            #expect(throws: ContentError.self) { _ = try JSONText.parse(Array(text.utf8)) }
        }
        #expect(
            try JSONText.parse(Array("[1, 99999999999999999, -99999999999999999]".utf8)).json.contains(
                "\"-99999999999999999\""))
    }

    @Test(arguments: ["[12.345678,45.678901]", "{\"id\":123,\"name\":\"someone\",\"tags\":[\"a\"]}", "\"some words\""])
    func readsManyHonestValues(_ unit: String) {
        #expect(failure(unit, count: 50_000) == nil)
    }
}
