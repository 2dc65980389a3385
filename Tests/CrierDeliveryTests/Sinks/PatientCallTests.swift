import CrierDelivery
import CrierHTTP
import CrierNotifications
import CrierTesting
import Foundation
import Testing

/// Services that take a few calls within seconds and ask for a little patience then.
@Suite struct PatientCallTests {
    private let clock = ManualClock()
    private let transport = ScriptedTransport()
    private let url = "https://discord.example/hook"

    private func script(_ answers: [(Int, String)]) {
        let responses = answers.map { status, body in
            HTTPResponse(status: status, fields: [:], body: Array(body.utf8), url: url)
        }
        transport.script(url + "?wait=true", responses.map { .success($0) })
    }

    private var sink: WebSink {
        WebSink(Discord(url: { url }), userAgent: "crier/test", transport: transport, clock: clock)
    }

    private static func limited(_ seconds: Double) -> (Int, String) {
        (429, #"{"message":"limited","retry_after":\#(seconds),"global":false}"#)
    }

    @Test(.timeLimit(.minutes(5))) func whoIsAskedToComeBackInSecondsDoesSoAtOnce() async throws {
        script([Self.limited(2), (200, #"{"id":"7"}"#)])
        async let outcome = sink.deliver(.titled("x"))
        await clock.waitForSleepers()
        #expect(transport.requests.count == 1 && clock.deadlines == [clock.now.addingTimeInterval(2)])
        clock.advance(by: 2)
        guard case .delivered(_?, nil) = await outcome else { return #expect(Bool(false)) }
        #expect(transport.requests.count == 2)
    }

    @Test(.timeLimit(.minutes(5))) func onceAndNotForLong() async throws {
        script([Self.limited(2), Self.limited(3)])
        async let outcome = sink.deliver(.titled("x"))
        await clock.waitForSleepers()
        clock.advance(by: 2)
        #expect(await outcome == .failed(reason: "discord.example answered HTTP 429: limited", retryAfter: .seconds(3)))
        #expect(transport.requests.count == 2)
        for pause in [0, 5.5] {
            script([Self.limited(pause), (200, #"{"id":"7"}"#)])
            #expect(await sink.deliver(.titled("x")).name == "failed", "\(pause)")
        }
    }

    @Test(.timeLimit(.minutes(5))) func whoIsToEndDoesNotWait() async throws {
        script([Self.limited(2)])
        let delivery = Task { await sink.deliver(.titled("x")) }
        await clock.waitForSleepers()
        delivery.cancel()
        #expect(await delivery.value.name == "failed")
        #expect(transport.requests.count == 1)
    }
}
