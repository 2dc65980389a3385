/// Names of character sets in documents → names that iconv knows.
enum CharacterSetName {
    /// nil for UTF-8 and for what cannot be a name.
    static func iconv(_ label: String) -> String? {
        let name = plain(label)
        guard !name.isEmpty, name.utf8.count <= 40, name.utf8.allSatisfy(isNameByte) else { return nil }
        if utf8Names.contains(name) { return nil }
        return asciiNames.contains(name) ? "CP1252" : supersets[name] ?? codePage(name) ?? name.uppercased()
    }

    /// A code page of Windows, which browsers call `windows-1251` and `x-cp1251`, and authors in still more ways.
    private static func codePage(_ name: String) -> String? {
        guard let end = name.lastIndex(where: { !$0.isNumber }) else { return nil }
        let (prefix, number) = (name[...end], String(name[end...].dropFirst()))
        guard ["cp", "xcp", "win", "windows", "ms", "xms"].contains(prefix.filter { $0 != "-" && $0 != "_" }),
            codePages.contains(number)
        else { return nil }
        return "CP\(number)"
    }

    private static let codePages: Set<String> = [
        "874", "932", "949", "1250", "1251", "1252", "1253", "1254", "1255", "1256", "1257", "1258",
    ]

    private static func plain(_ label: String) -> String { label.filter { !$0.isWhitespace }.lowercased() }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        case UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: ":"): true
        default: false
        }
    }

    private static let utf8Names: Set<String> = ["utf-8", "utf8", "unicode-1-1-utf-8", "x-unicode20utf8", "utf8mb4"]

    /// Browsers read windows-1252 under them, too.
    private static let asciiNames: Set<String> = [
        "us-ascii", "ascii", "ansi_x3.4-1968", "csascii", "ansi_x3.4-1986", "iso-ir-6", "iso646-us",
        "iso_646.irv:1991", "us", "cp367", "ibm367",
    ]

    /// What browsers read under a narrower or older name (https://encoding.spec.whatwg.org/#names-and-labels).
    private static let supersets: [String: String] = [
        "iso-8859-1": "CP1252",
        "iso8859-1": "CP1252", "iso_8859-1": "CP1252", "iso88591": "CP1252", "latin1": "CP1252", "latin-1": "CP1252",
        "l1": "CP1252", "windows-1252": "CP1252", "x-cp1252": "CP1252", "ansi": "CP1252",
        "iso-8859-9": "CP1254", "latin5": "CP1254",
        "iso-8859-11": "CP874", "tis-620": "CP874", "windows-874": "CP874",
        "gb2312": "GB18030", "gbk": "GB18030", "gb_2312-80": "GB18030", "x-gbk": "GB18030", "gb-2312": "GB18030",
        "euc-kr": "CP949", "ks_c_5601-1987": "CP949", "ksc5601": "CP949", "korean": "CP949",
        "shift_jis": "CP932", "shift-jis": "CP932", "sjis": "CP932", "x-sjis": "CP932", "ms_kanji": "CP932",
        "windows-31j": "CP932", "big5": "BIG5-HKSCS", "x-x-big5": "BIG5-HKSCS", "iso-8859-8-i": "ISO-8859-8",
        "cp1252": "CP1252", "csisolatin1": "CP1252", "cp819": "CP1252", "ibm819": "CP1252", "iso-ir-100": "CP1252",
        "iso_8859-1:1987": "CP1252", "iso8859-9": "CP1254", "iso_8859-9": "CP1254", "l5": "CP1254",
        "iso8859-11": "CP874", "iso885911": "CP874", "dos-874": "CP874", "chinese": "GB18030", "csgb2312": "GB18030",
        "iso-ir-58": "GB18030", "gb_2312": "GB18030", "csgb231280": "GB18030", "windows-949": "CP949",
        "ks_c_5601-1989": "CP949", "ks_c_5601": "CP949", "ksc_5601": "CP949", "cseuckr": "CP949", "euckr": "CP949",
        "csshiftjis": "CP932", "cp932": "CP932", "ms932": "CP932", "windows-932": "CP932", "cn-big5": "BIG5-HKSCS",
        "csbig5": "BIG5-HKSCS", "big5-hkscs": "BIG5-HKSCS", "eucjp": "EUC-JP-MS", "cseucpkdfmtjapanese": "EUC-JP-MS",
        "koi8": "KOI8-R", "koi": "KOI8-R", "koi8_r": "KOI8-R", "cskoi8r": "KOI8-R", "koi8-ru": "KOI8-U",
        "logical": "ISO-8859-8", "visual": "ISO-8859-8", "iso8859-15": "ISO-8859-15", "mac": "MACINTOSH",
        "x-mac-ukrainian": "MAC-CYRILLIC", "x-mac-roman": "MACINTOSH", "x-mac-cyrillic": "MAC-CYRILLIC",
        "x-euc-jp": "EUC-JP-MS",
        "euc-jp": "EUC-JP-MS", "csiso2022jp": "ISO-2022-JP",
        "csksc56011987": "CP949", "iso-ir-149": "CP949", "sun_eu_greek": "ISO-8859-7",
        "csiso58gb231280": "GB18030", "csisolatin5": "CP1254", "iso-ir-148": "CP1254", "iso88599": "CP1254",
        "iso_8859-9:1989": "CP1254", "csisolatin9": "ISO-8859-15", "l9": "ISO-8859-15",
        "csiso88596e": "ISO-8859-6", "csiso88596i": "ISO-8859-6", "iso-8859-6-e": "ISO-8859-6",
        "iso-8859-6-i": "ISO-8859-6", "csiso88598e": "ISO-8859-8", "csiso88598i": "ISO-8859-8",
        "iso-8859-8-e": "ISO-8859-8",
    ]
}
