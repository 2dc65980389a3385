import CrierProcess

/// The command that a unit or a crontab line runs.
public struct InstalledCommand: Sendable, Hashable {
    /// The absolute path of the binary.
    public var binary: String
    /// `--config` and `--state` with their absolute paths, where they are not what the environment of a service leads to.
    public var options: [String]

    public init(binary: String, options: [String] = []) {
        self.binary = binary
        self.options = options
    }

    /// The options that lead a process with nothing but a home folder to the same files.
    ///
    /// - Parameter home: The one that cron and systemd give it: the account's, whatever `HOME` says here.
    public static func options(config: String, state: String, home: String?) -> [String] {
        let bare = home.map { ["HOME": $0] } ?? [:]
        var options: [String] = []
        if config != ConfigurationPaths.configuration(environment: bare) { options += ["--config", config] }
        if state != ConfigurationPaths.state(environment: bare) { options += ["--state", state] }
        return options
    }

    /// As the value of `ExecStart=` (systemd.service(5), "Command lines").
    func unitText(_ arguments: [String]) throws(InstallationError) -> String {
        // systemd refuses programs at such paths.
        guard binary.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }), !binary.contains(where: { "\"'\\".contains($0) })
        else { throw InstallationError(.refused, "systemd runs no program whose path is \(quoted(binary))") }
        let words = (arguments + options).map { Self.unitWord($0).replacing("$", with: "$$") }
        return ([Self.unitWord(binary)] + words).joined(separator: " ")
    }

    /// Around the program's path, before a line of a crontab: cron mails whatever a program says that is gone.
    static let cronGuard = (begin: "[ ! -x ", end: " ] || ")

    /// As a line of a crontab (crontab(5)): a command of the shell in which each `%` has its backslash.
    func cronText(_ arguments: [String]) throws(InstallationError) -> String {
        let words = [binary] + arguments + options
        guard words.allSatisfy({ !$0.contains(where: \.isNewline) }) else {
            throw InstallationError(.refused, "a crontab takes no path with a line end")
        }
        return Self.cronGuard.begin + Self.cronWord(binary) + Self.cronGuard.end
            + words.map(Self.cronWord).joined(separator: " ")
    }

    /// The program of a unit; nil where it is written otherwise than by ``unitText(_:)``, but for `%h`, or there is none.
    static func program(inUnit text: String, home: String) -> String? {
        guard let line = text.split(separator: "\n").first(where: { $0.hasPrefix("ExecStart=") }) else { return nil }
        let value = line.dropFirst("ExecStart=".count)
        let isQuoted = value.hasPrefix("\"")
        var word = String(unitPath(of: value))
        if word.hasPrefix("%h/") { word = home.replacing("%", with: "%%") + word.dropFirst(2) }
        let program = word.replacing("%%", with: "%")
        return program.hasPrefix("/") && unitWord(program) == (isQuoted ? "\"\(word)\"" : word) ? program : nil
    }

    /// The path of the program of such a text, without quotes.
    static func unitPath(of text: Substring) -> Substring {
        text.hasPrefix("\"") ? text.dropFirst().prefix { $0 != "\"" } : text.prefix { $0 != " " }
    }

    /// The program that a line of a crontab has as its first word; nil where it is written otherwise than by ``cronText(_:)``.
    static func program(ofCron word: Substring) -> String? {
        var program = String(word).replacing("\\%", with: "%")
        if program.hasPrefix("'") { program = String(program.dropFirst().dropLast()).replacing("'\\''", with: "'") }
        return program.hasPrefix("/") && cronWord(program) == word ? program : nil
    }

    private static func unitWord(_ word: String) -> String {
        let escaped = word.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("%", with: "%%")
            .replacing("\n", with: "\\n")
        return ShellWord.isPlain(word, besides: "%$") ? escaped : "\"\(escaped)\""
    }

    static func cronWord(_ word: String) -> String { ShellWord.quoted(word).replacing("%", with: "\\%") }
}
