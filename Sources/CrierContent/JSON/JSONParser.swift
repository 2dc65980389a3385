/// Finds the values of a JSON text (RFC 8259) in one pass and writes them on the tape of a ``JSONDocument``.
struct JSONParser {
    private typealias Entry = JSONDocument.Entry

    private let bytes: UnsafeBufferPointer<UInt8>
    private var index = 0
    private(set) var tape: [JSONDocument.Entry] = []

    /// Integers of more digits are kept as text.
    private static let exactDigits = 15

    init(_ bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
        tape.reserveCapacity(bytes.count / 16)
    }

    /// Reads all of the text; nil where it is sound.
    mutating func document() -> JSONFault? {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { index = 3 }
        skipSpaces()
        if index == bytes.count { return JSONFault(kind: .empty, place: index) }
        do throws(JSONFault) {
            try value(depth: 0)
            skipSpaces()
            if index < bytes.count { throw fault("more text follows the document") }
            return nil
        } catch { return error }
    }

    /// RFC 8259 section 3.
    private mutating func value(depth: Int) throws(JSONFault) {
        guard index < bytes.count else { throw early() }
        switch bytes[index] {
        case 0x22: try string()
        case 0x7B: try object(depth: depth + 1)
        case 0x5B: try array(depth: depth + 1)
        case 0x2D, 0x30...0x39: try number()
        case 0x74: try word(0x7472_7565, length: 4, .true)
        case 0x66: try word(0x616C_7365, length: 5, .false)
        case 0x6E: try word(0x6E75_6C6C, length: 4, .null)
        case 0x2C, 0x3A, 0x5D, 0x7D: throw fault("a value is missing")
        case let byte where byte.isASCIILetter: throw fault("a word that JSON does not have")
        default: throw fault("a character that begins no value")
        }
    }

    /// RFC 8259 section 4.
    private mutating func object(depth: Int) throws(JSONFault) {
        let place = try open(depth)
        if skip(0x7D) { return close(place, .object) }
        while true {
            guard index < bytes.count else { throw early() }
            guard bytes[index] == 0x22 else { throw fault("the name of a member is missing") }
            try string()
            skipSpaces()
            guard skip(0x3A) else { throw missing("a colon is missing behind the name of a member") }
            skipSpaces()
            try value(depth: depth)
            skipSpaces()
            if skip(0x2C) {
                skipSpaces()
            } else if skip(0x7D) {
                return close(place, .object)
            } else {
                throw missing("a comma or } is missing")
            }
        }
    }

    /// RFC 8259 section 5.
    private mutating func array(depth: Int) throws(JSONFault) {
        let place = try open(depth)
        if skip(0x5D) { return close(place, .array) }
        while true {
            try value(depth: depth)
            skipSpaces()
            if skip(0x2C) {
                skipSpaces()
            } else if skip(0x5D) {
                return close(place, .array)
            } else {
                throw missing("a comma or ] is missing")
            }
        }
    }

    /// The index on the tape of the array or object that begins.
    private mutating func open(_ depth: Int) throws(JSONFault) -> Int {
        guard depth <= JSONDocument.deepestNesting else { throw JSONFault(kind: .tooDeep, place: index) }
        tape.append(Entry(.array, start: index, extent: 0))
        index += 1
        skipSpaces()
        return tape.count - 1
    }

    private mutating func close(_ place: Int, _ kind: JSONDocument.Entry.Kind) {
        tape[place] = Entry(kind, start: tape[place].start, extent: tape.count)
    }

    /// RFC 8259 section 7.
    private mutating func string() throws(JSONFault) {
        let start = index + 1
        var end = endOfRun(from: start)
        var kind = Entry.Kind.plainText
        while end < bytes.count, bytes[end] == 0x5C {
            kind = .escapedText
            guard let length = JSONEscapes.length(in: bytes, at: end) else {
                index = end
                throw fault("an escape that JSON does not have")
            }
            end = endOfRun(from: end + length)
        }
        guard end < bytes.count else { throw fault("a string that does not end") }
        tape.append(Entry(kind, start: start, extent: end - start))
        index = end + 1
    }

    /// The next quote or backslash, else the end.
    private func endOfRun(from start: Int) -> Int {
        ByteWord.next(0x22, or: 0x5C, in: bytes, from: start, to: bytes.count)
    }

    /// RFC 8259 section 6.
    private mutating func number() throws(JSONFault) {
        let start = index
        if bytes[index] == 0x2D { index += 1 }
        let isZero = index < bytes.count && bytes[index] == 0x30
        let digits = try skipDigits()
        if isZero, digits > 1 { throw fault("a number with a zero before it") }
        var isInteger = true
        if skip(0x2E) {
            _ = try skipDigits()
            isInteger = false
        }
        if index < bytes.count, bytes[index] | 0x20 == 0x65 {
            index += 1
            if index < bytes.count, bytes[index] == 0x2B || bytes[index] == 0x2D { index += 1 }
            _ = try skipDigits()
            isInteger = false
        }
        let kind: Entry.Kind = isInteger && digits > Self.exactDigits ? .digits : .number
        tape.append(Entry(kind, start: start, extent: index - start))
    }

    /// How many there are, at least one.
    private mutating func skipDigits() throws(JSONFault) -> Int {
        let start = index
        while index < bytes.count, bytes[index].isASCIIDigit { index += 1 }
        guard index > start else { throw missing("a digit is missing") }
        return index - start
    }

    /// One of the three words that JSON has.
    ///
    /// - Parameter ending: its last four letters.
    private mutating func word(_ ending: UInt32, length: Int, _ kind: JSONDocument.Entry.Kind) throws(JSONFault) {
        guard index + length <= bytes.count else { throw fault("a word that JSON does not have") }
        let letters = UnsafeRawBufferPointer(bytes).loadUnaligned(fromByteOffset: index + length - 4, as: UInt32.self)
        guard UInt32(bigEndian: letters) == ending else { throw fault("a word that JSON does not have") }
        tape.append(Entry(kind, start: index, extent: length))
        index += length
    }

    private mutating func skip(_ byte: UInt8) -> Bool {
        guard index < bytes.count, bytes[index] == byte else { return false }
        index += 1
        return true
    }

    private mutating func skipSpaces() {
        while index < bytes.count {
            switch bytes[index] {
            case 0x20, 0x0A, 0x0D, 0x09: index += 1
            default: return
            }
        }
    }

    private func fault(_ what: StaticString) -> JSONFault { JSONFault(kind: .malformed(what), place: index) }

    private func early() -> JSONFault { JSONFault(kind: .malformed("the text ends too early"), place: bytes.count) }

    /// What is missing, unless all the rest is.
    private func missing(_ what: StaticString) -> JSONFault { index < bytes.count ? fault(what) : early() }
}
