import CrierTesting
import Foundation
import Testing

@testable import CrierStore

@Suite struct RunLockTests {
    @Test func twoNamesOfOneStateAreOneLock() throws {
        let folder = try TemporaryFolder()
        try folder.write("", to: "crier.sqlite")
        try FileManager.default.createSymbolicLink(
            atPath: folder.file("link.sqlite"), withDestinationPath: folder.file("crier.sqlite"))
        let first = try RunLock(statePath: folder.file("crier.sqlite"))
        #expect(throws: StoreError.self) { _ = try RunLock(statePath: folder.file("link.sqlite")) }
        _ = consume first
    }

    @Test func aStateThatIsYetToBeIsOneLockBehindALink() throws {
        let folder = try TemporaryFolder()
        try folder.write("", to: "real/sub/empty")
        try FileManager.default.createSymbolicLink(
            atPath: folder.file("link"), withDestinationPath: folder.file("real/sub"))
        let first = try RunLock(statePath: folder.file("link/../crier.sqlite"))
        #expect(throws: StoreError.self) { _ = try RunLock(statePath: folder.file("real/crier.sqlite")) }
        _ = consume first
    }

    @Test(.enabled(if: geteuid() == 0, "only the superuser can give a file away"))
    func theLockOfAUsersStateIsTheUsersWhoeverTakesIt() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("crier.sqlite")
        try folder.write("", to: "crier.sqlite")
        #expect(chown(path, 65_534, 65_534) == 0)
        _ = try RunLock(statePath: path)
        var status = stat()
        #expect(stat(path + ".lock", &status) == 0 && status.st_uid == 65_534 && status.st_gid == 65_534)
    }

    /// As the first process of a container has the number of that of the one before.
    @Test func whoAsksIsNotTakenForTheHolder() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("", to: "crier.sqlite")
        try folder.write("\(getpid())\n", to: "crier.sqlite.lock")
        #expect(RunLock.holder(statePath: path) == nil)
        let lock = try RunLock(statePath: path)
        #expect(RunLock.holder(statePath: path)?.process == getpid())
        _ = consume lock
    }

    @Test func aSecondRunIsRefusedWithTheNumberOfTheFirst() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("new/crier.sqlite")
        let first = try RunLock(statePath: path)
        do {
            _ = try RunLock(statePath: path)
            Issue.record("the lock was given twice")
        } catch {
            #expect(error.kind == .locked)
            #expect(error.description == "another crier run is at work (process \(getpid()))")
        }
        _ = consume first
        _ = try RunLock(statePath: path)
    }

    @Test func whatIsBeingReadStandsInTheFileAndIsFoundByTheNext() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("crier.sqlite")
        let lock = try RunLock(statePath: path)
        let readings = lock.readings
        #expect(readings.unfinished.isEmpty)
        var left: [String?] = []
        readings.during("新闻 a") {
            readings.during("b") { left.append(folder.read("crier.sqlite.lock")) }
            left.append(folder.read("crier.sqlite.lock"))
        }
        #expect(throws: CancellationError.self) { try readings.during("c") { throw CancellationError() } }
        left.append(folder.read("crier.sqlite.lock"))
        #expect(left == ["新闻 a\u{0}b\u{0}", "新闻 a\u{0}", ""].map { "\(getpid())\n\($0)" })
        _ = consume lock
        readings.during("late") { #expect(folder.read("crier.sqlite.lock") == "") }

        try folder.write("4711\n新闻 a\u{0}b\u{0}cut o", to: "crier.sqlite.lock")
        let next = try RunLock(statePath: path)
        let (isAfterUncleanEnd, found) = (next.isAfterUncleanEnd, next.readings)
        #expect(isAfterUncleanEnd && found.unfinished == ["新闻 a", "b"])
        found.settle("b")
        found.during("c") { #expect(folder.read("crier.sqlite.lock") == "\(getpid())\n新闻 a\u{0}c\u{0}") }
        _ = consume next

        // Who has no use for it leaves it to the next.
        let third = try RunLock(statePath: path)
        let (isUnclean, left3) = (third.isAfterUncleanEnd, third.readings)
        #expect(!isUnclean && left3.unfinished == ["新闻 a"])
        left3.settle("新闻 a")
        _ = consume third
        #expect(folder.read("crier.sqlite.lock") == "")
    }

    @Test func whatALinkInItsPlaceLeadsToStaysAsItIs() throws {
        let folder = try TemporaryFolder()
        let letter = try folder.write("dear friend", to: "letter")
        let path = folder.file("crier.sqlite")
        try FileManager.default.createSymbolicLink(atPath: path + ".lock", withDestinationPath: letter)
        let error = #expect(throws: StoreError.self) { _ = try RunLock(statePath: path) }
        #expect(error?.kind == .cannotOpen)
        #expect(error?.description == "cannot create the lock file \(path).lock: it is a symbolic link; remove it")
        #expect(folder.read("letter") == "dear friend")
        #expect(unlink(path + ".lock") == 0 && mkfifo(path + ".lock", 0o600) == 0)
        let other = #expect(throws: StoreError.self) { _ = try RunLock(statePath: path) }
        #expect(
            other?.description == "cannot create the lock file \(path).lock: it is not a regular file; move it away")
    }

    @Test func anEmptyPathIsNoStateToLock() {
        let error = #expect(throws: StoreError.self) { _ = try RunLock(statePath: "") }
        #expect(error?.kind == .cannotOpen && error?.description == "the path of the state file is empty")
    }
}
