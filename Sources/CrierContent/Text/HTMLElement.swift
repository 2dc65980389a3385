/// How an HTML element shows in plain text.
enum HTMLElement {
    /// Inline: leaves no trace.
    case inline
    /// Begins and ends a line.
    case block
    case lineBreak
    /// A block whose lines are those of its source.
    case preformatted
    case listItem
    /// A list whose items are counted, and one whose items are not; blocks both.
    case orderedList, list
    /// A table cell: parted from its neighbour by a space.
    case cell
    case image
    /// What it holds is for those who cannot show it.
    case replaced
    /// Its content is not text for readers.
    case dropped
    /// No element of HTML.
    case unknown

    /// What the name of this key stands for.
    static func named(_ key: UInt128) -> HTMLElement {
        switch key {
        // `p`, `a`, `b`, `i`, `br`: most of all tags, without a look into the table.
        case 0x70: .block
        case 0x61, 0x62, 0x69: .inline
        case 0x6272: .lineBreak
        default: kinds[key] ?? .unknown
        }
    }

    /// The bytes of a name in lower case as one number; names of more than 16 bytes are no elements.
    static func key(_ name: some Sequence<UInt8>) -> UInt128 {
        name.reduce(0) { $0 << 8 | UInt128($1.asciiLowercased) }
    }

    static let longestName = 16

    private static let kinds: [UInt128: HTMLElement] = {
        let special: [String: HTMLElement] = [
            "br": .lineBreak, "li": .listItem, "ol": .orderedList, "ul": .list, "td": .cell, "th": .cell, "img": .image,
            "pre": .preformatted,
            "script": .dropped,
            "style": .dropped, "template": .dropped,
            "audio": .replaced, "canvas": .replaced, "iframe": .replaced, "object": .replaced, "video": .replaced,
        ]
        var kinds: [UInt128: HTMLElement] = [:]
        for (name, kind) in special { kinds[key(name.utf8)] = kind }
        for name in blocks.split(separator: " ") { kinds[key(name.utf8)] = .block }
        for name in inlines.split(separator: " ") { kinds[key(name.utf8)] = .inline }
        return kinds
    }()

    private static let blocks = """
        address article aside blockquote body caption center dd details dialog dir div dl dt fieldset figcaption \
        figure footer form frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html legend main menu nav optgroup \
        option p section summary table tbody tfoot thead title tr
        """
    private static let inlines = """
        a abbr acronym applet area b base basefont bdi bdo big blink button cite code col colgroup data \
        datalist del dfn em embed font frame i input ins kbd label link map mark marquee math meta meter \
        nobr noframes noscript output param picture progress q rp rt ruby s samp select slot small source \
        span strike strong sub sup svg textarea time track tt u var wbr
        """
}
