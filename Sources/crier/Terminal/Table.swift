import CrierDelivery

/// Columns that line up, whatever the width of the characters in them.
///
/// Where they have too little room, cells are broken into lines; where that does not help either, each row becomes a
/// block of lines. Nothing is cut.
struct Table {
    private var rows: [[String]] = []
    private let header: [String]

    init(_ header: [String]) {
        self.header = header
    }

    mutating func add(_ row: [String]) {
        rows.append(row)
    }

    /// The lines, as wide as the terminal at most, the header in bold.
    var lines: [String] {
        guard let widths = widths(in: Terminal.width ?? .max) else { return blocks }
        return ([header] + rows).enumerated().flatMap { index, row in
            Self.lines(of: row, widths).map { index == 0 ? Terminal.bold($0) : $0 }
        }
    }

    private static let gap = 2
    /// Words up to this width stay whole.
    private static let longWord = 20

    /// How wide each column is: the widest ones give way first. Nil where words would have to be broken.
    private func widths(in room: Int) -> [Int]? {
        let all = [header] + rows
        var widths = header.indices.map { column in all.map { $0[column].terminalWidth }.max() ?? 0 }
        let least = header.indices.map { column in
            let words = all.flatMap { $0[column].split(separator: " ") }
            return min(words.map { String($0).terminalWidth }.max() ?? 0, Self.longWord)
        }
        var excess = widths.reduce(Self.gap * (widths.count - 1), +) - room
        while excess > 0 {
            let yielding = widths.indices.filter { widths[$0] > least[$0] }
            guard let widest = yielding.max(by: { widths[$0] < widths[$1] }) else { return nil }
            widths[widest] -= 1
            excess -= 1
        }
        return widths
    }

    /// One row, in as many lines as its highest cell has. The last column is not padded.
    private static func lines(of row: [String], _ widths: [Int]) -> [String] {
        let cells = zip(row, widths).map { $0.broken(to: $1) }
        let height = cells.map(\.count).max() ?? 0
        return (0..<height).map { (line: Int) -> String in
            var text = ""
            for (column, (cell, width)) in zip(cells, widths).enumerated() {
                if column > 0 { text += String(repeating: " ", count: gap) }
                let part = line < cell.count ? cell[line] : ""
                // To a program, the marks would be part of a name.
                text += (Terminal.width == nil ? part : DigestPrint.isolated(part)).padded(to: width)
            }
            return text.trimmingSuffix(" ")
        }
    }

    /// Each row as its first cell and, below it, the others with their names.
    private var blocks: [String] {
        let width = (header.dropFirst().map(\.terminalWidth).max() ?? 0) + Self.gap
        return rows.flatMap { (row: [String]) -> [String] in
            let cells = zip(header, row).dropFirst().map { name, cell in "  " + name.padded(to: width) + cell }
            return [Terminal.bold(row[0])] + cells
        }
    }
}

extension String {
    /// The lines of a text that are at most so many columns wide, broken at spaces; a longer word is broken within.
    fileprivate func broken(to width: Int) -> [String] {
        guard terminalWidth > width else { return [self] }
        var lines = [""]
        for word in split(separator: " ").map(String.init) {
            let line = lines[lines.count - 1]
            if !line.isEmpty, line.terminalWidth + 1 + word.terminalWidth <= width {
                lines[lines.count - 1] += " " + word
                continue
            }
            if !line.isEmpty { lines.append("") }
            for character in word {
                let used = lines[lines.count - 1].terminalWidth
                if used > 0, used + character.terminalWidth > width { lines.append("") }
                lines[lines.count - 1].append(character)
            }
        }
        return lines
    }

    /// At least so many columns wide.
    func padded(to width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - terminalWidth))
    }
}
