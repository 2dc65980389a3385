import Foundation
import Testing

@testable import CrierContent

/// libxml2's functions for HTML and XPath make their common lock when they need it: two threads that do so at once wait for ever, so
/// it has to be made ready before. Each of these is a process of its own, in which nobody has done so.
@Suite struct LibXML2ReadinessTests {
    @Test func isReadyBeforeAnExpressionIsCompiled() async {
        await #expect(processExitsWith: .success) {
            _ = try XPathExpression("//a")
            #expect(isReady())
        }
    }

    @Test func isReadyBeforeAPageIsSearchedForFeeds() async {
        await #expect(processExitsWith: .success) {
            _ = FeedLinks.find(in: Array("<html><a>".utf8), url: "https://page.example/")
            #expect(isReady())
        }
    }

    @Test func isReadyBeforeAPageIsRead() async {
        await #expect(processExitsWith: .success) {
            let page = ContentDocument(body: Array("<html><a>".utf8), url: "https://page.example/")
            _ = try XPathDocument(page, format: .html)
            #expect(isReady())
        }
    }
}

/// Asked of the library itself: it knows of the kinds of input that it reads from the moment on when it is ready.
private func isReady() -> Bool {
    let names = ["libxml2.so.2", "libxml2.so.16"]
    guard let library = names.lazy.compactMap({ name in dlopen(name, RTLD_LAZY | RTLD_NOLOAD) }).first,
        let function = dlsym(library, "xmlPopInputCallbacks")
    else { return false }
    return unsafeBitCast(function, to: (@convention(c) () -> CInt).self)() >= 0
}
