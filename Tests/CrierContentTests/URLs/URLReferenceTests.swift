import CrierContent
import Testing

struct URLReferenceTests {
    /// The examples of RFC 3986 §5.4.
    @Test(arguments: [
        ("g:h", "g:h"), ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"),
        ("/g", "http://a/g"),
        ("//g", "http://g"), ("?y", "http://a/b/c/d;p?y"), ("g?y", "http://a/b/c/g?y"), ("#s", "http://a/b/c/d;p?q#s"),
        ("g#s", "http://a/b/c/g#s"), ("g?y#s", "http://a/b/c/g?y#s"), (";x", "http://a/b/c/;x"),
        ("g;x", "http://a/b/c/g;x"),
        ("", "http://a/b/c/d;p?q"), (".", "http://a/b/c/"), ("./", "http://a/b/c/"), ("..", "http://a/b/"),
        ("../g", "http://a/b/g"), ("../..", "http://a/"), ("../../g", "http://a/g"), ("../../../g", "http://a/g"),
        ("/./g", "http://a/g"), ("/../g", "http://a/g"), ("g.", "http://a/b/c/g."), ("..g", "http://a/b/c/..g"),
        ("./g/.", "http://a/b/c/g/"), ("g/../h", "http://a/b/c/h"), ("g?y/../x", "http://a/b/c/g?y/../x"),
    ])
    func resolvesAsTheRFCDoes(_ reference: String, _ url: String) {
        #expect(URLReference.resolve(reference, against: "http://a/b/c/d;p?q") == url)
    }

    @Test(arguments: [
        (" http://e.org/a b ", "http://e.org/a%20b"), ("http://e.org/\nä", "http://e.org/%C3%A4"),
        ("HTTP://E.ORG:80/X", "http://e.org/X"), ("https://e.org:443", "https://e.org"),
        ("https://e.org:8443/", "https://e.org:8443/"),
        ("http:\\\\e.org\\a?\\b", "http://e.org/a?\\b"), ("http:///e.org/x", "http://e.org/x"),
        ("http://e.org/a/../b", "http://e.org/b"),
        ("http://e.org/a/%2e%2E/b", "http://e.org/b"), ("http://u:p@E.org/", "http://u:p@e.org/"),
        ("http://e.org/%41?q=é#ü", "http://e.org/%41?q=%C3%A9#%C3%BC"),
        ("mailto:A@B.org", "mailto:A@B.org"), ("urn:uuid:1", "urn:uuid:1"),
        ("http://[2001:DB8::1]:80/", "http://[2001:db8::1]/"),
        ("https://例え.jp/x", "https://例え.jp/x"), ("https://e.org/a?b=c&d=[1]|2", "https://e.org/a?b=c&d=[1]|2"),
    ])
    func normalisesAbsoluteLinks(_ reference: String, _ url: String) {
        #expect(URLReference.resolve(reference, against: nil) == url)
    }

    @Test func takesASchemeAloneAsRelativeToItsOwnScheme() {
        #expect(URLReference.resolve("http:x", against: "http://e.org/a/b") == "http://e.org/a/x")
        #expect(URLReference.resolve("https:x.org", against: "http://e.org/a/b") == "https://x.org")
        #expect(URLReference.resolve("file.html", against: "file:///srv/a.html") == "file:///srv/file.html")
        #expect(URLReference.resolve("b.html", against: "file:/srv/a.html") == "file:/srv/b.html")
    }

    @Test func returnsWhatItCannotResolve() {
        #expect(URLReference.resolve("a/b", against: nil) == "a/b")
        #expect(URLReference.resolve("a/b", against: "mailto:x@y") == "a/b")
        #expect(URLReference.resolve("a/b", against: "no base") == "a/b")
        #expect(URLReference.resolve("http://", against: "http://e.org/") == "http://")
        #expect(URLReference.resolve("http://a b/", against: nil) == "http://a b/")
    }
}
