import CrierNotifications

/// Appends each notification to a file as one line of JSON, a ``NotificationDocument``.
///
/// The file is opened anew for every line, so that one that was renamed away by a rotation is followed by a new one. A line
/// is one write to the end of the file, and delivered means that it is on the disk.
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

    /// Being an actor's, attempts are written one after the other.
    public func deliver(_ attempt: DeliveryAttempt) -> DeliveryOutcome {
        do {
            if !isPrepared { try DiskFile.makeFolder(of: path) }
            isPrepared = true
            try DiskFile.append(NotificationDocument(attempt).line, to: path)
            return .delivered()
        } catch {
            isPrepared = false
            return .failed(reason: "\(PlainText.line(path)) cannot be written: \(error.description)")
        }
    }
}
