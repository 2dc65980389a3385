/// A sink that appends to a file.
public struct FileSinkSettings: Sendable, Hashable {
    /// Absolute, or beginning with `~/`.
    public var path: String

    public init(path: String) {
        self.path = path
    }
}
