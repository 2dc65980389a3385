import Testing

@testable import CrierContent

/// How much memory a document may take.
struct JSONBoundsTests {
    private func parse(_ unit: String, count: Int) throws -> JSONNode {
        let text = "{\"items\":[" + Array(repeating: unit, count: count).joined(separator: ",") + "]}"
        return try JSONDocument.parse(Array(text.utf8))
    }

    private func refusal(_ unit: String, count: Int) throws -> ContentError? {
        let value = try parse(unit, count: count)
        do throws(ContentError) {
            _ = try JQValue(value)
            return nil
        } catch { return error }
    }

    /// libjq's values would take a hundred times the text.
    @Test(arguments: ["{}", "[]", "[{}]"])
    func handsNotMillionsOfEmptyValuesToLibjq(_ unit: String) throws {
        let error = try refusal(unit, count: 1_000_000)
        #expect(error?.kind == .tooLarge)
        #expect(error?.description.contains("ask for fewer items") == true)
    }

    @Test(arguments: ["[12.345678,45.678901]", "{\"id\":123,\"name\":\"someone\",\"tags\":[\"a\"]}", "\"some words\""])
    func handsManyHonestValuesToLibjq(_ unit: String) throws {
        #expect(try refusal(unit, count: 50_000) == nil)
    }

    @Test(arguments: ["1", "{}", "[]", "\"\"", "{\"\":1}"])
    func takesFewBytesForAByteOfText(_ unit: String) throws {
        let document = try parse(unit, count: 100_000).document
        #expect(document.tape.count >= 100_000)
        #expect(document.tape.count * MemoryLayout<JSONDocument.Entry>.stride <= 4 * document.bytes.count)
    }

    /// What follows a value on the tape is found without a walk through it.
    @Test func countsAndFindsInWideDocuments() throws {
        let value = try parse("{\"a\":[1,2,{\"b\":3}]}", count: 20_000)["items"]
        #expect(value.count == 20_000)
        #expect(value[19_999]["a"][2]["b"].number == 3)
        #expect(value.elements.reduce(0) { $0 + ($1["a"][1].number ?? 0) } == 40_000)
    }
}
