/// A value of a ``JSONDocument``, or none where one was looked for and is not there.
package struct JSONNode: Sendable {
    /// By libjq's names.
    package enum Kind: String { case null, boolean, number, string, array, object, absent }

    let document: JSONDocument
    private let index: Int?

    init(document: JSONDocument, index: Int?) {
        self.document = document
        self.index = index
    }

    private var entry: JSONDocument.Entry? { index.map { document.tape[$0] } }

    private func node(_ index: Int?) -> JSONNode { JSONNode(document: document, index: index) }

    package var kind: Kind {
        switch entry?.kind {
        case .null: .null
        case .false, .true: .boolean
        case .number: .number
        case .plainText, .escapedText, .digits: .string
        case .array: .array
        case .object: .object
        case nil: .absent
        }
    }

    /// What jq takes for true: everything but false and null.
    var isTruthy: Bool {
        switch entry?.kind {
        case nil, .null, .false: false
        default: true
        }
    }

    package var boolean: Bool? { kind == .boolean ? isTruthy : nil }

    package var string: String? {
        kind == .string ? entry.map(document.text) : nil
    }

    /// Whether it is an integer that is kept as text, since it has more digits than a number holds for sure.
    package var isLongInteger: Bool { entry?.kind == .digits }

    /// Infinite where no double holds it.
    package var number: Double? {
        guard let entry, entry.kind == .number else { return nil }
        let bytes = document.bytes[entry.range]
        let isNegative = bytes.first == 0x2D
        let digits = isNegative ? bytes.dropFirst() : bytes
        // An integer on the tape has so few digits that it is exact.
        guard digits.allSatisfy(\.isASCIIDigit) else { return Double(document.text(entry)) }
        let value = Double(digits.reduce(0) { 10 * $0 + Int($1 - 0x30) })
        return isNegative ? -value : value
    }

    /// A string, or a number in decimals as libjq writes it, so that programs and paths yield the same.
    var text: String? {
        guard let number else { return string }
        guard number.isFinite else { return nil }
        if number == number.rounded(), abs(number) <= 0x1p53 { return String(Int(number)) }
        return Self.decimals(number) ?? String(number)
    }

    /// An integer beyond those that a number holds for sure: the digits that tell it from others, with up to 15 zeros
    /// behind them; nil where it has more.
    private static func decimals(_ number: Double) -> String? {
        let parts = String(number).split(separator: "e+")
        guard parts.count == 2, let exponent = Int(parts[1]) else { return nil }
        let digits = parts[0].filter { $0 != "." }
        let zeros = exponent + 1 - digits.count { $0 != "-" }
        return zeros <= 15 ? digits + String(repeating: "0", count: zeros) : nil
    }

    /// The elements of an array, the members of an object; 0 for anything else.
    var count: Int {
        if kind == .object { return members.count }
        var values = values
        var count = 0
        while values.nextIndex() != nil { count += 1 }
        return count
    }

    /// The elements of an array; none of anything else.
    package var elements: JSONValues { kind == .array ? values : JSONValues(document: document, indices: 0..<0) }

    /// An array's element.
    subscript(position: Int) -> JSONNode {
        guard position >= 0 else { return node(nil) }
        return elements.dropFirst(position).first { _ in true } ?? node(nil)
    }

    /// An object's member, of several of one name the last.
    package subscript(name: String) -> JSONNode {
        guard let index, let entry, entry.kind == .object else { return node(nil) }
        return node(withUTF8(of: name) { document.member($0, in: index + 1..<entry.extent) })
    }

    /// The members in the order of the text; of several of one name the last, at the place of the first, as in libjq.
    package var members: [(name: String, value: JSONNode)] {
        guard kind == .object else { return [] }
        var members: [(name: String, value: JSONNode)] = []
        // Strings are equal where they are canonically equivalent, names only where their bytes are.
        var places: [[UInt8]: Int] = [:]
        var values = values
        while let key = values.next(), let value = values.next() {
            let name = key.string ?? ""
            let place = places[Array(name.utf8), default: members.count]
            if place < members.count {
                members[place].value = value
            } else {
                places[Array(name.utf8)] = place
                members.append((name, value))
            }
        }
        return members
    }

    /// What is within an array or object, names of members too.
    private var values: JSONValues {
        guard let index, let entry, entry.isContainer else { return JSONValues(document: document, indices: 0..<0) }
        return JSONValues(document: document, indices: index + 1..<entry.extent)
    }

    /// Whether it is a string of that text, byte for byte.
    func hasText(_ text: String) -> Bool {
        guard let entry else { return false }
        return withUTF8(of: text) { document.hasText(entry, $0) }
    }

    /// The value's shape without any of its strings, which may be secret: `an object with error, results`.
    var shape: String {
        switch kind {
        case .null: return "null"
        case .boolean: return isTruthy ? "true" : "false"
        case .number: return "a number"
        case .string: return "a string"
        case .array: return count == 0 ? "an empty array" : "an array of \(count)"
        case .object:
            let keys = members.map(\.name).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
            let names = keys.prefix(8).map { PlainText.line(text: $0, limit: 30) }.joined(separator: ", ")
            return keys.isEmpty ? "an empty object" : "an object with \(names)\(keys.count > 8 ? ", …" : "")"
        case .absent: return "nothing"
        }
    }
}

extension JSONNode {
    /// Values that stand in no text.
    static let null = JSONNode(.null)
    static func boolean(_ value: Bool) -> JSONNode { value ? yes : no }
    init(_ number: Int) { self.init(.number, Array(String(number).utf8)) }
    init(_ text: String) { self.init(.plainText, Array(text.utf8)) }

    private static let yes = JSONNode(.true)
    private static let no = JSONNode(.false)

    private init(_ kind: JSONDocument.Entry.Kind, _ bytes: [UInt8] = []) {
        let entry = JSONDocument.Entry(kind, start: 0, extent: bytes.count)
        self.init(document: JSONDocument(bytes: bytes, tape: [entry]), index: 0)
    }
}
