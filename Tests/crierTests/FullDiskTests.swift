import CrierContent
import CrierStore
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
        try crier.putStateOnDisk()
        crier.environment.merge([
            "free": "\(kibibytes)", "open": folder.file("open"), "told": folder.file("told"),
            "begun": folder.file("begun"),
        ]) { $1 }
        #expect(try await MountSpace.output(of: Self.toldScript, crier.environment) == "0\n")
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.file("."))
        #expect(files.count { $0.hasSuffix(".json") } == sinks)
    }

    @Test func aDiskThatTakesNoMoreFilesIsFull() async throws {
        var crier = try BuiltCrier("sources: {}\n")
        try crier.putStateOnDisk()
        let script = """
            mount -t tmpfs -o nr_inodes=20 none "$disk"
            "$crier" authorize --allow > /dev/null
            for number in {1..30}; do touch "$disk/$number"; done
            "$crier" authorize --deny 2>&1; echo "$?"
            """
        let words = try await MountSpace.output(of: script, crier.environment)
        #expect(words == Self.refusal(crier) + "74\n")
    }

    private static func refusal(_ crier: BuiltCrier) -> String {
        "crier: no space left on the disk of the state file \(crier.folder.file("disk/crier.sqlite"))\n"
    }

    @Test func aFullDiskIsOneSentenceAndTheNextRunFindsTheStateWhole() async throws {
        var crier = try BuiltCrier()
        let feed = try crier.folder.write(atomFeed(1...4000), to: "feed.xml")
        try crier.folder.write(atomFeed(1...3), to: "feed.xml.new")
        try crier.folder.write("sources:\n  news: {url: 'file://\(feed)', every: 1s}\n", to: "crier.yaml")
        try crier.putStateOnDisk()
        crier.environment["feed"] = feed
        let script = """
            mount -t tmpfs -o size=1100k none "$disk"
            "$crier" fetch 2>&1 > /dev/null; echo "$?"
            cp "$feed.new" "$feed"
            "$crier" authorize --allow > /dev/null
            "$crier" fetch
            """
        let words = try await MountSpace.output(of: script, crier.environment)
        #expect(words.hasPrefix(Self.refusal(crier) + "74\nItem 3\n"), "\(words)")
    }

    /// The next run would write behind half a line.
    @Test func whatIsPrintedOntoAFullDiskIsThereInWholeLines() async throws {
        var crier = try BuiltCrier()
        let feed = try crier.folder.write(atomFeed(1...3), to: "feed.xml")
        try crier.folder.write("sources: {news: {url: 'file://\(feed)', first: all}}\n", to: "crier.yaml")
        let state = crier.statePath
        try crier.putStateOnDisk()
        crier.environment["CRIER_STATE"] = state
        // Room for a part of the first.
        let script = """
            mount -t tmpfs -o size=64k none "$disk"
            "$crier" authorize --allow > /dev/null
            head -c 60k /dev/zero > "$disk/filler"
            yes '{}' | head -c 3900 > "$disk/news"
            "$crier" fetch --format json >> "$disk/news" 2> /dev/null
            tail -n 1 "$disk/news"
            rm "$disk/filler"
            "$crier" deliveries retry --all > /dev/null
            "$crier" fetch --format json >> "$disk/news" 2> /dev/null
            grep -v '^{}$' "$disk/news"
            """
        let lines = try await MountSpace.output(of: script, crier.environment).split(separator: "\n")
        #expect(lines.first == "{}")
        let notifications = try lines.dropFirst().map { line in
            try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any], "\(line)")
        }
        #expect(notifications.count == 3)
    }

    /// As with a read-only root: there is no folder for temporary files.
    @Test func aStateIsMadeSmallerWhereNoTemporaryFileCanBeMade() async throws {
        var crier = try BuiltCrier()
        try crier.putStateOnDisk()
        let store = try Store(path: crier.folder.file("disk/crier.sqlite"))
        let text = String(repeating: "t", count: 2000)
        let items = (0..<2500).map { ContentItem(identifier: "\($0)", summary: text) }
        try store.commit(FetchCommit(state: SourceState(name: "news"), items: items, date: Date()))
        store.closeForGood()
        crier.environment["CRIER_STATE"] = "/mnt/crier.sqlite"
        let script = """
            mount --bind "$disk" /mnt
            exec 9< "$crier"
            for folder in /var/tmp /usr/tmp /tmp; do [ ! -d "$folder" ] || mount -t tmpfs -o ro none "$folder"; done
            unset TMPDIR SQLITE_TMPDIR
            cd /tmp
            /proc/self/fd/9 vacuum
            """
        #expect(try await MountSpace.output(of: script, crier.environment).contains(" before, "))
    }

    @Test func anEditOnAFullDiskLeavesTheConfigurationAsItWas() async throws {
        var crier = try BuiltCrier("sources:\n  news: {url: 'file:///no/such/feed'}\n")
        try crier.putStateOnDisk()
        crier.environment["config"] = crier.folder.file("crier.yaml")
        crier.environment["CRIER_CONFIG"] = crier.folder.file("disk/crier.yaml")
        let script = """
            mount -t tmpfs -o size=64k none "$disk"
            cp "$config" "$disk"
            cat /dev/zero > "$disk/filler"
            "$crier" add https://e.example/ --name a --no-visit 2>&1; echo "$?"
            cmp "$config" "$disk/crier.yaml" && ls -A "$disk"
            """
        let words = try await MountSpace.output(of: script, crier.environment)
        let refusal = "crier: \(crier.folder.file("disk/crier.yaml")): cannot write: No space left on device\n"
        #expect(words == refusal + "74\ncrier.yaml\nfiller\n")
    }

    /// Nor is one torn that can only be written over.
    @Test func anEditOfAFileThatIsMountedFromAFullDiskLeavesItAsItWas() async throws {
        var crier = try BuiltCrier()
        // Nearly a page, so that it needs another one.
        let text = "sources: {}\n".padding(toLength: 4090, withPad: "#", startingAt: 0) + "\n"
        crier.environment["config"] = try crier.folder.write(text, to: "crier.yaml")
        try crier.putStateOnDisk()
        let script = """
            mount -t tmpfs -o size=64k none "$disk"
            cp "$config" "$disk"
            mount --bind "$disk/crier.yaml" "$config"
            cat /dev/zero > "$disk/filler"
            "$crier" add https://e.example/ --name a --no-visit 2>&1; echo "$?"
            umount "$config"; cmp "$config" "$disk/crier.yaml"
            """
        let words = try await MountSpace.output(of: script, crier.environment)
        #expect(words == "crier: \(crier.folder.file("crier.yaml")): cannot write: No space left on device\n74\n")
    }

    /// As the one in memory that has no limit.
    @Test func aFileSystemThatDoesNotTellItsRoomIsUsed() async throws {
        var crier = try BuiltCrier()
        let feed = try crier.folder.write(atomFeed(1...3), to: "feed.xml")
        try crier.folder.write("sources: {news: {url: 'file://\(feed)', first: all}}\n", to: "crier.yaml")
        try crier.putStateOnDisk()
        let script = """
            mount -t ramfs none "$disk"
            "$crier" authorize --allow > /dev/null
            "$crier" fetch > /dev/null; echo "$?"
            """
        #expect(try await MountSpace.output(of: script, crier.environment) == "0\n")
    }

    /// When one has to look what is the matter.
    @Test func aStateOnAFullDiskIsLookedAt() async throws {
        var crier = try BuiltCrier("sources: {news: {url: 'https://e.example/feed'}}")
        try crier.putStateOnDisk("full ?#%41")
        let script = """
            mount -t tmpfs -o size=1m none "$disk"
            "$crier" authorize --allow > /dev/null
            cat /dev/zero > "$disk/filler"
            for command in status log "deliveries list --all" "why news"; do
                "$crier" $command 2>&1 > /dev/null; echo "$command: $?"
            done
            "$crier" status | grep -o -m 1 authorized
            "$crier" mute 1h > /dev/null; echo "mute: $?"
            """
        let words = try await MountSpace.output(of: script, crier.environment)
        let looks = "status: 0\nlog: 0\ndeliveries list --all: 0\nwhy news: 0\nauthorized\n"
        #expect(words == looks + "mute: 74\n", "nobody is told that anything was changed")
    }

    @Test func aRunEndsAlikeWhoeverMakesIt() async throws {
        var crier = try BuiltCrier()
        let folder = crier.folder
        try folder.write("sources:\n  news: {url: 'file://\(folder.file("feed.xml"))', first: all}\n", to: "crier.yaml")
        try folder.write(atomFeed(1...500), to: "feed.xml")
        try FileManager.default.createDirectory(atPath: folder.file("run"), withIntermediateDirectories: true)
        try crier.putStateOnDisk()
        crier.environment.merge(["XDG_RUNTIME_DIR": folder.file("run"), "log": folder.file("log")]) { $1 }
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
        try FileManager.default.createDirectory(atPath: folder.file("kept"), withIntermediateDirectories: true)
        try crier.putStateOnDisk()
        crier.environment.merge([
            "kept": folder.file("kept"), "feed": folder.file("feed.xml"), "free": "\(kibibytes)",
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

extension BuiltCrier {
    /// Has the state lie on what a script in a `MountSpace` mounts on `$disk`; there the binary is `$crier`.
    mutating func putStateOnDisk(_ name: String = "disk") throws {
        let disk = folder.file(name)
        try FileManager.default.createDirectory(atPath: disk, withIntermediateDirectories: true)
        environment.merge(["CRIER_STATE": "\(disk)/crier.sqlite", "disk": disk, "crier": Self.binary]) { $1 }
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
