/// A sink that runs a program.
public struct ExecSinkSettings: Sendable, Hashable {
    public var command: [String]
    public var timeout: Duration

    public init(command: [String], timeout: Duration = .seconds(30)) {
        self.command = command
        self.timeout = timeout
    }
}
