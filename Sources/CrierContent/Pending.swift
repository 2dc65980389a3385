public struct JQFilter: Sendable { public init(_ p: String) throws {} ; public func keeps(_ item: ContentItem) throws -> Bool { true } }
public struct JQProgram { public static func complaint(about text: String) -> String? { nil } }
public struct XPathDecoder { public static func complaint(about text: String) -> String? { nil } }
