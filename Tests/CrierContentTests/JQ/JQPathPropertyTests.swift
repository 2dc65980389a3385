import CJQ
import CrierTesting
import Testing

@testable import CrierContent

/// Whatever path is written and whatever document it meets, the outcome is libjq's.
struct JQPathPropertyTests {
    @Test func yieldsWhatLibjqYieldsForAnyPathAndDocument() throws {
        var writer = Writer()
        var taken = 0
        for _ in 0..<60 {
            let text = writer.program()
            guard let path = JQPath(text) else { continue }
            taken += 1
            let program = try JQProgram(text)
            for _ in 0..<20 {
                let document = writer.document(4)
                let value = try JSONDocument.parse(Array(document.utf8))
                let own = outputs { body throws(ContentError) in try path.run(on: value, body) }
                let libjq = outputs { body throws(ContentError) in try program.run(on: value, body) }
                #expect(own.values == libjq.values, "\(text) over \(document)")
                #expect(own.hasFailed == libjq.hasFailed, "\(text) over \(document)")
            }
        }
        #expect(taken > 30)
    }

    @Test func stopsWhereItsReaderHasEnough() throws {
        let value = try JSONDocument.parse(Array("[[1, 2], [3, 4]]".utf8))
        for text in [".[][]", ".[][] // 1", ".[] | .[]", ".[][] == 1"] {
            var count = 0
            try #require(JQPath(text)).run(on: value) { _ throws(ContentError) in
                count += 1
                return count < 3
            }
            #expect(count == 3, "\(text)")
        }
    }

    @Test(arguments: [
        (".a", "jq: Cannot index number with string \"a\""), (".[0]", "jq: Cannot index number with number"),
        (".[]", "jq: Cannot iterate over a number"),
    ])
    func saysWhatFails(_ text: String, _ sentence: String) throws {
        #expect(throws: ContentError(.badExpression, sentence)) {
            try JQPath(text)?.run(on: JSONDocument.parse(Array("5".utf8))) { _ in true }
        }
    }

    @Test(arguments: ["null", "true", "1.5", "\"x\"", "[]", "[1]", "{}", "{\"a\":1}"])
    func indexesAndFailsInLibjqsWords(_ document: String) throws {
        let value = try JSONDocument.parse(Array(document.utf8))
        for name in ["a", "ü b"] {
            let own = try outcome(of: ".[\"\(name)\"]", on: value)
            #expect(try own == libjq(value, JQValue(name).reference()), "\(name) of \(document)")
        }
        for index in -2...2 {
            let text = ".[\(index)]"
            #expect(
                try outcome(of: text, on: value) == libjq(value, jv_number(Double(index))), "\(text) of \(document)")
        }
    }

    private func outcome(of path: String, on value: JSONNode) throws -> String {
        var outcome = ""
        do throws(ContentError) {
            try JQPath(path)?.run(on: value) { value throws(ContentError) in
                outcome = value.json
                return true
            }
        } catch { return error.description }
        return outcome
    }

    private func libjq(_ value: JSONNode, _ key: jv) throws -> String {
        let found = JQValue(owning: jv_get(try JQValue(value).reference(), key))
        guard jv_is_valid(found.reference()) == 0 else { return found.json }
        return "jq: " + (JQValue(owning: jv_invalid_get_msg(found.reference())).string ?? "")
    }
}

/// Writes programs and documents, the same ones in every run.
private struct Writer {
    private var numbers = SeededNumbers(seed: 6)

    private let names = ["a", "b", "items", "_x", "n1"]

    mutating func step() -> String {
        let name = names.randomElement(using: &numbers) ?? "a"
        let step =
            switch Int.random(in: 0..<7, using: &numbers) {
            case 0, 1, 2: ".\(name)"
            case 3: ".[\"\(name)\"]"
            case 4: ".[\(Int.random(in: -2...2, using: &numbers))]"
            case 5: ".\"\(name) \""
            default: ".[]"
            }
        return step + (Int.random(in: 0..<4, using: &numbers) == 0 ? "?" : "")
    }

    mutating func path() -> String {
        let steps = (0..<Int.random(in: 1...3, using: &numbers)).map { _ in step() }
        let first = steps[0]
        // Behind a step the point before a bracket may be left out.
        let rest = steps.dropFirst().map {
            $0.hasPrefix(".[") && Bool.random(using: &numbers) ? String($0.dropFirst()) : $0
        }
        return first + rest.joined()
    }

    mutating func literal() -> String {
        ["null", "true", "false", "0", "7", "\"x\"", "\"\""].randomElement(using: &numbers) ?? "1"
    }

    mutating func program() -> String {
        switch Int.random(in: 0..<6, using: &numbers) {
        case 0: path() + (Bool.random(using: &numbers) ? " == " : "!=") + literal()
        case 1: path() + " // " + path()
        case 2: path() + " // " + path() + "//" + literal()
        case 3: path() + " | " + path()
        case 4: path() + "|" + path() + " == " + literal()
        default: path()
        }
    }

    mutating func document(_ depth: Int) -> String {
        switch Int.random(in: 0..<(depth > 0 ? 9 : 5), using: &numbers) {
        case 0: return "null"
        case 1: return Bool.random(using: &numbers) ? "true" : "false"
        case 2: return "\(Int.random(in: -1...8, using: &numbers))"
        case 3: return "\"x\""
        case 4: return "\"\""
        case 5, 6:
            return "["
                + (0..<Int.random(in: 0...3, using: &numbers)).map { _ in document(depth - 1) }.joined(separator: ",")
                + "]"
        default:
            let members = Set(
                (0..<Int.random(in: 0...4, using: &numbers)).compactMap { _ in names.randomElement(using: &numbers) })
            return "{" + members.map { "\"\($0)\":\(document(depth - 1))" }.joined(separator: ",") + "}"
        }
    }
}
