/// Calendars that count their years from elsewhere.
enum Eras {
    /// The year before the first of each era: Reiwa, Heisei, Showa, Taisho, Meiji, the Republic of China, and ours.
    private static let starts = [
        "令和": 2018, "平成": 1988, "昭和": 1925, "大正": 1911, "明治": 1867, "民國": minguo, "民国": minguo, "中華民國": minguo,
        "西暦": 0, "西元": 0, "公元": 0,
    ]

    /// A year of three digits marked 年 is the Republic's.
    static let minguo = 1911

    /// Years of the Buddhist calendar, which Thai has, are so many more than ours.
    static let buddhist = 543

    /// Years after this one are Buddhist in a Thai date: few write of 1857 today, and nobody of 2400.
    static let firstBuddhistYear = 2400

    /// The year before the first of the era that a word names, and the year where the word has it: 元年 is the first.
    static func named(_ word: String) -> (start: Int, year: Int?)? {
        if let start = starts[word] { return (start, nil) }
        let first = "元年"
        guard word.hasSuffix(first), let start = starts[String(word.dropLast(first.count))] else { return nil }
        return (start, start + 1)
    }
}
