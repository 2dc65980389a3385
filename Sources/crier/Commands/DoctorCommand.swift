import ArgumentParser
import CrierAgent

#if canImport(CDelayLoad)
    import CDelayLoad
#endif

struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor", abstract: "Look at everything Crier depends on and say what can be done about it.",
        discussion: """
            Libraries, configuration, state, permissions, authorization, what is switched off, muted or quiet, the programs and \
            secrets of sinks and sources, the session bus, the notification daemon and Do Not Disturb, sinks that are gone \
            or left alone, what runs crier by itself, the clock, the network. No source is \
            visited and nothing is changed, but that a state file which others may read is made private, as by every command.

            Each line says ok; warn, where something waits or does less than it could; or fail, where something cannot work. \
            Exit status: 69 when a line says fail.
            """)

    @OptionGroup var options: GlobalOptions

    @Option(help: "text or json.")
    var format: OutputFormat = .text

    func run() async throws {
        let doctor = Doctor(
            configPath: try options.configPath(), statePath: try options.statePath(),
            environment: GlobalOptions.environment, loadProblem: Self.loadProblem)
        let findings = await doctor.examine()
        for finding in findings {
            switch format {
            case .json: JSONLine.write(FindingLine(finding))
            case .text: print(finding)
            }
        }
        if findings.contains(where: { $0.verdict == .fail }) { throw ExitStatus.unavailable }
    }

    private static var loadProblem: (@Sendable () -> String?)? {
        #if canImport(CDelayLoad)
            { crier_delay_load_problem().map { String(cString: $0) } }
        #else
            nil
        #endif
    }

    private func print(_ finding: Finding) {
        let verdict = finding.verdict.rawValue.padded(to: 5)
        let line = "\(finding.subject): \(finding.words.shown)"
        Terminal.line((finding.verdict == .fail ? Terminal.red(verdict) : verdict) + line)
        if let remedy = finding.remedy { Terminal.line("     → \(remedy.shown)") }
    }
}

private struct FindingLine: Encodable {
    let type = "finding"
    let subject: String
    let verdict: String
    let words: String
    @Nullable var remedy: String?

    init(_ finding: Finding) {
        subject = finding.subject
        verdict = finding.verdict.rawValue
        words = finding.words
        remedy = finding.remedy
    }
}
