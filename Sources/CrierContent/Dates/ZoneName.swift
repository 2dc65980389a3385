/// Abbreviations of time zones. One name can mean several zones; these are the meanings that feeds give them.
enum ZoneName {
    static let korea = 9 * 3600
    static let atlantic = -4 * 3600

    /// Seconds east of UTC of the name whose letters make this ``DateWord`` key.
    ///
    /// A single letter is UTC: RFC 822 gave the military zones with the wrong sign, so RFC 5322 §4.3 voids them.
    static func offset(ofKey key: UInt64) -> Int? {
        if key <= 0xFF || key == gmt { return 0 }
        return minutes[key].map { $0 * 60 }
    }

    private static let gmt = DateWord.key("gmt")

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
        (-540, "akst"),
        (-480, "pst pt akdt pacific"),
        (-420, "mst mt pdt mountain"),
        (-360, "cst ct mdt central"),
        (-300, "est et cdt eastern"),
        (-240, "ast at clt edt"),
        (-210, "nst"),
        (-180, "brt art clst adt"),
        (-150, "ndt"),
        (-120, "brst"),
        (0, "ut utc gmt z wet"),
        (60, "bst west cet met mez"),
        (120, "cest mest mesz cedt eet sast cat ist"),
        (180, "eest idt msk"),
        (240, "msd gst"),
        (300, "pkt"),
        (345, "npt"),
        (360, "bdt"),
        (420, "ict wib"),
        (480, "wita awst hkt sgt pht myt"),
        (540, "wit jst kst"),
        (570, "acst"),
        (600, "aest chst"),
        (630, "acdt"),
        (660, "aedt"),
        (720, "nzst"),
        (780, "nzdt"),
    ]
}
