import CFaultyDisk
import CrierTesting
import Foundation
import Testing

@testable import CrierStore

/// SQLite's own calls fail, each in turn. `scripts/torture` lets every one of them fail, the usual tests some, others each time.
@Suite(.serialized, .timeLimit(.minutes(60))) struct FaultyDiskTests {
    enum Harm: CaseIterable {
        /// One lock is refused, or all from then on.
        case busy, busyForLong
        /// One call fails, or all from then on.
        case error, dead
        /// One write finds no space, or all from then on.
        case full, fullForLong

        var kind: FaultyDiskKind {
            switch self {
            case .busy, .busyForLong: FaultyDiskBusy
            case .error, .dead: FaultyDiskInputOutput
            case .full, .fullForLong: FaultyDiskFull
            }
        }

        var lasts: Bool { self == .busyForLong || self == .dead || self == .fullForLong }
    }

    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        faulty_disk_install(folder.path)
    }

    private static let isThorough = ProcessInfo.processInfo.environment["CRIER_TORTURE_KILLS"] != nil

    @Test(arguments: Harm.allCases) func aFailureAtAnyCallLosesAndRepeatsNothing(_ harm: Harm) throws {
        let template = folder.file("template.sqlite")
        try FaultyRun.prepare(template)
        let failures = try fail(harm, every: 7) { path in
            try FileManager.default.copyItem(atPath: template, toPath: path)
        }
        #expect(failures > 0)
    }

    @Test(arguments: Harm.allCases) func aFailureWhileAStateIsMadeLeavesAStateOrNone(_ harm: Harm) throws {
        let failures = try fail(harm, every: 25) { _ in }
        #expect(failures > 0)
    }

    @Test func whoMakesAStateWaitsForEachLock() throws {
        var (number, struck) = (0, 0)
        repeat {
            number += 1
            faulty_disk_arm(FaultyDiskBusy, number, false)
            defer { struck = faulty_disk_disarm() }
            #expect(throws: Never.self, "at lock \(number)") { try Store(path: folder.file("\(number).sqlite")) }
        } while struck > 0
        #expect(number > 10)
    }

    /// Lets one of a run's first calls fail, then one so many later, until there are no more. Returns how many did.
    private func fail(_ harm: Harm, every calls: Int, prepare: (String) throws -> Void) throws -> Int {
        let step = Self.isThorough ? 1 : calls
        var failures = 0
        var errors = 0
        var number = Self.isThorough ? 1 : Int.random(in: 1...step)
        while true {
            let path = folder.file("\(harm)-\(number).sqlite")
            try prepare(path)
            let run = FaultyRun(path: path)
            let place = "\(harm) at call \(number)"
            faulty_disk_arm(harm.kind, number, harm.lasts)
            do {
                try run.go()
            } catch let error as StoreError {
                errors += 1
                if harm.kind == FaultyDiskBusy { #expect(error.kind == .busy, "\(place): \(error)") }
                if harm.kind == FaultyDiskFull { #expect(error.kind == .diskFull, "\(place): \(error)") }
            }
            let struck = faulty_disk_disarm()
            // The next run, or the same that goes on.
            if number % 2 == 0 { run.store = nil }
            if FileManager.default.fileExists(atPath: path) { try run.check(place) }
            try run.go()
            try run.go()
            run.store = nil
            try run.checkEnd(failures: struck > 0 ? 1 : 0, place)
            for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) }
            if struck == 0 { break }
            failures += 1
            number += step
        }
        print("faulty disk: \(harm): \(failures) failures, \(errors) of them told, up to call \(number)")
        return failures
    }
}
