import ArgumentParser

struct Fetch: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fetch", abstract: "Visit the sources that are due and raise what is new.",
        discussion: """
            Each source is visited when its own schedule says so, however often this runs: let cron or a timer call \
            `crier fetch --scheduled --quiet` every ten minutes, as `crier install` does. Where `crier agent` runs, it makes \
            the visits. Notifications are raised at the sinks of the configuration, by default on standard output. A source \
            that fails is told on standard error; the others go on.

            A source with `only-on` waits while the machine runs on its battery or the connection is metered, unless you name \
            it or say --force.

            --scheduled says that nobody has asked for this run. Then nothing is fetched while `crier background` is off, and \
            nothing before notifications are authorized (`background: always` in the configuration changes that); what \
            waits is delivered. Without it, it is you who asks.

            --format json prints one JSON object per notification; its keys are told at https://github.com/crier/crier#commands.

            Exit status: 0 also when nothing is new; 69 when the network is down or every visit failed; 74 when standard \
            output cannot be written; 75 when another run is at work (with --scheduled --quiet in silence); 77 when new notifications wait for your permission, \
            or --scheduled fetches nothing because you have not allowed them; 78 when sources (of those that \
            are named, if any) were left out because their configuration is wrong, a digest that was due cannot be issued, or, without --scheduled, there is no source to fetch; 141 when nobody reads standard \
            output any more. With --exit-code: 0 if any source had news, else 20 if any failed, else 10; that takes the \
            place of 69, 77 and, where some sources were left out or a digest could not be issued, 78.
            """)

    @OptionGroup var options: GlobalOptions

    @Argument(help: "The sources to visit; all of them where none is named.", completion: .sources)
    var sources: [String] = []

    @Flag(
        help: """
            Visit sources that are not due yet, too, except where the origin wants to be left alone; those that are gone \
            if they are named.
            """)
    var force = false

    @Flag(
        help:
            "Fetch only what is due and may be fetched in the background; for cron and timers. Goes neither with --force nor with names."
    )
    var scheduled = false

    @Flag(
        help: """
            Visit and say what would be raised, but raise nothing, and remember only that an origin wants to be left alone.
            """)
    var dryRun = false

    @Option(help: "How to print notifications on standard output: text or json; else as its sink says.")
    var format: OutputFormat?

    @Flag(
        help: """
            Print notifications and failures only; of a sink that is not there once, when it is missed first, and with \
            --scheduled once of a network that is down.
            """)
    var quiet = false

    @Flag(help: "Let the exit status tell the result.")
    var exitCode = false

    func validate() throws {
        if scheduled, force || !sources.isEmpty {
            throw ValidationError("--scheduled takes what is due; it goes neither with --force nor with names")
        }
    }

    func run() async throws { try await plan.run() }

    /// What is to be done.
    var plan: FetchRun {
        FetchRun(
            files: FetchRun.Files(config: options.config, state: options.state), sources: sources, force: force,
            scheduled: scheduled, dryRun: dryRun, format: format, quiet: quiet, exitCode: exitCode)
    }
}
