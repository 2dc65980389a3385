import ArgumentParser
import CrierAgent
import CrierProcess

/// What a shell offers for the names of a configuration. It asks while somebody types: what cannot be read offers nothing.
extension CompletionKind {
    /// The sources that can be fetched.
    static var sources: CompletionKind { names { $0.sources.map(\.name) } }

    static var sinks: CompletionKind { names { $0.sinks.map(\.name) } }

    static var digests: CompletionKind { names { $0.digests.map(\.name) } }

    /// All sources, also those that are disabled or have a mistake.
    static var everySource: CompletionKind {
        offering { bytes, _ in
            guard let text = String(validating: bytes, as: UTF8.self) else { return [] }
            return (try? ConfigurationEditor(text: text).sources().map(\.name)) ?? []
        }
    }

    private static func names(_ names: @escaping @Sendable (Configuration) -> [String]) -> CompletionKind {
        offering { bytes, path in Configuration.load(bytes: bytes, file: path).configuration.map(names) ?? [] }
    }

    private static func offering(_ names: @escaping @Sendable ([UInt8], String) -> [String]) -> CompletionKind {
        .custom { words, _, _ in
            guard let path = ConfigurationPaths.configuration(option: option(in: words), environment: environment),
                let bytes = try? ConfigurationFile(path: path).read()
            else { return [] }
            return names(bytes, path).filter(isPlain)
        }
    }

    private static var environment: [String: String] { GlobalOptions.environment }

    /// What `--config` says as far as it is typed; bash takes a `=` for a word of its own.
    private static func option(in words: [String]) -> String? {
        let parts = words.flatMap { word in
            word.hasPrefix("--config=") ? ["--config", String(word.dropFirst(9))] : [word]
        }.filter { $0 != "=" }
        guard let path = parts.drop(while: { $0 != "--config" }).dropFirst().first else { return nil }
        return HomePath.expanded(path, home: environment["HOME"]) ?? path
    }

    /// Whether a name means nothing else to a shell: bash expands what it is offered.
    private static func isPlain(_ name: String) -> Bool {
        name.unicodeScalars.allSatisfy { scalar in
            let properties = scalar.properties
            if properties.isAlphabetic || properties.isGraphemeExtend || properties.isJoinControl { return true }
            return properties.numericType != nil || !scalar.isASCII && properties.isEmoji
                || "-_.+@%".unicodeScalars.contains(scalar)
        }
    }
}
