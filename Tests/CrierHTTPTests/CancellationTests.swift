import CrierHTTP
import CrierTesting
import Testing

@Suite struct CancellationTests {
    @Test func cancellingTheTaskEndsTheTransferAtOnce() async throws {
        let origin = try await ScriptedOrigin()
        await origin.script("/", [.hang])
        let transport = CurlTransport()
        let task = Task { try await transport.send(HTTPRequest(url: origin.url())) }
        await origin.received(1)
        task.cancel()
        #expect(await task.failure?.kind == .cancelled)
        // The connection of a transfer cut short cannot be used again.
        await origin.closed(1)
    }

    @Test func aTaskThatIsCancelledBeforeItBeginsSendsNothing() async throws {
        let origin = try await ScriptedOrigin()
        await origin.script("/", [ScriptedAnswer(body: "x")])
        let transport = CurlTransport()
        let task = Task {
            await origin.received(1)
            return try await transport.send(HTTPRequest(url: origin.url("/late")))
        }
        task.cancel()
        _ = try await transport.send(HTTPRequest(url: origin.url()))
        #expect(await task.failure?.kind == .cancelled)
        #expect(await origin.requests.map(\.target) == ["/"])
    }

    @Test func cancellingManyAtOnceLeavesTheOthersAlone() async throws {
        let origin = try await ScriptedOrigin()
        await origin.script("/hang", [.hang])
        await origin.script("/good", [ScriptedAnswer(steps: [.gate("go")] + .answer(body: "good"))])
        let transport = CurlTransport()
        let good = Task { try await transport.send(HTTPRequest(url: origin.url("/good"))) }
        let hanging = (0..<50).map { _ in Task { try await transport.send(HTTPRequest(url: origin.url("/hang"))) } }
        await origin.received(51)
        for task in hanging { task.cancel() }
        for task in hanging { #expect(await task.failure?.kind == .cancelled) }
        await origin.open("go")
        #expect(try await good.value.body == Array("good".utf8))
    }

    @Test func cancellationAtAnyMomentGivesAnAnswerOrCancelled() async throws {
        let origin = try await ScriptedOrigin()
        await origin.script("/", [ScriptedAnswer(body: "x")])
        let transport = CurlTransport()
        for yields in 0..<200 {
            let task = Task { try await transport.send(HTTPRequest(url: origin.url())) }
            for _ in 0..<yields { await Task.yield() }
            task.cancel()
            let failure = await task.failure
            #expect(failure == nil || failure?.kind == .cancelled)
        }
    }

    @Test func shutdownEndsWhatIsUnderWayAndRefusesWhatComes() async throws {
        let origin = try await ScriptedOrigin()
        await origin.script("/", [.hang])
        let transport = CurlTransport()
        let task = Task { try await transport.send(HTTPRequest(url: origin.url())) }
        await origin.received(1)
        await transport.shutdown()
        #expect(await task.failure?.kind == .cancelled)
        await origin.closed(1)
        let late = await #expect(throws: HTTPError.self) { try await transport.send(HTTPRequest(url: origin.url())) }
        #expect(late?.description == "the transport has been shut down")
        await transport.shutdown()
    }

    @Test func shutdownBeforeTheFirstRequestReturns() async {
        await CurlTransport().shutdown()
    }
}

extension Task where Success: Sendable, Failure == any Error {
    /// The HTTP error that the task ended with.
    var failure: HTTPError? {
        get async {
            guard case .failure(let error) = await result else { return nil }
            return error as? HTTPError
        }
    }
}
