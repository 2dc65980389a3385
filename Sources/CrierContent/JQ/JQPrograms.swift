import Synchronization

/// Compiled programs by their text, so that each is compiled once however often it runs.
public final class JQPrograms: Sendable {
    private let programs = Mutex<[String: JQProgram]>([:])

    public init() {}

    /// The program of a text, compiled now if it is wanted for the first time.
    ///
    /// - Throws: ``ContentError`` of the kind `badExpression`, or `unavailable` without libjq.
    public func program(_ text: String) throws(ContentError) -> JQProgram {
        if let program = programs.withLock({ $0[text] }) { return program }
        // Compiled outside the lock: whoever wants another program need not wait.
        let program = try JQProgram(text)
        return programs.withLock { programs in
            if let earlier = programs[text] { return earlier }
            programs[text] = program
            return program
        }
    }
}
