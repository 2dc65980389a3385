import ArgumentParser

/// What a path on the command line must be.
enum FilePath {
    /// An empty one, as a variable of the shell that nothing has set, would be the working folder.
    static func notEmpty(_ text: String) throws -> String {
        guard !text.isEmpty else { throw ValidationError("it is empty") }
        return text
    }
}
