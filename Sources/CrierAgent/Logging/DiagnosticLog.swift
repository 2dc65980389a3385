import CrierDelivery
import CrierProcess
import Foundation
import Logging

/// What a long-running process says on standard error: lines for a person, lines of JSON, or lines for the journal. A reader that
/// does not read keeps nobody waiting: lines are dropped then, and counted.
public struct DiagnosticLog: LogHandler {
    public enum Format: String, Sendable, Hashable, CaseIterable {
        case text, json
    }

    public var logLevel: Logger.Level
    public var metadata: Logger.Metadata = [:]
    private let format: Format
    private let isJournal: Bool
    private let output: LogOutput

    /// - Parameter isJournal: Whether the lines go to systemd's journal, which wants the priority in front (sd-daemon(3)) and
    ///   keeps the time itself.
    public init(format: Format, level: Logger.Level, isJournal: Bool, descriptor: Int32 = 2) {
        self.format = format
        self.logLevel = level
        self.isJournal = isJournal
        output = LogOutput(InheritedOutput(descriptor))
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
        output.write(line(event.level, "\(event.message)", values)) { dropped in
            line(.warning, "lines were dropped here, as they were not read in time", ["count": "\(dropped)"])
        }
    }

    private func line(_ level: Logger.Level, _ message: String, _ values: [String: String]) -> [UInt8] {
        let line = format == .json ? json(level, message, values) : text(level, message, values)
        return Array((line + "\n").utf8)
    }

    private func text(_ level: Logger.Level, _ message: String, _ values: [String: String]) -> String {
        let words = ([message] + values.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }).joined(
            separator: " ")
        let line = TerminalText.escape(words)
        return isJournal ? "<\(level.priority)>\(line)" : "\(Date().ISO8601Format()) \(level.rawValue): \(line)"
    }

    private func json(_ level: Logger.Level, _ message: String, _ values: [String: String]) -> String {
        let own = ["time": Date().ISO8601Format(), "level": level.rawValue, "message": message]
        let data = (try? JSONEncoder.ofLines.encode(values.merging(own) { _, own in own })) ?? Data()
        let line = String(decoding: JSONWriter.harmless(data), as: UTF8.self)
        return (isJournal ? "<\(level.priority)>" : "") + line
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
