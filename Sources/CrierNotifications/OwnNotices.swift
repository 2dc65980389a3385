/// What Crier raises on its own account, beside the notifications that it is given and those of what is new.
public struct OwnNotices: OptionSet, Sendable, Hashable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// One notification in place of many that waited: for authorization, for the end of quiet hours, or for their sink.
    public static let summaries = OwnNotices(rawValue: 1)
    /// That a sink or a source does not work or works again, has moved, is gone or has gone silent.
    public static let conditions = OwnNotices(rawValue: 1 << 1)
    /// With them the commands of `crier` that tell more or help: for a state that its user looks at with these.
    public static let commands = OwnNotices(rawValue: 1 << 2)

    public static let all: OwnNotices = [.summaries, .conditions, .commands]
}
