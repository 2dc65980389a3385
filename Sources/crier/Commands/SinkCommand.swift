import ArgumentParser
import CrierAgent
import CrierDelivery
import CrierNotifications
import CrierStore
import Foundation

struct SinkCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sink", abstract: "Try a sink of the configuration.", subcommands: [TestSink.self])
}

struct TestSink: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "test", abstract: "Raise a test notification at a sink and say how it went.",
        discussion: """
            Works whatever was authorized: it is you who asks. A sink that had said it was gone gets deliveries again when \
            the test succeeds. Exit status: 69 when the sink did not accept.
            """)

    @OptionGroup var options: GlobalOptions

    @Argument(help: "The sink.", completion: .sinks)
    var name: String

    func run() async throws {
        let (configuration, _) = try options.loadConfiguration()
        let sink: SinkConfiguration
        do { sink = try configuration.sink(named: name) } catch {
            throw failure(error.description, ExitStatus.usage)
        }
        let now = SystemClock().now
        let content = NotificationContent(
            title: "Test of the sink \(name)", subtitle: "This is only a test.", body: "Crier can reach you here.",
            threadIdentifier: "crier", userInfo: ["test": .bool(true)], url: "https://github.com/crier/crier")
        let request = NotificationRequest(
            identifier: Store.reservedPrefix + "test-\(now.milliseconds)", content: content)
        let named = sink.makeSink(Surroundings(stdoutIsTerminal: Terminal.hasColour))
        if sink.settings.hasTemplate {
            Terminal.note("\(name.shown): shows what its template says")
        } else {
            await describe(named.sink, content)
        }
        let attempt = DeliveryAttempt(request: request, created: now)
        switch try await interruptible({ await named.sink.deliver(attempt) }) {
        case .delivered(_, let remark):
            if let store = try options.existingStore() {
                try storeErrors { try store.revive(name, at: SystemClock().now) }
                await AgentClient.wake(store.path)
            }
            let amiss = remark.map { ": \($0.shown)" } ?? ""
            Terminal.note("\(name.shown): delivered in \(milliseconds(since: now)) ms\(amiss)")
        case .deferred(let reason), .failed(let reason, _), .unreached(let reason), .unanswered(let reason, _),
            .putOff(let reason, _), .rejected(let reason), .gone(let reason):
            throw failure("\(name.shown): not delivered: \(reason.shown)", ExitStatus.unavailable)
        }
    }

    /// What the sink can do, and what of the test it leaves out.
    private func describe(_ sink: any NotificationSink, _ content: NotificationContent) async {
        let capabilities = await sink.capabilities
        let able = SinkCapabilities.Feature.allCases.filter(capabilities.features.contains)
        let unable = SinkCapabilities.Feature.allCases.filter { !capabilities.features.contains($0) }
        func listed(_ features: [SinkCapabilities.Feature]) -> String {
            features.isEmpty ? "nothing" : features.map(\.rawValue).joined(separator: ", ")
        }
        let limit = capabilities.bodyLimit.map { "; at most \($0) characters of text" } ?? ""
        Terminal.note("\(name.shown): shows title, text, \(listed(able))\(limit)")
        Terminal.note(
            "\(name.shown): drops \(listed(unable)); of this test \(listed(capabilities.dropped(of: content)))")
    }

    private func milliseconds(since start: Date) -> Int { Int(SystemClock().now.timeIntervalSince(start) * 1000) }
}
