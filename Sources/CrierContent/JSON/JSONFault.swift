/// Why a text is no JSON, and where.
struct JSONFault: Error {
    enum Kind {
        case empty
        case tooDeep
        case malformed(StaticString)
    }

    let kind: Kind
    /// The index of the byte at fault.
    let place: Int

    /// In words that hold nothing of the text, which may be secret.
    func error(in bytes: [UInt8]) -> ContentError {
        switch kind {
        case .empty: return ContentError(.notAFeed, "the JSON is empty")
        case .tooDeep:
            return ContentError(.tooLarge, "the JSON is nested more than \(JSONDocument.deepestNesting) deep")
        case .malformed(let what):
            let before = bytes[..<min(place, bytes.count)]
            let line = before.count { $0 == 0x0A } + 1
            let start = before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
            // Characters are counted, not bytes.
            let column = before[start...].count { $0 & 0xC0 != 0x80 } + 1
            return ContentError(.malformed, "malformed JSON: \(what) at line \(line), column \(column)")
        }
    }
}
