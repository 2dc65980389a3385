import CrierHTTP
import CrierTesting
import Foundation
import Testing

@testable import CrierFetch

private let first = "http://news.example/feed"
private let second = "http://cdn.example/atom"

/// Validators belong to the address that gave them (RFC 9110 §8.8), and are sent to no other.
@Suite struct ConditionalRedirectTests {
    /// After a visit that was redirected to another origin, which gave validators.
    private func redirectedBench() async throws -> ProxiedBench {
        let bench = try await ProxiedBench()
        await bench.play(first, bench.redirect(302, to: second))
        await bench.play(second, document(bench, ["a"], etag: "\"cdn\""))
        try await bench.fetch()
        return bench
    }

    private func document(_ bench: ProxiedBench, _ ids: [String], etag: String) -> ScriptedAnswer {
        let fields: HTTPFields = ["ETag": etag, "Last-Modified": "Tue, 14 Nov 2023 20:00:00 GMT"]
        return ScriptedAnswer(fields: fields, body: bench.base.atom(ids.map { ($0, 1) }))
    }

    /// The addresses asked since, each with the ETag it was asked with.
    private func asked(_ bench: ProxiedBench, after count: Int) async -> [[String?]] {
        await bench.origin.requests.dropFirst(count).map { request in
            #expect((request.fields["If-None-Match"] == nil) == (request.fields["If-Modified-Since"] == nil))
            return [request.target, request.fields["If-None-Match"]]
        }
    }

    @Test func anAddressBehindARedirectIsAskedConditionallyWhateverItsOrigin() async throws {
        let bench = try await redirectedBench()
        await bench.play(second, ScriptedAnswer(status: 304))
        for _ in 0..<2 {
            let count = await bench.takeTargets().count
            let report = try await bench.fetch()
            #expect(report.status == 304)
            #expect(report.url == second)
            #expect(await asked(bench, after: count) == [[first, nil], [second, "\"cdn\""]])
        }
        await bench.origin.stop()
    }

    @Test func anAddressThatAnswersAgainIsNotAskedWithTheValidatorsOfAnother() async throws {
        let bench = try await redirectedBench()
        await bench.play(first, document(bench, ["b", "a"], etag: "\"own\""), ScriptedAnswer(status: 304))
        #expect(try await bench.fetch().newItems.map(\.title) == ["Title b"])
        #expect(try await bench.fetch().status == 304)
        #expect(await asked(bench, after: 2) == [[first, nil], [first, "\"own\""]])
        await bench.origin.stop()
    }

    /// Whoever repairs a server, or has a login before a network, says nothing of the document.
    @Test func noFailureEndsThem() async throws {
        let bench = try await redirectedBench()
        let half = Array("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf".utf8)
        await bench.play(second, ScriptedAnswer(steps: [.bytes(half), .close]), ScriptedAnswer(status: 304))
        #expect(try await bench.fetch().result == .failed)
        #expect(try await bench.fetch().status == 304)
        await bench.play(first, ScriptedAnswer(status: 503), bench.redirect(302, to: second))
        await bench.play(second, document(bench, ["a"], etag: "\"cdn\""))
        #expect(try await bench.fetch().status == 503)
        let count = await bench.takeTargets().count
        #expect(try await bench.fetch().status == 200)
        #expect(await asked(bench, after: count) == [[first, nil], [second, "\"cdn\""]])
        await bench.origin.stop()
    }

    @Test func aNotModifiedFromAnAddressThatWasNotAskedConditionallyIsAFailure() async throws {
        let bench = try await redirectedBench()
        await bench.play(first, ScriptedAnswer(status: 304))
        let report = try await bench.fetch()
        #expect(report.failure?.cause == "HTTP status 304, not modified, to a request without conditions")
        await bench.origin.stop()
    }
}
