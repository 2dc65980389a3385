import CrierNotifications

/// How a digest is laid out as text: for a terminal, a file, the text of a mail.
public struct DigestPrint: Sendable, Hashable {
    /// In columns, at least 20; of lines of text, not of addresses.
    public var width: Int { didSet { width = max(20, width) } }
    /// Whether titles are bold.
    public var isBold: Bool
    /// Whether titles are links (OSC 8), rather than followed by their addresses.
    public var linksTitles: Bool

    /// Whether what it says reaches a terminal, which may be steered.
    var isForTerminal: Bool { isBold || linksTitles }

    public init(width: Int = 80, isBold: Bool = false, linksTitles: Bool = false) {
        self.width = max(20, width)
        self.isBold = isBold
        self.linksTitles = linksTitles
    }

    /// Ends with a line end.
    public func text(of page: DigestPage) -> String {
        var lines = heading(page.title)
        lines += wrapped("\(page.day) · \(page.summary)", indent: 0)
        for group in page.groups {
            lines += [""] + heading(group.title)
            for item in group.items { lines += self.lines(of: item) }
        }
        if let more = page.more { lines += [""] + wrapped(more, indent: 0) }
        return lines.joined(separator: "\n") + "\n"
    }

    private func heading(_ text: String) -> [String] { wrapped(text, indent: 0).map { bold(Self.isolated($0)) } }

    private func lines(of item: DigestPage.Entry) -> [String] {
        var lines = wrapped(item.title, indent: 4).map { "    " + linked(Self.isolated($0), to: item.url) }
        if let first = lines.first { lines[0] = "  • " + first.dropFirst(4) }
        var facts = "\(Self.isolated(item.source)) · \(item.time)"
        if let reading = item.reading { facts += " · \(reading)" }
        lines += wrapped(facts, indent: 4).map { "    " + $0 }
        if let summary = item.summary {
            let all = wrapped(summary, indent: 4)
            var shown = Array(all.prefix(2))
            if all.count > 2, let last = shown.popLast() { shown.append(Self.cut(last, to: width - 4)) }
            lines += shown.map { "    " + Self.isolated($0) }
        }
        if !linksTitles, let url = item.url { lines.append("    \(url)") }
        return lines
    }

    /// With an ellipsis behind it, which may take the place of its last word; not of a row of ideographs, which have no blanks.
    private static func cut(_ line: String, to room: Int) -> String {
        if line.terminalWidth < room { return line + "…" }
        guard let blank = line.lastIndex(of: " "), String(line[blank...]).terminalWidth <= 20 else {
            return (line + "…").fitted(to: room)
        }
        return line[..<blank] + "…"
    }

    private func bold(_ text: String) -> String { isBold ? "\u{1b}[1m\(text)\u{1b}[0m" : text }

    /// A hyperlink as terminals know it, each line of a title its own.
    private func linked(_ text: String, to url: String?) -> String {
        guard linksTitles, let url else { return text }
        return "\u{1b}]8;;\(url)\u{1b}\\\(text)\u{1b}]8;;\u{1b}\\"
    }

    /// Lines no wider than the width less the indent; where a word or a row of ideographs is too long, within it.
    func wrapped(_ text: String, indent: Int) -> [String] {
        let room = max(10, width - indent)
        var lines: [String] = []
        var line = ""
        var used = 0
        for piece in Self.pieces(text) {
            let isBlank = piece == " "
            if isBlank, line.isEmpty { continue }
            if used + piece.terminalWidth <= room {
                line += piece
                used += piece.terminalWidth
                continue
            }
            if !line.isEmpty { lines.append(line.trimmingSuffix(" ")) }
            line = ""
            used = 0
            if isBlank { continue }
            for character in piece {
                if used + character.terminalWidth > room {
                    lines.append(line)
                    line = ""
                    used = 0
                }
                line.append(character)
                used += character.terminalWidth
            }
        }
        if !line.isEmpty { lines.append(line.trimmingSuffix(" ")) }
        return lines
    }

    /// Blanks, words, and wide characters one by one; a closing mark stays with what is before it (UAX #14, CL and EX).
    private static func pieces(_ text: String) -> [String] {
        var pieces: [String] = []
        var canGrow = false
        for character in text {
            let isWide = character.terminalWidth == 2
            if character == " " {
                pieces.append(" ")
                canGrow = false
            } else if let last = pieces.last, last != " ", closing.contains(character) || (canGrow && !isWide) {
                pieces[pieces.count - 1] = last + String(character)
            } else {
                pieces.append(String(character))
                canGrow = !isWide
            }
        }
        return pieces
    }

    private static let closing = Set("，。、；：？！）」』】》〉”’…")

    /// Text with letters that are written from right to left is kept apart from what stands beside it (UAX #9 §2.4).
    package static func isolated(_ text: String) -> String {
        let isRightToLeft = text.unicodeScalars.contains { scalar in
            switch scalar.value {
            case 0x590...0x8ff, 0xfb1d...0xfdff, 0xfe70...0xfefc, 0x10800...0x10fff, 0x1e800...0x1efff: true
            default: false
            }
        }
        return isRightToLeft ? "\u{2068}\(text)\u{2069}" : text
    }
}
