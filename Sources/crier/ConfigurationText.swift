import ArgumentParser
import CrierAgent
import CrierContent
import CrierFetch
import CrierHTTP

/// The user's configuration file as text, to be edited.
struct ConfigurationText {
    let path: String
    private let text: String
    private let before: ConfigurationResult
    /// The names of sources by what is the same in every spelling of their addresses.
    private let followed: [String: String]
    /// The same without the passwords, as `crier export` writes them.
    private let exported: [String: String]

    /// An absent file is an empty one.
    init(_ path: String) throws {
        do { try ConfigurationFile(path: path).checkKind() } catch {
            throw failure("the configuration \(error)", ExitStatus.ioError)
        }
        try self.init(path, bytes: Self.bytes(path) ?? [])
    }

    private init(_ path: String, bytes: [UInt8]) throws {
        self.path = path
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw failure("the configuration \(path) is not UTF-8; nothing was changed", ExitStatus.badConfiguration)
        }
        self.text = text
        before = Configuration.load(text: text, file: path)
        followed = Self.followed(before.configuration, (try? ConfigurationEditor(text: text).sources()) ?? [])
        exported = Dictionary(followed.map { (URLCredentials.removed(from: $0), $1) }, uniquingKeysWith: min)
    }

    /// The bytes of a configuration file; nil where there is none.
    ///
    /// One that is there and cannot be read is never taken for an empty one, which would be written over.
    static func bytes(_ path: String) throws -> [UInt8]? {
        do {
            return try ConfigurationFile(path: path).read()
        } catch  where error.isMissing {
            return nil
        } catch {
            throw failure("the configuration \(error)", ExitStatus.noInput)
        }
    }

    /// Of every source, also of those with a mistake.
    func names() throws -> Set<String> {
        do { return Set(try ConfigurationEditor(text: text).sources().map(\.name)) } catch { throw told(error) }
    }

    /// The source that follows an address already, which may be spelled in another way.
    func name(ofSourceAt url: String) -> String? { followed[Self.key(of: url)] }

    /// The same for an address of a list, which may be one that Crier has written.
    func name(ofSourceListedAt url: String) -> String? { name(ofSourceAt: url) ?? exported[Self.key(of: url)] }

    /// The same for all spellings of an address: older lists have `http`, or a `www.` that has gone since.
    static func key(of url: String) -> String { CanonicalURL.of(SubscriptionList.sameness(of: url)) }

    /// - Parameter written: The sources as they are written: one with a mistake is in no configuration, and will be followed again.
    private static func followed(
        _ configuration: Configuration?, _ written: [(name: String, url: String?)]
    ) -> [String: String] {
        var names: [String: String] = [:]
        func note(_ name: String, at url: String) {
            let key = key(of: url)
            if names[key] == nil { names[key] = name }
        }
        for source in (configuration?.sources ?? []) + (configuration?.disabledSources ?? []) {
            if case .url(let url) = source.address { note(source.name, at: url) }
        }
        for case (let name, let url?) in written { note(name, at: url) }
        return names
    }

    /// Edits the file as it is now: a visit may have taken long, and the user or another program has written meanwhile.
    ///
    /// - Parameters:
    ///   - isUsage: Whether what the configuration would not take comes from the command line.
    ///   - isDryRun: Whether it is only to be said if it could not be done.
    func edit(
        isUsage: Bool = false, isDryRun: Bool = false,
        _ change: (ConfigurationEditor) throws(ConfigurationEditError) -> String
    ) throws {
        if isDryRun {
            _ = try edited(isUsage: isUsage, change)
            return
        }
        do {
            try ConfigurationFile(path: path).update { bytes in
                try ConfigurationText(path, bytes: bytes).edited(isUsage: isUsage, change)
            }
        } catch let error as ConfigurationFileError {
            throw failure("\(error)", ExitStatus.ioError)
        }
    }

    /// The edited text, if it can be read without a problem that was not there before.
    private func edited(
        isUsage: Bool, _ change: (ConfigurationEditor) throws(ConfigurationEditError) -> String
    ) throws -> String {
        let edited: String
        do { edited = try change(ConfigurationEditor(text: text)) } catch { throw told(error) }
        let new = newProblems(in: edited)
        for problem in new {
            Terminal.note("\(problem.path): \(problem.words)")
        }
        if !new.isEmpty {
            throw failure("nothing was written", isUsage ? ExitStatus.usage : ExitStatus.badConfiguration)
        }
        return edited
    }

    private func newProblems(in edited: String) -> [ConfigurationProblem] {
        func problems(_ text: String) -> [ConfigurationProblem] {
            Configuration.load(text: text, file: path, validateExpression: Expressions.complaint).problems
        }
        let now = problems(edited)
        if now.isEmpty { return [] }
        // Expressions are compiled for both: one that was wrong before is no new mistake.
        let known = Set(problems(text).map(\.withoutPlace))
        return now.filter { !known.contains($0.withoutPlace) }
    }

    /// Says why an edit is not made: by the file's own mistake and its place, where that is why.
    private func told(_ error: ConfigurationEditError) -> ExitCode {
        if error.isUnknownName { return failure(error.description, ExitStatus.usage) }
        for reference in error.references {
            let place = "\(path.shown):\(reference.position.line):\(reference.position.column)"
            Terminal.note("\(place): \(reference.path.shown) names it")
        }
        if !error.references.isEmpty {
            return failure("nothing was changed; \(error.description)", ExitStatus.badConfiguration)
        }
        let mistakes = before.problems.filter { $0.position == error.mistake }
        for mistake in mistakes { Terminal.note(mistake.description) }
        let reason = mistakes.isEmpty ? "\(path.shown): \(error.description)" : "nothing was changed"
        return failure(reason, ExitStatus.badConfiguration)
    }
}

extension SourceEntry {
    /// Why the configuration would not take it.
    var complaint: String? {
        do {
            let text = try ConfigurationEditor(text: "").adding([self])
            return Configuration.load(text: text, file: "").problems.first?.words
        } catch {
            return error.description
        }
    }
}

extension ConfigurationProblem {
    /// Without where it is.
    var words: String { message + (expected.map { "; expected \($0)" } ?? "") }

    /// What stays the same when lines move.
    fileprivate var withoutPlace: String { "\(path) \(message)" }
}
