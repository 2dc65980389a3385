import Testing

@testable import CrierContent

struct JQNumbersTests {
    private func outputs(_ program: String, _ json: String = "null") throws -> [String] {
        var outputs: [String] = []
        try JQProgram(program).run(on: JSONDocument.parse(Array(json.utf8))) { value throws(ContentError) in
            outputs.append(value.json)
            return true
        }
        return outputs
    }

    private func failure(_ program: String, _ json: String = "null") -> ContentError? {
        do {
            _ = try outputs(program, json)
            return nil
        } catch { return error as? ContentError }
    }

    @Test(arguments: ["1e999", ".[1e1000 - 1e1000:]", "\"\\(1e400)\"", "\"\\((1) + 1e400)\"", "1E+309"])
    func refusesNumbersThatNoDoubleHolds(_ program: String) {
        #expect(failure(program)?.description == "a jq program holds no number beyond 1.8e308")
    }

    @Test(arguments: [
        ("\"1e999\"", "\"1e999\""), ("\"a\\\"1e999\"", "\"a\\\"1e999\""), ("{a1e999: 1} | .a1e999", "1"),
        ("\"\\(1 + 1) 1e999\"", "\"2 1e999\""),
    ])
    func readsTextsAndNamesThatLookLikeSuchNumbers(_ program: String, _ output: String) throws {
        #expect(try outputs(program) == [output])
    }

    @Test func namesTheLineOfTheProgramBehindItsDefinitions() {
        #expect(failure("1 +\n2 -\n| 3")?.description.contains("(line 3, character 1)") == true)
    }
}
