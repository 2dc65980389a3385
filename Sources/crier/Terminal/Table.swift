import CrierDelivery

/// Columns that line up, whatever the width of the characters in them.
struct Table {
    private var rows: [[String]] = []
    private let header: [String]

    init(_ header: [String]) {
        self.header = header
    }

    mutating func add(_ row: [String]) {
        rows.append(row)
    }

    /// The lines, the header in bold. The last column is not padded.
    var lines: [String] {
        let all = [header] + rows
        let widths = header.indices.map { column in all.map { $0[column].terminalWidth }.max() ?? 0 }
        return all.enumerated().map { index, row in
            let cells = row.enumerated().map { column, cell in
                let padding = column == row.count - 1 ? 0 : widths[column] - cell.terminalWidth
                let text = cell + String(repeating: " ", count: padding)
                return index == 0 ? Terminal.bold(text) : text
            }
            return cells.joined(separator: "  ")
        }
    }
}
