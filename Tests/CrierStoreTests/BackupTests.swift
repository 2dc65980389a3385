import CrierContent
import CrierTesting
import Foundation
import Testing

@testable import CrierStore

/// A copy has its name when it is whole.
@Suite struct BackupTests {
    let folder: TemporaryFolder
    let store: Store

    init() throws {
        folder = try TemporaryFolder()
        store = try Store(path: folder.file("state/crier.sqlite"))
    }

    private func files() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    }

    @Test func aBackupIsTheWholeStateInOneFile() throws {
        try store.commit(commit(items: [ContentItem(identifier: "x")], requests: ["a"]))
        let target = folder.file("copy.sqlite")
        try store.backup(to: target)
        try store.commit(commit(requests: ["b"]))
        #expect(!FileManager.default.fileExists(atPath: target + "-wal"))
        let mode = try FileManager.default.attributesOfItem(atPath: target)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        let copy = try Store(path: target, integrityCheck: .always)
        #expect(try copy.dueDeliveries(at: noon).map(\.request.identifier) == ["a"])
        #expect(try copy.knownIdentifiers(of: "news", among: ["x"]) == ["x"])
    }

    @Test func aBackupOverwritesNothing() throws {
        try folder.write("mine", to: "copy.sqlite")
        do {
            try store.backup(to: folder.file("copy.sqlite"))
            Issue.record("it was overwritten")
        } catch {
            #expect(error.kind == .exists)
        }
        #expect(folder.read("copy.sqlite") == "mine")
    }

    @Test func aBackupThatCannotBeMadeLeavesNothing() throws {
        do {
            try store.backup(to: folder.file("no/such/folder/copy.sqlite"))
            Issue.record("it was made")
        } catch {
            #expect(error.kind == .cannotOpen)
        }
    }

    @Test func oneBesideWhomOthersWriteComesToItsEnd() throws {
        try store.commit(commit(items: (1...500).map { ContentItem(identifier: "\($0)") }))
        let other = try Store(path: folder.file("state/crier.sqlite"))
        var steps = 0
        try store.backup(to: folder.file("copy"), pagesPerStep: 8) {
            steps += 1
            if steps == 1000 { throw CancellationError() }
            try other.commit(commit(items: [ContentItem(identifier: "n\(steps)")]))
        }
        #expect((3..<1000).contains(steps))
        let copy = try Store(path: folder.file("copy"), integrityCheck: .always)
        #expect(try copy.itemCount(of: "news") == 501, "what was there at its beginning, behind the first step")
    }

    @Test func aNameThatIsTooLongIsToldAtOnce() throws {
        let long = folder.file(String(repeating: "n", count: 256))
        var steps = 0
        #expect(throws: StoreError.self) { try store.backup(to: long, pagesPerStep: 8) { steps += 1 } }
        #expect(try steps == 0 && files() == ["state"])
    }

    @Test func oneThatIsStoppedLeavesNothing() async throws {
        let copy = folder.file("copy")
        let task = Task { [store] in
            withUnsafeCurrentTask { $0?.cancel() }
            try store.backup(to: copy)
        }
        let error = await #expect(throws: StoreError.self) { try await task.value }
        #expect(error?.description == "the copy \(copy) was stopped; nothing was written")
        #expect(try files() == ["state"])
    }

    /// As of one that was killed while it copied.
    @Test func whatAnotherHasLeftUnfinishedIsNoCopy() throws {
        let left = folder.file(".crier.copy.tmp")
        try folder.write("half", to: ".crier.copy.tmp")
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: -3600)], ofItemAtPath: left)
        try store.backup(to: folder.file("copy"))
        #expect(try files() == ["copy", "state"])
        #expect(try Store.copy(ofFileAt: folder.file("copy")) != nil)
    }

    @Test func aLinkThatLeadsNowhereIsAFile() throws {
        try FileManager.default.createSymbolicLink(
            atPath: folder.file("copy"), withDestinationPath: folder.file("nothing"))
        #expect(throws: StoreError.self) { try store.backup(to: folder.file("copy")) }
        #expect(try files() == ["copy", "state"])
    }

    @Test func vacuumGivesSpaceBack() throws {
        let items = (0..<2000).map { ContentItem(identifier: "\($0)", title: String(repeating: "t", count: 300)) }
        try store.commit(commit(items: items))
        try store.write { db in try db.execute(sql: "DELETE FROM item") }
        let sizes = try store.vacuum()
        #expect(sizes.after < sizes.before / 4)
    }
}
