import CrierDelivery
import Foundation

/// Standard output and standard error. Text of outsiders passes through `TerminalText` before it gets here.
enum Terminal {
    static let stdoutIsTerminal = isatty(STDOUT_FILENO) == 1
    static let stderrIsTerminal = isatty(STDERR_FILENO) == 1
    /// Whether a person can be asked: something to type at, something to read at.
    static let canAsk = isatty(STDIN_FILENO) == 1 && stderrIsTerminal
    /// no-color.org
    static let hasColour = stdoutIsTerminal && (ProcessInfo.processInfo.environment["NO_COLOR"] ?? "").isEmpty

    /// A line of result.
    static func line(_ text: String) {
        write(text + "\n", to: STDOUT_FILENO)
    }

    /// A line of diagnosis.
    static func note(_ text: String) {
        write(text + "\n", to: STDERR_FILENO)
    }

    /// A line of diagnosis that says why the program cannot go on.
    static func error(_ sentence: String) {
        note("crier: \(sentence)")
    }

    static func bold(_ text: String) -> String { hasColour ? "\u{1b}[1m\(text)\u{1b}[0m" : text }

    static func faint(_ text: String) -> String { hasColour ? "\u{1b}[2m\(text)\u{1b}[0m" : text }

    static func red(_ text: String) -> String { hasColour ? "\u{1b}[31m\(text)\u{1b}[0m" : text }

    /// Asks a question that is answered by one line; nil at the end of input.
    static func ask(_ question: String) -> String? {
        write(question, to: STDERR_FILENO)
        return readLine()
    }

    /// What cannot be written is lost: the reader has gone.
    static func write(_ text: String, to descriptor: Int32) {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return }
            bytes = bytes.dropFirst(count)
        }
    }
}

extension String {
    /// Text of outsiders, fit for one line of a terminal.
    var shown: String { TerminalText.escape(self) }
}
