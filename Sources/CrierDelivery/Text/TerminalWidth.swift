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
        guard let first = unicodeScalars.first else { return 0 }
        // Isolates, and marks without a letter before them, take no room.
        let categories: [Unicode.GeneralCategory] = [.format, .nonspacingMark, .enclosingMark, .control]
        if unicodeScalars.allSatisfy({ categories.contains($0.properties.generalCategory) }) { return 0 }
        if first.properties.isEmojiPresentation || unicodeScalars.contains("\u{FE0F}") { return 2 }
        return Self.wide.contains { $0.contains(first.value) } ? 2 : 1
    }

    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x4DBF, 0x4E00...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3,
        0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F900...0x1F9FF,
        0x20000...0x3FFFD,
    ]
}
