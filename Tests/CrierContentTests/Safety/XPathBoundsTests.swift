import Testing

@testable import CrierContent

/// Pages and documents that took libxml2 tens of seconds, or more memory than there is.
struct XPathBoundsTests {
    private func failure(
        _ text: String, format: ContentFormat = .html, items: String = "//a", fields: [ContentField: String] = [:]
    ) -> ContentError? {
        do throws(ContentError) {
            _ = try XPathDecoder.decode(
                ContentDocument(body: Array(text.utf8), url: ""),
                mapping: ContentMapping(format: format, items: items, fields: fields))
            return nil
        } catch { return error }
    }

    private static func tag(_ count: Int, _ value: String) -> String {
        "<a " + (0..<count).map { "a\($0)\(value)" }.joined(separator: " ") + ">x</a>"
    }

    @Test(arguments: ["", "=1", "=''", " = \"x > y\"", "/", "<"])
    func refusesATagOfAHundredThousandAttributes(_ value: String) {
        let error = failure("<p>" + Self.tag(100_000, value))
        #expect(error?.kind == .tooLarge)
        #expect(error?.description.contains("attributes") == true)
    }

    @Test func refusesManyTagsOfManyAttributes() {
        let page = String(repeating: Self.tag(1000, ""), count: 100)
        #expect(failure(page)?.kind == .tooLarge)
    }

    @Test func readsATagOfAThousandAttributes() {
        #expect(failure(Self.tag(1000, "=1")) == nil)
    }

    @Test func takesNoScriptForATag() {
        let code = "if (a <b) { " + String(repeating: "x = y; ", count: 100_000) + "}"
        #expect(failure("<script>\(code)</script><style>\(code)</style><a>x</a>") == nil)
        #expect(failure("<script/>\(Self.tag(100_000, ""))")?.kind == .tooLarge)
    }

    @Test func refusesXMLOfAHundredThousandAttributes() {
        #expect(failure(Self.tag(100_000, "='1'"), format: .xml)?.kind == .tooLarge)
    }

    @Test func refusesCommentsFullOfErrors() {
        let comment = "<!--" + String(repeating: " -- ", count: 100_000) + "-->"
        #expect(failure("<r>\(comment)<a/></r>", format: .xml)?.kind == .tooLarge)
        let ruler = "<!--" + String(repeating: "-", count: 100) + "-->"
        #expect(failure("<r>\(String(repeating: ruler, count: 100))<a/></r>", format: .xml) == nil)
    }

    @Test func readsAFeedWithACommentFullOfErrors() throws {
        let comment = "<!--" + String(repeating: " -- ", count: 100_000) + "-->"
        let feed = "<rss><channel>\(comment)<item><title>a</title></item></channel></rss>"
        let content = try ContentDecoder().decode(ContentDocument(body: Array(feed.utf8), url: ""))
        #expect(content.items.map(\.title) == ["a"])
    }

    @Test(arguments: [ContentFormat.html, .xml])
    func deepNestingComesToAnEnd(_ format: ContentFormat) {
        let open = String(repeating: "<b>", count: 100_000)
        _ = failure(open + String(repeating: "</i>", count: 100_000), format: format)
        _ = failure(open + String(repeating: "</b>", count: 100_000), format: format)
    }

    @Test(arguments: ["string(/)", "/"])
    func boundsTheTextOfAllItems(_ field: String) {
        let page = String(repeating: "<a>some text of a link</a>", count: 9000)
        let error = failure(page, fields: [.title: field])
        #expect(error?.kind == .tooLarge)
        #expect(error?.description.contains(field) == true)
        #expect(error?.description.contains("within the item") == true)
    }

    @Test func boundsStepsThatEachReadTheDocument() {
        let page = String(repeating: "<a>some text of a link</a>", count: 40_000)
        let error = failure(page, items: "//a[contains(string(/), 'nothing')]")
        #expect(error?.kind == .tooLarge)
        #expect(error?.description.contains("longer than 2 s") == true)
    }

    @Test func boundsThePageTitle() throws {
        let title = String(repeating: "word ", count: 10_000)
        let content = try ContentDecoder(mapping: ContentMapping(format: .html, items: "//a", fields: [.url: "@href"]))
            .decode(ContentDocument(body: Array("<title>\(title)</title><a href=x>x</a>".utf8), url: ""))
        #expect(content.title.map { $0.count <= ContentBounds.title + 1 } == true)
        #expect(content.remarks == ["1 item without a title; the first is an element <a> with @href"])
    }

    @Test func stopsWhenItsTaskIsCancelled() async {
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return failure("<a>x</a>", fields: [.title: "."])
        }
        #expect(await task.value?.description == "the XPath evaluation was stopped")
    }
}
