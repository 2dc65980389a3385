import ArgumentParser
import CrierDelivery
import CrierProcess
import Foundation
import Synchronization

/// Standard output and standard error. Text of outsiders passes through `TerminalText` before it gets here.
enum Terminal {
    static let stdoutIsTerminal = isatty(STDOUT_FILENO) == 1
    static let stderrIsTerminal = isatty(STDERR_FILENO) == 1
    /// Whether a person can be asked: something to type at, something to read at.
    static let canAsk = isatty(STDIN_FILENO) == 1 && stderrIsTerminal
    /// Whether a line can tell how far a run is, which is taken away again.
    static let showsProgress = stderrIsTerminal && !isDumb
    /// no-color.org
    static let hasColour =
        stdoutIsTerminal && (GlobalOptions.environment["NO_COLOR"] ?? "").isEmpty && !isDumb
    /// As other programs do, none is assumed where it is not said which it is.
    private static let isDumb = ["", "dumb"].contains(GlobalOptions.environment["TERM"] ?? "")

    /// How many columns a line of result may have; nil where it is read by no person. `COLUMNS` comes first, as with `ls`.
    static let width: Int? = {
        if let columns = GlobalOptions.environment["COLUMNS"].flatMap({ Int($0) }), columns > 0 {
            return columns
        }
        var size = winsize()
        guard stdoutIsTerminal, ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return Int(size.ws_col)
    }()

    /// How digests are printed on standard output.
    static var digestPrint: DigestPrint {
        DigestPrint(
            width: min(width ?? 80, 100), isBold: hasColour,
            linksTitles: stdoutIsTerminal && knowsHyperlinks(GlobalOptions.environment))
    }

    /// Whether the terminal is known to make links of OSC 8, which others print as nothing or as rubbish.
    static func knowsHyperlinks(_ environment: [String: String]) -> Bool {
        let terminal = environment["TERM"] ?? ""
        if terminal.isEmpty || terminal == "dumb" || terminal == "linux" { return false }
        if let version = environment["VTE_VERSION"].flatMap({ Int($0) }) { return version >= 5000 }
        let programs = ["iTerm.app", "WezTerm", "vscode", "ghostty", "Hyper"]
        if let program = environment["TERM_PROGRAM"], programs.contains(program) { return true }
        if ["KITTY_WINDOW_ID", "WT_SESSION", "KONSOLE_VERSION"].contains(where: { environment[$0] != nil }) {
            return true
        }
        return ["kitty", "alacritty", "foot", "ghostty", "wezterm"].contains { terminal.contains($0) }
    }

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

    /// What a ``DigestReport`` remarks.
    static func error(digest: String, remark: String) {
        error("items of the digest \(digest.shown) could not be judged and are told, \(remark.shown)")
    }

    static func bold(_ text: String) -> String { hasColour ? "\u{1b}[1m\(text)\u{1b}[0m" : text }

    static func faint(_ text: String) -> String { hasColour ? "\u{1b}[2m\(text)\u{1b}[0m" : text }

    static func red(_ text: String) -> String { hasColour ? "\u{1b}[31m\(text)\u{1b}[0m" : text }

    /// Asks a question that is answered by yes or no, three times at most; nil without an answer.
    static func askWhether(_ question: String) async -> Bool? {
        for _ in 0..<3 {
            guard let answer = await ask("\(question) [y/n] ") else { return nil }
            switch answer.lowercased() {
            case "y", "yes": return true
            case "n", "no": return false
            default: continue
            }
        }
        return nil
    }

    /// Asks a question that is answered by one line; nil at the end of input, or when the task is cancelled meanwhile.
    private static func ask(_ question: String) async -> String? {
        write(question, to: STDERR_FILENO)
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return nil }
        let (read, write) = (ends[0], ends[1])
        defer {
            close(read)
            close(write)
        }
        // Reading blocks a thread, so it is a thread of its own, and waits for the end of the pipe as well.
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let refusal = OwnThread.begin("crier-answer") {
                    var descriptors = [STDIN_FILENO, read].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
                    while poll(&descriptors, 2, -1) < 0, errno == EINTR {}
                    continuation.resume(returning: descriptors[1].revents == 0 ? readLine() : nil)
                }
                if refusal != nil { continuation.resume(returning: nil) }
            }
        } onCancel: {
            self.write("\n", to: write)
        }
    }

    /// A descriptor that is closed would be given to the next file that is opened: a null device takes its place.
    static func openStandardStreams() {
        for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] where fcntl(descriptor, F_GETFD) < 0 {
            _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
        }
    }

    /// The status where standard output could not be written, which is said unless its reader has gone: then SIGPIPE, which the
    /// process may be without, as where an agent is at work, would say nothing either.
    static func lostOutput() -> ExitCode? {
        outputError.withLock { $0 }.map {
            $0 == EPIPE
                ? ExitStatus.readerHasGone
                : failure("standard output cannot be written: \(String(cString: strerror($0)))", ExitStatus.ioError)
        }
    }

    private static let outputError = Mutex<Int32?>(nil)

    /// What cannot be written is lost; ``lostOutput()`` tells of it.
    static func write(_ text: String, to descriptor: Int32) {
        write(Array(text.utf8), to: descriptor)
    }

    static func write(_ bytes: [UInt8], to descriptor: Int32) {
        var bytes = bytes[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            if count < 0, errno == EAGAIN {
                wait(for: POLLOUT, of: descriptor)
                continue
            }
            guard count > 0 else {
                let code = errno
                if descriptor == STDOUT_FILENO { outputError.withLock { $0 = code } }
                return
            }
            bytes = bytes.dropFirst(count)
        }
    }

    /// Somebody who has the descriptor as well has asked that nothing waits for its other end.
    static func wait(for events: Int32, of descriptor: Int32) {
        var request = pollfd(fd: descriptor, events: Int16(events), revents: 0)
        _ = poll(&request, 1, -1)
    }
}

extension String {
    /// Text of outsiders, fit for one line of a terminal.
    var shown: String { TerminalText.escape(self) }
}

extension String {
    /// Words as a sentence by itself.
    var asSentence: String { prefix(1).uppercased() + dropFirst() + "." }
}
