import CrierAgent
import CrierContent

/// Compiles the expressions of a configuration.
enum Expressions {
    static func complaint(_ language: ExpressionLanguage, _ text: String) -> String? {
        switch language {
        case .jq: JQProgram.complaint(about: text)
        case .xpath: XPathDecoder.complaint(about: text)
        }
    }
}
