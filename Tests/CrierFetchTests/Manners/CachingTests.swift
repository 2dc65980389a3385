import CrierHTTP
import CrierNotifications
import CrierStore
import CrierTesting
import Foundation
import Testing

@testable import CrierFetch

@Suite("Caching") struct CachingTests {
    @Test(arguments: ["\"strong\"", "W/\"weak\"", "without-quotes", "\"odd \u{e9}\u{1F600}, b\"", "\"\""])
    func validatorsGoBackByteForByteBothOfThem(etag: String) async throws {
        let bench = try await FetchBench()
        // Not the form that RFC 9110 asks for, and sent back as it is.
        let modified = "Tue, 14 Nov 2023 20:00:00 +0000"
        await bench.publish([("a", 2)], fields: ["ETag": etag, "Last-Modified": modified])
        _ = try await bench.fetch()
        _ = try await bench.fetch()
        let requests = await bench.origin.requests
        #expect(requests[0].fields["If-None-Match"] == nil)
        #expect(requests[0].fields["If-Modified-Since"] == nil)
        #expect(requests[1].head.contains(Array("\r\nIf-None-Match: \(etag)\r\n".utf8)))
        #expect(requests[1].head.contains(Array("\r\nIf-Modified-Since: \(modified)\r\n".utf8)))
        await bench.origin.stop()
    }

    @Test func bytesThatAreNoTextGoBackToo() async throws {
        let bench = try await FetchBench()
        var fields = HTTPFields()
        fields.append("ETag", [0x22, 0xff, 0xfe, 0x22])
        await bench.publish([("a", 2)], fields: fields)
        _ = try await bench.fetch()
        _ = try await bench.fetch()
        let head = try #require(await bench.origin.requests.last).head
        #expect(head.contains(Array("\r\nIf-None-Match: ".utf8) + [0x22, 0xff, 0xfe, 0x22, 0x0d, 0x0a]))
        await bench.origin.stop()
    }

    @Test func aLastModifiedOfTheFarFutureIsNotSent() async throws {
        let bench = try await FetchBench()
        await bench.publish([("a", 2)], fields: ["Last-Modified": "Tue, 19 Jan 2038 03:14:07 GMT"])
        _ = try await bench.fetch()
        _ = try await bench.fetch()
        #expect(await bench.origin.requests.last?.fields["If-Modified-Since"] == nil)
        await bench.origin.stop()
    }

    @Test func aLastModifiedAloneIsEnough() async throws {
        let bench = try await FetchBench()
        let modified = "Tue, 14 Nov 2023 20:00:00 GMT"
        await bench.publish([("a", 2)], fields: ["Last-Modified": modified])
        _ = try await bench.fetch()
        await bench.origin.script("/feed", [ScriptedAnswer(status: 304)])
        #expect(try await bench.fetch().status == 304)
        let last = try #require(await bench.origin.requests.last)
        #expect(last.fields["If-Modified-Since"] == modified && last.fields["If-None-Match"] == nil)
        await bench.origin.stop()
    }

    @Test func onesOwnClockIsNeverSent() async throws {
        let bench = try await FetchBench()
        await bench.publish(
            [("a", 2)], fields: ["Date": "Tue, 14 Nov 2023 22:13:20 GMT", "Cache-Control": "max-age=60"])
        _ = try await bench.fetch()
        bench.clock.advance(by: 3600)
        _ = try await bench.fetch()
        for request in await bench.origin.requests {
            let names = request.fields.all.map { $0.name.lowercased() }
            #expect(Set(names).isDisjoint(with: ["if-modified-since", "if-none-match", "date", "if-unmodified-since"]))
            #expect(!request.fields.all.contains { $0.value.contains("2023") })
        }
        await bench.origin.stop()
    }

    static let lifetimes: [(fields: HTTPFields, seconds: Double, field: String)] = [
        (["Cache-Control": "max-age=7200"], 7200, "Cache-Control: max-age=7200"),
        // The origin's clock is an hour ahead; only its own two dates count.
        (
            ["Expires": "Wed, 15 Nov 2023 01:13:20 GMT", "Date": "Tue, 14 Nov 2023 23:13:20 GMT"], 7200, "Expires"
        ),
        (["Cache-Control": "max-age=10800", "Age": "3600"], 7200, "Cache-Control: max-age=10800"),
        (["Cache-Control": "max-age=504921600"], 86_400, "Cache-Control: max-age=504921600"),
    ]

    @Test(arguments: [200, 304], lifetimes.indices)
    func aCacheLifetimePostponesTheNextFetchUpToADay(status: Int, index: Int) async throws {
        let (fields, seconds, field) = Self.lifetimes[index]
        let bench = try await FetchBench()
        await bench.publish([("a", 2)], fields: ["ETag": "\"1\""])
        _ = try await bench.fetch()
        let answer =
            status == 304
            ? ScriptedAnswer(status: 304, fields: fields) : ScriptedAnswer(fields: fields, body: bench.atom([("b", 1)]))
        await bench.origin.script("/feed", [answer])
        let report = try await bench.fetch()
        #expect(report.status == status)
        // Up to ten minutes later, so that not everybody comes in that second.
        let wait = min(seconds + 300, 86_400)
        #expect(report.nextFetch == bench.clock.now.addingTimeInterval(wait))
        #expect(report.nextFetchReason == "the origin's \(field)")
        bench.clock.advance(by: wait - 1)
        #expect(try bench.scheduler.due(among: [bench.source]).due.isEmpty)
        bench.clock.advance(by: 1)
        #expect(try bench.scheduler.due(among: [bench.source]).due.count == 1)
        await bench.origin.stop()
    }

    @Test func aNotModifiedAnswerThatSaysNothingLeavesTheLifetime() async throws {
        let bench = try await FetchBench()
        await bench.publish([("a", 2)], fields: ["ETag": "\"1\"", "Cache-Control": "max-age=7200"])
        _ = try await bench.fetch()
        await bench.origin.script(
            "/feed",
            [ScriptedAnswer(status: 304), ScriptedAnswer(status: 304, fields: ["Cache-Control": "no-cache"])]
                + [ScriptedAnswer(status: 304)])
        #expect(try await bench.fetch().nextFetch == bench.clock.now.addingTimeInterval(7500))
        for _ in 0..<2 { #expect(try await bench.fetch().nextFetchReason == "its interval of 1 h") }
        await bench.origin.stop()
    }

    @Test func anETagThatNoRequestCanSayDoesNoHarm() async throws {
        let bench = try await FetchBench()
        let body = bench.atom([("a", 2)])
        let head = "HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\nETag: \"a\rb\"\r\n\r\n"
        await bench.origin.script("/feed", [.raw(head + body)])
        for _ in 0..<2 { #expect(try await bench.fetch().failure == nil) }
        #expect(await bench.origin.requests.last?.fields["If-None-Match"] == nil)
        await bench.origin.stop()
    }

    @Test func noCacheMeansAskAgainNotForget() async throws {
        let bench = try await FetchBench()
        await bench.publish([("a", 2)], fields: ["Cache-Control": "no-cache, max-age=72000", "ETag": "\"1\""])
        let report = try await bench.fetch()
        #expect(report.nextFetchReason == "its interval of 1 h")
        #expect(try #require(report.nextFetch) < bench.clock.now.addingTimeInterval(3960))
        _ = try await bench.fetch()
        #expect(await bench.origin.requests.last?.fields["If-None-Match"] == "\"1\"")
        await bench.origin.stop()
    }

    /// As Apache does with what it compresses, and WordPress with tags that nginx makes weak.
    @Test(arguments: [
        ("\"a-gzip\"", "\"a\""), ("W/\"a\"", "\"a\""), ("W/\"a-br\"", "\"a\""), ("\"a\"-gzip", "\"a\""),
    ])
    func anOriginThatDoesNotKnowItsMarkedTagIsAskedByTheUnmarkedOne(given: String, known: String) async throws {
        let bench = try await FetchBench()
        let body = bench.atom([("a", 2)])
        await bench.origin.handle { request in
            let fields: HTTPFields = ["ETag": given]
            return request.fields["If-None-Match"] == known
                ? ScriptedAnswer(status: 304, fields: fields) : ScriptedAnswer(fields: fields, body: body)
        }
        var statuses: [Int?] = []
        for _ in 0..<5 { statuses.append(try await bench.fetch().status) }
        #expect(statuses == [200, 200, 304, 304, 304])
        #expect(try bench.state().nextFetchReason == "its interval of 1 h")
        #expect(await bench.origin.requests.map { $0.fields["If-None-Match"] } == [nil, given, known, known, known])
        await bench.origin.stop()
    }

    @Test func whoKnowsItsMarkedTagLaterOnIsAskedByItAgain() async throws {
        let bench = try await FetchBench()
        let whole = ScriptedAnswer(fields: ["ETag": "W/\"a\""], body: bench.atom([("a", 2)]))
        await bench.origin.script("/feed", [whole, whole, whole, ScriptedAnswer(status: 304)])
        for _ in 0..<5 { _ = try await bench.fetch() }
        let asked = await bench.origin.requests.map { $0.fields["If-None-Match"] }
        #expect(asked == [nil, "W/\"a\"", "\"a\"", "W/\"a\"", "W/\"a\""])
        await bench.origin.stop()
    }

    @Test func aTagThatComesWithAnotherDocumentSaysNothingOfHowToAskByIt() async throws {
        let bench = try await FetchBench()
        let fields: HTTPFields = ["ETag": "W/\"a\""]
        let answers = [("a", 2), ("b", 1)].map { ScriptedAnswer(fields: fields, body: bench.atom([$0])) }
        await bench.origin.script("/feed", answers + [ScriptedAnswer(status: 304)])
        for _ in 0..<3 { _ = try await bench.fetch() }
        let asked = await bench.origin.requests.map { $0.fields["If-None-Match"] }
        #expect(asked == [nil, "W/\"a\"", "W/\"a\""])
        await bench.origin.stop()
    }

    @Test func validatorsThatANotModifiedAnswerChangesAreKept() async throws {
        let bench = try await FetchBench()
        let first = "Tue, 14 Nov 2023 20:00:00 GMT"
        await bench.publish([("a", 2)], fields: ["ETag": "\"1\"", "Last-Modified": first])
        _ = try await bench.fetch()
        await bench.origin.script("/feed", [ScriptedAnswer(status: 304, fields: ["ETag": "W/\"1\""])])
        _ = try await bench.fetch()
        _ = try await bench.fetch()
        let last = try #require(await bench.origin.requests.last)
        #expect(last.fields["If-None-Match"] == "W/\"1\"")
        #expect(last.fields["If-Modified-Since"] == first)
        await bench.origin.stop()
    }

    /// Seen of caches that are behind their origin: the answer is of the old document, and its fields are the new one's.
    @Test func aNotModifiedAnswerWithTheETagOfANewDocumentDoesNotHideIt() async throws {
        let bench = try await FetchBench()
        await bench.publish([("a", 2)], fields: ["ETag": "\"1\""])
        _ = try await bench.fetch()
        await bench.origin.script("/feed", [ScriptedAnswer(status: 304, fields: ["ETag": "\"2\""])])
        _ = try await bench.fetch()
        let new = bench.atom([("b", 1), ("a", 2)])
        await bench.origin.script("/feed", [])
        await bench.origin.handle { request in
            request.fields["If-None-Match"] == "\"2\""
                ? ScriptedAnswer(status: 304) : ScriptedAnswer(fields: ["ETag": "\"2\""], body: new)
        }
        #expect(try await bench.fetch().newItemCount == 1)
        await bench.origin.stop()
    }

    @Test func anETagThatIsRemovedLaterIsForgotten() async throws {
        let bench = try await FetchBench()
        await bench.publish([("a", 2)], fields: ["ETag": "\"1\""])
        _ = try await bench.fetch()
        // The body is equal: what its fields say counts all the same.
        await bench.publish([("a", 2)])
        _ = try await bench.fetch()
        _ = try await bench.fetch()
        let requests = await bench.origin.requests
        #expect(requests.map { $0.fields["If-None-Match"] } == [nil, "\"1\"", nil])
        await bench.origin.stop()
    }

    @Test func afterEightDaysOfNotModifiedTheDocumentItselfIsAskedForOnce() async throws {
        let bench = try await FetchBench()
        let whole = ScriptedAnswer(fields: ["ETag": "\"1\""], body: bench.atom([("a", 2)]))
        await bench.origin.handle { $0.fields["If-None-Match"] == nil ? whole : ScriptedAnswer(status: 304) }
        var statuses: [Int?] = []
        for _ in 0..<18 {
            statuses.append(try await bench.fetch().status)
            bench.clock.advance(by: 86_400)
        }
        #expect(statuses.indices.filter { statuses[$0] == 200 } == [0, 8, 16])
        #expect(try bench.outbox().count == 1)
        await bench.origin.stop()
    }

    @Test func whatWasReadWhileTheClockWasAheadIsAskedForAnew() async throws {
        let bench = try await FetchBench()
        await bench.publish([("a", 2)], fields: ["ETag": "\"1\""])
        bench.clock.advance(by: 365 * 86_400)
        _ = try await bench.fetch()
        bench.clock.advance(by: -364 * 86_400)
        for _ in 0..<2 { _ = try await bench.fetch() }
        #expect(await bench.origin.requests.map { $0.fields["If-None-Match"] } == [nil, nil, "\"1\""])
        await bench.origin.stop()
    }

    @Test func anEqualBodyIsNoNewData() async throws {
        let bench = try await FetchBench()
        await bench.publish([("a", 2)], fields: ["ETag": "\"1\""])
        _ = try await bench.fetch()
        await bench.publish([("a", 2)], fields: ["ETag": "\"2\""])
        let report = try await bench.fetch()
        #expect(report.status == 200)
        #expect(report.result == .noData)
        #expect(report.content == nil, "it is not read at all")
        #expect(try bench.outbox().count == 1)
        await bench.origin.stop()
    }

    @Test func notModifiedWithoutConditionsIsAFailureWithItsCause() async throws {
        let bench = try await FetchBench()
        await bench.origin.script("/feed", [ScriptedAnswer(status: 304)])
        let report = try await bench.fetch()
        #expect(report.result == .failed)
        let cause = "HTTP status 304, not modified, to a request without conditions"
        #expect(report.failure == FetchFailure(.fetch, cause))
        #expect(try bench.state().failure?.cause == cause)
        #expect(try bench.state().lastSucceeded == nil, "it is no baseline")
        await bench.origin.stop()
    }

    @Test func notModifiedNeverHidesWhatWasNotYetDelivered() async throws {
        var bench = try await FetchBench()
        bench.source.first = .none
        let answer = { (items: [(id: String, hoursAgo: Double)]) in
            ScriptedAnswer(fields: ["ETag": "\"\(items.count)\""], body: bench.atom(items))
        }
        await bench.origin.script("/feed", [answer([("a", 2)])])
        _ = try await bench.fetch()
        await bench.origin.script("/feed", [answer([("b", 1), ("a", 2)])])
        // A run that ends before its transaction has seen it, and asks again as if it had not.
        _ = try await bench.fetcher.fetch(bench.source, purpose: .dryRun)
        #expect(try await bench.fetch().newItems.map(\.title) == ["Title b"])
        #expect(await bench.origin.requests.last?.fields["If-None-Match"] == "\"1\"")
        await bench.origin.script("/feed", [ScriptedAnswer(status: 304)])
        bench.clock.advance(by: 3600)
        #expect(try await bench.fetch().status == 304)
        #expect(try bench.store.dueDeliveries(at: bench.clock.now).map(\.request.identifier) == ["news/urn:b"])
        await bench.origin.stop()
    }
}
