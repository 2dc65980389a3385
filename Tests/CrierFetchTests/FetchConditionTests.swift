import CrierNotifications
import CrierStore
import CrierTesting
import Foundation
import Synchronization
import Testing

@testable import CrierFetch

/// A machine whose battery a test plugs in.
private final class Machine: Sendable {
    private let unmet = Mutex<Set<FetchCondition>>([])
    private let (told, tell) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    /// How often somebody has looked.
    let looks = Mutex(0)

    init(_ unmet: Set<FetchCondition>) { self.unmet.withLock { $0 = unmet } }

    var conditions: MachineConditions {
        MachineConditions(
            unmet: { wanted in
                self.looks.withLock { $0 += 1 }
                return self.unmet.withLock { $0.intersection(wanted) }
            },
            changes: { _ in self.told })
    }

    func become(_ unmet: Set<FetchCondition>, isTold: Bool = true) {
        self.unmet.withLock { $0 = unmet }
        if isTold { tell.yield() }
    }
}

@Suite struct FetchConditionTests {
    private func scheduler(_ bench: FetchBench, _ machine: Machine) -> FetchScheduler {
        FetchScheduler(
            fetcher: bench.fetcher, store: bench.store, clock: bench.clock, conditions: machine.conditions)
    }

    @Test func aSourceWaitsAndTheOthersDoNot() async throws {
        let bench = try await FetchBench()
        await bench.publish([("a", 1)])
        let machine = Machine([.acPower])
        var (source, other) = (bench.source, bench.source)
        source.onlyOn = [.acPower, .unmetered]
        other.name = "other"
        let loop = Task { [source, other] in
            try await scheduler(bench, machine).run([source, other]) { _ in }
        }
        await bench.clock.waitForSleepers()
        #expect(try bench.store.states().keys.sorted() == ["other"])
        // Nothing is written down against it, and nobody looks again before something happens or 15 minutes are over.
        #expect(bench.clock.deadlines == [bench.clock.now.addingTimeInterval(FetchScheduler.conditionPause)])
        machine.become([])
        await bench.origin.received(2)
        loop.cancel()
        _ = try? await loop.value
        await bench.origin.stop()
    }

    @Test func whereNothingTellsItIsLookedAtAgainAfterAWhile() async throws {
        let bench = try await FetchBench()
        await bench.publish([("a", 1)])
        let machine = Machine([.unmetered])
        var source = bench.source
        source.onlyOn = [.unmetered]
        let loop = Task { [source] in try await scheduler(bench, machine).run([source]) { _ in } }
        await bench.clock.waitForSleepers()
        #expect(machine.looks.withLock { $0 } == 1)
        machine.become([], isTold: false)
        bench.clock.advance(by: FetchScheduler.conditionPause)
        await bench.origin.received(1)
        loop.cancel()
        _ = try? await loop.value
        await bench.origin.stop()
    }

    @Test func withoutSuchSourcesNobodyLooks() async throws {
        let bench = try await FetchBench()
        let machine = Machine([.unmetered])
        let (sources, unmet) = await scheduler(bench, machine).allowed(among: [bench.source])
        #expect(sources == [bench.source] && unmet.isEmpty)
        #expect(machine.looks.withLock { $0 } == 0)
        await bench.origin.stop()
    }
}
