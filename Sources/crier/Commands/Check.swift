import ArgumentParser
import CrierAgent
import CrierNotifications

struct Check: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Check the configuration: keys, values, jq programs and XPath expressions.",
        discussion: """
            Every problem is told as FILE:LINE:COLUMN on standard error, and so is much of what is no mistake and comes to nothing. \
            Exit status: 78 when there is a problem in the file, 69 when a library is missing without which not all of it can be \
            checked.
            """)

    @OptionGroup var options: GlobalOptions

    func run() async throws {
        let (configuration, problems) = try options.loadConfiguration(validating: true)
        let remarks = configuration.remarks(at: SystemClock().now, statePath: options.knownStatePath)
        for remark in remarks { Terminal.note(remark) }
        let lack = Expressions.unavailability.map {
            failure("\($0.shown): its expressions are not checked", ExitStatus.unavailable)
        }
        if !problems.isEmpty { throw ExitStatus.badConfiguration }
        if let lack { throw lack }
        let sinks = configuration.sinks.count == 1 ? "1 sink" : "\(configuration.sinks.count) sinks"
        Terminal.line("\(try options.configPath().shown): \(configuration.sourceCount), \(sinks), no problem found")
    }
}
