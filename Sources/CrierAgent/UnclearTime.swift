import protocol Foundation.LocalizedError

/// What a person said of a time cannot be understood: one sentence for the user.
public struct UnclearTime: LocalizedError, Sendable, Hashable, CustomStringConvertible {
    public let description: String
    public var errorDescription: String? { description }
}
