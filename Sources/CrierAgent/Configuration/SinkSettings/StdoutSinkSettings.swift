import CrierDelivery

/// A sink that prints to standard output.
public struct StdoutSinkSettings: Sendable, Hashable {
    public var format: StdoutSink.Format
    /// Mustache; what is written instead.
    public var template: String?

    public init(format: StdoutSink.Format = .text, template: String? = nil) {
        self.format = format
        self.template = template
    }
}
