/// Collects text and collapses white space: a run becomes one space, or one line break where it holds one and lines are
/// kept. None stands at either end.
struct TextWriter {
    private enum Gap { case none, part, space, line }

    private var output: [UInt8] = []
    private var gap = Gap.none
    /// Whether what was written last marks what comes next, which then stands on its line.
    private var endsInMark = false
    private let keepsLines: Bool

    init(keepsLines: Bool, capacity: Int) {
        self.keepsLines = keepsLines
        output.reserveCapacity(capacity)
    }

    var isEmpty: Bool { output.isEmpty }
    var string: String { output.withUnsafeBufferPointer { String(utf8: $0) } }

    mutating func space() {
        if gap == .none || gap == .part { gap = .space }
    }

    /// A space between words; none behind a bracket that opens, nor before a mark that closes.
    mutating func part() {
        if gap == .none { gap = .part }
    }

    mutating func lineBreak() { gap = endsInMark ? .space : .line }

    /// A line break even behind a mark.
    mutating func endLine() {
        gap = .line
        endsInMark = false
    }

    /// Writes the mark of a list item, such as a bullet: the blocks within the item do not part it from its text.
    mutating func mark(_ text: String) {
        append(text)
        gap = .space
        endsInMark = true
    }

    /// Whether a text is already as the writer would write it: the usual case, which then costs no copy.
    static func isClean(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        if bytes.first == 0x20 || bytes.last == 0x20 { return false }
        var index = 0
        var followsSpace: UInt64 = 0
        while index + 8 <= bytes.count {
            let word = ByteWord(bytes, at: index)
            let spaces = word.matches(0x20)
            if spaces & (spaces << 8 | followsSpace) != 0 { return false }
            if hasOddByte(word), hasGap(bytes, in: index..<index + 8) { return false }
            followsSpace = spaces >> 56
            index += 8
        }
        for place in max(1, index)..<max(1, bytes.count) where bytes[place] == 0x20 && bytes[place - 1] == 0x20 {
            return false
        }
        return !hasGap(bytes, in: index..<bytes.count)
    }

    /// Whether some byte is a control character of ASCII.
    static func hasControl(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        var index = 0
        while index + 8 <= bytes.count {
            if ByteWord(bytes, at: index).hasControl { return true }
            index += 8
        }
        return bytes[index...].contains { $0 < 0x20 || $0 == 0x7F }
    }

    /// Whether some byte is neither a space nor plain.
    private static func hasOddByte(_ word: ByteWord) -> Bool {
        if word.hasControl { return true }
        return word.isWide && word.matches(0xC2) | word.matches(0xE2) != 0
    }

    /// Whether a control character or a space beyond ASCII begins there.
    private static func hasGap(_ bytes: UnsafeBufferPointer<UInt8>, in range: Range<Int>) -> Bool {
        range.contains { bytes[$0] < 0x20 || bytes[$0] == 0x7F || wideSpace(bytes, at: $0) != nil }
    }

    /// Appends UTF-8 text. A line break within it is one only where `breaksAtNewlines`; in HTML it is a space.
    mutating func append(_ bytes: UnsafeBufferPointer<UInt8>, breaksAtNewlines: Bool) {
        append(bytes, from: 0, to: bytes.count, breaksAtNewlines: breaksAtNewlines)
    }

    mutating func append(
        _ bytes: UnsafeBufferPointer<UInt8>, from start: Int, to end: Int, breaksAtNewlines: Bool
    ) {
        var index = start
        while index < end {
            let byte = bytes[index]
            if byte <= 0x20 || byte == 0x7F {
                if byte.isASCIISpace {
                    if breaksAtNewlines, byte == 0x0A || byte == 0x0D { lineBreak() } else { space() }
                }
                index += 1
            } else if let wide = Self.wideSpace(bytes, at: index) {
                switch wide.gap {
                case .none, .part:
                    if let meant = CharacterReference.meant(byControl: bytes[index + 1]) { append(meant) }
                case .space: space()
                case .line: lineBreak()
                }
                index += wide.length
            } else {
                let run = index
                index = Self.endOfRun(bytes, from: index + 1, to: end)
                closeGap(before: bytes, at: run)
                output.append(contentsOf: bytes[run..<index])
            }
        }
    }

    /// Appends a decoded character.
    mutating func append(_ text: String) {
        withUTF8(of: text) { append($0, breaksAtNewlines: false) }
    }

    /// Behind the words, each one space apart, that stand from here on.
    private static func endOfRun(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int, to end: Int) -> Int {
        var index = start
        while index + 8 <= end {
            let word = ByteWord(bytes, at: index)
            let spaces = word.matches(0x20)
            if spaces & (spaces << 8) != 0 || hasOddByte(word) { break }
            // What follows a space at the end is not known yet.
            index += 8 - Int(truncatingIfNeeded: spaces >> 63)
        }
        while index < end {
            if isPlain(bytes[index]) {
                index += 1
            } else if bytes[index] == 0x20, index + 1 < end, isPlain(bytes[index + 1]) {
                index += 2
            } else {
                break
            }
        }
        return index
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        byte > 0x20 && byte != 0x7F && byte != 0xC2 && byte != 0xE2
    }

    private mutating func closeGap(before bytes: UnsafeBufferPointer<UInt8>, at place: Int) {
        endsInMark = false
        if gap == .none { return }
        defer { gap = .none }
        if gap == .part, Self.joinsNext(output) || Self.joinsLast(bytes[place...].prefix(3)) { return }
        if !output.isEmpty { output.append(gap == .line && keepsLines ? 0x0A : 0x20) }
    }

    /// Whether what was written last belongs to the next word, as a bracket that opens does.
    private static func joinsNext(_ output: [UInt8]) -> Bool {
        guard let last = output.last else { return false }
        return last < 0x80 ? openers.contains(last) : wideOpeners.contains { output.suffix($0.count).elementsEqual($0) }
    }

    /// Whether what comes belongs to the word before it, as a mark that closes does.
    private static func joinsLast(_ next: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
        guard let first = next.first else { return false }
        return first < 0x80 ? closers.contains(first) : wideClosers.contains { next.starts(with: $0) }
    }

    private static let openers = Array("([{'\"".utf8)
    private static let closers = Array(")]},.;:!?%'\"".utf8)
    private static let wideOpeners = "“‘«（「『【《".map { Array(String($0).utf8) }
    private static let wideClosers = "”’»…，。、！？；：）」』】》".map { Array(String($0).utf8) }

    /// A no-break space (C2 A0), line or paragraph separator (E2 80 A8, E2 80 A9); a control character (C2 80…C2 9F) leaves
    /// no gap.
    private static func wideSpace(
        _ bytes: UnsafeBufferPointer<UInt8>, at index: Int
    ) -> (length: Int, gap: Gap)? {
        if bytes[index] == 0xC2, index + 1 < bytes.count {
            if bytes[index + 1] == 0xA0 { return (2, .space) }
            if bytes[index + 1] < 0xA0 { return (2, .none) }
        } else if bytes[index] == 0xE2, index + 2 < bytes.count, bytes[index + 1] == 0x80 {
            if bytes[index + 2] == 0xA8 || bytes[index + 2] == 0xA9 { return (3, .line) }
        }
        return nil
    }
}
