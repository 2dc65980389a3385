import Foundation

extension JSONEncoder {
    /// Of what others read: keys in their order, dates as ISO 8601.
    package static let ofLines: JSONEncoder = {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .iso8601
        return encoder
    }()
}
