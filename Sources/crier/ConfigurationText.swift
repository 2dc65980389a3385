import CrierAgent
import CrierFetch
import Foundation

/// The user's configuration file as text, to be edited.
struct ConfigurationText {
    let path: String
    private let text: String
    private let before: ConfigurationResult

    /// An absent file is an empty one.
    init(_ path: String) throws {
        self.path = path
        let bytes = [UInt8](FileManager.default.contents(atPath: path) ?? Data())
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw failure("the configuration \(path) is not UTF-8; nothing was changed", ExitStatus.badConfiguration)
        }
        self.text = text
        before = Configuration.load(text: text, file: path)
    }

    /// Of every source, also of those with a mistake.
    var names: Set<String> {
        Set(sources.map(\.name) + before.problems.compactMap(\.source))
    }

    /// The source that follows an address already.
    func name(ofSourceAt url: String) -> String? {
        sources.first { $0.address == .url(url) }?.name
    }

    private var sources: [Source] {
        (before.configuration?.sources ?? []) + (before.configuration?.disabledSources ?? [])
    }

    /// Writes the edited text if it can be read without a problem that was not there before.
    func edit(_ change: (ConfigurationEditor) throws(ConfigurationEditError) -> String) throws {
        do {
            let edited = try change(ConfigurationEditor(text: text))
            let known = Set(before.problems.map(\.withoutPlace))
            let problems = Configuration.load(text: edited, file: path, validateExpression: Expressions.complaint)
                .problems
            let new = problems.filter { !known.contains($0.withoutPlace) }
            if !new.isEmpty {
                for problem in new {
                    Terminal.note(
                        "\(problem.path): \(problem.message)\(problem.expected.map { "; expected \($0)" } ?? "")")
                }
                throw failure("nothing was written", ExitStatus.badConfiguration)
            }
            try ConfigurationFile(path: path).write(edited)
        } catch let error as ConfigurationFileError {
            throw failure("\(error)", ExitStatus.ioError)
        } catch let error as ConfigurationEditError {
            throw failure(error.description, ExitStatus.badConfiguration)
        }
    }
}

extension ConfigurationProblem {
    /// What stays the same when lines move.
    fileprivate var withoutPlace: String { "\(path) \(message)" }
}
