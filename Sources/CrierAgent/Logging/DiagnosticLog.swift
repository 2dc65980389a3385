import CrierDelivery
import Foundation
import Logging

/// What a long-running process says on standard error: lines for a person, lines of JSON, or lines for the journal.
public struct DiagnosticLog: LogHandler {
    public enum Format: String, Sendable, Hashable, CaseIterable {
        case text, json
    }

    public var logLevel: Logger.Level
    public var metadata: Logger.Metadata = [:]
    private let format: Format
    private let isJournal: Bool
    private let descriptor: Int32

    /// - Parameter isJournal: Whether the lines go to systemd's journal, which wants the priority in front (sd-daemon(3)) and
    ///   keeps the time itself.
    public init(format: Format, level: Logger.Level, isJournal: Bool, descriptor: Int32 = 2) {
        self.format = format
        self.logLevel = level
        self.isJournal = isJournal
        self.descriptor = descriptor
    }

    /// A logger for this process.
    public static func logger(
        format: Format = .text, level: Logger.Level = .info,
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) -> Logger {
        let isJournal = isJournal(environment)
        return Logger(label: "crier") { _ in DiagnosticLog(format: format, level: level, isJournal: isJournal) }
    }

    /// Whether standard error is the journal's stream: `JOURNAL_STREAM` is inherited also by those whose output goes elsewhere
    /// (systemd.exec(5)).
    static func isJournal(_ environment: [String: String], descriptor: Int32 = 2) -> Bool {
        var status = stat()
        guard let stream = environment["JOURNAL_STREAM"], fstat(descriptor, &status) == 0 else { return false }
        return stream == "\(status.st_dev):\(status.st_ino)"
    }

    public subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    public func log(event: LogEvent) {
        let values = metadata.merging(event.metadata ?? [:]) { _, new in new }.mapValues { "\($0)" }
        let line =
            format == .json
            ? json(event.level, "\(event.message)", values) : text(event.level, "\(event.message)", values)
        var bytes = Array((line + "\n").utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return }
            bytes = bytes.dropFirst(count)
        }
    }

    private func text(_ level: Logger.Level, _ message: String, _ values: [String: String]) -> String {
        let words = ([message] + values.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }).joined(
            separator: " ")
        let line = TerminalText.escape(words)
        return isJournal ? "<\(level.priority)>\(line)" : "\(Date().ISO8601Format()) \(level.rawValue): \(line)"
    }

    private func json(_ level: Logger.Level, _ message: String, _ values: [String: String]) -> String {
        let own = ["time": Date().ISO8601Format(), "level": level.rawValue, "message": message]
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let data = (try? encoder.encode(values.merging(own) { _, own in own })) ?? Data()
        return (isJournal ? "<\(level.priority)>" : "") + String(decoding: data, as: UTF8.self)
    }
}

extension Logger.Level {
    /// Of syslog (RFC 5424 §6.2.1).
    fileprivate var priority: Int {
        switch self {
        case .trace, .debug: 7
        case .info: 6
        case .notice: 5
        case .warning: 4
        case .error: 3
        case .critical: 2
        }
    }
}
