import CrierAgent
import CrierContent

/// Compiles the expressions of a configuration.
enum Expressions {
    static func complaint(_ language: ExpressionLanguage, _ text: String) -> String? {
        switch language {
        case .jq:
            do throws(ContentError) {
                _ = try JQProgram(text)
                return nil
            } catch {
                return error.description
            }
        case .xpath: XPathDecoder.complaint(about: text)
        }
    }
}
