import CrierProcess

/// The names by which the secrets of an address stand in it.
enum SecretNames {
    /// What one is made of.
    static let pattern = "[A-Za-z][-_A-Za-z0-9]*"

    static func isName(_ text: String) -> Bool {
        guard let expression = try? Regex(pattern) else { return false }
        return text.wholeMatch(of: expression) != nil
    }

    /// Why an address has no use for a secret; nil where it stands behind its host.
    static func complaint(of name: String, in url: String) -> ValueComplaint? {
        let mark = SentSecrets.mark(of: name)
        let authority = url.firstRange(of: "://").map { url[$0.upperBound...].prefix { !"/?#".contains($0) } } ?? ""
        if authority.contains(mark) {
            return ValueComplaint(
                "\(quoted(mark)) stands before the path",
                expected: "a secret in the path or the query; that of a user has its place in auth")
        }
        if url.contains(mark) { return nil }
        return ValueComplaint("\(quoted(mark)) does not stand in url", expected: "url: https://…?key=\(mark)")
    }
}

extension ConfigurationReader {
    /// By their names, which whoever takes this for a place of secrets themselves may have made of one: they are not repeated.
    mutating func secrets(_ node: YAMLNode, path: String) -> [String: SecretReference]? {
        let count = problems.count
        let section = section(node, key: nil, path: path, expected: OptionType.secrets.expectation)
        var secrets: [String: SecretReference] = [:]
        for entry in section.entries where visit(entry.value) {
            guard SecretNames.isName(entry.key) else {
                report(
                    ValueComplaint("this is no name of a secret", expected: "letters, digits, - and _, such as key"),
                    at: entry.position, path: path)
                continue
            }
            secrets[entry.key] = secret(entry.value, path: "\(path).\(entry.key)")
        }
        return problems.count == count ? secrets : nil
    }
}
