import CrierAgent

/// One manual page, in the macros that groff and mandoc share (man(7)). What is called text may hold `code` of Markdown, which
/// becomes bold, as options do; links lose their address.
struct ManualPage {
    let name: String
    let section: Int
    private var lines: [String]

    /// - Parameter summary: What it is about, without a full stop.
    init(_ name: String, section: Int, summary: String) {
        self.name = name
        self.section = section
        lines = [
            ".TH \(Roff.quoted(name.uppercased())) \(section) \"\" \(Roff.quoted("Crier \(CrierVersion.number)")) \"Crier Manual\"",
            // Neither hyphens nor spaces that are not there: what a page says is also copied.
            ".nh", ".ad l", ".SH NAME", "\(Roff.literal(name)) \\- \(Roff.text(summary))",
        ]
    }

    /// The page as a file.
    var text: String { lines.joined(separator: "\n") + "\n" }

    mutating func heading(_ title: String) { lines.append(".SH \(Roff.quoted(title))") }

    mutating func subheading(_ title: String) { lines.append(".SS \(Roff.quoted(title))") }

    mutating func paragraph(_ text: String) {
        begin()
        lines.append(Roff.text(text))
    }

    /// Lines that stay as they are. groff's macros for them allow hyphens again.
    mutating func example(_ text: [Substring]) {
        begin()
        lines += [".RS 4", ".EX"] + text.map { Roff.line(Roff.literal($0)) } + [".EE", ".RE", ".nh"]
    }

    /// Begins a paragraph, which a heading has done by itself.
    private mutating func begin() {
        if let last = lines.last, !last.hasPrefix(".SH"), !last.hasPrefix(".SS") { lines.append(".PP") }
    }

    /// How a command is written. There, too, they are allowed again.
    ///
    /// - Parameter parts: Made by ``Roff``.
    mutating func synopsis(_ command: String, _ parts: [String]) {
        lines += [".SY \(Roff.quoted(command))"] + parts.map(Roff.line) + [".YS", ".nh"]
    }

    /// One entry of a list.
    ///
    /// - Parameters:
    ///   - term: Made by ``Roff``.
    ///   - texts: Each begins on a line of its own.
    mutating func entry(_ term: String, _ texts: String...) {
        lines += [".TP", Roff.line(term), texts.map(Roff.text).joined(separator: "\n.br\n")]
    }
}

/// Text as troff takes it.
enum Roff {
    static func bold(_ text: some StringProtocol) -> String { "\\fB\(literal(text))\\fR" }

    static func italic(_ text: some StringProtocol) -> String { "\\fI\(literal(text))\\fR" }

    /// An argument of a macro.
    static func quoted(_ text: String) -> String { "\"\(literal(text))\"" }

    /// Text of which every character stands for itself, in ASCII: so that it can be copied, and read whatever the locale.
    static func literal(_ text: some StringProtocol) -> String {
        text.unicodeScalars.reduce(into: "") { result, scalar in
            switch scalar {
            case "\\": result += "\\e"
            case "-": result += "\\-"
            case "'": result += "\\(aq"
            case "`": result += "\\(ga"
            case "^": result += "\\(ha"
            case "~": result += "\\(ti"
            case "\"": result += "\\(dq"
            case _ where scalar.isASCII: result.unicodeScalars.append(scalar)
            default:
                let digits = String(scalar.value, radix: 16, uppercase: true)
                result += "\\[u\(String(repeating: "0", count: max(0, 4 - digits.count)))\(digits)]"
            }
        }
    }

    /// Text of Markdown on a line of its own.
    static func text(_ markdown: String) -> String {
        let unlinked = markdown.replacing(#/\[([^\]]*)\]\([^)]*\)/#) { $0.1 }
        let parts = unlinked.split(separator: "`", omittingEmptySubsequences: false)
        return line(
            parts.enumerated().map { index, part in index.isMultiple(of: 2) ? prose(part) : bold(part) }.joined())
    }

    /// A line that begins with a point would be taken for a request.
    static func line(_ text: String) -> String { text.hasPrefix(".") ? "\\&\(text)" : text }

    /// How a command is written, as ArgumentParser has it: `[--digest <digest>]`.
    static func usage(_ text: Substring) -> String {
        var (result, end) = ("", text.startIndex)
        for word in text.ranges(of: #/--[a-z][a-z-]*|<[^>]*>/#) {
            let isOption = text[word].hasPrefix("-")
            result += literal(text[end..<word.lowerBound])
            result += isOption ? bold(text[word]) : italic(text[word].dropFirst().dropLast())
            end = word.upperBound
        }
        return result + literal(text[end...])
    }

    /// Text without code, in which options stand out.
    private static func prose(_ text: Substring) -> String {
        var (result, end) = ("", text.startIndex)
        for option in text.ranges(of: #/--[a-z][a-z-]*/#) {
            result += literal(text[end..<option.lowerBound]) + bold(text[option])
            end = option.upperBound
        }
        return result + literal(text[end...])
    }
}
