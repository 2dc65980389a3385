import Foundation

/// What Crier itself says in a digest.
struct DigestWords {
    let language: Digest.Language

    /// `Saturday, 21 November 2026`, `2026年11月21日 星期六`.
    func day(_ day: CalendarDay) -> String {
        let (year, month, number) = day.components
        switch language {
        case .english: return "\(Self.days[day.weekday]), \(number) \(Self.months[month - 1]) \(year)"
        case .simplifiedChinese: return "\(year)年\(month)月\(number)日 星期\(Self.chineseDays[day.weekday])"
        }
    }

    /// `21 November`, `11月21日`.
    func shortDay(_ day: CalendarDay) -> String {
        let (_, month, number) = day.components
        return language == .english ? "\(number) \(Self.months[month - 1])" : "\(month)月\(number)日"
    }

    /// A time, with its day and year where the day is not that of the issue.
    func time(_ date: Date, in zone: TimeZone, on today: CalendarDay) -> String {
        let seconds = date.timeIntervalSince1970 + Double(zone.secondsFromGMT(for: date))
        let local = Int(exactly: seconds.rounded(.down)) ?? 0
        let minutes = (local % 86_400 + 86_400) % 86_400 / 60
        let time = String(format: "%02d:%02d", minutes / 60, minutes % 60)
        let day = CalendarDay(date, in: zone)
        guard day != today else { return time }
        let (year, month, number) = day.components
        let words = language == .english ? "\(number) \(Self.months[month - 1].prefix(3))" : shortDay(day)
        guard year != today.components.year else { return "\(words) \(time)" }
        return language == .english ? "\(words) \(year) \(time)" : "\(year)年\(words) \(time)"
    }

    func count(_ count: Int) -> String {
        switch (language, count) {
        case (.english, 0): "Nothing new"
        case (.english, 1): "1 new item"
        case (.english, _): "\(count) new items"
        case (.simplifiedChinese, 0): "没有新内容"
        case (.simplifiedChinese, _): "\(count) 条新内容"
        }
    }

    func more(_ count: Int) -> String { language == .english ? "and \(count) more" : "另有 \(count) 条" }

    func headline(_ title: String, _ day: CalendarDay, _ count: Int) -> String {
        language == .english
            ? "\(title), \(shortDay(day)): \(self.count(count))" : "\(title)，\(shortDay(day))：\(self.count(count))"
    }

    var untitled: String { language == .english ? "(no title)" : "（无标题）" }

    var other: String { language == .english ? "Other" : "其他" }

    /// At 230 words, or 400 Chinese, Japanese or Korean characters, a minute.
    ///
    /// - Parameter isCut: Whether there is more of the text than what is here.
    func reading(_ text: String, isCut: Bool, atLeast least: Int = 1) -> String? {
        var ideographs = 0
        var words = 0
        var isInWord = false
        for scalar in text.unicodeScalars {
            if (0x2E80...0xD7A3).contains(scalar.value) || (0x20000...0x3FFFF).contains(scalar.value) {
                ideographs += 1
                isInWord = false
            } else if scalar.properties.isWhitespace {
                isInWord = false
            } else if !isInWord {
                words += 1
                isInWord = true
            }
        }
        let minutes = Int((Double(words) / 230 + Double(ideographs) / 400).rounded(.up))
        guard minutes >= least else { return nil }
        let number = "\(minutes)\(isCut ? "+" : "")"
        return language == .english ? "\(number) min read" : "阅读约 \(number) 分钟"
    }

    private static let days = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
    private static let chineseDays = ["一", "二", "三", "四", "五", "六", "日"]
    private static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
        "December",
    ]
}
