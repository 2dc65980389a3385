import CJQ
import Testing

@testable import CrierContent

extension JQValue {
    /// The value as compact JSON.
    var json: String { JQValue(owning: jv_dump_string(reference(), 0)).string ?? "" }
}

extension JSONNode {
    /// The value as libjq writes it.
    var json: String { (try? JQValue(self))?.json ?? "" }
}

struct JQPathTests {
    private static let programs = [
        ".", ".a", ".a.b", ".a[]", ".a[].b", ".[\"a\"]", ".[\"a\"].b", ".\"a\"", ".a.\"b\"", ".[0]", ".[-1]", ".a[0]",
        ".a[1].b", ".[]",
        ".[]?", ".a?", ".a.b?", ".a[]?", ".a[]?.b?", ".a[0]?", ".a // .b", ".a // .b // \"none\"", ".a // null",
        ".a[] // 1",
        ".a.b // .b", ".[].b // .a", ".a == 1", ".a != 1", ".a == null", ".error == false", ".a == \"x\"", ".a[] == 1",
        ".a | .b", ". | .a", ".a | .[]", ".a | .[0] | .b", ".results[][]", ".a_1", "._x",
        ".a == true",
        ".b // false", ".a == 10", ".[10]", ".a // 5",
    ]
    private static let documents = [
        "null", "true", "false", "0", "1", "\"x\"", "[]", "{}", "[1,2,3]", "[[1],[2,[3]]]", "{\"a\":1}",
        "{\"a\":null,\"b\":2}",
        "{\"a\":{\"b\":3}}", "{\"a\":[{\"b\":1},{\"b\":null},{}]}", "{\"a\":\"x\",\"b\":false}",
        "{\"a\":[1,null,false,2]}",
        "{\"a\":false,\"b\":[1]}", "[{\"a\":1,\"b\":2},{\"b\":3}]", "{\"error\":false}",
        "{\"results\":{\"z\":[1],\"y\":[2,3],\"x\":[]}}",
        "{\"z\":1,\"y\":2,\"x\":3,\"a\":{\"q\":1,\"b\":[0]}}", "[null,{\"a\":[]}]", "{\"a_1\":5,\"_x\":6}",
        "{\"a\":[[{\"b\":7}]]}", "10",
    ]

    @Test(arguments: programs)
    func yieldsWhatLibjqYields(_ text: String) throws {
        guard let path = JQPath(text) else {
            // Only what jq itself refuses may be left to it among these.
            #expect(throws: ContentError.self) { try JQProgram(text) }
            return
        }
        let program = try JQProgram(text)
        for document in Self.documents {
            let value = try JSONDocument.parse(Array(document.utf8))
            let own = outputs { body throws(ContentError) in try path.run(on: value, body) }
            let libjq = outputs { body throws(ContentError) in try program.run(on: value, body) }
            #expect(own.values == libjq.values, "\(text) over \(document)")
            #expect(own.hasFailed == libjq.hasFailed, "\(text) over \(document)")
        }
    }

    @Test(arguments: [
        ".a | length", ".a.b.c | test(\"x\")", "..", ".a, .b", ".a + 1", ".a // .b == 1", ".a | .b // .c",
        ".a // .b | .c", ".[.a]", ".a[1:]",
        ".a[1.5]", ".\"a\\n\"", ".\"\\(.b)\"", ".a == 1.5", ".a == 1e3", ".a?//.b", "def f: 1; f", ".a as $x | $x", "1",
        "\"x\"", ".a == .b",
        ".a |= 1", ".a //= 1", ".a = 1", ".a # x", "", ".a::b", "$ENV", ".a ==", ".a .b", ".a //", ".[", ".a.",
        ".a[\"b\"",
        ".a\u{0}",
        ".a == 1 and .b", ".a != \"x\" or .b", ".a == null | not", ".a / 2", ".?", ".a??", ".[\"a\\n\"]", ".[\"a",
        ".\"a\tb\"", ".[1234567890]", ".a == 1234567890",
    ])
    func leavesOtherProgramsToLibjq(_ text: String) {
        #expect(JQPath(text) == nil)
    }

    @Test(arguments: ["", " | "]) func leavesPathsOfManyStepsToLibjq(between: String) {
        #expect(JQPath(Array(repeating: ".a", count: 200).joined(separator: between)) != nil)
        #expect(JQPath(Array(repeating: ".a", count: 201).joined(separator: between)) == nil)
        #expect(JQPath(".b // ." + String(repeating: "[]", count: 201)) == nil)
    }
}
