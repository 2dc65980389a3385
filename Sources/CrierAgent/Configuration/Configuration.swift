import CrierDelivery
import CrierFetch

import struct Foundation.TimeZone

/// What the user's configuration file says.
public struct Configuration: Sendable, Hashable {
    /// The zone of every source that names none.
    public var timeZone: TimeZone {
        get { namedTimeZone ?? .autoupdatingCurrent }
        set { namedTimeZone = newValue }
    }
    /// Nil: the machine's, looked up whenever somebody asks for it.
    private(set) var namedTimeZone: TimeZone?
    /// When ordinary notifications wait.
    public var quietHours = QuietHours()
    /// Whether the agent waits for the user's authorization before it fetches.
    public var background = BackgroundPolicy.authorized
    /// The loopback port of the agent's metrics; nil is none.
    public var metricsPort: Int?
    /// In file order; one called `stdout` if the file names none.
    public var sinks: [SinkConfiguration]
    /// Those to fetch, in file order.
    public var sources: [Source]
    /// Those with `enabled: false`, in file order.
    public var disabledSources: [Source]
    /// Those that are left out because of a mistake, by name, with their addresses where these can be read. They are still
    /// the user's.
    public var brokenSources: [String: SourceAddress?] = [:]
    /// In file order.
    public var digests: [Digest] = []
    /// The user's own templates for digests, by their names.
    public var digestTemplates: [String: DigestTemplateTexts] = [:]
    /// Tags that no source has, by the keys that name them.
    var unusedTags: [String: Set<String>] = [:]
    /// Of what may come to nothing.
    var places = RemarkPlaces()
    /// The pace of hosts, by name in lower case, with or without a port.
    public var hosts: [String: HostPace] = [:]

    /// - Parameter timeZone: Nil is the machine's, looked up whenever somebody asks for it.
    public init(
        timeZone: TimeZone?, sinks: [SinkConfiguration] = [.default], sources: [Source] = [],
        disabledSources: [Source] = []
    ) {
        namedTimeZone = timeZone
        self.sinks = sinks
        self.sources = sources
        self.disabledSources = disabledSources
    }
}

/// A user's own templates for one digest; nil is Crier's own look.
public struct DigestTemplateTexts: Sendable, Hashable {
    public var text: String?
    public var html: String?
    public var markdown: String?

    public init(text: String? = nil, html: String? = nil, markdown: String? = nil) {
        self.text = text
        self.html = html
        self.markdown = markdown
    }
}

/// When the agent fetches.
public enum BackgroundPolicy: String, Sendable, Hashable, CaseIterable {
    /// When the user has authorized notifications.
    case authorized
    case always
}

extension Configuration {
    mutating func tellEachAddressOnce() {
        for index in sources.indices { sources[index].isUnique = true }
        for index in disabledSources.indices { disabledSources[index].isUnique = true }
    }
}

/// What came of reading a configuration file.
public struct ConfigurationResult: Sendable, Hashable {
    /// What is usable: without the sources that have a problem. nil when a problem lies outside the sources.
    public var configuration: Configuration?
    /// Every problem found, in file order.
    public var problems: [ConfigurationProblem]
}

/// The language of an expression in the configuration.
public enum ExpressionLanguage: String, Sendable, Hashable, CaseIterable {
    case jq
    case xpath = "XPath"
}

/// Says what is wrong with an expression, or nil if it compiles.
public typealias ExpressionValidator = (ExpressionLanguage, String) -> String?

extension Configuration {
    /// Reads the text of a configuration file.
    ///
    /// - Parameters:
    ///   - file: The name that problems begin with.
    ///   - machineTimeZone: The zone of a file that names none. Nil is the machine's, looked up whenever somebody asks for it.
    ///   - language: Of digests that name none.
    ///   - validateExpression: Compiles each jq program and XPath expression; nil accepts them all.
    public static func load(
        text: String, file: String, machineTimeZone: TimeZone? = .current,
        language: Digest.Language = .english, validateExpression: ExpressionValidator? = nil
    ) -> ConfigurationResult {
        let document = ConfigurationDocument(text: text)
        var reader = ConfigurationReader(
            file: file, byteCount: document.byteCount, language: language, validateExpression: validateExpression)
        return reader.read(document, machineTimeZone: machineTimeZone)
    }

    /// Reads the bytes of a configuration file, which must be UTF-8.
    public static func load(
        bytes: [UInt8], file: String, machineTimeZone: TimeZone? = .current,
        language: Digest.Language = .english, validateExpression: ExpressionValidator? = nil
    ) -> ConfigurationResult {
        if let text = String(validating: bytes, as: UTF8.self) {
            return load(
                text: text, file: file, machineTimeZone: machineTimeZone, language: language,
                validateExpression: validateExpression)
        }
        let problem = ConfigurationProblem(
            file: file, position: FilePosition(ofFirstInvalidByteIn: bytes),
            message: "the file is not UTF-8 from here on", expected: "a file saved with the encoding UTF-8")
        return ConfigurationResult(configuration: nil, problems: [problem])
    }
}
