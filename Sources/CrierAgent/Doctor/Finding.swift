/// One line of what ``Doctor`` says.
public struct Finding: Sendable, Hashable {
    public enum Verdict: String, Sendable, Hashable {
        case ok
        /// Something waits, or does less than it could.
        case warn
        /// Something cannot work.
        case fail
    }

    /// What was looked at, in a word or two.
    public let subject: String
    public let verdict: Verdict
    public let words: String
    /// What the user can do about it.
    public let remedy: String?

    init(_ subject: String, _ verdict: Verdict, _ words: String, remedy: String? = nil) {
        self.subject = subject
        self.verdict = verdict
        self.words = words
        self.remedy = remedy
    }
}
