import CrierNotifications
import CrierTesting
import Foundation
import GRDB
import Testing

@testable import CrierStore

/// Files of the state that somebody takes away, or puts others in the place of, while they are in use.
@Suite struct PlaceTests {
    let folder: TemporaryFolder
    let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.file("crier.sqlite")
    }

    @Test(arguments: ["", "-wal", "-shm"], [false, true])
    func aFileThatWasRemovedOrReplacedIsTold(suffix: String, isReplaced: Bool) throws {
        let store = try Store(path: path)
        try store.commit(commit())
        try store.checkPlace()
        if isReplaced {
            try FileManager.default.copyItem(atPath: path + suffix, toPath: folder.file("copy"))
            #expect(rename(folder.file("copy"), path + suffix) == 0)
        } else {
            try FileManager.default.removeItem(atPath: path + suffix)
        }
        let words = "the state file \(path)\(suffix) was removed or replaced by another while it was in use"
        #expect(throws: StoreError(.failed, words)) { try store.checkPlace() }
    }

    /// Nobody else would see it, and it would be gone with the process.
    @Test func noDecisionOfTheUsersGoesIntoAFileThatIsGone() throws {
        let store = try Store(path: path)
        try FileManager.default.removeItem(atPath: path)
        let moved = StoreError.moved(path)
        #expect(throws: moved) {
            try store.setNotificationSettings(NotificationSettings(authorizationStatus: .denied), at: noon)
        }
        #expect(throws: moved) { try store.setBackgroundSettings(BackgroundSettings(isOn: false)) }
        #expect(throws: moved) { try store.mute(until: noon) }
        #expect(throws: moved) { try store.retryDeliveries(nil, at: noon) }
        #expect(throws: moved) { try store.dropDeliveries(nil, at: noon) }
    }

    @Test func whatARemovedLogHeldIsInTheFile() throws {
        let store = try Store(path: path)
        try store.commit(commit(requests: ["a"]))
        for suffix in ["-wal", "-shm"] { try FileManager.default.removeItem(atPath: path + suffix) }
        try store.commit(commit(requests: ["b"]))
        #expect(throws: StoreError.moved(path + "-wal")) { try store.checkPlace() }
        // As it is, as after a process that does not close it.
        try FileManager.default.copyItem(atPath: path, toPath: folder.file("copy"))
        let copy = try Store(path: folder.file("copy"), integrityCheck: .always)
        #expect(try copy.deliveries(in: [.pending]).map(\.request.identifier) == ["b", "a"])
    }

    @Test(.enabled(if: geteuid() == 0, "only the superuser can make another user's link"), arguments: [true, false])
    func aStrangersLinkInEverybodysFolderIsNotFollowed(leadsToState: Bool) throws {
        let target = folder.file("target")
        if leadsToState { try Store(path: target).commit(commit()) }
        #expect(symlink(target, path) == 0 && lchown(path, 65_534, 65_534) == 0 && chmod(folder.path, 0o1777) == 0)
        #expect(throws: StoreError(.cannotOpen, "cannot open the state file \(path): Permission denied")) {
            try Store(path: path)
        }
        #expect(FileManager.default.fileExists(atPath: target) == leadsToState)
    }

    @Test func belowAnotherLogTheFileStaysAsItIs() throws {
        let store = try Store(path: path)
        for suffix in ["-wal", "-shm"] { try FileManager.default.removeItem(atPath: path + suffix) }
        try store.commit(commit(requests: ["a"]))
        try folder.write("another's", to: "crier.sqlite-wal")
        let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        #expect(throws: StoreError.moved(path + "-wal")) { try store.checkPlace() }
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == bytes)
    }

    @Test func aLinkThatLeadsElsewhereIsTold() throws {
        for name in ["one", "two"] { _ = try Store(path: folder.file("\(name)/crier.sqlite")) }
        let link = folder.file("link")
        #expect(symlink("one", link) == 0)
        let store = try Store(path: link + "/crier.sqlite")
        try store.checkPlace()
        #expect(symlink("two", link + "2") == 0 && rename(link + "2", link) == 0)
        #expect(throws: StoreError.moved(link + "/crier.sqlite")) { try store.checkPlace() }
    }

    // MARK: What others may do

    @Test func whoeverUsesTheStateBesideTakesNothingAway() throws {
        let store = try Store(path: path)
        try store.checkPlace()
        for number in 0..<20 {
            let other = try Store(path: path)
            try other.commit(commit("other", requests: ["\(number)"]))
            try store.commit(commit())
            try store.checkPlace()
            try other.checkPlace()
            if number % 2 == 0 { other.closeForGood() }
            try store.checkPlace()
        }
        #expect(try store.deliveries(in: [.pending]).count == 20)
    }

    @Test func theLastOneToCloseLeavesItToTheNext() throws {
        for _ in 0..<3 {
            let store = try Store(path: path)
            try store.commit(commit())
            try store.checkPlace()
            store.closeForGood()
            #expect(!FileManager.default.fileExists(atPath: path + "-wal"))
        }
    }

    /// Another program knows nothing of what this process has open. Some of it is refused as long as that is so.
    @Test(arguments: [
        "PRAGMA wal_checkpoint(TRUNCATE)", "PRAGMA wal_checkpoint(RESTART)", "VACUUM", "PRAGMA journal_mode = DELETE",
        "PRAGMA locking_mode = EXCLUSIVE; SELECT count(*) FROM item", "DELETE FROM item",
    ])
    func anotherProgramTakesNothingAway(sql: String) async throws {
        let store = try Store(path: path)
        try store.commit(commit())
        let script = "import sqlite3, sys; sqlite3.connect(sys.argv[1], timeout=0).executescript(sys.argv[2])"
        let program = ChildProcess()
        program.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
        program.arguments = ["-c", script, path, sql]
        program.standardError = FileHandle.nullDevice
        try program.run()
        await program.end()
        try store.checkPlace()
        try store.commit(commit())
        try store.checkPlace()
    }

    @Test func itsOwnCareTakesNothingAway() throws {
        let store = try Store(path: path)
        try store.commit(commit())
        _ = try store.vacuum()
        try store.checkPlace()
        try store.backup(to: folder.file("copy"))
        try store.checkPlace()
        for mode in ["PASSIVE", "FULL", "RESTART", "TRUNCATE"] {
            try store.commit(commit())
            try store.writer.writeWithoutTransaction { db in try db.execute(sql: "PRAGMA wal_checkpoint(\(mode))") }
            try store.checkPlace()
        }
        // A copy that has no log yet.
        let copy = try Store(path: folder.file("copy"))
        try copy.checkPlace()
    }

    @Test func aStoreThatIsInNoFileHasItsPlace() throws {
        try Store.inMemory().checkPlace()
        _ = try Store(path: path)
        let copy = try #require(try Store.copy(ofFileAt: path))
        try FileManager.default.removeItem(atPath: path)
        try copy.checkPlace()
    }
}
