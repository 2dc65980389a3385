import CrierProcess
import CrierTesting
import Foundation
import Testing

/// A program is run within its bounds, and nothing of it stays.
@Suite(.timeLimit(.minutes(5))) struct BoundedProgramTests {
    private func shell(_ script: String, variables: [String: String]? = nil) -> BoundedProgram {
        BoundedProgram(["/bin/sh", "-c", script], variables: variables)
    }

    @Test func whatItReadsPrintsAndSaysIsItsOwn() async throws {
        let run = try await shell("cat; echo wrong >&2; echo $WHO; exit 3", variables: ["WHO": "me"])
            .run(input: Array("hello\n".utf8), limit: .seconds(60))
        #expect(run.outputText == "hello\nme\n" && run.errorText == "wrong\n")
        #expect(run.exitCode == 3 && !run.isOverdue)
    }

    @Test func itIsFoundInTheHomeFolderAndToldItsPath() async throws {
        let folder = try TemporaryFolder()
        try FileManager.default.createSymbolicLink(atPath: folder.file("tell-me"), withDestinationPath: "/bin/sh")
        let run = try await BoundedProgram(["~/tell-me", "-c", "echo $0"], variables: ["HOME": folder.path])
            .run(limit: .seconds(60))
        #expect(run.outputText == "\(folder.file("tell-me"))\n")
        await #expect(throws: ProgramFailure.self) {
            try await BoundedProgram(["~/tell-me"], variables: [:]).run(limit: .seconds(60))
        }
    }

    @Test(arguments: [["true\u{0}false"], ["/bin/sh\u{0}", "-c", "exit 0"], ["echo", "a\u{0}b"]])
    func aNULEndsNoWordOfACommand(command: [String]) async throws {
        let failure = await #expect(throws: ProgramFailure.self) {
            try await BoundedProgram(command).run(limit: .seconds(60))
        }
        #expect(failure?.description == "the command holds a NUL")
    }

    @Test(arguments: [
        ("#!/bin/sh\r\necho\r\n", "its first line ends with a carriage return, as lines do on Windows"),
        ("#! /nowhere/sh -e\necho\n", "its first line names /nowhere/sh, which is not there"),
        ("echo\n", "it is no program of this machine, and no script that begins with #! and its interpreter"),
    ])
    func aScriptThatCannotBeStartedIsToldWhatItLacks(_ text: String, _ cause: String) async throws {
        let folder = try TemporaryFolder()
        let script = try folder.write(text, to: "script", isExecutable: true)
        let failure = await #expect(throws: ProgramFailure.self) {
            try await BoundedProgram([script]).run(limit: .seconds(60))
        }
        #expect(failure?.description == "\(script) could not be run: \(cause)")
    }

    @Test func aSignalIsNoExitStatus() async throws {
        #expect(try await shell("kill -9 $$").run(limit: .seconds(60)).exitCode == nil)
    }

    @Test func oneThatTakesTooLongIsEndedWithAllThatItHasStarted() async throws {
        let run = try await shell("trap 'echo ended; exit 4' TERM; echo begun; sleep 600 & wait")
            .run(limit: .milliseconds(300))
        #expect(run.isOverdue && run.outputText.hasPrefix("begun\n") && run.exitCode == 4)
        let stubborn = try await shell("trap '' TERM; while :; do sleep 600; done").run(limit: .milliseconds(300))
        #expect(stubborn.isOverdue && stubborn.exitCode == nil)
    }

    @Test func oneThatIsCancelledIsNotWaitedForHoweverLongItMayTake() async throws {
        let folder = try TemporaryFolder()
        let fifo = folder.file("begun")
        try #require(mkfifo(fifo, 0o600) == 0)
        let run = Task {
            try await shell("trap '' TERM PIPE; echo > \(fifo); while :; do sleep 600; done")
                .run(limit: .seconds(86_400))
        }
        // Opened by both or none; whoever reads may be gone before the word is written.
        await withTaskExecutorPreference(OwnThreads.shared) { () async in
            _ = FileManager.default.contents(atPath: fifo)
        }
        run.cancel()
        await #expect(throws: ProgramFailure.self) { try await run.value }
    }

    @Test func whatItLeavesBehindIsNotWaitedFor() async throws {
        let run = try await shell("echo first; sleep 600 & echo $!").run(limit: .seconds(60))
        let lines = run.outputText.split(separator: "\n")
        #expect(run.exitCode == 0 && lines.first == "first")
        let left = try #require(lines.last.flatMap { pid_t($0) })
        #expect(kill(left, SIGKILL) == 0, "it goes on, as it was meant to")
    }

    @Test func itsEndIsNoticedHoweverSoonItComesAfterItsLastWord() async throws {
        let program = BoundedProgram(["head", "-c", "60000", "/dev/zero"])
        // Many times, as the moment is short in which its end could be missed.
        for _ in 0..<60 {
            try await withThrowingTaskGroup { group in
                for _ in 0..<50 { group.addTask { try await program.run(limit: .seconds(3600)) } }
                for try await run in group { #expect(run.output.count == 60_000 && run.exitCode == 0) }
            }
        }
    }

    @Test func moreThanItMayPrintIsAFailure() async throws {
        await #expect(throws: ProgramFailure.self) {
            try await shell("yes").run(limit: .seconds(60), outputLimit: 1000)
        }
        let most = try await shell("head -c 200000 /dev/zero").run(limit: .seconds(60), outputLimit: 200_000)
        #expect(most.output.count == 200_000)
    }

    @Test func oneWhoseOutputIsWantedHasToEndInTime() async throws {
        let failure = await #expect(throws: ProgramFailure.self) {
            try await shell("echo begun; exec sleep 600").output(limit: .seconds(1), outputLimit: 1 << 10)
        }
        #expect(failure?.description == "/bin/sh did not end within 1 s")
    }

    @Test func oneThatNobodyWantsAnyMoreIsNotRun() async throws {
        let folder = try TemporaryFolder()
        let run = Task {
            while !Task.isCancelled { await Task.yield() }
            return try await shell("touch '\(folder.file("ran"))'").run(limit: .seconds(60))
        }
        run.cancel()
        await #expect(throws: ProgramFailure.self) { _ = try await run.value }
        #expect(!FileManager.default.fileExists(atPath: folder.file("ran")))
    }

    @Test func whatItSaysOfErrorsEndsItNeverHoweverMuch() async throws {
        let run = try await shell("head -c 2000000 /dev/zero >&2; cat").run(
            input: Array("news\n".utf8), limit: .seconds(60))
        #expect(run.exitCode == 0 && run.outputText == "news\n" && run.errors.count == 1 << 20)
        let left = try await shell("yes >&2 & echo last").run(limit: .seconds(60))
        #expect(left.exitCode == 0 && left.outputText == "last\n")
    }

    @Test func whatIsBeyondTheBoundsIsDroppedWhereNobodyWantsIt() async throws {
        let words = try await shell("yes | head -c 200000; yes | head -c 2000000 >&2; exit 3")
            .run(limit: .seconds(60), outputLimit: 1000, dropsExcess: true)
        #expect(words.exitCode == 3 && words.output.count == 1000 && words.errors.count == 1 << 20)
        let left = try await shell("yes & echo last >&2").run(limit: .seconds(60), outputLimit: 0, dropsExcess: true)
        #expect(left.exitCode == 0 && left.output.isEmpty && left.errorText == "last\n")
        let endless = try await shell("exec yes").run(limit: .milliseconds(300), outputLimit: 0, dropsExcess: true)
        #expect(endless.isOverdue && endless.output.isEmpty)
    }

    @Test func theEndOfTheTaskIsItsEnd() async throws {
        let folder = try TemporaryFolder()
        let path = folder.file("number")
        try #require(mkfifo(path, 0o600) == 0)
        let task = Task { try await shell("echo $$ > \(path); sleep 600").run(limit: .seconds(600)) }
        // Opened when the program writes.
        let reader = await withTaskExecutorPreference(OwnThreads.shared) { () async in
            FileHandle(forReadingAtPath: path)
        }
        let text = try await OwnThreads.everything(in: try #require(reader))
        task.cancel()
        await #expect(throws: ProgramFailure.self) { try await task.value }
        let process = try #require(pid_t(text.trimmingCharacters(in: .whitespacesAndNewlines)))
        #expect(kill(process, 0) != 0)
    }

    @Test func itGetsNothingThatIsNotForIt() async throws {
        let open = open("/dev/null", O_RDONLY)  // without O_CLOEXEC
        defer { close(open) }
        let descriptors = try await shell("ls /proc/self/fd").run(limit: .seconds(60))
        #if os(Linux)
            // The last is the folder that is read.
            #expect(descriptors.outputText == "0\n1\n2\n3\n")
            let signals = try await shell("grep -E 'SigBlk|SigIgn' /proc/self/status").run(limit: .seconds(60))
            let sets = signals.outputText.split(separator: "\n").map { $0.split(whereSeparator: \.isWhitespace)[1] }
            // glibc leaves two of its own ignored, after the 31 that programs know.
            #expect(sets.map { UInt64($0, radix: 16).map { $0 & 0x7fff_ffff } } == [0, 0])
            let session = try await shell("read line < /proc/$$/stat; set -- $line; echo $1 $5 $6").run(
                limit: .seconds(60))
            let numbers = session.outputText.split(whereSeparator: \.isWhitespace)
            #expect(numbers.count == 3 && Set(numbers).count == 1, "it leads a group and a session")
        #endif
    }

    @Test(arguments: [[], [""], ["/nowhere/program"], ["no-such-program-here"], ["/etc/passwd"]])
    func whatIsNoProgramIsSaid(_ command: [String]) async throws {
        await #expect(throws: ProgramFailure.self) { try await BoundedProgram(command).run(limit: .seconds(60)) }
    }
}
