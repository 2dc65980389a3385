import CrierNotifications
import Foundation

/// The HTML pages of digests that a click on the desktop opens: private files, of which the newest are kept.
public struct DigestPages: Sendable {
    private let folder: String
    private let looks: DigestLooks
    private let limit: Int
    private static let ending = ".html"

    /// - Parameters:
    ///   - folder: An absolute path; mode 0700, its files 0600. It is Crier's own: other pages in it are removed in time.
    ///   - limit: How many pages are kept.
    public init(folder: String, looks: DigestLooks = DigestLooks(), limit: Int = 20) {
        self.folder = folder
        self.looks = looks
        self.limit = max(1, limit)
    }

    /// Writes a page; the one of an earlier attempt is replaced.
    ///
    /// - Returns: its path; nil where it cannot be written, which is no reason not to raise the notification.
    func write(_ page: DigestPage, of identifier: String) -> String? {
        let name = "\(page.date)-\(IdentifierToken.token(of: identifier).prefix(16))\(Self.ending)"
        let path = "\(folder)/\(HarmlessText.line(name).replacing("/", with: "-"))"
        do {
            try DiskFile.makeFolder(of: path)
            try DiskFile.replace(path, with: Array(looks.html(of: page).utf8), mode: 0o600)
        } catch {
            return nil
        }
        prune(but: path)
        return path
    }

    private func prune(but newest: String) {
        let files = FileManager.default
        let names = (try? files.contentsOfDirectory(atPath: folder)) ?? []
        let others = names.filter { $0.hasSuffix(Self.ending) }.map { "\(folder)/\($0)" }.filter { $0 != newest }
        let dated = others.map { path in
            (path: path, date: (try? files.attributesOfItem(atPath: path))?[.modificationDate] as? Date ?? .distantPast)
        }
        for old in dated.sorted(by: { $0.date > $1.date }).dropFirst(limit - 1) {
            try? files.removeItem(atPath: old.path)
        }
    }
}
