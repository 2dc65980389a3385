import CrierDelivery
import Foundation
import Testing

@Suite("Retry policies")
struct RetryPolicyTests {
    @Test("A web hook is tried ten times over three days, around the times of the standard")
    func webhook() {
        var random = SystemRandomNumberGenerator()
        let delays: [Double] = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400]
        for (number, delay) in zip(1..., delays) {
            let next = RetryPolicy.webhook.nextAttempt(after: number, now: madeAt, random: &random)
            let waited = next?.timeIntervalSince(madeAt) ?? .nan
            #expect(waited >= delay * 0.8 - 0.001 && waited <= delay * 1.2 + 0.001, "after \(number)")
        }
        #expect(RetryPolicy.webhook.nextAttempt(after: 10, now: madeAt, random: &random) == nil)
        #expect(
            RetryPolicy.webhook.nextAttempt(after: 10, now: madeAt, retryAfter: .seconds(5), random: &random) == nil)
    }

    @Test("The draws fill the jitter and never leave it")
    func jitter() {
        var random = SystemRandomNumberGenerator()
        let policy = RetryPolicy(delays: [.seconds(100)], jitter: 0.2)
        let waits = (0..<1000).compactMap { _ in
            policy.nextAttempt(after: 1, now: madeAt, random: &random)?.timeIntervalSince(madeAt)
        }
        #expect(waits.count == 1000)
        #expect(waits.allSatisfy { $0 >= 79.999 && $0 <= 120.001 })
        #expect(waits.contains { $0 < 85 } && waits.contains { $0 > 115 })
    }

    @Test("A desktop is tried three times in a minute, then every quarter of an hour")
    func desktop() {
        var random = SystemRandomNumberGenerator()
        let waits = (1...5).map {
            RetryPolicy.desktop.nextAttempt(after: $0, now: madeAt, random: &random)?.timeIntervalSince(madeAt)
        }
        #expect(waits == [20, 40, 900, 900, 900])
    }

    @Test("Standard output is due at once, then every half minute")
    func stdout() {
        var random = SystemRandomNumberGenerator()
        #expect(RetryPolicy.stdout.nextAttempt(after: 1, now: madeAt, random: &random) == madeAt + 10)
        #expect(RetryPolicy.stdout.nextAttempt(after: 2, now: madeAt, random: &random) == madeAt + 30)
    }

    @Test("A service is given up after two days, mail too, a program within hours, a file never")
    func others() {
        var random = SystemRandomNumberGenerator()
        func total(_ policy: RetryPolicy) -> Double { policy.delays.reduce(.zero, +) / .seconds(3600) }
        #expect(total(.service) > 40 && total(.email) > 40 && total(.program) < 3)
        for policy in [RetryPolicy.service, .email, .program] {
            #expect(policy.nextAttempt(after: policy.delays.count + 1, now: madeAt, random: &random) == nil)
        }
        let pause = RetryPolicy(delays: []).nextAttempt(after: 9, now: madeAt, isSinkBroken: true, random: &random)
        #expect(pause == madeAt + 6 * 3600, "where it takes nothing else, it is tried on")
        let without = RetryPolicy(delays: [], breaker: nil)
        #expect(without.nextAttempt(after: 9, now: madeAt, isSinkBroken: true, random: &random) == nil)
        #expect(RetryPolicy.file.nextAttempt(after: 99, now: madeAt, random: &random) == madeAt + 900)
    }

    @Test("What a receiver asks for counts when it is later than the schedule, up to a day")
    func retryAfter() {
        var random = SystemRandomNumberGenerator()
        func wait(_ asked: Duration) -> Double? {
            RetryPolicy.desktop.nextAttempt(after: 1, now: madeAt, retryAfter: asked, random: &random)?
                .timeIntervalSince(madeAt)
        }
        #expect(wait(.seconds(3)) == 20)
        #expect(wait(.seconds(120)) == 120)
        #expect(wait(.seconds(1 << 40)) == 86_400)
    }
}
