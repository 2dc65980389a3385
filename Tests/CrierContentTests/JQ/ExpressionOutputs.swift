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
