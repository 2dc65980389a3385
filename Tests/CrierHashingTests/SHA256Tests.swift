import CrierHashing
import Testing

@Suite("SHA-256")
struct SHA256Tests {
    @Test(
        "the examples of the standard",
        arguments: [
            ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
            ),
            (
                String(repeating: "a", count: 1_000_000),
                "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
            ),
        ])
    func hashesTheExamplesOfTheStandard(text: String, hash: String) {
        #expect(SHA256.hash(text).hexadecimal == hash)
    }

    @Test("a text is hashed as its UTF-8")
    func hashesUTF8() {
        #expect(SHA256.hash("é\0漢") == SHA256.hash([0xC3, 0xA9, 0x00, 0xE6, 0xBC, 0xA2]))
    }

    /// RFC 4231, test cases 1, 2, 6 and 7: keys shorter and longer than a block.
    @Test(
        "the examples of HMAC's RFC",
        arguments: [
            (
                [UInt8](repeating: 0x0B, count: 20), "Hi There",
                "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
            ),
            (
                Array("Jefe".utf8), "what do ya want for nothing?",
                "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
            ),
            (
                [UInt8](repeating: 0xAA, count: 131), "Test Using Larger Than Block-Size Key - Hash Key First",
                "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
            ),
            (
                [UInt8](repeating: 0xAA, count: 131),
                "This is a test using a larger than block-size key and a larger than block-size data. "
                    + "The key needs to be hashed before being used by the HMAC algorithm.",
                "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2"
            ),
        ])
    func authenticatesTheExamplesOfTheRFC(key: [UInt8], message: String, code: String) {
        #expect(SHA256.authenticationCode(for: Array(message.utf8), key: key).hexadecimal == code)
    }
}
