import CrierNotifications

import struct Foundation.Data
import struct Foundation.URL

/// Writes an Atom feed (RFC 4287) of what was raised, for feed readers and web servers to pick up.
///
/// The newest entry stands first, each identifier once. The file is replaced as a whole each time; a link to it stays.
public actor FeedSink: BatchNotificationSink {
    private let path: String
    private let title: String
    private let limit: Int
    private let looks: DigestLooks

    /// - Parameters:
    ///   - path: absolute; mode 0644, as a web server needs it, unless the file is there and has another; its folder,
    ///     where it is not there yet, gets 0755.
    ///   - limit: how many entries are kept.
    ///   - looks: the user's own templates for digests, whose HTML is the content of their entries.
    public init(path: String, title: String = "Crier", limit: Int = 100, looks: DigestLooks = DigestLooks()) {
        self.path = path
        self.title = title
        self.limit = max(1, limit)
        self.looks = looks
    }

    public nonisolated var unownedExecutor: UnownedSerialExecutor { DiskLane.shared.asUnownedSerialExecutor() }

    public nonisolated var capabilities: SinkCapabilities {
        SinkCapabilities([.subtitle, .link, .images, .grouping, .replacement])
    }

    public nonisolated var reachesPerson: Bool { false }

    /// Together they replace the file but once.
    public nonisolated var batchLimit: Int { 64 }

    public func deliver(_ attempts: [DeliveryAttempt]) async -> DeliveryOutcome {
        do {
            let file = try DiskFile.replaceable(path)
            try DiskFile.makeFolder(of: file, mode: 0o755)
            guard var feed = try readFeed() else {
                return .failed(reason: "\(HarmlessText.line(path)) is there already and is no feed of Crier's")
            }
            feed.add(attempts.map { FeedEntry($0, looks) }, limit: limit)
            try DiskFile.replace(file, with: feed.bytes(title: title, path: path))
            return .delivered()
        } catch {
            return .failed(reason: "\(HarmlessText.line(path)) cannot be written: \(error.description)")
        }
    }

    /// What an earlier run has written; nil when somebody else has.
    private func readFeed() throws(DiskFile.Failure) -> FeedFile? {
        let data: Data
        do { data = try Data(contentsOf: URL(fileURLWithPath: path)) } catch {
            if (try? URL(fileURLWithPath: path).checkResourceIsReachable()) != true { return FeedFile() }
            throw DiskFile.Failure(description: "it cannot be read")
        }
        return data.isEmpty ? FeedFile() : FeedFile(String(decoding: data, as: UTF8.self))
    }
}
