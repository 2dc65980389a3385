import CrierHashing
import CrierProcess
import Foundation

/// The user's crontab, by the program `crontab`.
public struct Crontab: Sendable {
    private let program: String?

    /// - Parameter environment: Whose `PATH` has the program.
    public init(environment: [String: String]) {
        program = ProgramPath.of("crontab", environment: environment)
    }

    /// Whether there is such a program.
    public var isPossible: Bool { program != nil }

    /// All of it; empty where there is none.
    func text() async throws(InstallationError) -> String {
        let ending = try await run(["-l"])
        if ending.exitCode == 0 {
            if let text = String(validating: ending.output, as: UTF8.self) { return text }
            throw InstallationError(
                .refused,
                "your crontab has letters that are not UTF-8, which would be lost: write them anew with `crontab -e`")
        }
        if Self.isNone(ending.errorText) { return "" }
        throw Self.failure("read", ending)
    }

    /// Without a line left, there is none.
    func replace(with text: String) async throws(InstallationError) {
        let ending = text.isEmpty ? try await run(["-r"]) : try await run(["-"], input: Array(text.utf8))
        guard ending.exitCode == 0 else { throw Self.failure("written", ending) }
    }

    /// Every cron says it in the first words, but for BusyBox; whatever else goes wrong must not end in a new crontab.
    private static func isNone(_ errors: String) -> Bool {
        errors.contains("no crontab for")
            || errors.contains("can't open '") && errors.contains("No such file or directory")
    }

    private func run(_ arguments: [String], input: [UInt8] = []) async throws(InstallationError)
        -> BoundedProgram.Ending
    {
        guard let program else { throw InstallationError(.unavailable, "the program crontab is not installed") }
        do {
            return try await BoundedProgram([program] + arguments)
                .run(input: input, limit: .seconds(20), outputLimit: 4 << 20)
        } catch {
            throw InstallationError(.unavailable, error.description)
        }
    }

    private static func failure(_ verb: String, _ ending: BoundedProgram.Ending) -> InstallationError {
        let cause = ending.errorText.split(whereSeparator: \.isNewline).first.map { ": " + $0.prefix(200) } ?? ""
        return InstallationError(.unavailable, "your crontab cannot be \(verb)\(cause)")
    }
}

/// The lines of a crontab that are Crier's: between two marks.
struct CrontabBlock: Sendable, Hashable {
    let lines: [String]
    let isIntact: Bool

    private static let begin = "# crier: begin, written by `crier install --cron`, removed by `crier uninstall`. "
    private static let end = "# crier: end"

    /// - Parameter lines: Of Crier, without the marks.
    init(lines: [String]) {
        self.lines = lines
        isIntact = true
    }

    /// A run every ten minutes.
    ///
    /// - Parameter minute: The first of an hour, see ``minute(home:)``.
    static func fetchLine(_ command: String, minute: Int) -> String { "\(minute)-59/10 * * * * \(command)" }

    /// 1...9, the same every time for a user of a machine: not all machines at the full ten minutes.
    static func minute(home: String) -> Int {
        let machine = FileManager.default.contents(atPath: "/etc/machine-id") ?? Data()
        return Int(XXH3.hash(Array(machine) + Array(home.utf8))[0]) % 9 + 1
    }

    /// Whether a line runs the visits, not a digest.
    static func isFetchLine(_ line: String) -> Bool { !command(of: line).arguments.hasPrefix("digest ") }

    /// A line that `crier install` wrote, as it does now: earlier versions had no guard, and visits at the full ten minutes.
    static func renewed(_ line: String, minute: Int) -> String {
        var parts = line.split(separator: " ", maxSplits: 5).map(String.init)
        guard parts.count == 6 else { return line }
        if isFetchLine(line), parts[0] == "*/10" { return renewed(fetchLine(parts[5], minute: minute), minute: minute) }
        let mark = InstalledCommand.cronGuard
        if !parts[5].hasPrefix(mark.begin) {
            parts[5] = "\(mark.begin)\(command(of: line).program)\(mark.end)\(parts[5])"
        }
        return parts.joined(separator: " ")
    }

    /// The program of a line, whose path may hold any words, as it is written there, and what stands behind it.
    static func command(of line: String) -> (program: Substring, arguments: Substring) {
        let times = line.hasPrefix("@") ? 1 : 5
        let parts = line.split(separator: " ", maxSplits: times)
        guard parts.count > times else { return ("", "") }
        var words = firstWord(of: parts[times])
        if parts[times].hasPrefix(InstalledCommand.cronGuard.begin) {
            let guarded = firstWord(of: parts[times].dropFirst(InstalledCommand.cronGuard.begin.count))
            // An earlier version wrote none, and the user may have taken it out.
            if guarded.rest.hasPrefix(InstalledCommand.cronGuard.end) {
                words = firstWord(of: guarded.rest.dropFirst(InstalledCommand.cronGuard.end.count))
            }
        }
        return (words.word, words.rest.drop { $0 == " " })
    }

    /// A word of the shell as it is written, and what stands behind it.
    private static func firstWord(of text: Substring) -> (word: Substring, rest: Substring) {
        var (isQuoted, isEscaped) = (false, false)
        let end = text.firstIndex { character in
            if isEscaped {
                isEscaped = false
            } else if character == "'" {
                isQuoted.toggle()
            } else if !isQuoted {
                isEscaped = character == "\\"
                return character == " "
            }
            return false
        }
        return (text[..<(end ?? text.endIndex)], text[(end ?? text.endIndex)...])
    }

    /// Nil where there is none.
    init?(in text: String) throws(InstallationError) {
        let all = Self.split(text)
        let starts = all.indices.filter { all[$0].hasPrefix("# crier: begin") }
        guard let start = starts.first else { return nil }
        guard let stop = all.indices.first(where: { $0 > start && all[$0] == Self.end }), starts.count == 1 else {
            throw InstallationError(
                .refused, "the lines of crier in your crontab have lost a mark: remove them with `crontab -e`")
        }
        lines = Array(all[(start + 1)..<stop])
        isIntact = all[start] == Self.begin + Seal.hash(of: lines.joined(separator: "\n"))
    }

    /// The crontab with this block where an earlier one was, else at its end.
    func placed(in text: String, instead old: CrontabBlock?) -> String {
        let block = [Self.begin + Seal.hash(of: lines.joined(separator: "\n"))] + lines + [Self.end]
        var all = Self.split(text)
        if old != nil, let range = Self.range(in: all) {
            all.replaceSubrange(range, with: block)
        } else {
            all += block
        }
        return all.map { $0 + "\n" }.joined()
    }

    func removed(from text: String) -> String {
        var all = Self.split(text)
        if let range = Self.range(in: all) { all.removeSubrange(range) }
        return all.map { $0 + "\n" }.joined()
    }

    private static func range(in lines: [String]) -> ClosedRange<Int>? {
        guard let start = lines.firstIndex(where: { $0.hasPrefix("# crier: begin") }),
            let stop = lines[start...].firstIndex(of: end)
        else { return nil }
        return start...stop
    }

    /// The lines without their ends; a last one that has none gets one when it is written.
    private static func split(_ text: String) -> [String] {
        // By bytes: as a character, a line end of two is another.
        let parts = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        var lines = parts.map { String(Substring($0)) }
        if lines.last == "" { lines.removeLast() }
        return lines
    }
}
