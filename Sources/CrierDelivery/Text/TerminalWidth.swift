extension String {
    /// Columns of a terminal: CJK and emoji take two (Unicode Standard Annex #11, wide and fullwidth).
    package var terminalWidth: Int { reduce(0) { $0 + $1.terminalWidth } }

    /// At most so many columns wide; what is cut is told by `…`.
    package func fitted(to width: Int) -> String {
        guard terminalWidth > width else { return self }
        var text = ""
        var used = 0
        for character in self {
            if used + character.terminalWidth >= width { break }
            text.append(character)
            used += character.terminalWidth
        }
        return text + "…"
    }
}

extension Character {
    package var terminalWidth: Int {
        if unicodeScalars.first?.properties.isEmojiPresentation == true { return 2 }
        // Terminals give each letter and vowel of an Indic syllable, which is one character, room of its own.
        let width = unicodeScalars.reduce(0) { $0 + Self.width(of: $1) }
        return width > 0 && unicodeScalars.contains("\u{FE0F}") ? 2 : width
    }

    private static func width(of scalar: Unicode.Scalar) -> Int {
        switch scalar.properties.generalCategory {
        // Isolates, and marks, with a letter before them or without.
        case .format, .nonspacingMark, .enclosingMark, .control: 0
        // Vowels and finals of a Hangul syllable stand in the room of its first consonant.
        case _ where 0x1160...0x11FF ~= scalar.value: 0
        default: wide.contains { $0.contains(scalar.value) } ? 2 : 1
        }
    }

    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x4DBF, 0x4E00...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3,
        0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F900...0x1F9FF,
        0x20000...0x3FFFD,
    ]
}
