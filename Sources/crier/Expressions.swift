import CrierAgent
import CrierContent

/// Compiles the expressions of a configuration.
enum Expressions {
    static let complaint: ExpressionValidator = { language, text in
        switch language {
        case .jq: JQProgram.complaint(about: text)
        case .xpath: XPathDecoder.complaint(about: text)
        }
    }
}
