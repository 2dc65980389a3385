import CrierNotifications

/// Raises notifications by writing them to a file descriptor: for a person to read, or one JSON object per line.
///
/// Delivered means written in full. A closed reading end is a failure and never ends the process: `SIGPIPE` is held back
/// on the writing thread, whatever the process does with that signal. A reader that does not read keeps no thread waiting.
public struct StdoutSink: NotificationSink {
    /// What is written.
    public enum Format: String, Sendable, Hashable, CaseIterable {
        /// A line for the title, indented lines for the rest.
        case text
        /// One ``NotificationDocument`` per line.
        case json
    }

    private let format: Format
    private let template: NotificationTemplate?
    private let isTerminal: Bool
    private let digestPrint: DigestPrint
    private let looks: DigestLooks
    private let output: DescriptorWriter
    private let limit: Duration

    /// - Parameters:
    ///   - template: what is written instead of the format's own.
    ///   - isTerminal: whether titles are bold; callers ask `isatty` and the user's wish (`NO_COLOR`).
    ///   - digestPrint: how digests are laid out as text.
    ///   - looks: the user's own templates for them.
    ///   - output: one for all sinks that write to the same descriptor.
    ///   - limit: how long a reader that does not read is waited for.
    public init(
        format: Format, template: NotificationTemplate? = nil, isTerminal: Bool = false,
        digestPrint: DigestPrint = DigestPrint(), looks: DigestLooks = DigestLooks(),
        output: DescriptorWriter = .standardOutput, limit: Duration = .seconds(10)
    ) {
        self.format = format
        self.template = template
        self.isTerminal = isTerminal
        self.digestPrint = digestPrint
        self.looks = looks
        self.output = output
        self.limit = limit
    }

    public var capabilities: SinkCapabilities {
        switch format {
        case .text: SinkCapabilities([.subtitle, .link])
        case .json: SinkCapabilities([.subtitle, .link, .images, .sound, .badge, .urgency, .grouping, .data])
        }
    }

    /// What is written is with the kernel, and with whoever reads it.
    public var outlivesPowerCut: Bool { false }
    public var isMereWrite: Bool { true }

    /// Attempts are written one after the other.
    public func deliver(_ attempt: DeliveryAttempt) async -> DeliveryOutcome {
        do {
            try await output.write(bytes(of: attempt), within: limit)
            return .delivered()
        } catch {
            return Task.isCancelled ? Self.stopped : .failed(reason: "the output cannot be written: \(error.reason)")
        }
    }

    /// Says nothing about the output.
    private static let stopped = DeliveryOutcome.deferred(reason: "the run was stopped")

    private func bytes(of attempt: DeliveryAttempt) -> [UInt8] {
        if let template {
            let text = template.render(attempt)
            return Array((text.hasSuffix("\n") ? text : text + "\n").utf8)
        }
        switch format {
        case .text:
            if let page = DigestPage(attempt.request.content) {
                return Array(looks.text(of: page, printed: digestPrint).utf8)
            }
            return Array(StdoutText.lines(of: attempt.request.content, isTerminal: isTerminal).utf8)
        case .json:
            return NotificationDocument(attempt).line
        }
    }
}
