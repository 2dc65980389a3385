import CrierDelivery
import Foundation

/// One JSON object per line on standard output.
enum JSONLine {
    static func write(_ value: some Encodable) {
        guard let data = try? JSONEncoder.ofLines.encode(value) else { return }
        put(data + [UInt8(ascii: "\n")])
    }

    /// An object whose last member is a list, written piece by piece: a long list is never in memory as a whole.
    ///
    /// - Parameter head: an object with at least one member, to which the list is added.
    static func write(_ head: some Encodable, _ name: String, _ list: some Sequence<some Encodable>) {
        guard var line = try? [UInt8](JSONEncoder.ofLines.encode(head).dropLast()) else { return }
        line += ",\"\(name)\":[".utf8
        var isFirst = true
        for element in list {
            guard let data = try? JSONEncoder.ofLines.encode(element) else { continue }
            if !isFirst { line.append(UInt8(ascii: ",")) }
            isFirst = false
            line += data
            if line.count > pieceSize {
                put(line)
                line.removeAll(keepingCapacity: true)
            }
        }
        put(line + "]}\n".utf8)
    }

    /// Foundation leaves everything as it is that JSON does not forbid.
    private static func put(_ json: some Collection<UInt8>) {
        Terminal.write(JSONWriter.harmless(json), to: STDOUT_FILENO)
    }

    /// Bytes: many a feed is one write.
    private static let pieceSize = 1 << 18
}

/// A value that stands as `null` where it is absent, so that every line of a kind has the same keys.
@propertyWrapper
struct Nullable<Value: Encodable>: Encodable {
    var wrappedValue: Value?

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        if let wrappedValue { try container.encode(wrappedValue) } else { try container.encodeNil() }
    }
}
