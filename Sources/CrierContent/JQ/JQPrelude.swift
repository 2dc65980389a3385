/// What stands before every program: definitions that take away what reaches outside its input, and that make of times
/// which no calendar has an error of the field instead of one of libjq's assertions.
///
/// Since `import` and `include` must come first in a program, they are syntax errors behind it.
enum JQPrelude {
    /// One line, so that ``explain(_:place:)`` can subtract it.
    static let text = (isolation + safeTimes).joined(separator: " ") + " {} as $ENV |"

    private static let isolation = [
        "def env: {};", "def debug: .;", "def debug(f): .;", "def stderr: .;", "def input_filename: null;",
        "def input_line_number: 0;", "def input: error(\"No more inputs\");", "def inputs: empty;",
        "def get_search_list: [];", "def modulemeta: error(\"modulemeta is not available\");",
        "def halt: error(\"halt is not available\");", "def halt_error: error(\"halt_error is not available\");",
        "def halt_error(f): error(\"halt_error is not available\");",
    ]

    /// libjq 1.6 asserts that a time can be broken down; a document may hold any number.
    private static let safeTimes = [
        "def _strftime(f): strftime(f);", "def _strflocaltime(f): strflocaltime(f);",
        "def _time: if type == \"number\" and (isnan or . < -1e11 or . > 1e12)",
        "then error(\"the time is out of range\") else . end;",
        "def strftime(f): _time | _strftime(f);", "def strflocaltime(f): _time | _strflocaltime(f);",
        "def todateiso8601: strftime(\"%Y-%m-%dT%H:%M:%SZ\");", "def todate: todateiso8601;", "def date: todate;",
    ]

    /// One sentence from one of libjq's compile messages, without the prelude, the file name and the advice about shells.
    ///
    /// - Parameter place: where the mistake is; nil leaves libjq's word on the line.
    static func explain(_ message: String, place: String?) -> String {
        if message.isEmpty { return "the program does not compile" }
        var text = message
        for prefix in ["jq: ", "error: "] where text.hasPrefix(prefix) { text.removeFirst(prefix.count) }
        text = text.replacing(" (Unix shell quoting issues?)", with: "")
        guard let end = text.firstRange(of: " at <top-level>, line ") else {
            return PlainText.line(text: text, limit: 200)
        }
        let line = Int(text[end.upperBound...].prefix { $0.isNumber }).map { "line \(max(1, $0 - 1))" }
        return PlainText.line(text: String(text[..<end.lowerBound]), limit: 200)
            + ((place ?? line).map { " (\($0))" } ?? "")
    }
}
