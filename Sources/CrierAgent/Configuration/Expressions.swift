import CrierContent
import Synchronization

/// Compiles the expressions of a configuration, each once, however often it stands there: with some versions of libjq that takes
/// tens of milliseconds.
public enum Expressions {
    private struct Expression: Hashable {
        let language: ExpressionLanguage
        let text: String
    }

    /// Nil where there is none.
    private static let complaints = Mutex<[Expression: String?]>([:])

    private static let absence = Mutex<String?>(nil)

    /// What is missing for some that were looked at, in words, so that nothing is known of them; nil where nothing is.
    public static var unavailability: String? { absence.withLock(\.self) }

    /// Why an expression cannot be used, in words; nil where it can.
    public static func complaint(_ language: ExpressionLanguage, _ text: String) -> String? {
        let expression = Expression(language: language, text: text)
        if let known = complaints.withLock({ $0[expression] }) { return known }
        let complaint = compile(language, text)
        complaints.withLock { $0[expression] = .some(complaint) }
        return complaint
    }

    private static func compile(_ language: ExpressionLanguage, _ text: String) -> String? {
        do throws(ContentError) {
            switch language {
            case .jq: _ = try JQProgram(text)
            case .xpath: try XPathDecoder.check(ContentMapping(format: .xml, items: text))
            }
            return nil
        } catch {
            guard error.kind == .unavailable else { return error.description }
            absence.withLock { $0 = error.description }
            return nil
        }
    }
}
