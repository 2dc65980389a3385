import CrierContent
import CrierNotifications
import CrierProcess
import CrierTesting
import Foundation
import Testing

@testable import CrierStore

let noon = Date(timeIntervalSince1970: 1_700_000_000)

extension NotificationRequest {
    static func named(_ identifier: String) -> NotificationRequest {
        NotificationRequest(identifier: identifier, content: NotificationContent(title: "Title of \(identifier)"))
    }
}

/// A commit of one source with some items and requests.
func commit(
    _ source: String = "news", items: [ContentItem] = [], requests: [String] = [], to sinks: [String] = ["stdout"],
    at date: Date = noon, _ change: (inout SourceState) -> Void = { _ in }
) -> FetchCommit {
    var state = SourceState(name: source)
    state.lastFetched = date
    state.lastSucceeded = date
    change(&state)
    return FetchCommit(
        state: state, items: items, requests: requests.map(NotificationRequest.named), sinks: sinks, date: date)
}

@Suite struct StoreTests {
    let folder: TemporaryFolder
    let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.file("deep/er/crier.sqlite")
    }

    /// The system's paths end there.
    @Test func aPathThatHoldsANULIsRefused() throws {
        let odd = folder.file("a\u{0}b")
        #expect(throws: StoreError.self) { _ = try Store(path: odd) }
        #expect(throws: StoreError.self) { _ = try RunLock(statePath: odd) }
        let store = try Store(path: path)
        #expect(throws: StoreError.self) { try store.backup(to: odd) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["deep"])
    }

    @Test(arguments: [
        ("a", ".", "a"), ("a/b", "a", "b"), ("/a", "/", "a"), ("/", "/", ""), ("", ".", ""), ("a//b//", "a", "b"),
        ("é", ".", "é"),
        ("/a/\u{301}", "/a", "\u{301}"), ("//a", "/", "a"), ("a/", ".", "a"), ("..", ".", ".."), (".", ".", "."),
    ]) func aPathHasAFolder(_ path: String, _ folder: String, _ name: String) {
        #expect(PathText.folder(of: path).unicodeScalars.elementsEqual(folder.unicodeScalars))
        #expect(PathText.split(path).name.unicodeScalars.elementsEqual(name.unicodeScalars))
    }

    @Test func theNamesOfTheLastRunAreKept() throws {
        #expect(try Store(path: path).lastConfiguration() == nil)
        try Store(path: path).noteConfiguration([1, 2])
        #expect(try Store(path: path).lastConfiguration() == [1, 2])
        try Store(path: path).noteConfiguration([3])
        #expect(try Store(path: path).lastConfiguration() == [3])
    }

    @Test func makesAFileThatOnlyItsOwnerMayRead() throws {
        _ = try Store(path: path)
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        let folderMode =
            try FileManager.default.attributesOfItem(atPath: folder.file("deep/er"))[.posixPermissions] as? Int
        #expect(folderMode == 0o700)
    }

    @Test func aFileThatWasCopiedIsMadePrivateAgain() throws {
        _ = try Store(path: path)
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
        try Store(path: path).commit(commit(requests: ["a"]))
        for file in [path, path + "-wal"] {
            let mode = try? FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
            #expect(mode == nil || mode == 0o600, "\(file)")
        }
        #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
    }

    @Test func openingAFileThatIsUpToDateWritesNothing() throws {
        try Store(path: path).commit(commit(requests: ["a"]))
        let before = try Data(contentsOf: URL(fileURLWithPath: path))
        #expect(try Store(path: path).states().count == 1)
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
    }

    @Test func runsWithAWriteAheadLogThatIsFlushedAtEachCommit() throws {
        let store = try Store(path: path)
        let settings = try store.read { db in
            (
                try String.fetchOne(db, sql: "PRAGMA journal_mode"), try Int.fetchOne(db, sql: "PRAGMA synchronous"),
                try Int.fetchOne(db, sql: "PRAGMA busy_timeout"), try Int.fetchOne(db, sql: "PRAGMA foreign_keys")
            )
        }
        #expect(settings.0 == "wal")
        #expect(settings.1 == 2)
        #expect(settings.2 == 10_000)
        #expect(settings.3 == 1)
    }

    @Test func leavesNoLogBesideAFileThatIsClosedWhileItIsStillHeld() throws {
        let store = try Store(path: path)
        try store.commit(commit(requests: ["a"]))
        #expect(FileManager.default.fileExists(atPath: path + "-wal"))
        store.closeForGood()
        #expect(!FileManager.default.fileExists(atPath: path + "-wal"))
        #expect(throws: StoreError.self) { try store.states() }
        #expect(try Store(path: path).states().count == 1)
    }

    @Test func lookingDoesNotCreateAFile() throws {
        #expect(try Store.existing(path: path) == nil)
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test func aCommitDoesNotMoveTheLastNotifiedDate() throws {
        let store = try Store(path: path)
        try store.commit(commit(requests: ["a"]))
        let delivery = try #require(try store.dueDeliveries(at: noon).first)
        try store.finish(delivery, with: .delivered(receipt: nil), at: noon.addingTimeInterval(9))
        try store.commit(commit(at: noon.addingTimeInterval(60)))
        #expect(try store.state(of: "news").lastNotified == noon.addingTimeInterval(9))
    }

    @Test func knowsItemsByIdentifierWithinTheirSource() throws {
        let store = try Store(path: path)
        try store.commit(commit("one", items: [ContentItem(identifier: "x"), ContentItem(identifier: "y")]))
        #expect(try store.knownIdentifiers(of: "one", among: ["x", "z"]) == ["x"])
        #expect(try store.knownIdentifiers(of: "two", among: ["x"]) == [])
        #expect(try store.itemCount(of: "one") == 2)
    }

    @Test func givesBackStoredItemsWhole() throws {
        let item = ContentItem(
            identifier: "x", title: "T", url: "https://e.example/", published: noon,
            updated: noon.addingTimeInterval(1),
            summary: "S\nS", content: "C\nC", authors: ["A"],
            attachments: [
                ContentAttachment(url: "https://e.example/a", type: "image/png", length: 3, duration: 1.5, title: "t")
            ], categories: ["c"], image: "https://e.example/i", commentsURL: "https://e.example/c",
            externalURL: "https://o.example/", sourceTitle: "O")
        let store = try Store(path: path)
        try store.commit(commit(items: [item]))
        #expect(try store.items(of: ["news"], seenSince: noon).map(\.item) == [item])
    }

    @Test func aLongContentIsStoredInPart() throws {
        let text = String(repeating: "word ", count: 10_000)
        let store = try Store(path: path)
        try store.commit(commit(items: [ContentItem(identifier: "x", published: noon, summary: "s", content: text)]))
        let stored = try #require(try store.items(of: ["news"], seenSince: noon).first?.item.content)
        #expect(stored.count <= ContentBounds.summary && stored.hasSuffix("word…"))
    }

    @Test(arguments: ["", "plain", "a \"b\" \\ c/", "\u{0}\u{1}\u{1f}\n\r\t\u{7f}", "\u{2028}é日本\u{1F600}"])
    func anyTextInDetailsIsReadAsItWas(text: String) throws {
        let item = ContentItem(
            identifier: "x", content: text.isEmpty ? nil : "some \(text) end", authors: [text, "B"],
            attachments: [ContentAttachment(url: text)], categories: [text], image: text, commentsURL: text,
            externalURL: text, sourceTitle: text)
        let details = try #require(ItemDetails(item))
        #expect(try JSONDecoder().decode(ItemDetails.self, from: Data(details.json().utf8)) == details)
    }

    /// As the first version wrote them.
    @Test func detailsOfOldRowsAreRead() throws {
        let row = #"{"authors":["A"],"attachments":[{"url":"u","length":3}],"categories":[]}"#
        let details = try JSONDecoder().decode(ItemDetails.self, from: Data(row.utf8))
        #expect(details.authors == ["A"])
        #expect(details.attachments == [ContentAttachment(url: "u", length: 3)])
        #expect(details.content == nil)
    }

    @Test func whatIsHeldIsHeldUntilItIsReleasedWhateverItsDate() throws {
        let store = try Store(path: path)
        let items = ["x", "y", "z"].map { ContentItem(identifier: $0, published: noon + 3600) }
        var fetch = commit(items: items)
        fetch.held = ["y", "x"]
        try store.commit(fetch)
        try store.commit(commit(items: items.map { ContentItem(identifier: $0.identifier) }, at: noon + 60))
        let held = items[..<2].map { HeldItem(item: ContentItem(identifier: $0.identifier), firstSeen: noon) }
        #expect(try store.heldItems(of: "news") == held)
        fetch = commit(at: noon + 120)
        fetch.released = ["x"]
        try store.commit(fetch)
        #expect(try store.heldItems(of: "news").map(\.item.identifier) == ["y"])
        #expect(try store.heldItems(of: "other").isEmpty)
    }

    @Test func datesBeyondReasonAreStored() throws {
        let item = ContentItem(
            identifier: "x", published: Date(timeIntervalSince1970: 1e300), updated: Date(timeIntervalSince1970: -1e300)
        )
        let store = try Store(path: path)
        try store.commit(commit(items: [item]))
        #expect(try store.itemCount(of: "news") == 1)
    }

    @Test func aFailureWithinACommitLeavesNothingOfIt() throws {
        let store = try Store(path: path)
        try store.write { db in
            try db.execute(sql: "CREATE TRIGGER stop BEFORE INSERT ON delivery BEGIN SELECT RAISE(ABORT, 'stop'); END")
        }
        #expect(throws: StoreError.self) {
            try store.commit(commit(items: [ContentItem(identifier: "x")], requests: ["a"]))
        }
        #expect(try store.states().isEmpty)
        #expect(try store.knownIdentifiers(of: "news", among: ["x"]).isEmpty)
        #expect(try store.deliveryCounts().isEmpty)
    }
}

@Suite struct UnusableStateTests {
    let folder: TemporaryFolder
    let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.file("crier.sqlite")
    }

    private func kindOfError(_ work: () throws -> Void) -> StoreError.Kind? {
        do { try work() } catch { return (error as? StoreError)?.kind }
        return nil
    }

    @Test func whatIsNoStateKeepsItsMode() throws {
        func mode(_ path: String) throws -> Int {
            try #require(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int)
        }
        let place = folder.file("folder")
        try FileManager.default.createDirectory(
            atPath: place, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o755])
        #expect(kindOfError { _ = try Store(path: place) } == .cannotOpen)
        #expect(kindOfError { _ = try RunLock(statePath: place) } == .cannotOpen)
        #expect(try mode(place) == 0o755)
        #expect(!FileManager.default.fileExists(atPath: place + ".lock"))
        try folder.write("a list of things to do", to: "notes")
        chmod(folder.file("notes"), 0o644)
        #expect(kindOfError { _ = try Store(path: folder.file("notes")) } == .noDatabase)
        #expect(try mode(folder.file("notes")) == 0o644)
    }

    @Test func aFileThatIsNoDatabaseStaysAsItWasAndIsCorruptOnlyIfItBeginsAsOne() throws {
        let text = String(repeating: "this is not a database, it is a letter to a friend. ", count: 40)
        for (text, kind) in [(text, StoreError.Kind.noDatabase), ("SQLite format 3\0" + text, .corrupt)] {
            try folder.write(text, to: "crier.sqlite")
            #expect(kindOfError { _ = try Store(path: path) } == kind)
            #expect(kindOfError { _ = try Store.copy(ofFileAt: path) } == kind)
            #expect(try String(contentsOfFile: path, encoding: .utf8) == text)
        }
    }

    @Test func aCorruptFileIsSetAsideUnderANameThatSaysSo() throws {
        try folder.write("not a database", to: "crier.sqlite")
        try folder.write("log", to: "crier.sqlite-wal")
        let target = try Store.setAside(path: path, now: noon)
        #expect(target == path + ".corrupt-20231114T221320")
        #expect(try String(contentsOfFile: target, encoding: .utf8) == "not a database")
        #expect(try String(contentsOfFile: target + "-wal", encoding: .utf8) == "log")
        try folder.write("again", to: "crier.sqlite")
        #expect(try Store.setAside(path: path, now: noon) == target + "-2")
    }

    /// SQLite says that it is corrupt where a disk fails to read a page.
    @Test func whatIsSoundOrCannotBeReadIsNotSetAside() throws {
        try Store(path: path).commit(commit(requests: ["a"]))
        let sound = StoreError(.failed, "the state file \(path) could not be read for a moment; it is sound, and stays")
        #expect(throws: sound) { try Store.setAside(path: path, now: noon) }
        #expect(try Store(path: path).deliveryCounts() == [.pending: 1])
        try FileManager.default.createDirectory(atPath: path + "-wal", withIntermediateDirectories: false)
        let cause = "the file \(path)-wal of the state cannot be read: Is a directory"
        #expect(throws: StoreError(.failed, cause)) { try Store.setAside(path: path, now: noon) }
        #expect(FileManager.default.fileExists(atPath: path))
    }

    @Test func aFolderIsNotSetAside() throws {
        let inner = folder.file("inner")
        try FileManager.default.createDirectory(atPath: inner, withIntermediateDirectories: false)
        #expect(kindOfError { _ = try Store.setAside(path: inner, now: noon) } == .cannotOpen)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["inner"])
    }

    @Test func whatIsNotThereIsNotSetAside() {
        let words = StoreError(.cannotOpen, "the state file \(path) is not there")
        #expect(throws: words) { try Store.setAside(path: path, now: noon) }
    }

    @Test func anEmptyPathIsToldAsThat() {
        let words = StoreError(.cannotOpen, "the path of the state file is empty")
        #expect(throws: words) { try Store(path: "") }
        #expect(throws: words) { try Store.existing(path: "") }
        #expect(throws: words) { try Store.copy(ofFileAt: "") }
        #expect(throws: words) { try Store.setAside(path: "", now: noon) }
        #expect(throws: words) { _ = try RunLock(statePath: "") }
    }

    @Test func aRelativePathIsThatOfTheWorkingFolderWhereItWasOpened() throws {
        let folder = FileManager.default.currentDirectoryPath
        let relative = String(repeating: "../", count: folder.split(separator: "/").count) + path.dropFirst()
        let store = try Store(path: relative)
        try store.checkPlace()
        #expect(store.path == relative)
        #expect(store.absolutePath == PathText.join(folder, relative))
        try FileManager.default.removeItem(atPath: path)
        #expect(throws: StoreError.moved(relative)) { try store.checkPlace() }
    }

    @Test func aStoreThatWasClosedSaysSo() throws {
        let store = try Store(path: path)
        store.closeForGood()
        func text(_ work: () throws -> Void) -> String? {
            do { try work() } catch { return "\(error)" }
            return nil
        }
        let words = "the state file \(path) was closed"
        #expect(text { _ = try store.states() } == words)
        #expect(text { _ = try store.vacuum() } == words && text { try store.checkPlace() } == words)
        #expect(
            text {
                try store.add(
                    NotificationRequest(identifier: "a", content: NotificationContent(title: "T")), to: ["a"], at: noon)
            } == words)
        #expect(text { try store.backup(to: folder.file("copy")) }?.hasSuffix("was closed") == true)
        #expect(!FileManager.default.fileExists(atPath: folder.file("copy")))
    }

    @Test func damageIsFoundAfterAnUncleanEnd() throws {
        let store = try Store(path: path)
        for number in 0..<50 {
            let items = (0..<40).map {
                ContentItem(identifier: "\(number)-\($0)", title: String(repeating: "t", count: 200))
            }
            try store.commit(commit(items: items))
        }
        // The file and its log as a process that was killed leaves them, with some pages overwritten.
        let copy = folder.file("copy.sqlite")
        try store.writer.writeWithoutTransaction { db in try db.execute(sql: "PRAGMA wal_checkpoint(FULL)") }
        var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        for offset in stride(from: 3 * 4096, to: bytes.count, by: 4096) { bytes[offset] = 0x77 }
        try bytes.write(to: URL(fileURLWithPath: copy))
        try Data(repeating: 1, count: 100).write(to: URL(fileURLWithPath: copy + "-wal"))
        #expect(kindOfError { _ = try Store(path: copy, integrityCheck: .ifLogIsLeft) } == .corrupt)
    }

    @Test func aLaterVersionsFileIsRefused() throws {
        let store = try Store(path: path)
        try store.write { db in try db.execute(sql: "INSERT INTO grdb_migrations VALUES ('99 the future')") }
        #expect(kindOfError { _ = try Store(path: path) } == .newer)
    }

    @Test func aFolderThatCannotBeMadeIsToldWithItsPath() throws {
        try folder.write("a file", to: "blocked")
        do {
            _ = try Store(path: folder.file("blocked/crier.sqlite"))
            Issue.record("the store was opened")
        } catch {
            #expect(error.kind == .cannotOpen)
            #expect(error.description.contains("blocked/crier.sqlite"))
        }
    }
}
