import Testing

@testable import CrierContent

struct JQNumbersTests {
    @Test(arguments: [
        "1e999", ".[1e1000 - 1e1000:]", "\"\\(1e400)\"", "\"\\((1) + 1e400)\"", "1E+309", "1e999-1e999", "1-1e999",
        "# an inch (\"\n1e999", "1 # an inch\r+ 1e999", "\"#\" + 1e999",
    ])
    func refusesNumbersThatNoDoubleHolds(_ program: String) {
        #expect(failure(program)?.description == "a jq program holds no number beyond 1.8e308")
    }

    @Test(arguments: [
        ("\"1e999\"", "\"1e999\""), ("\"a\\\"1e999\"", "\"a\\\"1e999\""), ("{a1e999: 1} | .a1e999", "1"),
        ("\"\\(1 + 1) 1e999\"", "\"2 1e999\""),
        ("1 # not 1e999", "1"), ("\"\\(1 # 1e999 \"\n) 1e999\"", "\"1 1e999\""),
    ])
    func readsWhatOnlyLooksLikeSuchNumbers(_ program: String, _ output: String) throws {
        #expect(try outputs(program) == [output])
    }

    @Test func namesTheLineOfTheProgramBehindItsDefinitions() {
        #expect(failure("1 +\n2 -\n| 3")?.description.contains("(line 3, character 1)") == true)
    }

    /// Else an identifier would be another as soon as the mapping is a program.
    @Test(arguments: [
        ("1e15", "1000000000000000"), ("-1.5e15", "-1500000000000000"), ("9007199254740993.0", "9007199254740992"),
        ("9007199254740994.0", "9007199254740994"), ("1234567890123456.5", "1234567890123456.5"),
        ("1.2345678901234568e17", "123456789012345680"), ("1.5e16", "15000000000000000"), ("1e16", "1e+16"),
        ("-1.5e17", "-1.5e+17"), ("1152921504606846976.0", "1152921504606847000"), ("1.5e300", "1.5e+300"),
        ("999999999999999.0", "999999999999999"), ("1e14", "100000000000000"), ("0.00001", "1e-05"), ("-0.0", "0"),
    ])
    func aNumberIsTheSameTextByAPathAndByAProgram(_ number: String, _ text: String) throws {
        let document = try JSONDocument.parse(Array("{\"a\": \(number)}".utf8))
        var texts: [String?] = []
        let note = { (value: JSONNode) throws(ContentError) in
            texts.append(value.text)
            return true
        }
        try #require(JQPath(".a")).run(on: document, note)
        try JQProgram(".a").run(on: document, note)
        #expect(texts == [text, text])
    }
}
