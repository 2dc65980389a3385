import CrierHTTP
import CrierStore
import CrierTesting
import Testing

@testable import CrierFetch

/// Which of the statuses 2xx (RFC 9110 §15.3) give a document.
@Suite struct SuccessTests {
    @Test(arguments: [200, 201, 202, 203, 207, 299]) func aSuccessWithADocumentIsRead(status: Int) async throws {
        let bench = try await MannersBench(nil)
        let feed = ScriptedAnswer(status: status, fields: ["ETag": "\"1\""], body: MannersBench.rss(""))
        await bench.origin.script("/a", [feed])
        for result in [BackgroundFetchResult.newData, .noData] {
            let report = try await bench.scheduler.fetch([bench.source("a")]) { _ in }.first
            #expect(report?.result == result)
            #expect(report?.status == status)
        }
        #expect(await bench.origin.requests.last?.fields["If-None-Match"] == "\"1\"")
        await bench.origin.stop()
    }

    @Test(arguments: [
        (204, "HTTP status 204, no content"), (205, "HTTP status 205, reset content"),
        (206, "HTTP status 206, partial content"), (226, "HTTP status 226, IM used"),
    ])
    func aPartOfOneAndNoneAtAllAreFailures(_ status: Int, _ cause: String) async throws {
        let bench = try await MannersBench(nil)
        let body = [206, 226].contains(status) ? MannersBench.rss("") : ""
        await bench.origin.script("/a", [ScriptedAnswer(status: status, body: body)])
        let report = try await bench.scheduler.fetch([bench.source("a")]) { _ in }.first
        #expect(report?.failure?.cause == cause)
        #expect(report?.status == status)
        await bench.origin.stop()
    }

    @Test func anEmptyBodyIsADocumentOfTheStatus200Alone() async throws {
        let bench = try await MannersBench(nil)
        await bench.origin.script("/a", [ScriptedAnswer(status: 202, body: "")])
        let report = try await bench.scheduler.fetch([bench.source("a")]) { _ in }.first
        #expect(report?.failure?.cause == "HTTP status 202, accepted")
        await bench.origin.stop()
    }
}
