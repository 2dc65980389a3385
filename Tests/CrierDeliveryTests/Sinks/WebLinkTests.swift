import Testing

@testable import CrierDelivery

@Suite struct WebLinkTests {
    @Test(
        "What could end the place of an address is encoded, as browsers do",
        arguments: [
            ("https://a.example/?a|b", "https://a.example/?a%7Cb"),
            ("https://a.example/a|b", "https://a.example/a%7Cb"),
            ("https://a.example?q={a}^`", "https://a.example?q=%7Ba%7D%5E%60"),
            ("https://a.example/a\\b?q=a\\b", "https://a.example/a/b?q=a%5Cb"),
            ("https://a.example/#x|y", "https://a.example/#x%7Cy"),
            ("https://a.example/\"<b>", "https://a.example/%22%3Cb%3E"),
            ("https://a.example/%7C", "https://a.example/%7C"),
        ])
    func encoded(url: String, safe: String) {
        #expect(WebLink.safe(url) == safe)
        #expect(WebLink.safe(safe) == safe)
    }

    @Test(arguments: [
        "https://a|b.example/", "https://a.example\\b", "https://{a}@b.example/", "javascript:alert(`1`)",
        "//a.example/|",
        "/a|b", "https:///a|b", "https://a.example/ |", "https://a.example/\n|",
        "https://a.example/" + String(repeating: "|", count: 700),
    ])
    func isNone(url: String) {
        #expect(WebLink.safe(url) == nil)
    }
}
