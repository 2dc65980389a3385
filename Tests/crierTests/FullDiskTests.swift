import CrierTesting
import Foundation
import GRDB
import Testing

/// The state on a small file system of its own that is full, in a namespace that only the program sees.
@Suite(.timeLimit(.minutes(10)), .enabled(if: MountSpace.isPossible, "may not mount a tmpfs (unshare -rm)"))
struct FullDiskTests {
    /// Prints the exit statuses of the run on the full disk and of the one after it, and what a small output saw.
    private static let script = """
        mount -t tmpfs -o size=2m none "$disk"
        "$crier" authorize --allow > /dev/null
        "$crier" fetch --quiet > /dev/null
        head -c 4m /dev/zero > "$disk/filler"
        truncate -s "-${free}K" "$disk/filler"
        cp "$feed.new" "$feed"
        "$crier" fetch --force --quiet > /dev/null; echo "$?"
        rm "$disk/filler"
        "$crier" deliveries retry --all > /dev/null
        "$crier" fetch --force --quiet > /dev/null; echo "$?"
        cp "$disk/crier.sqlite"* "$disk/small.jsonl" "$kept"
        """

    /// Prints the exit status of the run after those that had room for little, while there was something to raise.
    private static let toldScript = """
        mount -t tmpfs -o size=2m none "$disk"
        "$crier" authorize --allow > /dev/null
        "$crier" fetch --quiet > /dev/null
        "$crier" deliveries retry --all > /dev/null
        head -c 4m /dev/zero > "$disk/filler"
        truncate -s "-${free}K" "$disk/filler"
        touch "$open"
        for run in 1 2 3 4; do "$crier" fetch --quiet > /dev/null; done
        rm "$disk/filler"
        "$crier" fetch --quiet > /dev/null; echo "$?"
        """

    /// Prints the exit statuses of a run that an agent makes on the full disk, and of one without it.
    private static let agentScript = """
        mount -t tmpfs -o size=2m none "$disk"
        "$crier" authorize --allow > /dev/null
        "$crier" background off > /dev/null
        mkfifo "$log"
        "$crier" agent > /dev/null 2> "$log" & agent=$!
        exec 3< "$log"
        while read -r line <&3 && [[ $line != *"ready socket"* ]]; do :; done
        head -c 4m /dev/zero > "$disk/filler"
        "$crier" fetch --force --quiet > /dev/null; echo "$?"
        kill "$agent"; wait "$agent"
        "$crier" fetch --force --quiet > /dev/null; echo "$?"
        """

    /// With room that no attempt is counted in, with room for all, and between the two; of several sinks each has a record of its own.
    @Test(arguments: [36, 40, 44, 48, 52, 56, 60, 72, 400].map { (1, $0) } + [136, 200, 300, 400].map { (12, $0) })
    func nothingIsRaisedWithoutRoomForItsRecord(sinks: Int, kibibytes: Int) async throws {
        var crier = try BuiltCrier()
        let folder = crier.folder
        try folder.write(
            """
            sinks:
            \((1...sinks).map { "  told\($0): {kind: exec, command: [/bin/sh, '\(folder.file("tell"))']}" }.joined(separator: "\n"))
            sources:
              news: {url: 'file://\(folder.file("feed.xml"))', first: all, every: 1h}
            """, to: "crier.yaml")
        // No sink is done before all have begun.
        try folder.write(
            """
            test -e "$open" || exit 1
            echo >> "$begun"; for _ in 1 2 3 4 5 6 7 8; do test "$(wc -l < "$begun")" -ge \(sinks) || sleep 0.1; done
            cat >> "$told.$$"; mv "$told.$$" "$told.$$.json"
            """, to: "tell")
        try folder.write(atomFeed(1...1), to: "feed.xml")
        try FileManager.default.createDirectory(atPath: folder.file("disk"), withIntermediateDirectories: true)
        crier.environment.merge([
            "CRIER_STATE": folder.file("disk/crier.sqlite"), "disk": folder.file("disk"), "free": "\(kibibytes)",
            "open": folder.file("open"), "told": folder.file("told"), "begun": folder.file("begun"),
            "crier": BuiltCrier.binary,
        ]) { $1 }
        #expect(try await MountSpace.output(of: Self.toldScript, crier.environment) == "0\n")
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.file("."))
        #expect(files.count { $0.hasSuffix(".json") } == sinks)
    }

    @Test func aDiskThatTakesNoMoreFilesIsFull() async throws {
        var crier = try BuiltCrier("sources: {}\n")
        let disk = crier.folder.file("disk")
        try FileManager.default.createDirectory(atPath: disk, withIntermediateDirectories: true)
        crier.environment.merge(["CRIER_STATE": "\(disk)/crier.sqlite", "disk": disk, "crier": BuiltCrier.binary]) {
            $1
        }
        let script = """
            mount -t tmpfs -o nr_inodes=20 none "$disk"
            "$crier" authorize --allow > /dev/null
            for number in {1..30}; do touch "$disk/$number"; done
            "$crier" authorize --deny 2>&1; echo "$?"
            """
        let words = try await MountSpace.output(of: script, crier.environment)
        #expect(words == "crier: no space left on the disk of the state file \(disk)/crier.sqlite\n74\n")
    }

    @Test func aRunEndsAlikeWhoeverMakesIt() async throws {
        var crier = try BuiltCrier()
        let folder = crier.folder
        try folder.write("sources:\n  news: {url: 'file://\(folder.file("feed.xml"))', first: all}\n", to: "crier.yaml")
        try folder.write(atomFeed(1...500), to: "feed.xml")
        for name in ["disk", "run"] {
            try FileManager.default.createDirectory(atPath: folder.file(name), withIntermediateDirectories: true)
        }
        crier.environment.merge([
            "CRIER_STATE": folder.file("disk/crier.sqlite"), "XDG_RUNTIME_DIR": folder.file("run"),
            "disk": folder.file("disk"), "log": folder.file("log"), "crier": BuiltCrier.binary,
        ]) { $1 }
        #expect(try await MountSpace.output(of: Self.agentScript, crier.environment) == "74\n74\n")
    }

    @Test(arguments: [0, 4, 8, 16, 24, 32, 48, 64, 96, 128])
    func whatADiskHasNoRoomForIsMadeUpForWhenItHas(kibibytes: Int) async throws {
        var crier = try BuiltCrier()
        let folder = crier.folder
        try folder.write(
            """
            sinks:
              outside: {kind: file, path: '\(folder.file("outside.jsonl"))'}
              small: {kind: file, path: '\(folder.file("disk/small.jsonl"))'}
            sources:
              news: {url: 'file://\(folder.file("feed.xml"))', first: all, every: 1s}
            """, to: "crier.yaml")
        try folder.write(atomFeed(1...2), to: "feed.xml")
        try folder.write(atomFeed(1...9), to: "feed.xml.new")
        for name in ["disk", "kept"] {
            try FileManager.default.createDirectory(atPath: folder.file(name), withIntermediateDirectories: true)
        }
        crier.environment.merge([
            "CRIER_STATE": folder.file("disk/crier.sqlite"), "disk": folder.file("disk"), "kept": folder.file("kept"),
            "feed": folder.file("feed.xml"), "free": "\(kibibytes)", "crier": BuiltCrier.binary,
        ]) { $1 }
        let statuses = try await MountSpace.output(of: Self.script, crier.environment)
            .split(separator: "\n").map(String.init)
        #expect(statuses.count == 2)
        // With some room the state may be written, and the sink's file not: a sink that fails is no failed run.
        #expect(statuses.first == "74" || kibibytes > 0 && statuses.first == "0")
        #expect(statuses.last == "0")
        for name in ["outside.jsonl", "kept/small.jsonl"] {
            let lines = (folder.read(name) ?? "").split(separator: "\n").map(String.init)
            let numbers = lines.compactMap(itemNumber)
            #expect(lines.count == numbers.count, "\(name) has a torn line")
            // What was accepted and could not be recorded is found again.
            #expect(numbers.sorted() == Array(1...9), "\(name)")
        }
        let verdict = try await DatabaseQueue(path: folder.file("kept/crier.sqlite")).read { db in
            try String.fetchAll(db, sql: "PRAGMA integrity_check")
        }
        #expect(verdict == ["ok"])
    }
}

/// Programs in a namespace of mounts that nobody else sees.
enum MountSpace {
    static let isPossible: Bool = {
        let process = Self.process("mount -t tmpfs none /mnt")
        process.standardOutput = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }()

    /// What a script prints that ends well.
    static func output(of script: String, _ environment: [String: String]) async throws -> String {
        let process = Self.process(script)
        process.environment = environment
        let output = Pipe()
        process.standardOutput = output
        try await process.runToEnd()
        #expect(process.terminationStatus == 0)
        return String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    }

    private static func process(_ script: String) -> ChildProcess {
        let process = ChildProcess()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["unshare", "-rm", "bash", "-c", script]
        process.standardError = FileHandle.nullDevice
        return process
    }
}
