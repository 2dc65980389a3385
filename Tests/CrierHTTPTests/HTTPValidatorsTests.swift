import CrierHTTP
import CrierTesting
import Foundation
import Testing

@Suite struct HTTPValidatorsTests {
    private let now = Date(timeIntervalSince1970: 784_111_777)

    @Test(arguments: ["\"a\"", "W/\"a\"", "a-without-quotes", "\"a\"-gzip", "\"\"", "W/\"a, b\""])
    func anETagGoesBackAsItCame(etag: String) async throws {
        let origin = try await ScriptedOrigin()
        await origin.script("/", [ScriptedAnswer(fields: ["ETag": etag], body: "x"), ScriptedAnswer(status: 304)])
        let transport = CurlTransport()
        var request = HTTPRequest(url: origin.url())
        HTTPValidators(from: try await transport.send(request).fields, now: now).apply(to: &request)
        #expect(try await transport.send(request).status == 304)
        #expect(await origin.requests.last?.fields["If-None-Match"] == etag)
        #expect(await origin.requests.last?.fields["If-Modified-Since"] == nil)
    }

    @Test func bytesThatAreNoTextGoBackAsTheyCame() {
        var fields = HTTPFields()
        fields.append("ETag", [0x22, 0xff, 0x22])
        fields.append("Last-Modified", [0xfe])
        var request = HTTPRequest(url: "http://a.example/", fields: ["if-none-match": "old", "X-A": "b"])
        HTTPValidators(from: fields, now: now).apply(to: &request)
        #expect(request.fields.rawValue(of: "If-None-Match") == [0x22, 0xff, 0x22])
        #expect(request.fields.rawValue(of: "If-Modified-Since") == [0xfe])
        #expect(request.fields.all.count == 3)
    }

    @Test(arguments: [
        [0x22, 0x61, 0x0d, 0x62, 0x22], [0x22, 0, 0x22], [0x22, 0x0a, 0x22], .init(repeating: 0x61, count: 4097),
    ])
    func whatNoRequestCanSayIsNotKept(value: [UInt8]) {
        var fields = HTTPFields()
        fields.append("ETag", value)
        fields.append("Last-Modified", value)
        #expect(HTTPValidators(from: fields, now: Date(timeIntervalSince1970: 0)).isEmpty)
    }

    @Test func anETagThatMeansAnyDocumentIsNone() {
        let validators = HTTPValidators(from: ["ETag": "*", "Last-Modified": "yesterday"], now: now)
        #expect(validators == HTTPValidators(lastModified: Array("yesterday".utf8)))
        #expect(HTTPValidators(etag: Array("*".utf8)).isEmpty)
        #expect(HTTPValidators(from: ["ETag": "\"*\""], now: now).etag == Array("\"*\"".utf8))
    }

    @Test func withoutValidatorsARequestIsNotConditional() {
        let validators = HTTPValidators(from: ["ETag": "", "X-A": "b"], now: now)
        #expect(validators.isEmpty)
        var request = HTTPRequest(url: "http://a.example/", fields: ["If-Modified-Since": "old"])
        validators.apply(to: &request)
        #expect(request.fields.all.isEmpty)
    }

    @Test(arguments: [
        ("Mon, 07 Nov 1994 08:49:37 GMT", true), ("Mon, 07 Nov 1994 08:49:38 GMT", false),
        ("Tue, 19 Jan 2038 03:14:07 GMT", false), ("Thu, 01 Jan 1970 00:00:01 GMT", false), ("yesterday", true),
        ("Sun, 31 Dec 1989 23:59:59 GMT", false), ("Mon, 01 Jan 1990 00:00:00 GMT", true), ("0", false), ("-1", false),
        ("Mon, 30 Nov -0001 00:00:00 GMT", false), ("Mon, 01 Jan 0001 00:00:00 GMT", false),
    ])
    func aLastModifiedMoreThanADayAheadOrUnsetIsLeftOut(value: String, isKept: Bool) {
        let validators = HTTPValidators(from: ["Last-Modified": value, "ETag": "\"a\""], now: now)
        #expect(validators.lastModified == (isKept ? Array(value.utf8) : nil))
        #expect(validators.etag == Array("\"a\"".utf8))
    }

    @Test func aNotModifiedAnswerReplacesWhatItCarries() {
        let stored = HTTPValidators(etag: Array("\"a\"".utf8), lastModified: Array("yesterday".utf8))
        #expect(stored.merging(notModified: [:], now: now) == stored)
        let merged = stored.merging(notModified: ["etag": "W/\"a\"", "Last-Modified": "today"], now: now)
        #expect(merged == HTTPValidators(etag: Array("W/\"a\"".utf8), lastModified: Array("today".utf8)))
        let first = HTTPValidators(lastModified: stored.lastModified).merging(notModified: ["ETag": "b"], now: now)
        #expect(first == HTTPValidators(etag: Array("b".utf8), lastModified: stored.lastModified))
        let future: HTTPFields = ["Last-Modified": "Tue, 19 Jan 2038 03:14:07 GMT"]
        #expect(stored.merging(notModified: future, now: now) == stored)
    }

    @Test(arguments: [
        ("\"a-gzip\"", "\"a\""), ("W/\"a\"", "\"a\""), ("\"a\"-gzip", "\"a\""), ("a", "\"a\""), ("\"a\"", nil),
        ("W/\"\"", nil),
    ])
    func aTagIsUnmarkedWhereItIsMarked(etag: String, unmarked: String?) {
        let validators = HTTPValidators(etag: Array(etag.utf8), lastModified: Array("today".utf8))
        #expect(validators.unmarked?.etag == unmarked.map { Array($0.utf8) })
        #expect(validators.unmarked.map { $0.lastModified == validators.lastModified } != false)
        #expect(HTTPValidators(lastModified: validators.lastModified).unmarked == nil)
    }

    /// Servers that compress on the fly make a validator weak, or put the coding behind it, and not always in a 304 too.
    @Test(arguments: [
        ("\"a\"", "W/\"a\"", true), ("W/\"a\"", "\"a\"", true), ("\"a-gzip\"", "\"a\"", true),
        ("\"a\"", "\"a;br\"", true),
        ("W/\"a--gzip\"", "\"a-zstd\"", true), ("\"a-gzip\"", "\"a-gzip-gzip\"", true), ("\"a\"-gzip", "\"a\"", true),
        ("a", "\"a\"", true), ("\"1\"", "\"2\"", false), ("\"1\"", "\"12\"", false), ("W/\"1\"", "W/\"2\"", false),
        ("\"a-gzip\"", "\"b-gzip\"", false), ("\"abr\"", "\"a\"", false), ("\"gzip\"", "\"br\"", false),
        ("\"a\"", "\"A\"", false),
    ])
    func anETagOfAnotherDocumentIsNotTakenFromANotModifiedAnswer(stored: String, told: String, isTaken: Bool) {
        let old = HTTPValidators(etag: Array(stored.utf8), lastModified: Array("yesterday".utf8))
        let fields: HTTPFields = ["ETag": "\(told)", "Last-Modified": "today"]
        let new = HTTPValidators(etag: Array(told.utf8), lastModified: Array("today".utf8))
        #expect(old.merging(notModified: fields, now: now) == (isTaken ? new : old))
    }
}
