import CrierProcess
import Testing

@Suite("Secrets in what somebody says who was sent them")
struct SentSecretsTests {
    @Test(
        "They are hidden as they are, encoded and cut off, and other words are not",
        arguments: [
            ("no key sesame/open!", "no key …"), ("?key=sesame%2Fopen%21&a=b", "?key=…&a=b"),
            ("Key abc-defg", "…"), ("wrong: abc-defg; abc-defg", "wrong: …; …"),
            ("string (\"sesame/o...) is none", "string (\"…) is none"), ("it says: sesame/op…; so", "it says: …; so"),
            ("its body: sesame", "its body: …"), ("sesame is no key, sesam", "sesame is no key, sesam"),
            ("a short one", "a short one"), ("try https://", "try https://"),
            ("string (\"ghp_A1b2C3...) has", "string (\"…) has"), ("by ghp_A1b2C3", "by ghp_A1b2C3"),
            ("see https://e.org/x/3a", "see …"),
            ("sesame/open!/more", "…"), ("", ""),
        ])
    func hidden(text: String, shown: String) {
        var secrets = SentSecrets([
            "ghp_A1b2C3d4E5f6A1b2C3d4E5f6", "short", "sesame/open!", "Key abc-defg", "https://e.org/x/3a",
        ])
        secrets.insert("sesame/open!/more")
        #expect(secrets.hidden(in: text) == shown)
        #expect(SentSecrets().hidden(in: text) == text)
    }
}
