import CrierNotifications

/// Appends each notification to a file as one line of JSON, a ``NotificationDocument``.
///
/// The file is opened anew for every write, so that one that was renamed away by a rotation is followed by a new one. What is
/// raised together is one write to the end of the file, and delivered means that it is on the disk. A line that an interrupted
/// run has left there is not written again.
public actor FileSink: NotificationSink {
    private let path: String
    /// Whether the folder of the file is there and on the disk.
    private var isPrepared = false

    /// - Parameter path: absolute. The file (mode 0600) and its folder (0700) are made if they are not there.
    public init(path: String) {
        self.path = path
    }

    public nonisolated var capabilities: SinkCapabilities {
        SinkCapabilities([.subtitle, .link, .images, .sound, .badge, .urgency, .grouping, .data])
    }

    public nonisolated var isMereWrite: Bool { true }

    /// Together they wait for the disk but once.
    public nonisolated var batchLimit: Int { 16 }

    public func deliver(_ attempt: DeliveryAttempt) async -> DeliveryOutcome { await deliver([attempt]) }

    /// Being an actor's, attempts are written one after the other.
    public func deliver(_ attempts: [DeliveryAttempt]) async -> DeliveryOutcome {
        do {
            // Only a run before this one, or an attempt before these, can have written a line without a record of it.
            let mayStandThere = !isPrepared || attempts.contains { $0.number > 1 }
            if !isPrepared { try DiskFile.makeFolder(of: path) }
            isPrepared = true
            var lines = attempts.map { NotificationDocument($0).line }
            if mayStandThere { try removeKnown(from: &lines) }
            try DiskFile.append(Array(lines.joined()), to: path)
            return .delivered()
        } catch {
            isPrepared = false
            return .failed(reason: "\(PlainText.line(path)) cannot be written: \(error.description)")
        }
    }

    /// A notification's line is the same at every attempt.
    private func removeKnown(from lines: inout [[UInt8]]) throws(DiskFile.Failure) {
        let known = Set(try DiskFile.tail(of: path, atMost: Self.tailLength).split(separator: 0x0a))
        lines.removeAll { known.contains($0.dropLast()) }
    }

    /// Bytes. What an interrupted run has written last is what the next one attempts first.
    private static let tailLength = 1 << 20
}
