import ArgumentParser
import CrierNotifications
import CrierStore
import Foundation

struct Backup: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup", abstract: "Copy the state into a new file, also while a run is at work.",
        discussion: """
            A file that exists is never overwritten, and one that is there is whole: until then it is called .crier.FILE.tmp, \
            which is left where the command is killed. `--state FILE` uses the copy, to look at it.

            To go back: end the agent and runs, remove crier.sqlite, crier.sqlite-wal and crier.sqlite-shm in \
            $XDG_STATE_HOME/crier (~/.local/state/crier), and copy the backup to that place as crier.sqlite. The same takes the \
            state to another machine. A plain copy of the file beside a running agent is no copy: the last of it may still be \
            in crier.sqlite-wal.

            Exit status: 66 when there is no state yet, 73 when the file is there already, 74 when it cannot be written.
            """)

    @OptionGroup var options: GlobalOptions

    @Argument(help: "The file to write.", completion: .file(), transform: FilePath.notEmpty)
    var file: String

    func validate() throws {
        if file == "-" {
            throw ValidationError("a copy of the state cannot be written to standard output; ./- is a file")
        }
    }

    func run() async throws {
        guard let store = try options.existingStore() else {
            throw failure("there is no state yet", ExitStatus.noInput)
        }
        try await interruptible { [file] in try Self.copy(store, to: file) }
        Terminal.line("The state was copied to \(file.shown).")
    }

    private static func copy(_ store: Store, to file: String) throws { try storeErrors { try store.backup(to: file) } }
}

struct Vacuum: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "vacuum", abstract: "Forget what need not be kept, and give its space back to the disk.",
        discussion: """
            Runs forget by themselves once a day: deliveries 30 days after they ended, 90 if they were given up, 400 with \
            `unique: url`; visits after 30 days, and beyond 100,000; texts after 90 days, and beyond the latest 10,000 of a \
            source; items 400 days after they were last seen, and beyond the latest 100,000, but \
            never the last thousand of a source. This does it now, and makes the \
            file as small as it can be.

            Exit status: 66 when there is no state yet, 75 when a run or an agent is at work.
            """)

    @OptionGroup var options: GlobalOptions

    func run() async throws {
        let path = try options.statePath()
        if try storeErrors({ try Store.status(ofFile: path) }) == nil {
            throw failure("there is no state yet", ExitStatus.noInput)
        }
        let (before, after) = try storeErrors(path: nil) {
            let lock = try RunLock(statePath: path)
            let store = try Store(path: path, integrityCheck: .always)
            try store.prune(isForced: true, at: SystemClock().now)
            let sizes = try store.vacuum()
            _ = consume lock
            return sizes
        }
        Terminal.line(
            "\(before.formatted(.byteCount(style: .file))) before, \(after.formatted(.byteCount(style: .file))) after.")
    }
}
