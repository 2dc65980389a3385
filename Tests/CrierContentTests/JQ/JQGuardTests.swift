import Testing

@testable import CrierContent

/// What ends the process in libjq 1.6 must be an error here, and everything else must be what it was.
struct JQGuardTests {
    private func outputs(_ program: String, _ json: String = "null") throws -> [String] {
        var outputs: [String] = []
        try JQProgram(program).run(on: JSONText.parse(Array(json.utf8))) { value throws(ContentError) in
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

    @Test(arguments: [
        ".[nan:]", ".[infinite - infinite:]", ".[infinite * 0:]", ".[infinite / infinite:]", ".[:2][nan:nan] = [1]",
        "del(.[nan])", "del(.[nan:])", "delpaths([[nan]])", ".[(\"nan\" | tonumber):]", ".[(\"nan\" | fromjson):]",
        ".[(\"[nan]\" | fromjson | .[0]):]", ".[(-1 | sqrt):]", ".[(-1 | log):]", ".[pow(-1; 0.5):]",
        ".[fmod(1; 0):]", ".[([infinite, -infinite] | add):]", ".[{start: nan, end: null}]", "getpath([nan])",
        ".[(infinite + -infinite):]", "nan | todate",
    ])
    func refusesToComputeWhatIsNotANumber(_ program: String) {
        #expect(failure(program, "[1, 2, 3]")?.kind == .badExpression)
    }

    @Test func refusesToComputeWithTheInfinitiesOfADocument() {
        #expect(failure(".[.[0] - .[0]:]", "[1e999]")?.description == "jq: the result is not a number")
    }

    @Test(arguments: [
        ".[1e9] = 1", ".[1e9] |= 1", ".[1e9] += 1", ".[1e9] //= 1", "setpath([1e9]; 1)", ".a[2e9] = 1",
        "fromstream(([[1e9], 1], [[1e9]]))", ".[500000000] = null",
    ])
    func refusesElementsBeyondAllMemory(_ program: String) {
        #expect(failure(program)?.description == "jq: the index is too large")
    }

    @Test(arguments: ["\"abc\" * 1e8", "[limit(60; \"x\" | recurse(. + .))] | length"])
    func refusesTextsBeyondAllMemory(_ program: String) {
        #expect(failure(program)?.description == "jq: the text is too long")
    }

    @Test(arguments: ["-9223372036854775808 % -1", "-1e300 % -1", "1e300 % -1.5", "7 % -1"])
    func takesTheRemainderOfAnyNumber(_ program: String) throws {
        #expect(try JQNumber.values(of: outputs(program)) == [0])
    }

    @Test(arguments: ["index(\"\")", "rindex(\"\")", "indices(\"\")", "_strindices(\"\")"])
    func findsNoEmptyText(_ program: String) throws {
        #expect(try outputs(program, "\"abc\"") == ["null"])
    }

    @Test(arguments: ["1e999", ".[1e1000 - 1e1000:]", "\"\\(1e400)\"", "\"\\((1) + 1e400)\"", "1E+309"])
    func refusesNumbersThatNoDoubleHolds(_ program: String) {
        #expect(failure(program)?.description == "a jq program holds no number beyond 1.8e308")
    }

    @Test(arguments: [
        ("\"1e999\"", "\"1e999\""), ("\"a\\\"1e999\"", "\"a\\\"1e999\""), ("{a1e999: 1} | .a1e999", "1"),
        ("1e3", "1000"), ("\"\\(1 + 1) 1e999\"", "\"2 1e999\""),
    ])
    func readsTextsAndNamesThatLookLikeSuchNumbers(_ program: String, _ output: String) throws {
        #expect(try outputs(program) == [output])
    }

    @Test(arguments: [
        ("[(7, 8) % (3, 5)]", "[1,2,2,3]"), ("[(5, 6) - (1, 2)]", "[4,5,3,4]"), ("[(1, 2) * (3, 4)]", "[3,6,4,8]"),
        ("[(1, 2) + (10, 20)]", "[11,12,21,22]"), ("[(8, 6) / (2, 1)]", "[4,3,8,6]"),
        ("{a: 1, b: [1]} | .a += 5 | .b[0] |= . + 1 | .c //= 2", "{\"a\":6,\"b\":[2],\"c\":2}"),
        ("{a: [1, 2, 3]} | .a[1:] = [9]", "{\"a\":[1,9]}"), ("[1, 2, 3] | del(.[0, 2])", "[2]"),
        ("[1, 2, 3] | .[1:]", "[2,3]"), ("[1, 2] - [2]", "[1]"), ("{a: 1} * {b: 2}", "{\"a\":1,\"b\":2}"),
        ("\"a,b\" / \",\"", "[\"a\",\"b\"]"), ("\"ab\" * 2", "\"abab\""), ("\"a\" + null", "\"a\""),
        ("[\"a\", \"b\"] | add", "\"ab\""), ("\"[1,{}]\" | fromjson", "[1,{}]"), ("\"1.5\" | tonumber", "1.5"),
        ("pow(2; 10), (16 | sqrt)", "1024 4"), ("[3] | .[0] %= 2", "[1]"), ("{} | .a.b = 1", "{\"a\":{\"b\":1}}"),
        ("{} | setpath([\"a\", 1]; 2)", "{\"a\":[null,2]}"), ("\"abcb\" | index(\"b\"), rindex(\"b\")", "1 3"),
        ("[1, 2, 1] | indices(1)", "[0,2]"), ("fromstream(([[0], 1], [[0]]))", "[1]"),
        ("{a: 1, b: 2} | map_values(. + 1) | to_entries | map(.value) | add", "5"), ("isnan | not", "true"),
    ])
    func changesNothingElse(_ program: String, _ output: String) throws {
        let input = program.hasPrefix("isnan") ? "1" : "null"
        #expect(try outputs(program, input).joined(separator: " ") == output)
    }

    @Test func definesNothingForProgramsThatNeedNothing() {
        #expect(JQGuard.definitions(for: ".a | test(\"x\")").isEmpty)
        #expect(!JQGuard.definitions(for: ".a - 1").isEmpty)
    }

    @Test func namesTheLineOfTheProgramBehindItsDefinitions() {
        #expect(failure("1 +\n2 -\n| 3")?.description.contains("(line 3)") == true)
    }
}

/// Numbers as libjq writes them: -0 is 0.
private enum JQNumber {
    static func values(of texts: [String]) -> [Double?] { texts.map { Double($0) } }
}
