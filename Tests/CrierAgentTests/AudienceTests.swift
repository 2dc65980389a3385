import CrierDelivery
import CrierNotifications
import CrierTesting
import Foundation
import Testing

@testable import CrierAgent

/// A notification is shown to whoever has it before their eyes, and to nobody twice.
@Suite(.timeLimit(.minutes(5))) struct AudienceTests {
    private let audience: Audience

    init() {
        // Longer than a machine can be busy.
        audience = Audience(patience: .seconds(600))
    }

    private func attempt(_ identifier: String, receipt: String? = nil) -> DeliveryAttempt {
        DeliveryAttempt(
            request: NotificationRequest(identifier: identifier, content: NotificationContent(title: identifier)),
            created: Date(timeIntervalSince1970: 1_700_000_000), receipt: receipt)
    }

    private func desktop(_ base: RecordingSink, _ audience: Audience? = nil) -> AttendedSink {
        AttendedSink(name: "desktop", kind: .desktop, base: base, audience: audience ?? self.audience)
    }

    /// Reads so many messages as a listener does that writes them.
    private func read(_ messages: AsyncStream<Audience.Message>, count: Int) async -> [String] {
        var titles: [String] = []
        for await message in messages {
            if let raised = message.event.raised { titles.append(raised.content.title) }
            if let receipt = message.receipt { await audience.acknowledge(receipt) }
            if titles.count == count { break }
        }
        return titles
    }

    @Test func aTerminalThatWatchesSparesTheDesktop() async throws {
        let base = RecordingSink()
        let (_, messages) = await audience.join(.watch(isTerminal: true))
        async let titles = read(messages, count: 1)
        #expect(await desktop(base).deliver(attempt("a")) == .delivered())
        #expect(await titles == ["a"])
        #expect(await base.attempts.isEmpty)
    }

    @Test func aRunThatDoesNotReadHidesNoOther() async throws {
        let impatient = Audience(patience: .zero)
        _ = await impatient.join(.run)
        #expect(await !impatient.print(attempt("a"), sink: "out"), "nobody has read it")
        let (_, messages) = await impatient.join(.run, confirms: true)
        async let isShown = impatient.print(attempt("b"), sink: "out")
        for await message in messages {
            #expect(message.event.raised?.content.title == "b")
            break
        }
        _ = await isShown
    }

    @Test func whatOneTerminalCouldNotShowAnotherMay() async throws {
        let base = RecordingSink()
        let (_, first) = await audience.join(.watch(isTerminal: true), confirms: true)
        let (_, second) = await audience.join(.watch(isTerminal: true), confirms: true)
        let outcome = Task { await desktop(base).deliver(attempt("a")) }
        for (messages, isShown) in [(first, false), (second, true)] {
            for await message in messages {
                await audience.acknowledge(try #require(message.event.raised?.receipt), isShown: isShown)
                break
            }
        }
        #expect(await outcome.value == .delivered())
        #expect(await base.attempts.isEmpty)
    }

    @Test func whoComesWhenTheAgentEndsHearsThatAtOnce() async {
        await audience.close()
        let (_, messages) = await audience.join(.watch(isTerminal: true))
        for await _ in messages { Issue.record("nobody tells anything any more") }
    }

    @Test func whatTheDesktopHasShownIsReplacedThereAlsoAfterATerminalHasShownAnEdit() async throws {
        let base = RecordingSink()
        let (_, messages) = await audience.join(.watch(isTerminal: true))
        async let titles = read(messages, count: 1)
        #expect(await desktop(base).deliver(attempt("a", receipt: "7")) == .delivered(receipt: "7"))
        #expect(await titles == ["a"])
    }

    @Test func whatASecondSinkTakesLongAfterTheFirstIsNotShownAgain() async throws {
        let (number, messages) = await audience.join(.watch(isTerminal: false))
        await audience.tell([attempt("a")], sink: "file")
        for other in 0..<5000 { await audience.tell([attempt("\(other)")], sink: "file") }
        await audience.tell([attempt("a")], sink: "team")
        await audience.tell([attempt("last")], sink: "team")
        await audience.leave(number)
        // The newest of them: one who does not read is kept no more.
        var titles: [String] = []
        for await message in messages { if let raised = message.event.raised { titles.append(raised.content.title) } }
        #expect(titles.suffix(2) == ["4999", "last"])
    }

    @Test func aPipeThatWatchesDoesNot() async throws {
        let base = RecordingSink()
        let (_, messages) = await audience.join(.watch(isTerminal: false))
        async let titles = read(messages, count: 1)
        #expect(await desktop(base).deliver(attempt("a")) == .delivered())
        #expect(await titles == ["a"])
        #expect(await base.identifiers == ["a"])
    }

    @Test func oneThatHasGoneOrDoesNotReadLeavesItToTheDesktop() async throws {
        let base = RecordingSink()
        let (number, _) = await audience.join(.watch(isTerminal: true))
        async let outcome = desktop(base).deliver(attempt("a"))
        await audience.leave(number)
        #expect(await outcome == .delivered())
        let impatient = Audience(patience: .zero)
        let (stopped, _) = await impatient.join(.watch(isTerminal: true))
        #expect(await desktop(base, impatient).deliver(attempt("b")) == .delivered())
        await impatient.leave(stopped)
        #expect(await base.identifiers == ["a", "b"])
    }

    @Test func whatAnotherSinkHasShownIsNotShownAgain() async throws {
        let base = RecordingSink()
        let (_, messages) = await audience.join(.watch(isTerminal: true))
        async let titles = read(messages, count: 2)
        let file = AttendedSink(name: "file", kind: .file, base: base, audience: audience)
        #expect(await file.deliver(attempt("a")) == .delivered())
        #expect(await desktop(base).deliver(attempt("a")) == .delivered())
        #expect(await file.deliver(attempt("b")) == .delivered())
        #expect(await titles == ["a", "b"])
        #expect(await base.identifiers == ["a", "b"], "the file got both, the desktop neither")
    }

    @Test func whatOnlyAPipeGotIsNotBeforeAnybodysEyes() async throws {
        let base = RecordingSink([.failed(reason: "there is no session bus"), .failed(reason: "nor now")])
        let (pipe, piped) = await audience.join(.watch(isTerminal: false))
        #expect(await desktop(base).deliver(attempt("a")) == .failed(reason: "there is no session bus"))
        await audience.leave(pipe)
        #expect(await read(piped, count: 1).isEmpty, "it was not raised")
        let (_, messages) = await audience.join(.watch(isTerminal: true), confirms: true)
        let outcome = Task { await desktop(base).deliver(attempt("a")) }
        for await message in messages {
            await audience.acknowledge(try #require(message.event.raised?.receipt), isShown: false)
            break
        }
        #expect(await outcome.value == .failed(reason: "nor now"), "a terminal that is there has not shown it for that")
    }

    @Test func whatATerminalHasShownLateIsNotShownAgain() async throws {
        let base = RecordingSink([.failed(reason: "there is no session bus")])
        let impatient = Audience(patience: .zero)
        let (_, messages) = await impatient.join(.watch(isTerminal: true), confirms: true)
        #expect(
            await desktop(base, impatient).deliver(attempt("a")) == .failed(reason: "there is no session bus"))
        for await message in messages {
            await impatient.acknowledge(try #require(message.event.raised?.receipt))
            break
        }
        #expect(await desktop(base, impatient).deliver(attempt("a")) == .delivered())
        #expect(await base.identifiers == ["a"])
    }

    @Test func whatAFileGotAtOnceIsShownInItsOrder() async throws {
        let (_, messages) = await audience.join(.watch(isTerminal: true))
        async let titles = read(messages, count: 3)
        let folder = try TemporaryFolder()
        let file = AttendedSink(
            name: "file", kind: .file, base: FileSink(path: folder.file("news")), audience: audience)
        #expect(file.batchLimit == 64 && desktop(RecordingSink()).batchLimit == 1)
        #expect(await file.deliver([attempt("a"), attempt("b"), attempt("c")]) == .delivered())
        #expect(await titles == ["a", "b", "c"])
        #expect(folder.read("news")?.split(separator: "\n").count == 3)
    }

    @Test func whatIsRaisedElsewhereWaitsForNobodyWhoWatches() async throws {
        let base = RecordingSink()
        let (_, messages) = await audience.join(.watch(isTerminal: true), confirms: true)
        let file = AttendedSink(name: "file", kind: .file, base: base, audience: audience)
        for identifier in ["a", "b", "c"] { #expect(await file.deliver(attempt(identifier)) == .delivered()) }
        // The desktop asks of what the terminal has got already, and waits until it says that it was seen.
        let outcome = Task { await desktop(base).deliver(attempt("b")) }
        var titles: [String] = []
        for await message in messages {
            let raised = try #require(message.event.raised)
            titles.append(raised.content.title)
            await audience.acknowledge(try #require(raised.receipt))
            if titles.count == 3 { break }
        }
        #expect(await outcome.value == .delivered())
        #expect(titles == ["a", "b", "c"])
        #expect(await base.identifiers == ["a", "b", "c"], "of the file alone")
    }

    @Test func oneThatReadsIsEnough() async throws {
        let base = RecordingSink()
        for _ in 1...4 { _ = await audience.join(.watch(isTerminal: true), confirms: true) }
        let (_, messages) = await audience.join(.watch(isTerminal: true))
        async let titles = read(messages, count: 1)
        #expect(await desktop(base).deliver(attempt("a")) == .delivered())
        #expect(await titles == ["a"])
        #expect(await base.attempts.isEmpty)
    }

    @Test(arguments: [SinkKind.desktop, .stdout])
    func oneThatHasNotAnsweredInTimeIsNotWaitedForUntilItHas(kind: SinkKind) async throws {
        let (base, clock) = (RecordingSink(), ManualClock())
        let audience = Audience(clock: clock)
        let sink = AttendedSink(name: "sink", kind: kind, base: base, audience: audience)
        let (_, messages) = await audience.join(kind == .stdout ? .run : .watch(isTerminal: true), confirms: true)
        var heard = messages.makeAsyncIterator()
        let first = Task { await sink.deliver(attempt("a")) }
        await clock.waitForSleepers()
        clock.advance(by: 2)
        #expect(await first.value == .delivered())
        // The clock stands still: whoever waited now would wait for ever.
        #expect(await sink.deliver(attempt("b")) == .delivered())
        #expect(await base.identifiers == ["a", "b"])
        // A run gets none that the agent prints itself, a watch all of them.
        for identifier in kind == .stdout ? ["a"] : ["a", "b"] {
            let raised = try #require(await heard.next()?.event.raised)
            #expect(raised.identifier == identifier)
            await audience.acknowledge(try #require(raised.receipt))
        }
        let last = Task { await sink.deliver(attempt("c")) }
        let raised = try #require(await heard.next()?.event.raised)
        await audience.acknowledge(try #require(raised.receipt))
        #expect(await last.value == .delivered())
        #expect(await base.identifiers == ["a", "b"], "what it has answered for is shown there alone")
    }

    @Test(arguments: [true, false])
    func oneThatDoesNotReadKeepsTheLastThousandWaiting(isTerminal: Bool) async {
        let (number, messages) = await audience.join(.watch(isTerminal: isTerminal), confirms: true)
        let file = AttendedSink(name: "file", kind: .file, base: RecordingSink(), audience: audience)
        for identifier in 1...1005 { _ = await file.deliver(attempt("\(identifier)")) }
        await audience.leave(number)
        var identifiers: [String] = []
        for await message in messages { identifiers.append(message.event.raised?.identifier ?? "") }
        #expect(identifiers == (6...1005).map { "\($0)" })
    }

    @Test func itIsRecordedAsLastinglyAsTheSinkItselfSays() {
        let stdout = AttendedSink(name: "stdout", kind: .stdout, base: StdoutSink(format: .text), audience: audience)
        #expect(!stdout.outlivesPowerCut)
        // Somebody may have to show it first.
        #expect(!stdout.isMereWrite)
        #expect(desktop(RecordingSink()).outlivesPowerCut)
    }

    @Test func itReachesSomebodyWhereTheSinkItselfDoes() {
        let base = FileSink(path: "/tmp/crier-news.json")
        let file = AttendedSink(name: "file", kind: .file, base: base, audience: audience)
        #expect(!file.reachesPerson)
        #expect(desktop(RecordingSink()).reachesPerson)
    }

    @Test func whatIsWantedLaterKeepsTheOthersWaitingWhereTheSinkItselfSaysSo() {
        let exec = AttendedSink(name: "exec", kind: .exec, base: ExecSink(command: ["true"]), audience: audience)
        #expect(exec.defersSingly)
        #expect(!desktop(RecordingSink()).defersSingly)
    }

    @Test func aRunPrintsWhatGoesToStandardOutput() async throws {
        let base = RecordingSink()
        let (number, messages) = await audience.join(.run)
        async let titles = read(messages, count: 1)
        let stdout = AttendedSink(name: "stdout", kind: .stdout, base: base, audience: audience)
        #expect(await stdout.deliver(attempt("a")) == .delivered())
        #expect(await titles == ["a"])
        await audience.leave(number)
        #expect(await stdout.deliver(attempt("b")) == .delivered())
        #expect(await base.identifiers == ["b"])
    }

    @Test func whatIsMadeAfterItsVisitsIsNotARunsToPrint() async throws {
        let base = RecordingSink()
        let stdout = AttendedSink(name: "stdout", kind: .stdout, base: base, audience: audience)
        let (first, messages) = await audience.join(.run)
        let earlier = attempt("earlier")
        let later = DeliveryAttempt(
            request: NotificationRequest(identifier: "later", content: NotificationContent(title: "later")),
            created: earlier.created.addingTimeInterval(1))
        await audience.endVisits(of: first, at: earlier.created)
        #expect(await stdout.deliver(later) == .delivered())
        #expect(await base.identifiers == ["later"], "it only waits for its sinks")
        let (_, more) = await audience.join(.run)
        async let others = read(more, count: 1)
        #expect(await stdout.deliver(later) == .delivered())
        #expect(await others == ["later"])
        async let own = read(messages, count: 1)
        #expect(await stdout.deliver(earlier) == .delivered())
        #expect(await own == ["earlier"])
        #expect(await base.attempts.count == 1)
    }

    @Test func aRunThatConfirmsHasPrintedWhatItSaysItHas() async throws {
        let base = RecordingSink()
        let (number, messages) = await audience.join(.run, confirms: true)
        let stdout = AttendedSink(name: "stdout", kind: .stdout, base: base, audience: audience)
        let outcomes = Task { [await stdout.deliver(attempt("a")), await stdout.deliver(attempt("b"))] }
        for await message in messages {
            #expect(message.receipt == nil, "that it was written says nothing")
            let raised = try #require(message.event.raised)
            await audience.acknowledge(try #require(raised.receipt), isShown: raised.identifier == "a")
            if raised.identifier == "b" { break }
        }
        #expect(await outcomes.value == [.delivered(), .delivered()])
        #expect(await base.identifiers == ["b"], "what the run could not print")
        await audience.leave(number)
    }
}
