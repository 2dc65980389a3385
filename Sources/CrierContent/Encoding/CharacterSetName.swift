/// Names of character sets in documents → names that iconv knows.
enum CharacterSetName {
    /// nil for UTF-8 and for what cannot be a name.
    static func iconv(_ label: String) -> String? {
        let name = label.filter { !$0.isWhitespace }.lowercased()
        guard !name.isEmpty, name.utf8.count <= 40, name.utf8.allSatisfy(isNameByte) else { return nil }
        if utf8Names.contains(name) { return nil }
        return supersets[name] ?? name.uppercased()
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        case UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: ":"): true
        default: false
        }
    }

    private static let utf8Names: Set<String> = ["utf-8", "utf8", "unicode-1-1-utf-8", "x-unicode20utf8", "utf8mb4"]

    /// What browsers read under a narrower or older name (https://encoding.spec.whatwg.org/#names-and-labels).
    private static let supersets: [String: String] = [
        "us-ascii": "CP1252", "ascii": "CP1252", "ansi_x3.4-1968": "CP1252", "iso-8859-1": "CP1252",
        "iso8859-1": "CP1252", "iso_8859-1": "CP1252", "iso88591": "CP1252", "latin1": "CP1252", "latin-1": "CP1252",
        "l1": "CP1252", "windows-1252": "CP1252", "x-cp1252": "CP1252", "ansi": "CP1252",
        "iso-8859-9": "CP1254", "latin5": "CP1254",
        "iso-8859-11": "CP874", "tis-620": "CP874", "windows-874": "CP874",
        "gb2312": "GB18030", "gbk": "GB18030", "gb_2312-80": "GB18030", "x-gbk": "GB18030", "gb-2312": "GB18030",
        "euc-kr": "CP949", "ks_c_5601-1987": "CP949", "ksc5601": "CP949", "korean": "CP949",
        "shift_jis": "CP932", "shift-jis": "CP932", "sjis": "CP932", "x-sjis": "CP932", "ms_kanji": "CP932",
        "windows-31j": "CP932", "big5": "BIG5-HKSCS", "x-x-big5": "BIG5-HKSCS", "iso-8859-8-i": "ISO-8859-8",
        "x-mac-roman": "MACINTOSH", "x-mac-cyrillic": "MAC-CYRILLIC", "x-euc-jp": "EUC-JP",
    ]
}
