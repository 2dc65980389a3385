import CrierProcess

/// A sink that sends notifications to a web service.
public struct WebhookSinkSettings: Sendable, Hashable {
    /// What a body is.
    public enum Encoding: String, Sendable, Hashable, CaseIterable {
        case standard, json, form, cloudevents
    }

    /// An http or https URL.
    public var url: TextOrSecret
    /// What requests are signed with.
    public var secret: SecretReference?
    /// Sent with every request.
    public var headers: [String: TextOrSecret]
    /// How long one attempt may take.
    public var timeout: Duration
    public var encoding: Encoding
    /// Mustache; a body of the user's own in place of ``encoding``.
    public var template: String?
    /// The media type of ``template``.
    public var contentType: String

    public init(
        url: TextOrSecret, secret: SecretReference? = nil, headers: [String: TextOrSecret] = [:],
        timeout: Duration = .seconds(20), encoding: Encoding = .standard, template: String? = nil,
        contentType: String = "application/json"
    ) {
        self.url = url
        self.secret = secret
        self.headers = headers
        self.timeout = timeout
        self.encoding = encoding
        self.template = template
        self.contentType = contentType
    }
}
