import CrierHTTP
import CrierNotifications
import CrierStore
import CrierTesting
import Foundation
import Testing

@testable import CrierDelivery

/// What a program may hand over by mistake ends no process.
@Suite struct OddValueTests {
    let noDate = Date(timeIntervalSince1970: .nan)
    let noon = Date(timeIntervalSince1970: 1_700_000_000)

    func attempt(created: Date, receipt: String? = nil) -> DeliveryAttempt {
        let request = NotificationRequest(identifier: "a", content: NotificationContent(title: "A"))
        return DeliveryAttempt(request: request, created: created, receipt: receipt)
    }

    @Test(arguments: [(Double.nan, 0.0), (-1, 0), (.infinity, 1), (1, 1)])
    func jitterBeyondItsRangeIsTheNearest(odd: Double, jitter: Double) throws {
        for seed in UInt64(1)...20 {
            var (one, other) = (SeededNumbers(seed: seed), SeededNumbers(seed: seed))
            let delays = [Duration.seconds(60)]
            let drawn = RetryPolicy(delays: delays, jitter: odd).nextAttempt(after: 1, now: noon, random: &one)
            #expect(
                drawn == RetryPolicy(delays: delays, jitter: jitter).nextAttempt(after: 1, now: noon, random: &other))
        }
    }

    @Test func aPauseDoublesUpToTheLongestHoweverLongThatIs() {
        let ages = Duration.seconds(Int64.max)
        #expect(CircuitBreaker(threshold: 0, firstPause: ages, longestPause: ages).pause(after: 40) == ages)
        #expect(CircuitBreaker(firstPause: .seconds(1), longestPause: ages).pause(after: 1000) == .seconds(65_536))
        #expect(CircuitBreaker(threshold: .min).pause(after: 40) == .seconds(6 * 3600))
        #expect(CircuitBreaker(threshold: .min, firstPause: .seconds(9)).pause(after: -1) == .seconds(9))
        #expect(CircuitBreaker(firstPause: .seconds(Int64.min)).pause(after: 40) == .zero)
        #expect(CircuitBreaker(firstPause: .seconds(10), longestPause: .seconds(25)).pause(after: 6) == .seconds(20))
    }

    @Test(arguments: [
        (Duration.seconds(Int64.max), "1000000000 s"), (.seconds(1e20), "1000000000 s"), (.milliseconds(250), "0.25 s"),
    ])
    func aDeadlineMayBeAgesAheadOrAMomentOnly(deadline: Duration, words: String) async throws {
        let clock = ManualClock(now: noon)
        let sink = NamedSink(name: "a", sink: CancelledSink(), retries: .webhook, deadline: deadline)
        let center = UserNotificationCenter(store: try Store.inMemory(), sinks: [sink], clock: clock)
        try await center.setAuthorization(.authorized)
        try await center.add(attempt(created: noon).request)
        async let run = center.deliverDue()
        await clock.waitForSleepers()
        clock.advance(by: 1e21)
        #expect(try await run.waiting["a"]?.reason == "no answer within \(words)")
    }

    @Test func aReasonIsKeptAndToldInOneLine() async throws {
        let (store, clock) = (try Store.inMemory(), ManualClock(now: noon))
        let page = "\u{1B}[31m<html>\n" + String(repeating: "x", count: 100_000)
        let sink = NamedSink(name: "a", sink: RecordingSink([.failed(reason: page)]), retries: .webhook)
        let center = UserNotificationCenter(store: store, sinks: [sink], clock: clock)
        try await center.setAuthorization(.authorized)
        try await center.add(attempt(created: noon).request)
        let told = try await center.deliverDue().waiting["a"]?.reason
        let line = "[31m<html> " + String(repeating: "x", count: 488) + "…"
        #expect(told == line)
        #expect(try store.deliveries(in: [.pending]).map(\.lastError) == [line])
    }

    @Test func noScheduleIsBeyondWhatTheStateKeeps() {
        var random = SystemRandomNumberGenerator()
        let ages = RetryPolicy(delays: [.seconds(Int64.max)], retryAfterLimit: .seconds(Int64.max))
        for asked in [nil, Duration.seconds(Int64.max)] {
            let next = ages.nextAttempt(after: 1, now: noon, retryAfter: asked, random: &random)
            #expect(next == noon.addingTimeInterval(Store.longestWait))
        }
    }

    @Test func aClockThatShowsNoTimeCallsAllTheSame() throws {
        let call = try Webhook(url: "https://hooks.example/").call(for: attempt(created: noon), [:], now: noDate)
        #expect(call.fields["webhook-timestamp"] == "0")
        let edit = try Matrix(url: "https://m.example", room: "r", token: { "t" }).call(
            for: attempt(created: noDate, receipt: "e"), [.token: "t"], now: noon)
        #expect(edit.url.hasSuffix(".-62135596800000"))
    }

    @Test(arguments: [Double.nan, .infinity]) func aMailWithoutRecipientsOrDateIsNotHandedIn(seconds: Double) async {
        let sink = EmailSink(
            server: MailServer(url: "smtp://127.0.0.1:1", security: .none),
            envelope: EmailSink.Envelope(sender: "crier@a.example", recipients: []), transport: CurlMailTransport())
        let outcome = await sink.deliver(attempt(created: Date(timeIntervalSince1970: seconds)))
        #expect(outcome == .failed(reason: "the mail has no recipient"))
    }

    @Test func aWidthBeyondItsRangeIsTheNearest() {
        var print = DigestPrint(width: .min)
        #expect(print.width == 20)
        print.width = .min
        #expect(print.width == 20)
        #expect("wide".fitted(to: .min) == "…")
    }

    @Test(arguments: [(Duration.seconds(Int64.max), "2147483647"), (.seconds(-1), "0"), (.seconds(5), "5000")])
    func aNotificationIsShownAsLongAsTheDesktopCanSay(expiration: Duration, milliseconds: String) {
        let settings = NotifySend.Settings(
            applicationName: "a", icon: nil, category: "", desktopEntry: nil, expiration: expiration)
        let call = NotifySend(settings: settings, features: NotifySend.Features(), server: NotificationServer())
        let arguments = call.arguments(for: attempt(created: noon).request, replacing: nil)
        #expect(arguments.firstIndex(of: "-t").map { arguments[$0 + 1] } == milliseconds)
    }
}
