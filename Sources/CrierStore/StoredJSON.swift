import CrierContent
import CrierNotifications
import Foundation

/// Writes JSON (RFC 8259) as columns hold it.
///
/// By hand: with `JSONEncoder` and `JSONDecoder` it would take longer to write an item or a notification down than to read it
/// from its document.
struct StoredJSON {
    private var bytes: [UInt8] = []

    init() {
        bytes.reserveCapacity(512)
    }

    var text: String { String(decoding: bytes, as: UTF8.self) }

    /// For SQLite's `json_each`.
    static func list(_ texts: [String]) -> String {
        var json = StoredJSON()
        json.strings(texts)
        return json.text
    }

    mutating func beginObject() { begin(UInt8(ascii: "{")) }

    mutating func endObject() { bytes.append(UInt8(ascii: "}")) }

    mutating func beginArray() { begin(UInt8(ascii: "[")) }

    mutating func endArray() { bytes.append(UInt8(ascii: "]")) }

    /// The name of the value that is written next.
    mutating func key(_ name: String) {
        string(name)
        bytes.append(UInt8(ascii: ":"))
    }

    /// Nothing where there is no text.
    mutating func member(_ name: String, _ text: String?) {
        guard let text else { return }
        key(name)
        string(text)
    }

    /// Nothing where there is no list.
    mutating func member(_ name: String, _ texts: [String]?) {
        guard let texts else { return }
        key(name)
        strings(texts)
    }

    mutating func strings(_ texts: [String]) {
        beginArray()
        for text in texts { string(text) }
        endArray()
    }

    mutating func string(_ text: String) {
        separate()
        JSONEscapes.append(text, to: &bytes)
    }

    /// What is JSON already.
    mutating func written(_ json: String) {
        separate()
        bytes += json.utf8
    }

    /// - Throws: For a number that JSON cannot say.
    mutating func number(_ number: Double) throws(Unfit) {
        guard number.isFinite else { throw Unfit(reason: "is a number that JSON does not have") }
        written("\(number)")
    }

    /// Any value.
    ///
    /// - Throws: For what JSON cannot say or could not be read again: a number that is not finite, and more levels than a
    ///   document may have. What is written by then is of no use.
    mutating func value(_ value: UserInfoValue, depth: Int = 0) throws(Unfit) {
        guard depth < JSONDocument.deepestNesting - 10 else { throw Unfit(reason: "is nested too deep") }
        switch value {
        case .null: written("null")
        case .bool(let flag): written(flag ? "true" : "false")
        case .number(let number): try self.number(number)
        case .string(let text): string(text)
        case .array(let elements):
            beginArray()
            for (index, element) in elements.enumerated() {
                do { try self.value(element, depth: depth + 1) } catch { throw error.within("[\(index)]") }
            }
            endArray()
        case .object(let members):
            beginObject()
            for (name, member) in members {
                key(name)
                do { try self.value(member, depth: depth + 1) } catch { throw error.within(".\(name)") }
            }
            endObject()
        }
    }

    /// What cannot be stored, and where it is in the value.
    struct Unfit: Error {
        var place = ""
        let reason: String

        func within(_ outer: String) -> Unfit { Unfit(place: outer + place, reason: reason) }
    }

    private mutating func begin(_ bracket: UInt8) {
        separate()
        bytes.append(bracket)
    }

    /// A comma behind another member or element: those end in none of these.
    private mutating func separate() {
        switch bytes.last {
        case nil, UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: ":"): break
        default: bytes.append(UInt8(ascii: ","))
        }
    }
}

extension UserInfoValue {
    init(_ node: JSONNode) {
        switch node.kind {
        case .null, .absent: self = .null
        case .boolean: self = .bool(node.boolean ?? false)
        case .number: self = .number(node.number ?? 0)
        case .string where node.isLongInteger: self = .number(node.string.flatMap { Double($0) } ?? 0)
        case .string: self = .string(node.string ?? "")
        case .array: self = .array(node.elements.map { UserInfoValue($0) })
        case .object: self = .object(Self.members(of: node))
        }
    }

    static func members(of node: JSONNode) -> [String: UserInfoValue] {
        Dictionary(node.members.map { ($0.name, UserInfoValue($0.value)) }) { _, last in last }
    }
}
