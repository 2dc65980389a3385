import ArgumentParser
import CrierAgent
import CrierFetch
import CrierNotifications
import CrierStore
import Foundation
import Synchronization

struct SimulatePlan: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "plan",
        abstract: "What the schedule comes to: requests per host and day, delays, quiet hours, digests.",
        discussion: """
            The scheduler itself runs through the days ahead on a clock of its own, from what is remembered of the sources \
            and what their origins have asked for. No network is used, every origin is taken to answer that nothing has \
            changed, no program is run and nothing is written.

            A delay is the time from the publication of an item to its notification: on average, and at most. It is told for \
            items that come at any time alike, and, where the state knows items of the last eight weeks, for such that come \
            at the same times of the week as those did. Quiet hours, muting and the wait for a digest count.

            Days are those of the configuration's time zone; one on which the clocks are changed has 23 or 25 hours. \
            --format json prints one object per line, for all hosts and sources; its keys are told at https://github.com/crier/crier#commands.

            Exit status: 78 where the configuration is wrong, and sources with a mistake are not planned, or has no source.
            """)

    @OptionGroup var options: GlobalOptions

    @Option(help: ArgumentHelp("How many days, from now on: 1 to 31.", valueName: "number"))
    var days = 7

    @Option(
        name: [.short, .long], help: ArgumentHelp("How many hosts and sources to show at most.", valueName: "number"))
    var lines = 20

    @Option(help: "text or json.")
    var format: OutputFormat = .text

    func validate() throws {
        guard (1...31).contains(days) else { throw ValidationError("--days takes a number from 1 to 31") }
        guard (1...1_000_000).contains(lines) else { throw ValidationError("--lines takes a number from 1 to 1000000") }
    }

    func run() async throws {
        let (configuration, problems) = try options.loadConfiguration()
        if configuration.sources.isEmpty {
            throw failure(
                configuration.lackOfSources(hasMistakes: !problems.isEmpty), ExitStatus.badConfiguration)
        }
        let path = try options.statePath()
        let plan: SchedulePlan
        do {
            let store = try Store.copy(ofFileAt: path) ?? Store.inMemory()
            let now = Date(timeIntervalSince1970: SystemClock().now.timeIntervalSince1970.rounded(.down))
            let planner = SchedulePlanner(configuration, store: store, now: now, days: days)
            let progress = PlanProgress(from: now, days: days)
            plan = try await interruptible { try await planner.plan { progress.tell($0) } }
            progress.clear()
        } catch let error as StoreError {
            throw told(error, path: nil)
        }
        switch format {
        case .json: PlanLines.write(plan)
        case .text: PlanText(plan: plan, timeZone: configuration.timeZone, limit: lines).print()
        }
        if !problems.isEmpty { throw ExitStatus.badConfiguration }
    }
}

/// Says on a terminal how far the days have passed, where that takes a while.
private final class PlanProgress: Sendable {
    private static let patience = Duration.seconds(1)

    private let start: Date
    private let days: Int
    private let begun = ContinuousClock.now
    private let told = Mutex(0)

    init(from start: Date, days: Int) {
        self.start = start
        self.days = days
    }

    func tell(_ date: Date) {
        let day = Int(date.timeIntervalSince(start) / 86_400) + 1
        guard Terminal.showsProgress, told.withLock({ $0 }) < day, .now - begun > Self.patience else { return }
        told.withLock { $0 = day }
        Terminal.write("\r\u{1b}[Kday \(min(day, days)) of \(days)", to: STDERR_FILENO)
    }

    func clear() {
        if told.withLock({ $0 }) > 0 { Terminal.write("\r\u{1b}[K", to: STDERR_FILENO) }
    }
}
