import CrierContent
import CrierNotifications
import Foundation

/// JSON (RFC 8259) as columns hold it.
///
/// By hand: with `JSONEncoder` and `JSONDecoder` it would take longer to write an item or a notification down than to read it
/// from its document.
enum StoredJSON {
    /// RFC 8259 §7.
    static func quoted(_ text: String) -> String {
        func mustBeEscaped(_ byte: UInt8) -> Bool {
            byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
        }
        var contiguous = text
        guard contiguous.withUTF8({ $0.contains(where: mustBeEscaped) }) else { return "\"\(text)\"" }
        var bytes: [UInt8] = [UInt8(ascii: "\"")]
        for byte in text.utf8 {
            if byte < 0x20 {
                bytes += "\\u00\(byte < 0x10 ? "0" : "")\(String(byte, radix: 16))".utf8
            } else {
                if mustBeEscaped(byte) { bytes.append(UInt8(ascii: "\\")) }
                bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "\""))
        return String(decoding: bytes, as: UTF8.self)
    }

    static func array(_ elements: [String]) -> String { "[\(elements.joined(separator: ","))]" }

    /// - Parameter members: Names that need no escape, and values; those that are nil are left out.
    static func object(_ members: [(name: String, value: String?)]) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(members.reduce(0) { $0 + $1.name.utf8.count + ($1.value?.utf8.count ?? 0) + 4 } + 2)
        for case (let name, let value?) in members {
            bytes += (bytes.isEmpty ? "{\"" : ",\"").utf8
            bytes += name.utf8
            bytes += "\":".utf8
            bytes += value.utf8
        }
        bytes += (bytes.isEmpty ? "{}" : "}").utf8
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Any value.
    ///
    /// - Throws: For what JSON cannot say or could not be read again: a number that is not finite, and more levels than a
    ///   document may have.
    static func text(of value: UserInfoValue, depth: Int = 0) throws(Unfit) -> String {
        guard depth < JSONDocument.deepestNesting - 10 else { throw Unfit(reason: "is nested too deep") }
        switch value {
        case .null: return "null"
        case .bool(let flag): return flag ? "true" : "false"
        case .number(let number): return try text(of: number)
        case .string(let text): return quoted(text)
        case .array(let elements):
            var texts: [String] = []
            for (index, element) in elements.enumerated() {
                do { texts.append(try text(of: element, depth: depth + 1)) } catch { throw error.within("[\(index)]") }
            }
            return array(texts)
        case .object(let members):
            var texts: [String] = []
            for (name, member) in members {
                do { texts.append("\(quoted(name)):\(try text(of: member, depth: depth + 1))") } catch {
                    throw error.within(".\(name)")
                }
            }
            return "{\(texts.joined(separator: ","))}"
        }
    }

    static func text(of number: Double) throws(Unfit) -> String {
        guard number.isFinite else { throw Unfit(reason: "is a number that JSON does not have") }
        return "\(number)"
    }

    /// What cannot be stored, and where it is in the value.
    struct Unfit: Error {
        var place = ""
        let reason: String

        func within(_ outer: String) -> Unfit { Unfit(place: outer + place, reason: reason) }
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
