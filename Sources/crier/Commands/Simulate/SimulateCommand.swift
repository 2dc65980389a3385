import ArgumentParser

struct SimulateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "simulate",
        abstract: "See what Crier does by itself: the plan of the days ahead, or one wake now.",
        discussion: """
            Without a subcommand it is `crier simulate plan`: nothing is visited, and nothing is written.

            The wakes are those of an app on iOS when Xcode simulates them, and as there they are real: the source is visited \
            by its origin's rules, what is new is remembered and raised at its sinks, and a failure counts. Only what led to \
            them is made up. Nobody is at a terminal then: the user is not asked for anything.
            """,
        subcommands: [SimulatePlan.self, SimulateFetch.self, SimulateLaunch.self, SimulateExpire.self],
        defaultSubcommand: SimulatePlan.self)
}
