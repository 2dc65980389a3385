import Foundation

/// Abbreviations of time zones. One name can mean several zones; ``names`` has the meanings that feeds give them.
enum ZoneName {
    static let korea = 9 * 3600

    /// Seconds east of UTC of the name whose letters make this ``DateWord`` key.
    ///
    /// A single letter is UTC: RFC 822 gave the military zones with the wrong sign, so RFC 5322 §4.3 voids them.
    static func offset(ofKey key: UInt64) -> Int? {
        if key <= 0xFF || key == gmt { return 0 }
        return minutes[key].map { $0 * 60 }
    }

    /// Seconds east of UTC of a name in a zone whose people mean another by it than most feeds do; nil where they do not.
    static func offset(ofKey key: UInt64, in timeZone: TimeZone) -> Int? {
        // Where this machine stands says nothing about a feed.
        guard let places = localMinutes[key], timeZone != .autoupdatingCurrent else { return nil }
        return places[timeZone.identifier].map { $0 * 60 }
    }

    /// Whether the letters are a word too.
    static func isWord(_ key: UInt64) -> Bool { key == at }

    /// Whether the letters are a day of the week too, in Polish, Slovene, Croatian, Serbian or Slovak.
    static func isWeekday(_ key: UInt64) -> Bool { weekdays.contains(key) }

    /// Seconds east of UTC of a zone in words, as Windows and browsers write it: `Central Europe Standard Time`.
    ///
    /// - Parameter words: in lower case, with or without what they end in (`standard`, `daylight` or `summer`, and `time`).
    static func offset(ofWords words: [String]) -> Int? {
        var words = words[...]
        var isSummer = false
        if words.last == "time" { words.removeLast() }
        if let last = words.last, ["standard", "mean", "daylight", "summer"].contains(last) {
            words.removeLast()
            isSummer = last == "daylight" || last == "summer"
        }
        let name = words.joined(separator: " ")
        guard let offset = words.count == 1 && name.utf8.count <= 5 ? offset(ofKey: DateWord.key(name)) : nil
        else { return regions[name].map { $0 * 60 + (isSummer ? 3600 : 0) } }
        return isSummer ? offset + 3600 : offset
    }

    /// Minutes east of UTC in winter. What is not here (`Central Asia`, `Pacific SA`) is no zone, and not America's.
    private static let regions: [String: Int] = {
        var regions: [String: Int] = [:]
        for (minutes, names) in regionNames {
            for name in names.split(separator: ",") { regions[name.trimmingCharacters(in: .whitespaces)] = minutes }
        }
        return regions
    }()

    private static let regionNames: [(Int, String)] = [
        (-600, "hawaiian, hawaii-aleutian"), (-540, "alaskan, alaska"), (-480, "pacific"),
        (-420, "mountain, us mountain"),
        (-360, "central, central america, canada central"), (-300, "eastern, us eastern, sa pacific"),
        (-240, "atlantic, sa western"), (-210, "newfoundland"),
        (-180, "e south america, brasilia, argentina, sa eastern"),
        (0, "greenwich, coordinated universal, western european, british"),
        (60, "w europe, central europe, central european, romance, w central africa"),
        (120, "e europe, eastern european, fle, gtb, south africa, israel"),
        (180, "russian, moscow, arab, arabian, turkey"),
        (330, "india"), (420, "se asia"), (480, "china, singapore, taipei, w australia"),
        (540, "tokyo, japan, korea, korean"),
        (570, "aus central, cen australia"), (600, "aus eastern, e australia, australian eastern"),
        (720, "new zealand"),
    ]

    /// Zones whose people have one name for winter and summer.
    static let wholeYear = [
        "ET": "America/New_York", "CT": "America/Chicago", "MT": "America/Denver", "PT": "America/Los_Angeles",
    ]

    private static let gmt = DateWord.key("gmt")
    private static let at = DateWord.key("at")
    private static let weekdays = Set(["pt", "pet", "ut"].map(DateWord.key))

    /// By name and time zone, minutes east of UTC.
    private static let localMinutes: [UInt64: [String: Int]] = [
        DateWord.key("ist"): ["Asia/Kolkata": 330, "Asia/Calcutta": 330, "Europe/Dublin": 60],
        DateWord.key("bst"): ["Asia/Dhaka": 360, "Asia/Dacca": 360],
        DateWord.key("cst"): [
            "Asia/Shanghai": 480, "Asia/Chongqing": 480, "Asia/Harbin": 480, "Asia/Urumqi": 480, "Asia/Taipei": 480,
            "Asia/Macau": 480, "Asia/Macao": 480, "America/Havana": -300,
        ],
        DateWord.key("cdt"): ["America/Havana": -240],
        DateWord.key("pst"): ["Asia/Manila": 480],
    ]

    private static let minutes: [UInt64: Int] = {
        var minutes: [UInt64: Int] = [:]
        for (offset, names) in names {
            for name in names.split(separator: " ") { minutes[DateWord.key(String(name))] = offset }
        }
        return minutes
    }()

    private static let names: [(Int, String)] = [
        (-660, "sst"),
        (-600, "hst"),
        (-540, "akst hdt"),
        (-480, "pst pt akdt"),
        (-420, "mst mt pdt"),
        (-360, "cst ct mdt"),
        (-300, "est et cdt cot pet"),
        (-240, "ast at clt edt vet"),
        (-210, "nst"),
        (-180, "brt art clst adt"),
        (-150, "ndt"),
        (-120, "brst"),
        (0, "ut utc gmt z wet"),
        (60, "bst west cet met mez wat"),
        (120, "cest mest mesz cedt eet sast cat ist"),
        (180, "eest idt msk eat trt"),
        (240, "msd gst"),
        (300, "pkt"),
        (345, "npt"),
        (360, "bdt"),
        (420, "ict wib"),
        (480, "wita awst hkt sgt pht myt"),
        (540, "wit jst kst"),
        (570, "acst"),
        (600, "aest aet chst"),
        (630, "acdt"),
        (660, "aedt"),
        (720, "nzst"),
        (780, "nzdt"),
    ]
}
