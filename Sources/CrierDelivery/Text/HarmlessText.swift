/// Text of outsiders made plain: what remains can neither steer a terminal, nor reorder what a reader sees, nor hide.
///
/// The places where such text goes (a terminal, a desktop, a JSON document) have their own types, which start here.
enum HarmlessText {
    /// One line: line ends and tabs become single spaces, everything ``isHarmful(_:)`` is left out, no space at the ends.
    static func line(_ text: String) -> String {
        if isLine(text) { return text }
        return clean(text, lineEnd: " ").split(separator: " ").joined(separator: " ")
    }

    /// Whether a text is surely one line already: the usual case.
    private static func isLine(_ text: String) -> Bool {
        var text = text
        let isOneLine = text.withUTF8 { bytes in
            var previous: UInt8 = 0x20
            for byte in bytes {
                if byte < 0x20 || byte == 0x20 && previous == 0x20 { return false }
                previous = byte
            }
            return previous != 0x20 || bytes.isEmpty
        }
        return isOneLine && isSurelyHarmless(text)
    }

    /// The same for lines without spaces at their ends.
    private static func isLines(_ text: String) -> Bool {
        var previous: UInt8 = 0x0a
        for byte in text.utf8 {
            if byte == 0x0a {
                if previous == 0x20 || previous == 0x0a { return false }
            } else if byte < 0x20 {
                return false
            }
            previous = byte
        }
        return (previous != 0x20 && previous != 0x0a || text.isEmpty) && isSurelyHarmless(text)
    }

    /// Whether nothing but control characters of ASCII could be left out of a text. Most texts are told by their bytes alone.
    private static func isSurelyHarmless(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { bytes in !bytes.contains { $0 >= 0x7f && mayBeHarmful($0) } }
            || !text.unicodeScalars.contains { scalar in
                scalar.value >= 0x7f
                    && (isHarmful(scalar) || isJoiner(scalar) || scalar.properties.isVariationSelector)
            }
    }

    /// Whether a byte is a control character, or begins what is ``isHarmful(_:)``, as it begins much else: U+0080…, U+0340…,
    /// U+0600…, U+1000…, U+2000…, U+3000…, U+F000…, U+E0000….
    static func mayBeHarmful(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x00..<0x20, 0x7f, 0xc2, 0xcd, 0xd8, 0xe1, 0xe2, 0xe3, 0xef, 0xf3: true
        default: false
        }
    }

    /// Lines separated by `\n`, without spaces and empty lines at the ends.
    static func lines(_ text: String) -> String {
        if isLines(text) { return text }
        let lines = clean(text, lineEnd: "\n").split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.trimmingSuffix(" ") }
        let filled = lines.drop(while: \.isEmpty)
        guard let last = filled.lastIndex(where: { !$0.isEmpty }) else { return "" }
        return filled[...last].joined(separator: "\n")
    }

    /// At most `count` characters, the last of them `…` where something was cut.
    ///
    /// One character can carry any number of combining marks, so the scalars are limited as well, to four per character.
    static func cut(_ text: String, to count: Int) -> String {
        let scalars = count * 4
        if text.utf8.count <= count { return text }
        if text.count <= count, text.unicodeScalars.count <= scalars { return text }
        let kept = String(text.unicodeScalars.prefix(scalars)).prefix(count - 1)
        return kept.trimmingSuffix(" ") + "…"
    }

    /// As ``cut(_:to:)``; of what lists things, each is shortened rather than that the last lines are lost.
    static func cutList(_ text: String, to count: Int) -> String {
        if text.utf8.count <= count { return text }
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let lengths = lines.filter { $0.hasPrefix(bullet) }.map(\.count).sorted()
        var room = count - (text.count - lengths.reduce(0, +))
        var share = 0
        // What the short ones leave is for the long ones.
        for (place, length) in lengths.enumerated() {
            share = room / (lengths.count - place)
            if length > share { break }
            room -= length
        }
        // Of less, nobody could tell what it is.
        guard share >= 20 else { return cut(text, to: count) }
        let shortened = lines.map { $0.hasPrefix(bullet) ? cut(String($0), to: share) : String($0) }
        return cut(shortened.joined(separator: "\n"), to: count)
    }

    private static let bullet = "• "

    /// Text of the user without what steers terminals: control sequences (ECMA-48 §5.4), OSC strings and all other controls.
    static func withoutSequences(_ text: String) -> String {
        let strings = text.replacing(/\u{1b}\][^\u{7}\u{1b}]*(?:\u{7}|\u{1b}\\)/, with: "")
        let plain = strings.replacing(/\u{1b}\[[0-?]*[ -\/]*[@-~]/, with: "")
        return String(
            String.UnicodeScalarView(
                plain.unicodeScalars.filter {
                    $0 == "\n" || $0 == "\t" || $0.value >= 0x20 && !(0x7f...0x9f ~= $0.value)
                }))
    }

    /// Whether a scalar has no place in plain text: controls, bidirectional controls, and what is invisible everywhere.
    ///
    /// The joiners U+200C and U+200D are not here: emoji and some scripts need them, see ``clean(_:lineEnd:)``, which keeps the
    /// tags of flags, too.
    static func isHarmful(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x00...0x1f, 0x7f...0x9f: true  // C0, DEL, C1
        case 0x61c, 0x200e, 0x200f, 0x202a...0x202e, 0x2066...0x2069: true  // bidirectional (UAX #9 §2)
        case 0x2028, 0x2029: true  // line and paragraph separator
        case 0xad, 0x34f, 0x180e, 0x200b, 0x2060...0x2064, 0x206a...0x206f, 0xfeff: true  // invisible
        case 0x115f, 0x1160, 0x3164, 0xffa0: true  // letters of Hangul that are blank
        case 0xfff9...0xfffb, 0xe0000...0xe007f: true  // interlinear annotation, tags
        case _ where isUnknownToXML(scalar): true
        default: false
        }
    }

    /// Whether a scalar makes any XML unreadable (XML 1.0 §2.2), of those that are no control characters.
    static func isUnknownToXML(_ scalar: Unicode.Scalar) -> Bool { 0xfffe...0xffff ~= scalar.value }

    private static func clean(_ text: String, lineEnd: Unicode.Scalar) -> String {
        if text.utf8.allSatisfy({ 0x20 <= $0 && $0 < 0x7f }) { return text }
        var result = String.UnicodeScalarView()
        let scalars = text.unicodeScalars
        var index = scalars.startIndex
        while index < scalars.endIndex {
            let scalar = scalars[index]
            let next = scalars.index(after: index)
            let following = next < scalars.endIndex ? scalars[next] : nil
            switch scalar {
            case "\r" where following == "\n": break
            case "\n", "\r", "\u{b}", "\u{c}", "\u{85}", "\u{2028}", "\u{2029}": result.append(lineEnd)
            case "\t": result.append(" ")
            case "\u{1f3f4}":
                let end = endOfFlag(in: scalars, from: next)
                result.append(contentsOf: scalars[index..<end])
                index = end
                continue
            case _ where isJoiner(scalar): if joins(result.last, following) { result.append(scalar) }
            case _ where scalar.properties.isVariationSelector:
                if let last = result.last, selects(scalar, after: last) { result.append(scalar) }
            default: if !isHarmful(scalar) { result.append(scalar) }
            }
            index = next
        }
        return String(result)
    }

    /// Whether a variation selector may have a meaning behind a scalar: one of the supplement behind an ideograph (UTS #37), as names
    /// are written with, and any other behind what is no letter of ASCII, as in emoji (UTS #51). Elsewhere they show nothing, and any
    /// number of them can hold a hidden text.
    private static func selects(_ selector: Unicode.Scalar, after last: Unicode.Scalar) -> Bool {
        if last.properties.isVariationSelector { return false }
        if selector.value >= 0xe0100 { return last.properties.isIdeographic }
        return !last.isASCII || "0"..."9" ~= last || last == "#" || last == "*"
    }

    /// Behind the tags that make a black flag that of a region, as of Scotland (UTS #51, ED-14a): a code of letters and
    /// digits, and the tag that closes it. Where they are no such code, they have no place there, and it is the beginning.
    private static func endOfFlag(in scalars: String.UnicodeScalarView, from start: String.Index) -> String.Index {
        let code = scalars[start...].prefix(7).prefix { 0xe0030...0xe0039 ~= $0.value || 0xe0061...0xe007a ~= $0.value }
        guard 3...6 ~= code.count, code.endIndex < scalars.endIndex, scalars[code.endIndex].value == 0xe007f else {
            return start
        }
        return scalars.index(after: code.endIndex)
    }

    private static func isJoiner(_ scalar: Unicode.Scalar) -> Bool { 0x200c...0x200d ~= scalar.value }

    /// Whether a joiner between the two has a meaning: in an emoji sequence (UTS #51 §2.3), and in the scripts from
    /// Arabic to Mongolian, whose letters change shape. Between other letters it only makes equal words differ.
    private static func joins(_ previous: Unicode.Scalar?, _ next: Unicode.Scalar?) -> Bool {
        guard let previous, let next else { return false }
        let scripts: ClosedRange<UInt32> = 0x600...0x18af
        if scripts.contains(previous.value), scripts.contains(next.value) { return true }
        return (isPictograph(previous) || previous == "\u{fe0f}") && isPictograph(next)
    }

    /// Digits and `#` count as emoji too, because of the keycaps, but are never joined.
    private static func isPictograph(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value > 0x2000 && scalar.properties.isEmoji
    }
}

extension StringProtocol {
    package func trimmingSuffix(_ character: Character) -> String {
        guard let last = lastIndex(where: { $0 != character }) else { return "" }
        return String(self[...last])
    }
}
