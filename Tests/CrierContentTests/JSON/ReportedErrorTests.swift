import Testing

@testable import CrierContent

@Suite struct ReportedErrorTests {
    @Test(arguments: [
        (#"{"message": "Bad credentials", "documentation_url": "https://d.example"}"#, "Bad credentials"),
        (#"{"error": {"code": 7, "message": "quota exceeded"}}"#, "quota exceeded"),
        (#"{"error": "invalid_token", "error_description": "It has expired"}"#, "invalid_token"),
        (#"{"error": true, "error_message": "no such key"}"#, "no such key"),
        (#"{"type": "about:blank", "title": "Forbidden", "detail": "Not for\nyou"}"#, "Not for you"),
        (#"{"title": "Forbidden", "status": 403}"#, "Forbidden"),
        (#"{"data": null, "errors": [{"path": []}, {"message": "unknown field"}]}"#, "unknown field"),
        (#"{"errors": ["a", "b"]}"#, "a"),
        (#" {"fault": {"faultstring": "Spike arrest"}}"#, "Spike arrest"),
        (#"{"status_code": 34, "status_message": "not found"}"#, "not found"),
    ])
    func isReadWhereItUsuallyStands(body: String, words: String) {
        #expect(ReportedError.words(in: Array(body.utf8)) == words)
    }

    @Test(arguments: ["", "<html>{", "{", "[]", "\"message\"", "{}", #"{"message": ""}"#, #"{"message": {"a": 1}}"#])
    func nothingIsMadeUp(body: String) {
        #expect(ReportedError.words(in: Array(body.utf8)) == nil)
    }

    @Test func itIsNoLongerThanASentence() throws {
        let long = String(repeating: "word ", count: 100)
        let words = try #require(ReportedError.words(in: Array(#"{"message": "\#(long)"}"#.utf8)))
        #expect(words.count <= 200 && words.hasSuffix("…"))
        let page = String(repeating: " ", count: 70_000)
        #expect(ReportedError.words(in: Array((#"{"message": "a"}"# + page).utf8)) == nil)
    }
}
