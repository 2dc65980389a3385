import ArgumentParser

/// The options of every command.
struct GlobalOptions: ParsableArguments, CommandFiles {
    static let names = ["--config", "--state"]

    @Option(
        help: ArgumentHelp(
            "The configuration file. A second one beside the usual wants a --state of its own.", valueName: "file"),
        completion: .file(extensions: ["yaml", "yml"]), transform: FilePath.notEmpty)
    var config: String?

    @Option(
        help: ArgumentHelp("The state file.", valueName: "file"), completion: .file(extensions: ["sqlite"]),
        transform: FilePath.notEmpty)
    var state: String?

    /// Read once.
    static let environment = Environment.ofThisProcess
}
