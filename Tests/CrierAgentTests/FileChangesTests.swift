#if os(Linux)
    import CrierTesting
    import Foundation
    import Testing

    @testable import CrierAgent

    /// A way to a file, and how another file comes to stand at its end.
    private struct Change: CustomTestStringConvertible, Sendable {
        let testDescription: String
        /// The file's path below the test's folder.
        let path: String
        /// Run by sh(1) in that folder.
        let before: String
        let change: String
        /// Where the new file is.
        var end: String?

        static let all = [
            Change(
                testDescription: "the file is written", path: "crier/file", before: "mkdir crier; echo 1 > crier/file",
                change: "echo 2 > crier/file"),
            Change(
                testDescription: "another file is moved to its place", path: "crier/file",
                before: "mkdir crier; echo 1 > crier/file", change: "echo 2 > new; mv new crier/file"),
            Change(
                testDescription: "the folder is replaced", path: "crier/file",
                before: "mkdir crier new; echo 1 > crier/file; echo 2 > new/file", change: "mv crier old; mv new crier"),
            Change(
                testDescription: "a folder above is replaced", path: "home/config/crier/file",
                before:
                    "mkdir -p home/config/crier new/crier; echo 1 > home/config/crier/file; echo 2 > new/crier/file",
                change: "mv home/config old; mv new home/config"),
            Change(
                testDescription: "the folder is removed and made again", path: "crier/file",
                before: "mkdir crier; echo 1 > crier/file", change: "rm -r crier; mkdir crier; echo 2 > crier/file"),
            Change(
                testDescription: "the folder was missing", path: "config/crier/file", before: "true",
                change: "mkdir -p config/crier; echo 2 > config/crier/file"),
            Change(
                testDescription: "the folder is a link that is switched", path: "crier/file",
                before: "mkdir one two; echo 1 > one/file; echo 2 > two/file; ln -s one crier",
                change: "ln -sfn two crier", end: "two/file"),
            Change(
                testDescription: "the file is a link that is switched", path: "crier/file",
                before: "mkdir crier dots; echo 1 > dots/one; echo 2 > dots/two; ln -s ../dots/one crier/file",
                change: "ln -sf ../dots/two crier/file", end: "dots/two"),
            Change(
                testDescription: "a link between link and file is switched", path: "crier/file",
                before: "mkdir crier one two; echo 1 > one/file; echo 2 > two/file; ln -s one dots; "
                    + "ln -s \"$PWD/dots/file\" crier/file",
                change: "ln -sfn two dots", end: "two/file"),
            Change(
                testDescription: "the folder of a link's target is replaced", path: "crier/file",
                before: "mkdir crier dots new; echo 1 > dots/file; echo 2 > new/file; ln -s ../dots/file crier/file",
                change: "mv dots old; mv new dots", end: "dots/file"),
            Change(
                testDescription: "a link takes the place of the file", path: "crier/file",
                before: "mkdir crier; echo 1 > crier/file; echo 2 > new", change: "ln -sf ../new crier/file", end: "new"
            ),
            Change(
                testDescription: "a link comes where nothing was", path: "crier/file",
                before: "mkdir crier; echo 2 > new", change: "ln -s ../new crier/file", end: "new"),
        ]
    }

    @Suite(.timeLimit(.minutes(5))) struct FileChangesTests {
        @Test(arguments: Change.all)
        fileprivate func whateverIsReplacedIsTold(_ change: Change) async throws {
            let folder = try TemporaryFolder()
            try await run(change.before, in: folder)
            var changes = WorldEvents.changes(of: folder.file(change.path), for: .content).makeAsyncIterator()
            try await run(change.change, in: folder)
            // Told for each of several steps, if they are far enough apart: it is the last that counts.
            repeat { try #require(await changes.next() != nil) } while folder.read(change.path) != "2\n"
            // From now on the new one counts.
            try await run("echo 3 > \(change.end ?? change.path)", in: folder)
            repeat { try #require(await changes.next() != nil) } while folder.read(change.path) != "3\n"
        }

        @Test func whatHappensBesidesIsNotTold() async throws {
            let folder = try TemporaryFolder()
            try await run("mkdir crier dots; echo 1 > dots/file; ln -s ../dots/file crier/file", in: folder)
            var changes = WorldEvents.changes(of: folder.file("crier/file"), for: .content).makeAsyncIterator()
            try await run("echo x > crier/other; echo x > dots/other; mkdir more; rm dots/file", in: folder)
            try await run("echo 2 > dots/file", in: folder)
            try #require(await changes.next() != nil)
            #expect(folder.read("crier/file") == "2\n")
        }

        /// That the file was written is not told then.
        @Test func whereTheKernelHasLeftSomethingOutTheFileIsReadAgain() throws {
            let folder = try TemporaryFolder()
            try folder.write("1\n", to: "file")
            let descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
            defer { close(descriptor) }
            var watch = FileWatch(of: folder.file("file"), for: .content, by: descriptor)
            var event = inotify_event()
            event.wd = -1
            let isToldOfNothing = watch.isTold(by: [(event, "")])
            event.mask = UInt32(IN_Q_OVERFLOW)
            let isTold = watch.isTold(by: [(event, "")])
            unlink(folder.file("file"))
            let isToldOfNoFile = watch.isTold(by: [(event, "")])
            #expect(isTold && !isToldOfNothing && !isToldOfNoFile)
        }

        @Test(arguments: [
            "rm crier/file", "mv crier/file away", "rm -r crier", "mv crier away", "echo 2 > new; mv new crier/file",
        ])
        func whatAPlaceLosesIsToldToo(_ change: String) async throws {
            let folder = try TemporaryFolder()
            try await run("mkdir crier; echo 1 > crier/file", in: folder)
            var changes = WorldEvents.changes(of: folder.file("crier/file"), for: .place).makeAsyncIterator()
            try await run(change, in: folder)
            try #require(await changes.next() != nil)
            try await run("mkdir -p crier; echo 3 > crier/file", in: folder)
            repeat { try #require(await changes.next() != nil) } while folder.read("crier/file") != "3\n"
        }

        @Test func linksInACircleLeadNowhere() throws {
            let folder = try TemporaryFolder()
            try FileManager.default.createSymbolicLink(atPath: folder.file("a"), withDestinationPath: "b")
            try FileManager.default.createSymbolicLink(atPath: folder.file("b"), withDestinationPath: "a")
            #expect(!FileTrail(to: folder.file("a")).isWhole)
        }

        private func run(_ script: String, in folder: TemporaryFolder) async throws {
            let shell = ChildProcess()
            shell.executableURL = URL(fileURLWithPath: "/bin/sh")
            shell.arguments = ["-ec", "cd '\(folder.path)'; \(script)"]
            try await shell.runToEnd()
            try #require(shell.terminationStatus == 0)
        }
    }
#endif
