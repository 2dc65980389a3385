import CJQ
import CrierTesting
import Testing

@testable import CrierContent

/// Whatever document is read, its values are those that libjq reads.
struct JSONPropertyTests {
    private func libjq(_ text: [UInt8]) -> String? {
        let parsed = text.withUnsafeBytes { bytes in
            jv_parse_sized(bytes.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(bytes.count))
        }
        let value = JQValue(owning: parsed)
        return jv_is_valid(value.reference()) == 0 ? nil : value.json
    }

    @Test func readsWhatLibjqReads() throws {
        var writer = DocumentWriter(seed: 11)
        for _ in 0..<2000 {
            let text = writer.document(5)
            #expect(try JSONDocument.parse(text).json == libjq(text), "\(String(decoding: text, as: UTF8.self))")
        }
    }

    /// libjq takes some texts that are no JSON; none may be taken that it refuses, and none read otherwise.
    @Test func takesNoDamagedDocumentThatLibjqRefuses() throws {
        var writer = DocumentWriter(seed: 12)
        var taken = 0
        for _ in 0..<4000 {
            let text = writer.damaged(writer.document(3))
            guard let value = try? JSONDocument.parse(text) else { continue }
            taken += 1
            #expect(value.json == libjq(text), "\(String(decoding: text, as: UTF8.self))")
        }
        #expect(taken > 200)
    }

    @Test func findsEveryMemberAndElement() throws {
        var writer = DocumentWriter(seed: 13)
        for _ in 0..<500 { try check(JSONDocument.parse(writer.document(5))) }
    }

    private func check(_ value: JSONNode) {
        #expect(value.count == (value.kind == .object ? value.members.count : Array(value.elements).count))
        for (name, member) in value.members {
            #expect(value[name].json == member.json)
            check(member)
        }
        for (index, element) in value.elements.enumerated() {
            #expect(value[index].json == element.json)
            check(element)
        }
    }
}

/// Writes JSON of every form, the same in every run.
private struct DocumentWriter {
    private var numbers: SeededNumbers

    init(seed: UInt64) { numbers = SeededNumbers(seed: seed) }

    mutating func document(_ depth: Int) -> [UInt8] { Array((space() + value(depth) + space()).utf8) }

    /// A byte or two changed, added or taken away; none of them makes half a surrogate pair, invalid UTF-8 or a
    /// control character within a string, which libjq refuses or reads in its own way.
    mutating func damaged(_ text: [UInt8]) -> [UInt8] {
        var text = text.filter { $0 >= 0x20 && $0 < 0x80 }
        for _ in 0..<Int.random(in: 1...2, using: &numbers) where !text.isEmpty {
            let place = text.indices.randomElement(using: &numbers) ?? 0
            let byte = Array("{}[]:,\"\\ 0123.eE+-tfnaxu/".utf8).randomElement(using: &numbers) ?? 0x20
            switch Int.random(in: 0..<3, using: &numbers) {
            case 0: text[place] = byte
            case 1: text.insert(byte, at: place)
            default: text.remove(at: place)
            }
        }
        let isPaired = String(decoding: text, as: UTF8.self).contains(/\\u[dD][89a-fA-F]/)
        return isPaired ? [0x5B] : text
    }

    private mutating func pick(_ texts: [String]) -> String { texts.randomElement(using: &numbers) ?? "" }

    private mutating func space() -> String { pick(["", "", "", " ", "\n", "\r\n\t "]) }

    private mutating func list(_ most: Int, _ part: (inout DocumentWriter) -> String) -> String {
        (0..<Int.random(in: 0...most, using: &numbers)).map { _ in space() + part(&self) + space() }
            .joined(separator: ",")
    }

    private mutating func value(_ depth: Int) -> String {
        switch Int.random(in: 0..<(depth > 0 ? 9 : 5), using: &numbers) {
        case 0: pick(["null", "true", "false"])
        case 1, 2: number()
        case 3, 4: string()
        case 5, 6: "[" + space() + list(4) { $0.value(depth - 1) } + "]"
        default:
            "{" + space()
                + list(5) { writer in
                    let name =
                        Bool.random(using: &writer.numbers)
                        ? writer.pick(["\"a\"", "\"b\"", "\"\\u0061\""]) : writer.string()
                    return name + writer.space() + ":" + writer.space() + writer.value(depth - 1)
                } + "}"
        }
    }

    private mutating func number() -> String {
        let digits = String(
            Int.random(in: 0...999_999_999_999_999, using: &numbers) >> Int.random(in: 0...50, using: &numbers))
        let fraction = pick(["", "", ".5", ".0", ".000123", ".123456789012345678"])
        return pick(["", "-"]) + digits + fraction + pick(["", "", "e5", "E+2", "e-7", "e308", "e-330", "E0"])
    }

    private mutating func string() -> String {
        let parts = [
            "a", " ", "words and more words", "é", "中文", "😀", "\u{7F}", "/", "\\\"", "\\\\", "\\/",
            "\\b", "\\f",
            "\\n", "\\r", "\\t", "\\u0041", "\\u00e9", "\\u4E2d", "\\ud83d\\uDE00", "\\u0000", "{", "]", ",",
        ]
        return "\"" + (0..<Int.random(in: 0...6, using: &numbers)).map { _ in pick(parts) }.joined() + "\""
    }
}
