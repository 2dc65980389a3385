import CrierContent

/// Why a condition may say the same of each item.
struct ConditionSlip {
    let message: String
    var expected: String?
    var suggestion: String?

    /// Nil where it compares.
    init?(assigningIn text: String) {
        guard JQFilter.yieldsAssigned(text) else { return nil }
        message = "\(quoted("=")) sets a value instead of comparing, and what it yields is always met"
        suggestion = "=="
    }

    /// Nil where there is nothing of the sort.
    init?(in text: String) {
        if let assignment = ConditionSlip(assigningIn: text) {
            self = assignment
        } else if let unknown = try? JQFilter(text).unknownKey {
            message = "no item has the key \(quoted(unknown))"
            suggestion = nearest(to: unknown, among: ItemDocument.keys)
            expected = suggestion == nil ? listed(ItemDocument.keys, "or") : nil
        } else {
            return nil
        }
    }
}

extension ConfigurationReader {
    mutating func note(_ slip: ConditionSlip, at position: FilePosition, path: String) {
        places.slips.append(
            ConfigurationProblem(
                file: file, position: position, path: path, message: slip.message, expected: slip.expected,
                suggestion: slip.suggestion))
    }
}
