import CrierNotifications
import CrierTesting
import Foundation
import GRDB
import Testing

@testable import CrierStore

@Suite("What is kept of a damaged file")
struct DamagedStateTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private let decision = NotificationSettings(authorizationStatus: .authorized, options: [.alert])
    private let switchedOff = BackgroundSettings(isOn: false, minimumInterval: .seconds(60))

    /// What a new state takes over from one in which the user has decided, and of which the first pages of some tables are damaged.
    private func adopted(damaging tables: [String]) throws -> Store {
        let path = folder.file("crier.sqlite")
        do {
            let store = try Store(path: path)
            try store.setNotificationSettings(decision, at: noon)
            try store.setBackgroundSettings(switchedOff)
        }
        try damage(path, tables)
        let target = try Store.setAside(path: path, now: noon)
        let new = try Store(path: path)
        try new.adoptDecisions(ofDamagedFileAt: target, at: noon)
        return new
    }

    private func damage(_ path: String, _ tables: [String]) throws {
        let pages = try DatabaseQueue(path: path).read { db in
            try tables.map { name in
                try Int.fetchOne(db, sql: "SELECT rootpage FROM sqlite_schema WHERE name = ?", arguments: [name]) ?? 0
            }
        }
        var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        for page in pages { bytes[(page - 1) * 4096] = 0x77 }
        try bytes.write(to: URL(fileURLWithPath: path))
    }

    @Test func whatTheUserHasDecidedIsTakenOverWhereItIsWhole() throws {
        let store = try adopted(damaging: ["item", "visit"])
        #expect(try store.notificationSettings() == decision)
        #expect(try store.backgroundSettings() == switchedOff)
    }

    @Test func whatIsDamagedIsNot() throws {
        let store = try adopted(damaging: ["authorization"])
        #expect(try store.notificationSettings().authorizationStatus == .notDetermined)
        #expect(try store.backgroundSettings() == switchedOff)
    }

    @Test func aFileThatIsNoDatabaseHasNothing() throws {
        let store = try Store(path: folder.file("crier.sqlite"))
        try store.adoptDecisions(ofDamagedFileAt: folder.write("SQLite format 3\0nothing", to: "other"), at: noon)
        try store.adoptDecisions(ofDamagedFileAt: folder.file("none"), at: noon)
        #expect(try store.notificationSettings().authorizationStatus == .notDetermined)
    }
}
