/// What stands before every program: definitions that take away what reaches outside its input.
///
/// Since `import` and `include` must come first in a program, they are syntax errors behind it.
enum JQPrelude {
    /// One line, so that ``explain(_:)`` can subtract it.
    static let text = definitions.joined(separator: " ") + " {} as $ENV |"

    private static let definitions = [
        "def env: {};", "def debug: .;", "def debug(f): .;", "def stderr: .;", "def input_filename: null;",
        "def input_line_number: 0;", "def input: error(\"No more inputs\");", "def inputs: empty;",
        "def get_search_list: [];", "def modulemeta: error(\"modulemeta is not available\");",
        "def halt: error(\"halt is not available\");", "def halt_error: error(\"halt_error is not available\");",
        "def halt_error(f): error(\"halt_error is not available\");",
    ]

    /// One sentence from libjq's compile messages, without the prelude, the file name and the advice about shells.
    static func explain(_ messages: [String]) -> String {
        guard let message = messages.first else { return "the program does not compile" }
        var text = message
        if text.hasPrefix("jq: error: ") { text.removeFirst("jq: error: ".count) }
        text = text.replacing(" (Unix shell quoting issues?)", with: "")
        guard let place = text.firstRange(of: " at <top-level>, line ") else {
            return PlainText.line(text: text, limit: 200)
        }
        let line = Int(text[place.upperBound...].prefix { $0.isNumber }).map { max(1, $0 - 1) }
        return PlainText.line(text: String(text[..<place.lowerBound]), limit: 200)
            + (line.map { " (line \($0))" } ?? "")
    }
}
