import CrierFetch
import CrierHTTP
import CrierProcess
import Foundation

extension Doctor {
    /// Whether what sinks and sources need besides programs can be found. No secret is read, and no program that prints one is run.
    func secretFindings(_ configuration: Configuration?, _ services: [ServiceVariables]) -> [Finding] {
        guard let configuration else { return [] }
        var needed: [(user: String, secret: SecretReference)] = []
        for sink in configuration.sinks {
            needed += sink.settings.secrets.map { ("the sink \(sink.name)", $0) }
        }
        for source in configuration.sources {
            needed += source.request.allSecrets.map { ("the source \(source.name)", $0) }
        }
        var troubles: [Finding] = []
        for finding in needed.compactMap({ trouble(of: $0.user, with: $0.secret, services) })
        where !troubles.contains(finding) {
            troubles.append(finding)
        }
        let found = needed.isEmpty || !troubles.isEmpty ? [] : [Finding("secrets", .ok, "all are where they should be")]
        return found + troubles + passwordFindings(configuration) + authorityFindings(configuration)
    }

    /// Of passwords that stand in the configuration itself.
    private func passwordFindings(_ configuration: Configuration) -> [Finding] {
        let sources = configuration.sources.filter { source in
            var addresses = [source.request.proxy].compactMap(\.self)
            if case .url(let url) = source.address { addresses.append(url) }
            return addresses.contains { URLCredentials.removed(from: $0) != $0 }
        }
        let holders =
            sources.map { "the source \($0.name)" }
            + configuration.sinks.filter(\.settings.holdsPassword).map { "the sink \($0.name)" }
        guard let holder = holders.first, Self.isOpen(configPath) else { return [] }
        return [
            Finding(
                "secrets", .warn, "others may read \(configPath), and in it a password of \(holder)",
                remedy: "chmod go-r \(configPath); or have the password found elsewhere: man 5 crier.yaml")
        ]
    }

    /// Says of no secret where it is sought: people write the secret itself there.
    private func trouble(
        of user: String, with secret: SecretReference, _ services: [ServiceVariables]
    ) -> Finding? {
        let subject = "secrets"
        switch secret {
        case .environment(let name):
            let isSet = environment[name]?.isEmpty == false
            // What runs crier by itself may set it.
            guard let lack = isSet ? services.lacking(name).map({ "is set here; \($0)" }) : "is not set here" else {
                return nil
            }
            return Finding(
                subject, .warn, "a secret of \(user) is in an environment variable that \(lack)",
                remedy: "set it for what runs crier, too; or keep the secret in a file")
        case .file(let path):
            if canRead(path) {
                if let emptiness = emptiness(of: path) {
                    return Finding(
                        subject, .fail, "the file of a secret of \(user) is \(emptiness)",
                        remedy: "write the secret there, for you alone (chmod 600)")
                }
                guard HomePath.expanded(path, home: environment["HOME"]).map(Self.isOpen) == true else { return nil }
                return Finding(
                    subject, .warn, "a secret of \(user) is in a file that others may read",
                    remedy: "keep it for yourself (chmod 600)")
            }
            return Finding(
                subject, .fail, "a secret of \(user) is in a file that is not there or cannot be read",
                remedy: "write the file, for you alone (chmod 600)")
        case .command(let command):
            if ProgramPath.of(command.first ?? "", environment: environment) != nil { return nil }
            return Finding(
                subject, .fail, "a secret of \(user) is printed by a program that is not there",
                remedy: "install it, or name it by its path")
        case .credential:
            // Only the service that it is given to has it.
            return nil
        }
    }

    /// Why there can be no secret in what can be read, in words.
    private func emptiness(of path: String) -> String? {
        guard let status = HomePath.expanded(path, home: environment["HOME"]).flatMap(Self.status) else { return nil }
        switch status.st_mode & S_IFMT {
        case S_IFDIR: return "a folder"
        case S_IFREG: return status.st_size == 0 ? "empty" : nil
        default: return "no regular file"
        }
    }

    private func authorityFindings(_ configuration: Configuration) -> [Finding] {
        configuration.sources.compactMap { source in
            guard let file = source.request.caFile, !canRead(file) else { return nil }
            return Finding(
                "ca-file", .fail, "that of the source \(source.name), \(file), is not there or cannot be read",
                remedy: "write it there, or change ca-file")
        }
    }

    /// Whether everybody may read a file, and look into the folders that it lies in.
    private static func isOpen(_ path: String) -> Bool {
        var folder = URL(fileURLWithPath: path).deletingLastPathComponent()
        guard let file = status(of: path), file.st_mode & 0o004 != 0 else { return false }
        while let status = status(of: folder.path), status.st_mode & 0o001 != 0 {
            if folder.path == "/" { return true }
            folder.deleteLastPathComponent()
        }
        return false
    }

    private func canRead(_ path: String) -> Bool {
        HomePath.expanded(path, home: environment["HOME"]).map { access($0, R_OK) == 0 } ?? false
    }
}

extension SinkSettings {
    /// In its address or what it sends, as it stands in the configuration.
    fileprivate var holdsPassword: Bool {
        guard case .webhook(let settings) = self else { return false }
        if case .plain(let url) = settings.url, URLCredentials.removed(from: url) != url { return true }
        return settings.headers.contains { $0.key.lowercased() == "authorization" && $0.value.reference == nil }
    }

    fileprivate var secrets: [SecretReference] {
        switch self {
        case .stdout, .desktop, .file, .exec, .feed: []
        case .webhook(let settings):
            ([settings.url.reference, settings.secret] + settings.headers.values.map(\.reference)).compactMap(\.self)
        case .email(let settings): [settings.password].compactMap(\.self)
        case .apprise(let settings): [settings.targets]
        case .service(let service):
            switch service {
            case .ntfy(_, _, let token): [token].compactMap(\.self)
            case .gotify(_, let token), .telegram(_, _, let token), .matrix(_, _, let token): [token]
            case .slack(let url), .discord(let url), .mattermost(let url): [url]
            case .pushover(_, let token, let user): [token, user]
            }
        }
    }
}

extension SourceRequest {
    fileprivate var allSecrets: [SecretReference] {
        let fields = fields.compactMap(\.value.reference) + secrets.sorted { $0.key < $1.key }.map(\.value)
        switch authorization {
        case .basic(_, let secret), .bearer(let secret): return fields + [secret]
        case nil: return fields
        }
    }
}
