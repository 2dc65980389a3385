import CrierDelivery
import CrierProcess
import CrierTesting
import Foundation
import Synchronization
import Testing

@testable import CrierAgent

#if os(Linux)
    @Suite struct AgentClientTests {
        /// What an agent is asked may be answered before all of it is written.
        @Test func anAgentThatAnswersTheFirstBytesAndHangsUpIsHeard() async throws {
            let (hasty, client) = try await hastyAgent(answering: try AgentEvent(refused: "not today").line())
            await #expect(throws: AgentClient.Failure(description: "not today")) {
                _ = try await client.fetch(
                    FetchOrder(sources: ["news"], force: true), visited: { _ in }, show: { _ in true })
            }
            let heard = hasty.requests
            try #require(heard.count == 2)
            #expect(heard[0].hasPrefix("GET /v1/agent HTTP/1.1\r\n"))
            #expect(heard[1].hasPrefix("POST /v1/fetch HTTP/1.1\r\n") && heard[1].contains("\"news\""))
        }
    }

    extension AgentClientTests {
        /// An older agent tells no status; a newer one may tell more.
        @Test(arguments: [("", nil), (#","status":74"#, 74), (#","status":64,"more":[]"#, 64)])
        func aRefusalSaysWhatToEndWith(more: String, status: Int32?) async throws {
            let (_, client) = try await hastyAgent(answering: Data("{\"refused\":\"not today\"\(more)}\n".utf8))
            await #expect(throws: AgentClient.Failure(description: "not today", status: status)) {
                _ = try await client.fetch(FetchOrder(sources: [], force: true), visited: { _ in }, show: { _ in true })
            }
        }
    }

    extension AgentClientTests {
        @Test func anAgentThatDoesNotAnswerIsAsGoodAsNone() async throws {
            let folder = try TemporaryFolder()
            try FileManager.default.createDirectory(atPath: folder.file("crier"), withIntermediateDirectories: true)
            let descriptor = try LocalSocket.bound(to: folder.file("crier/agent.sock"), SOCK_STREAM)
            defer { close(descriptor) }
            try #require(listen(descriptor, 8) == 0)
            let found = await AgentClient.ofState(folder.file("state"), environment: ["XDG_RUNTIME_DIR": folder.path])
            #expect(found == nil)
        }
    }

    extension AgentClientTests {
        @Test func anAgentThatEndsInTheMidstOfItsAnswerIsToldOfInWords() async throws {
            let (agent, client) = try await hastyAgent(answering: Data())
            await #expect(throws: AgentClient.Failure(description: "the agent has ended before its answer did")) {
                _ = try await client.fetch(FetchOrder(sources: [], force: true), visited: { _ in }, show: { _ in true })
            }
            #expect(agent.requests.count == 2)
        }
    }

    extension AgentClientTests {
        @Test func anAgentThatHasGoneSinceItWasFoundIsToldOfInWords() async throws {
            let (agent, client) = try await hastyAgent(answering: Data())
            try agent.leave()
            await #expect(throws: AgentClient.Failure(description: "the agent has ended before its answer did")) {
                _ = try await client.fetch(FetchOrder(sources: [], force: true), visited: { _ in }, show: { _ in true })
            }
        }
    }

    extension AgentClientTests {
        /// In a folder that is shared.
        @Test(.enabled(if: geteuid() == 0, "only the superuser can have another user listen"))
        func anAgentOfAnotherUserIsNone() async throws {
            let (agent, client) = try await hastyAgent(answering: Data("{}".utf8))
            try await agent.listenAgain(as: 65_534)
            await #expect(throws: AgentClient.Failure(description: "the agent is another user's")) {
                _ = try await client.status()
            }
            #expect(!agent.requests.contains { $0.contains("/v1/status") })
        }
    }

    extension AgentClientTests {
        /// As where root looks at a user's.
        @Test(.enabled(if: geteuid() == 0, "only the superuser can give a file away"))
        func anAgentOfTheStatesOwnerIsAsked() async throws {
            let (agent, client) = try await hastyAgent(
                answering: try AgentEvent(refused: "not today").line(), stateOf: 65_534)
            try await agent.listenAgain(as: 65_534)
            await #expect(throws: AgentClient.Failure(description: "not today")) {
                _ = try await client.fetch(FetchOrder(sources: [], force: true), visited: { _ in }, show: { _ in true })
            }
        }
    }

    /// One that has told who it is, and will answer once more.
    ///
    /// - Parameter owner: Whose state it works with; nil where its file is not there.
    private func hastyAgent(
        answering answer: Data, stateOf owner: uid_t? = nil
    ) async throws -> (agent: HastyAgent, client: AgentClient) {
        let folder = try TemporaryFolder()
        if let owner {
            try folder.write("", to: "state")
            try #require(chown(folder.file("state"), owner, owner) == 0)
        }
        try FileManager.default.createDirectory(atPath: folder.file("crier"), withIntermediateDirectories: true)
        let description = AgentDescription(
            version: "1", process: 1, configuration: "/c", state: SymbolicLinks.resolved(folder.file("state")))
        let agent = try HastyAgent(
            at: folder.file("crier/agent.sock"), folder, answers: [try JSONEncoder.ofLines.encode(description), answer])
        let found = await AgentClient.ofState(folder.file("state"), environment: ["XDG_RUNTIME_DIR": folder.path])
        return (agent, try #require(found).client)
    }

    /// Answers what it reads first of each connection, and closes it; an empty answer lacks what it announces.
    private final class HastyAgent: Sendable {
        private let folder: TemporaryFolder
        private let descriptor: Int32
        private let heard = Mutex<[String]>([])

        /// - Parameter folder: Kept as long as it is.
        init(at path: String, _ folder: TemporaryFolder, answers: [Data]) throws {
            self.folder = folder
            descriptor = try LocalSocket.bound(to: path, SOCK_STREAM)
            try #require(listen(descriptor, 8) == 0)
            Thread { [self] in for answer in answers { serve(answer) } }.start()
        }

        deinit { close(descriptor) }

        var requests: [String] { heard.withLock { $0 } }

        /// Nobody reaches it any more.
        func leave() throws { try FileManager.default.removeItem(atPath: folder.file("crier/agent.sock")) }

        /// A connection knows who listened last.
        func listenAgain(as user: uid_t) async throws {
            let program = ChildProcess()
            program.executableURL = URL(filePath: "/usr/bin/python3")
            let script = "import os, socket; os.setuid(\(user)); socket.socket(fileno=0).listen()"
            program.arguments = ["-c", script]
            program.standardInput = FileHandle(fileDescriptor: descriptor)
            try await program.runToEnd()
            try #require(program.terminationStatus == 0)
        }

        private func serve(_ body: Data) {
            let connection = accept(descriptor, nil, nil)
            guard connection >= 0 else { return }
            var buffer = [UInt8](repeating: 0, count: 65_536)
            let count = max(recv(connection, &buffer, buffer.count, 0), 0)
            heard.withLock { $0.append(String(decoding: buffer.prefix(count), as: UTF8.self)) }
            let head = "HTTP/1.1 200 OK\r\nContent-Length: \(max(body.count, 1))\r\nConnection: close\r\n\r\n"
            let answer = Array(head.utf8) + body
            _ = send(connection, answer, answer.count, Int32(MSG_NOSIGNAL))
            close(connection)
        }
    }
#endif
