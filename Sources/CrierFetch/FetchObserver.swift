import struct Foundation.Date

/// One who looks on while the first queue works. Called from any thread and not waited for.
public struct FetchObserver: Sendable {
    /// A visit begins.
    public var began: @Sendable (_ source: String) -> Void
    /// A visit that began is over, whatever came of it.
    public var ended: @Sendable (_ source: String) -> Void
    /// The loop lies down; `next` is when the next source is due.
    public var sleeps: @Sendable (_ next: Date?) -> Void
    /// A date that the loop slept for has come.
    public var wakes: @Sendable () -> Void
    /// A host is reached after others that could not be: what was put off until then is due.
    public var reaches: @Sendable () -> Void

    public init(
        began: @escaping @Sendable (String) -> Void = { _ in }, ended: @escaping @Sendable (String) -> Void = { _ in },
        sleeps: @escaping @Sendable (Date?) -> Void = { _ in }, wakes: @escaping @Sendable () -> Void = {},
        reaches: @escaping @Sendable () -> Void = {}
    ) {
        self.began = began
        self.ended = ended
        self.sleeps = sleeps
        self.wakes = wakes
        self.reaches = reaches
    }
}
