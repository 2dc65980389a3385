import CrierContent
import CrierTesting
import Testing

/// Every example of RFC 3986 §5.4 against its own base, and what links look like in the wild.
struct URLFormsTests {
    private let base = "http://a/b/c/d;p?q"

    @Test(arguments: [
        ("g;x?y#s", "http://a/b/c/g;x?y#s"), ("g;x=1/./y", "http://a/b/c/g;x=1/y"), ("g;x=1/../y", "http://a/b/c/y"),
        ("../", "http://a/b/"), ("../../", "http://a/"), ("../../../../g", "http://a/g"), (".g", "http://a/b/c/.g"),
        ("g..", "http://a/b/c/g.."), ("./../g", "http://a/b/g"), ("./g/.", "http://a/b/c/g/"),
        ("g/./h", "http://a/b/c/g/h"), ("g?y/./x", "http://a/b/c/g?y/./x"), ("g#s/./x", "http://a/b/c/g#s/./x"),
        ("g#s/../x", "http://a/b/c/g#s/../x"), ("http:g", "http://a/b/c/g"),
    ])
    func resolvesTheRestOfTheRFCsExamples(_ reference: String, _ url: String) {
        #expect(URLReference.resolve(reference, against: base) == url)
    }

    @Test(arguments: [
        ("x y", "https://e.org/d/x%20y"), ("x\ty", "https://e.org/d/xy"), ("\n x \r\n", "https://e.org/d/x"),
        ("\\x\\y", "https://e.org/x/y"), ("\\\\f.org\\x", "https://f.org/x"),
        ("é?ü#ö", "https://e.org/d/%C3%A9?%C3%BC#%C3%B6"),
        ("a|b", "https://e.org/d/a|b"), ("a\"b<c>", "https://e.org/d/a%22b%3Cc%3E"), ("%zz", "https://e.org/d/%zz"),
        ("?", "https://e.org/d/p?"), ("#", "https://e.org/d/p?q=1#"), ("?a=b c", "https://e.org/d/p?a=b%20c"),
        ("", "https://e.org/d/p?q=1"), ("   ", "https://e.org/d/p?q=1"), ("//f.org", "https://f.org"),
        ("///f.org/x", "https://f.org/x"), ("//F.org:443/x", "https://f.org/x"), ("/%2e%2e/x", "https://e.org/x"),
        ("a//b", "https://e.org/d/a//b"), ("a:b", "a:b"), ("./a:b", "https://e.org/d/a:b"),
        ("1:2", "https://e.org/d/1:2"),
    ])
    func resolvesCarelessReferences(_ reference: String, _ url: String) {
        #expect(URLReference.resolve(reference, against: "https://e.org/d/p?q=1#f") == url)
    }

    @Test(arguments: [
        "javascript:alert(1)", "data:text/html,<p>x y</p>", "mailto:a@e.org?subject=x", "tel:+49-30", "urn:isbn:1",
        "tag:e.org,2024:x", "magnet:?xt=urn:btih:1", "about:blank", "blob:https://e.org/1", "feed:https://e.org/f",
        "git+https://e.org/a.git", "itms-apps://e.org/1", "ms-settings:x",
    ])
    func leavesOtherSchemesAsTheyAre(_ reference: String) {
        #expect(URLReference.resolve(reference, against: "https://e.org/d/") == reference)
    }

    @Test(arguments: [
        ("HTTPS://User:Pass@E.org/", "https://User:Pass@e.org/"), ("http://e.org:/x", "http://e.org/x"),
        ("http://e.org:8080/x", "http://e.org:8080/x"), ("https://e.org:80/", "https://e.org:80/"),
        ("http://[::1]:8080/x", "http://[::1]:8080/x"), ("http://[FE80::1]", "http://[fe80::1]"),
        ("http://192.168.0.1:80/", "http://192.168.0.1/"), ("ftp://E.org/a b", "ftp://e.org/a%20b"),
        ("http://bücher.example/ü", "http://bücher.example/%C3%BC"), ("http://e.org?x", "http://e.org?x"),
        ("http://e.org#x", "http://e.org#x"), ("http:/e.org/x", "http://e.org/x"), ("http:e.org", "http://e.org"),
        ("https:\\\\e.org\\a", "https://e.org/a"), ("http://a@b@e.org/", "http://a@b@e.org/"),
        ("http://e.org/a/./b/../c", "http://e.org/a/c"), ("http://e.org/../../x", "http://e.org/x"),
    ])
    func normalisesHostsAndPorts(_ reference: String, _ url: String) {
        #expect(URLReference.resolve(reference, against: nil) == url)
    }

    @Test(arguments: ["http://", "https:///", "http://e\"x/", "http://:80/", "http://a b/c", "//"])
    func leavesWhatHasNoHost(_ reference: String) {
        #expect(URLReference.resolve(reference, against: nil) == reference)
    }

    @Test(arguments: [nil, "", "e.org/x", "mailto:a@b", "urn:x:y", "data:,x"])
    func leavesRelativeReferencesWithoutABase(_ base: String?) {
        for reference in ["x", "/x", "//e.org/x", "?q", "#f", "../x"] {
            #expect(URLReference.resolve(reference, against: base) == reference)
        }
    }

    /// What is resolved stays as it is when it is resolved again.
    @Test func isStable() {
        let parts = ["a", "..", ".", "/", "//", "?", "#", "%20", " ", "é", "\\", ":", "b;c", "%2e"]
        var numbers = SeededNumbers(seed: 1)
        for _ in 0..<2000 {
            let reference = (0..<Int.random(in: 0...8, using: &numbers)).map { _ in
                parts.randomElement(using: &numbers) ?? ""
            }.joined()
            let url = URLReference.resolve(reference, against: "https://e.org/x/y?z")
            guard url.hasPrefix("https://") else { continue }
            #expect(URLReference.resolve(url, against: "https://other.example/") == url, "\(reference)")
        }
    }
}
