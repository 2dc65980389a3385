import CrierFetch
import CrierHashing
import Foundation

/// A digest that a timer or cron issues in time.
public struct InstalledDigest: Sendable, Hashable {
    static let unitPrefix = "crier-digest-"

    public let name: String
    /// For `OnCalendar=`, each with its time zone (systemd.time(7)).
    let calendars: [String]
    /// The minutes of an hour at which it can be due, as a crontab has them (crontab(5)).
    let minutes: String

    /// - Parameters:
    ///   - machineZone: In which cron counts.
    ///   - date: From which on it is looked when it is due.
    public init(_ digest: Digest, machineZone: TimeZone = .current, from date: Date = Date()) {
        name = digest.name
        calendars = [digest.at.systemdText(in: digest.timeZone)] + Self.endsOfGaps(of: digest, date)
        minutes = Self.cronMinutes(of: digest, machineZone, date)
    }

    /// What is run.
    private var words: [String] { ["digest", name, "--quiet"] }

    // MARK: - systemd

    var units: [Unit] {
        let names = Self.unitNames(name)
        let shown = name.replacing("%", with: "%%")
        return [
            Unit(name: names[0], words: words) { UnitText.digestService(shown, $0) },
            Unit(name: names[1]) { _ in UnitText.digestTimer(shown, at: calendars) },
        ]
    }

    public var enabledUnit: String { Self.unitNames(name)[1] }

    /// Its service and its timer: what units may not be called is written as by `systemd-escape`.
    static func unitNames(_ digest: String) -> [String] {
        let escaped = digest.utf8.map { byte in
            let scalar = Unicode.Scalar(byte)
            let isPlain =
                scalar.isASCII && (scalar.properties.isAlphabetic || "0123456789:-_.".unicodeScalars.contains(scalar))
            return isPlain ? String(scalar) : "\\x" + [byte].hexadecimal
        }.joined()
        // A unit's name has 255 bytes at most (systemd.unit(5)).
        let stem = escaped.utf8.count > 200 ? Seal.hash(of: digest) : escaped
        return ["\(unitPrefix)\(stem).service", "\(unitPrefix)\(stem).timer"]
    }

    /// Systemd leaves out the times that the clocks leave out, where the digest is due once they have been moved on: on some day of the
    /// week at a certain time, as the day of the year is another one each year.
    private static func endsOfGaps(of digest: Digest, _ date: Date) -> [String] {
        let zone = digest.at.timeZone ?? digest.timeZone
        var (ends, moment) = ([String](), date)
        while let change = zone.nextDaylightSavingTimeTransition(after: moment),
            change.timeIntervalSince(date) < 366 * 86_400
        {
            moment = change
            guard zone.secondsFromGMT(for: change) > zone.secondsFromGMT(for: change.addingTimeInterval(-1)),
                digest.at.next(after: change.addingTimeInterval(-1), in: digest.timeZone) == change
            else { continue }
            let weekly = Date.VerbatimFormatStyle(
                format: """
                    \(weekday: .abbreviated) *-*-* \(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased)):\
                    \(minute: .twoDigits):\(second: .twoDigits)
                    """,
                locale: Locale(identifier: "en_US_POSIX"), timeZone: zone, calendar: Calendar(identifier: .gregorian))
            ends.append("\(weekly.format(change)) \(zone.identifier)")
        }
        return ends
    }

    // MARK: - cron

    /// Each hour at the minutes at which it can be due: so no zone and no change of clocks comes in between, and what was
    /// missed is made up for an hour later.
    func cronLine(_ command: InstalledCommand) throws(InstallationError) -> String {
        "\(minutes) * * * * \(try command.cronText(words))"
    }

    func isCronLine(_ line: String) -> Bool { Self.isCronLine(line, of: name) }

    static func isCronLine(_ line: String, of digest: String) -> Bool {
        CrontabBlock.command(of: line).arguments.hasPrefix("digest \(InstalledCommand.cronWord(digest)) --quiet")
    }

    /// Of a year, in which every change of clocks comes once. Cron knows no seconds: what is due within a minute is issued at its end,
    /// as at its beginning it would have to wait for an hour.
    private static func cronMinutes(of digest: Digest, _ machineZone: TimeZone, _ date: Date) -> String {
        var minutes: Set<Int> = []
        var moment = date
        let end = date.addingTimeInterval(366 * 86_400)
        while minutes.count <= 4, let next = digest.at.next(after: moment, in: digest.timeZone), next < end {
            moment = Date(timeIntervalSince1970: (next.timeIntervalSince1970 / 60).rounded(.up) * 60)
            let local = Int(moment.timeIntervalSince1970) + machineZone.secondsFromGMT(for: moment)
            minutes.insert(((local % 3600) + 3600) % 3600 / 60)
        }
        if minutes.isEmpty { return "0" }
        return minutes.count > 4 ? "*/5" : minutes.sorted().map(String.init).joined(separator: ",")
    }
}
