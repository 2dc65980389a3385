import struct Foundation.TimeZone

/// Time zones as the configuration and the command line name them.
package enum TimeZoneName {
    /// What is a name.
    package static let rule = "a name with a slash such as Asia/Shanghai, or UTC"

    /// Of the names of the database only those with a slash, and UTC: `TimeZone` alone would also take abbreviations, which mean
    /// different zones to different people.
    package static func zone(_ text: String) -> TimeZone? {
        text.contains("/") || text == "UTC" || text == "GMT" ? TimeZone(identifier: text) : nil
    }

    /// The zone that was meant by what is none.
    package static func suggestion(for text: String) -> String? {
        let known = ["UTC", "GMT"] + TimeZone.knownTimeZoneIdentifiers
        return known.first { $0.lowercased().hasSuffix("/" + text.lowercased()) } ?? nearest(to: text, among: known)
    }
}
