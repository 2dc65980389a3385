import CrierTesting
import Foundation
import Testing

/// What becomes of the agent's socket while it works.
@Suite(.timeLimit(.minutes(5))) struct AgentSocketTests {
    #if os(Linux)
        @Test(arguments: ["crier/agent.sock", "crier", "."]) func aSocketThatWasRemovedIsMadeAgain(
            _ what: String
        ) async throws {
            let bench = try await AgentBench()
            let agent = try await bench.agent()
            try await agent.says("raised")
            let watch = try RunningCommand(bench.crier, "watch")
            try await watch.says("Watching")
            let place = URL(fileURLWithPath: bench.crier.folder.file("run")).appendingPathComponent(what)
            try FileManager.default.removeItem(at: place.standardizedFileURL)
            try await agent.says("other commands reach the agent now")
            try expectPrivate(bench.socket)
            await bench.origin.script("/feed", [ScriptedAnswer(body: atomFeed(1...4))])
            // The agent's visit, shown to one who has listened at the old socket.
            #expect(try await bench.crier.run("fetch", "--force").status == 0)
            #expect(try await watch.line().contains("Item 4"))
            let another = try RunningCommand(bench.crier, "watch")
            try await another.says("Watching")
            #expect(await agent.end() == 0)
            for watch in [watch, another] { #expect(await watch.end(0) == 0) }
            #expect(access(bench.socket, F_OK) != 0)
            await bench.origin.stop()
        }

        /// As where the folder of a user's sockets is made by root before it is given to them.
        @Test func aPlaceWhereNoSocketCanBeIsLookedAtAgain() async throws {
            let bench = try await AgentBench()
            let agent = try await bench.agent()
            let folder = bench.crier.folder.file("run")
            try FileManager.default.removeItem(atPath: folder)
            try bench.crier.folder.write("", to: "run")
            try await agent.says("other commands cannot reach the agent: Not a directory")
            try FileManager.default.removeItem(atPath: folder)
            // As somebody may have made it by hand.
            let next = bench.crier.folder.file("next")
            #expect(mkdir(next, 0o755) == 0 && mkdir("\(next)/crier", 0o755) == 0 && rename(next, folder) == 0)
            try await agent.says("other commands reach the agent now")
            try expectPrivate(bench.socket)
            #expect(try await bench.crier.run("fetch", "--force").status == 0)
            #expect(await agent.end() == 0)
            await bench.origin.stop()
        }

        /// It asks whoever listens there already, which may take a while.
        @Test(arguments: [SIGTERM, SIGINT]) func oneThatIsAskedToEndWhileItStartsEnds(signal: Int32) async throws {
            let bench = try await AgentBench()
            try bench.crier.folder.write("", to: "run/crier/file")
            let listener = try LocalSocket.bound(to: bench.socket, SOCK_STREAM)
            defer { close(listener) }
            try #require(listen(listener, 1) == 0)
            let agent = try RunningCommand(bench.crier, "agent")
            let connection = await withTaskExecutorPreference(OwnThreads.shared) { () async in
                accept(listener, nil, nil)
            }
            agent.send(signal)
            close(connection)
            #expect(await agent.end(0) == 0)
            #expect(await agent.everythingSaid().last?.hasSuffix("info: agent ended") == true)
            await bench.origin.stop()
        }
    #endif

    /// It is given up before an answer is begun, and what is raised later goes to whoever is there to read.
    @Test func oneWhoHangsUpAtOnceHidesNothingFromTheNext() async throws {
        let bench = try await AgentBench()
        let agent = try await bench.agent()
        try await agent.says("raised")
        for _ in 0..<10 { try PlainRequest.post("/v1/fetch", "{}", hangingUpAt: bench.socket) }
        await bench.origin.script("/feed", [ScriptedAnswer(body: atomFeed(1...4))])
        let fetch = try await bench.crier.run("fetch", "--force")
        #expect(fetch.output.contains("Item 4"), "\(fetch)")
        #expect(await agent.end() == 0)
        await bench.origin.stop()
    }

    @Test func theSocketOfAnotherAgentIsLeftAlone() async throws {
        let bench = try await AgentBench()
        let agent = try await bench.agent()
        var other = bench.crier
        other.environment["CRIER_STATE"] = bench.crier.folder.file("other.sqlite")
        other.environment["XDG_RUNTIME_DIR"] = bench.crier.folder.file("elsewhere")
        let second = try RunningCommand(other, "agent")
        try await second.says("ready socket")
        #expect(rename(bench.crier.folder.file("elsewhere/crier/agent.sock"), bench.socket) == 0)
        agent.send(SIGHUP)
        try await agent.says("another agent has its socket (process \(second.identifier))")
        let answer = try PlainRequest.get("/v1/agent", socket: bench.socket).body
        #expect(answer.contains("\(second.identifier)"))
        #expect(await second.end(SIGKILL) == SIGKILL)
        agent.send(SIGHUP)
        try await agent.says("other commands reach the agent now")
        #expect(await agent.end() == 0)
        await bench.origin.stop()
    }

    #if os(Linux)
        /// As beside a shell of the superuser that has kept the user's variables.
        @Test(.enabled(if: geteuid() == 0, "only the superuser can have another user listen"))
        func theSocketOfAnotherUsersAgentIsLeftAloneUntilItIsGone() async throws {
            let bench = try await AgentBench()
            try bench.crier.folder.write("", to: "run/crier/file")
            let listener = try LocalSocket.bound(to: bench.socket, SOCK_STREAM)
            defer { close(listener) }
            // A connection knows who listened last.
            let program = ChildProcess()
            program.executableURL = URL(filePath: "/usr/bin/python3")
            program.arguments = ["-c", "import os, socket; os.setuid(65534); socket.socket(fileno=0).listen()"]
            program.standardInput = FileHandle(fileDescriptor: listener)
            try await program.runToEnd()
            try #require(program.terminationStatus == 0)
            var (before, after) = (stat(), stat())
            #expect(stat(bench.socket, &before) == 0)
            let agent = try RunningCommand(bench.crier, "agent")
            try await agent.says("other commands cannot reach the agent: another user's agent has its socket")
            #expect(stat(bench.socket, &after) == 0 && after.st_ino == before.st_ino)
            try FileManager.default.removeItem(atPath: bench.socket)
            try await agent.says("other commands reach the agent now")
            #expect(await agent.end() == 0)
            await bench.origin.stop()
        }
    #endif

    /// To a superuser of a namespace it is another's that it may not connect to. Whose agent was killed has left its socket there.
    @Test(
        .enabled(if: geteuid() == 0 && MountSpace.isPossible, "may not mount a tmpfs (unshare -rm)"),
        arguments: [true, false])
    func aSocketThatIsNotToBeConnectedToIsLeftAloneAsLongAsSomebodyHasIt(isHeard: Bool) async throws {
        var bench = try await AgentBench()
        let folder = bench.crier.folder
        try folder.write("", to: "rün/crier/file")
        try FileManager.default.createSymbolicLink(atPath: folder.file("link"), withDestinationPath: folder.file("rün"))
        let listener = try LocalSocket.bound(to: folder.file("link/crier/agent.sock"), SOCK_STREAM)
        try #require(listen(listener, 8) == 0)
        let socket = folder.file("rün/crier/agent.sock")
        #expect(chmod(socket, 0o600) == 0 && chown(socket, 65_534, 65_534) == 0)
        if !isHeard { close(listener) }
        bench.crier.environment["XDG_RUNTIME_DIR"] = folder.file("rün")
        let agent = try RunningCommand(bench.crier, "agent", behind: #"set -- unshare -r "$@""#)
        try await agent.says(isHeard ? "another user's agent has its socket" : "ready socket")
        if isHeard { close(listener) }
        #expect(await agent.end() == 0)
        await bench.origin.stop()
    }

    /// Where the state is the superuser's, nobody else is to ask its agent.
    @Test(.enabled(if: geteuid() == 0, "only the superuser can give a file away"), arguments: [65_534, 0] as [uid_t])
    func theSocketOfTheSuperusersAgentBelongsToWhoseFolderItIsInIfTheStateDoes(owner: uid_t) async throws {
        let bench = try await AgentBench()
        let folder = bench.crier.folder.file("run")
        #expect(mkdir(folder, 0o700) == 0 && chown(folder, 65_534, 65_534) == 0)
        #expect(chown(bench.crier.statePath, owner, owner) == 0)
        let agent = try await bench.agent()
        for (path, owner) in [("\(folder)/crier", 65_534), (bench.socket, owner)] {
            var status = stat()
            #expect(stat(path, &status) == 0 && status.st_uid == owner && status.st_gid == owner, "\(path)")
            try expectPrivate(path)
        }
        #expect(await agent.end() == 0)
        await bench.origin.stop()
    }

    /// It is taken for what it is to be, and not for what whoever made it may have it lead to.
    @Test(.enabled(if: geteuid() == 0, "only the superuser can give a file away"))
    func theSuperusersAgentFollowsNoLinkThatAUserHasMade() async throws {
        let bench = try await AgentBench()
        let (folder, other) = (bench.crier.folder.file("run"), bench.crier.folder.file("other"))
        #expect(mkdir(folder, 0o700) == 0 && chown(folder, 65_534, 65_534) == 0 && mkdir(other, 0o755) == 0)
        try FileManager.default.createSymbolicLink(atPath: "\(folder)/crier", withDestinationPath: other)
        let agent = try RunningCommand(bench.crier, "agent")
        try await agent.says("other commands cannot reach the agent: Not a directory")
        var status = stat()
        #expect(stat(other, &status) == 0 && status.st_uid == 0 && status.st_mode & 0o777 == 0o755)
        #expect(await agent.end() == 0)
        await bench.origin.stop()
    }

    /// There they may have put something else in the socket's place.
    @Test(.enabled(if: geteuid() == 0, "only the superuser can give a file away"))
    func inAFolderThatIsAUsersAlreadyNothingIsGivenAway() async throws {
        let bench = try await AgentBench()
        let folder = bench.crier.folder.file("run")
        #expect(mkdir(folder, 0o700) == 0 && mkdir("\(folder)/crier", 0o700) == 0)
        for path in [folder, "\(folder)/crier", bench.crier.statePath] { #expect(chown(path, 65_534, 65_534) == 0) }
        let agent = try await bench.agent()
        var status = stat()
        #expect(stat(bench.socket, &status) == 0 && status.st_uid == 0)
        try expectPrivate(bench.socket)
        #expect(await agent.end() == 0)
        await bench.origin.stop()
    }

    @Test func aFolderThatAnotherUserHasMadeIsToldWithWhatGivesItBack() async throws {
        let bench = try await AgentBench()
        guard geteuid() == 0, try await bench.crier.runAsNobody("authorize", "--allow")?.status == 0 else {
            print("skipped: not root")
            return
        }
        let folder = bench.crier.folder.file("run")
        #expect(mkdir(folder, 0o700) == 0 && chown(folder, 65_534, 65_534) == 0 && mkdir("\(folder)/crier", 0o700) == 0)
        let script = """
            exec 3< <(exec setpriv --reuid=65534 --clear-groups "$0" agent 2>&1); agent=$!
            while read -r line <&3 && [[ $line != *"cannot reach"* ]]; do :; done
            kill "$agent"; echo "$line"
            """
        let run = try await bench.crier.run(["-c", script, BuiltCrier.binary]) {
            $0.executableURL = URL(fileURLWithPath: "/bin/bash")
        }
        let words = "its folder belongs to root; `sudo chown -R nobody \(folder)/crier` makes it yours"
        #expect(run.output.contains("other commands cannot reach the agent: \(words)"), "\(run)")
        await bench.origin.stop()
    }

    private func expectPrivate(_ path: String) throws {
        for path in [path, (path as NSString).deletingLastPathComponent] {
            let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
            #expect(mode.map { $0 & 0o077 } == 0)
        }
    }
}
