import CrierNotifications
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

    @Test(
        "An address that cannot be linked is the last line of the text",
        arguments: [
            "magnet:?xt=urn:btih:1&dn=a|b", "gemini://a.example/",
            "https://a.example/" + String(repeating: "a", count: 2_000),
        ])
    func isText(url: String) {
        let content = NotificationContent(title: "T", subtitle: "S", body: "one", url: "\u{202e}\(url)\n")
        let parts = MessageParts(content)
        #expect(parts.link == nil && parts.text == "S\none\n\(url)")
        #expect(MailText.plain(content) == "T\n\nS\none\n\(url)\n")
        #expect(MessageParts(NotificationContent(title: "T", url: url)).text == url)
    }

    @Test(
        "What is linked, and what a browser would run, is no text",
        arguments: [
            "https://a.example/", "javascript:alert(1)", "\u{1}\n JavaScript:alert(1)", "data:text/html,x",
            "VBScript:x", " ", "", "/i2", "a/b:c", "?q=a:b", ":x",
        ])
    func isNoText(url: String) {
        #expect(MessageParts(NotificationContent(title: "T", body: "one", url: url)).text == "one")
    }
}
