import CrierNotifications
import CrierTesting
import Testing

@Suite("The recording sink")
struct RecordingSinkTests {
    @Test("It answers by script and remembers")
    func script() async {
        let sink = RecordingSink([.failed(reason: "no"), .deferred(reason: "later")], otherwise: .gone(reason: "end"))
        #expect(await sink.deliver(.titled("a", identifier: "1")) == .failed(reason: "no"))
        #expect(await sink.deliver(.titled("b", identifier: "2")) == .deferred(reason: "later"))
        await sink.answerNext(.delivered())
        #expect(await sink.deliver(.titled("c", identifier: "3")) == .delivered())
        #expect(await sink.deliver(.titled("d", identifier: "4")) == .gone(reason: "end"))
        #expect(await sink.identifiers == ["1", "2", "3", "4"])
        #expect(await sink.attempts.map(\.request.content.title) == ["a", "b", "c", "d"])
    }
}
