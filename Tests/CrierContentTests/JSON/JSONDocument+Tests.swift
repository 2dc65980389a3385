@testable import CrierContent

extension JSONDocument {
    /// What was understood of a text, as JSON.
    static func reprinted(_ text: String) throws -> String { try parse(Array(text.utf8)).json }

    /// Why bytes are no document; nil if they are one.
    static func failure(_ bytes: [UInt8]) -> ContentError? {
        do throws(ContentError) {
            _ = try parse(bytes)
            return nil
        } catch { return error }
    }
}
