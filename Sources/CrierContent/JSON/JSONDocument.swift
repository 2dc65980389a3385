/// A JSON text (RFC 8259) and where its values are.
///
/// Values are found in one pass over the bytes and read when somebody asks for them, see ``JSONNode``. A document takes
/// at most nine bytes of memory for a byte of text.
package final class JSONDocument: Sendable {
    /// Deeper documents are refused.
    package static let deepestNesting = 200

    let bytes: [UInt8]
    /// Every value in the order of the text. Behind an array come its elements, behind an object each member's name and
    /// value.
    let tape: [Entry]

    init(bytes: [UInt8], tape: [Entry]) {
        self.bytes = bytes
        self.tape = tape
    }

    /// Reads a text, strictly but for what documents in the wild need: a byte order mark is skipped, control characters
    /// may stand within strings, and invalid UTF-8 and lone surrogates become U+FFFD. Integers of more than 15 digits are
    /// strings: as numbers they would lose digits, and two identifiers could become one.
    ///
    /// - Throws: ``ContentError``: `notAFeed` for white space alone, `malformed` with line and column, `tooLarge`.
    package static func parse(_ bytes: [UInt8]) throws(ContentError) -> JSONNode {
        guard bytes.count <= Entry.largest else { throw ContentError(.tooLarge, "the JSON is too long") }
        let (tape, fault) = bytes.withUnsafeBufferPointer { bytes -> ([Entry], JSONFault?) in
            var parser = JSONParser(bytes)
            let fault = parser.document()
            return (parser.tape, fault)
        }
        if let fault { throw fault.error(in: bytes) }
        return JSONNode(document: JSONDocument(bytes: bytes, tape: tape), index: 0)
    }

    /// Where the value of a member is on the tape, of several of one name the last.
    ///
    /// - Parameter indices: the members of an object, on the tape.
    func member(_ name: UnsafeBufferPointer<UInt8>, in indices: Range<Int>) -> Int? {
        let mayBeRepaired = Self.mayBeRepaired(name)
        return tape.withUnsafeBufferPointer { tape in
            var found: Int?
            var index = indices.lowerBound
            while index < indices.upperBound {
                if hasText(tape[index], name, mayBeRepaired: mayBeRepaired) { found = index + 1 }
                index = tape[index + 1].isContainer ? tape[index + 1].extent : index + 2
            }
            return found
        }
    }

    /// Whether a value is a string of that text, byte for byte.
    func hasText(_ entry: Entry, _ text: UnsafeBufferPointer<UInt8>) -> Bool {
        hasText(entry, text, mayBeRepaired: Self.mayBeRepaired(text))
    }

    /// Whether a string that is not the same may become it: invalid bytes read as U+FFFD.
    private static func mayBeRepaired(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        text.contains(UTF8Repair.replacement[0])
    }

    private func hasText(_ entry: Entry, _ text: UnsafeBufferPointer<UInt8>, mayBeRepaired: Bool) -> Bool {
        switch entry.kind {
        case .escapedText: return self.text(entry).utf8.elementsEqual(text)
        case .plainText, .digits:
            if entry.extent == text.count, hasBytes(at: entry.start, text) { return true }
            return mayBeRepaired && self.text(entry).utf8.elementsEqual(text)
        default: return false
        }
    }

    private func hasBytes(at start: Int, _ text: UnsafeBufferPointer<UInt8>) -> Bool {
        bytes.withUnsafeBufferPointer { bytes in
            for index in text.indices where bytes[start + index] != text[index] { return false }
            return true
        }
    }

    /// The text of a string or a number.
    func text(_ entry: Entry) -> String {
        bytes.withUnsafeBufferPointer { bytes in
            let bytes = UnsafeBufferPointer(rebasing: bytes[entry.range])
            return entry.kind == .escapedText ? MarkRuns.bounded(JSONEscapes.text(bytes)) : String(utf8: bytes)
        }
    }

    /// A value on the tape, in eight bytes.
    struct Entry: Sendable {
        /// The most bytes that a document may have.
        static let largest = 1 << 30 - 1

        enum Kind: UInt8 {
            case null, `false`, `true`, number
            /// A string as it is written.
            case plainText
            /// A string with escapes.
            case escapedText
            /// An integer that is kept as text.
            case digits
            case array, object
        }

        private let bits: UInt64

        init(_ kind: Kind, start: Int, extent: Int) {
            bits = UInt64(start) << 34 | UInt64(extent) << 4 | UInt64(kind.rawValue)
        }

        var kind: Kind { Kind(rawValue: UInt8(truncatingIfNeeded: bits & 15)) ?? .null }

        var isContainer: Bool { UInt8(truncatingIfNeeded: bits & 15) >= Kind.array.rawValue }

        /// The place in the text; of a string behind its quote.
        var start: Int { Int(bits >> 34) }

        /// Of an array or object the index of the first value that is no part of it, of anything else the length.
        var extent: Int { Int(bits >> 4 & UInt64(Self.largest)) }

        var range: Range<Int> { start..<start + extent }
    }
}
