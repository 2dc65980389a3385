import CrierAgent
import CrierContent

/// Compiles the expressions of a configuration.
enum Expressions {
    static func complaint(_ language: ExpressionLanguage, _ text: String) -> String? {
        do throws(ContentError) {
            switch language {
            case .jq: _ = try JQProgram(text)
            case .xpath: try XPathDecoder.check(ContentMapping(format: .xml, items: text))
            }
            return nil
        } catch {
            // Without the library nothing can be said of it, and `crier doctor` tells what is missing.
            return error.kind == .unavailable ? nil : error.description
        }
    }
}
