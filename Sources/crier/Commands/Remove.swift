import ArgumentParser
import CrierAgent

struct Remove: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Stop following a source.",
        discussion: """
            Its lines leave the configuration, with the comment directly above them. What Crier knows of it stays in the state: \
            added again under the same name, it raises nothing twice. Notifications that wait are still delivered. A source that \
            a digest names stays until it is taken out there; each place is told.
            Exit status: 78 when a digest names it, or the file cannot be edited line by line.
            """)

    @OptionGroup var options: GlobalOptions

    @Argument(help: "The source.", completion: .everySource)
    var name: String

    func run() async throws {
        let file = try ConfigurationText(options.configPath())
        _ = try options.configBytes()
        try file.edit { editor throws(ConfigurationEditError) in try editor.removing(source: name) }
        Terminal.line("Removed \(name.shown).")
    }
}
