import CrierNotifications

/// Appends each notification to a file as one line of JSON, a ``NotificationDocument``.
///
/// The file is opened anew for every write, so that one that was renamed away by a rotation is followed by a new one. What is
/// raised together is one write to the end of the file, and delivered means that it is on the disk. A line that an interrupted
/// run has left at its end is not written again, unless it was rotated away since.
public actor FileSink: BatchNotificationSink {
    private let path: String
    /// Whether the folder of the file is there and on the disk.
    private var isPrepared = false

    /// - Parameter path: absolute. The file (mode 0600) and its folder (0700) are made if they are not there.
    public init(path: String) {
        self.path = path
    }

    public nonisolated var unownedExecutor: UnownedSerialExecutor { DiskLane.shared.asUnownedSerialExecutor() }

    public nonisolated var capabilities: SinkCapabilities {
        SinkCapabilities([.subtitle, .link, .images, .sound, .badge, .urgency, .grouping, .data])
    }

    public nonisolated var isMereWrite: Bool { true }

    public nonisolated var reachesPerson: Bool { false }

    /// Together they wait for the disk but once.
    public nonisolated var batchLimit: Int { 64 }

    /// Being an actor's, attempts are written one after the other.
    public func deliver(_ attempts: [DeliveryAttempt]) async -> DeliveryOutcome {
        do {
            if !isPrepared { try DiskFile.makeFolder(of: path) }
            isPrepared = true
            // The line of a notification is the same at every attempt.
            let lines = attempts.map { (bytes: NotificationDocument($0).line, mayStandThere: $0.mayBeRaised) }
            try DiskFile.append(lines, to: path)
            return .delivered()
        } catch {
            isPrepared = false
            return .failed(reason: "\(HarmlessText.line(path)) cannot be written: \(error.description)")
        }
    }
}
