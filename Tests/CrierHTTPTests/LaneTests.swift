import CrierHTTP
import CrierTesting
import Foundation
import Testing

/// Tasks that run on the thread that sends their requests.
@Suite(.timeLimit(.minutes(5))) struct LaneTests {
    @Test func aTaskStaysOnOneThreadAcrossItsRequests() async throws {
        let origin = try await ScriptedOrigin()
        await origin.script("/", [ScriptedAnswer(body: "x")])
        let transport = CurlTransport()
        func visit() async throws -> [UInt] {
            // Also before the first request of all.
            var threads = [Threads.current]
            for _ in 0..<5 {
                let body = try await transport.send(HTTPRequest(url: origin.url())).body
                #expect(body == Array("x".utf8))
                threads.append(Threads.current)
            }
            return threads
        }
        let threads = try await withTaskExecutorPreference(transport.lane) { try await visit() }
        #expect(threads.count == 6)
        #expect(Set(threads).count == 1)
        #expect(!threads.contains(Threads.current))
        await transport.shutdown()
        await origin.stop()
    }

    @Test func manyTasksWaitForTheirAnswersSideBySide() async throws {
        let origin = try await ScriptedOrigin()
        await origin.script("/slow", [ScriptedAnswer(steps: [.gate("go")] + .answer(body: "slow"))])
        await origin.script("/", [ScriptedAnswer(body: "x")])
        let transport = CurlTransport()
        async let slow = withTaskExecutorPreference(transport.lane) {
            try await transport.send(HTTPRequest(url: origin.url("/slow"))).body
        }
        await origin.received(1)
        let bodies = try await withThrowingTaskGroup(of: [UInt8].self) { group in
            for _ in 0..<50 {
                group.addTask(executorPreference: transport.lane) {
                    try await transport.send(HTTPRequest(url: origin.url())).body
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(bodies == Array(repeating: Array("x".utf8), count: 50))
        await origin.open("go")
        #expect(try await slow == Array("slow".utf8))
        await transport.shutdown()
        await origin.stop()
    }

    @Test func whatIsLeftToDoWhenTheThreadHasEndedIsDoneNevertheless() async throws {
        let transport = CurlTransport()
        let lane = transport.lane
        let thread = await withTaskExecutorPreference(lane) { Threads.current }
        await transport.shutdown()
        let other = await withTaskExecutorPreference(lane) { Threads.current }
        #expect(other != thread)
    }

    @Test func aShutdownIsToldToThoseOnTheLane() async throws {
        let origin = try await ScriptedOrigin()
        await origin.script("/", [.hang])
        let transport = CurlTransport()
        let task = Task(executorPreference: transport.lane) {
            _ = await #expect(throws: HTTPError(.cancelled, "the transport has been shut down")) {
                try await transport.send(HTTPRequest(url: origin.url()))
            }
        }
        await origin.received(1)
        await transport.shutdown()
        await task.value
        await origin.stop()
    }
}

private enum Threads {
    static var current: UInt { UInt(pthread_self()) }
}
