@testable import CrierContent

/// What an expression yields, as JSON texts, and whether it fails in the end.
func outputs(
    _ run: ((JSONNode) throws(ContentError) -> Bool) throws(ContentError) -> Void
) -> (values: [String], hasFailed: Bool) {
    var values: [String] = []
    do throws(ContentError) {
        try run { value throws(ContentError) in
            values.append(value.json)
            return true
        }
        return (values, false)
    } catch { return (values, true) }
}

/// What a jq program yields, as JSON texts.
func outputs(_ program: String, _ json: String = "null", limits: JQLimits = JQLimits()) throws -> [String] {
    var outputs: [String] = []
    try JQProgram(program).run(on: JSONDocument.parse(Array(json.utf8)), limits: limits) {
        value throws(ContentError) in
        outputs.append(value.json)
        return true
    }
    return outputs
}

/// Why a jq program fails; nil where it does not.
func failure(_ program: String, _ json: String = "null", limits: JQLimits = JQLimits()) -> ContentError? {
    do {
        _ = try outputs(program, json, limits: limits)
        return nil
    } catch { return error as? ContentError }
}
