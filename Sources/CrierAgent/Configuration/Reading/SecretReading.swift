import CrierProcess

extension ConfigurationReader {
    /// Reads `{env: NAME}`, `{file: PATH}`, `{credential: NAME}` or `{command: […]}`.
    ///
    /// People write the secret itself into any of these places, so nothing that stands here is repeated in a problem,
    /// not even an unknown key.
    mutating func secret(_ node: YAMLNode, path: String) -> SecretReference? {
        do {
            return try secretReference(node)
        } catch {
            report(error.value, at: error.position, path: path)
            return nil
        }
    }

    private func secretReference(_ node: YAMLNode) throws(Located<ValueComplaint>) -> SecretReference {
        let expected = OptionType.secret.expectation
        guard let mapping = node.mapping else {
            throw Located(
                ValueComplaint("a secret does not stand in the configuration itself", expected: expected),
                node.position)
        }
        guard let (key, value) = mapping.first, mapping.count == 1 else {
            throw Located(ValueComplaint("a secret is found in exactly one place", expected: expected), node.position)
        }
        let name = key.text ?? ""
        switch name {
        case "env":
            let variable = try line(value, expected: "the name of an environment variable")
            guard Self.isVariableName(variable) else {
                throw Located(
                    ValueComplaint(
                        "this is no name of an environment variable", expected: "a name such as CRIER_SECRET, without $"
                    ),
                    value.position)
            }
            return .environment(variable)
        case "file":
            let file = try line(value, expected: "a path")
            if let complaint = OptionType.complaint(ofPath: file) { throw Located(complaint, value.position) }
            return .file(file)
        case "credential":
            let credential = try line(value, expected: "the name of a credential")
            guard Self.isCredentialName(credential) else {
                throw Located(
                    ValueComplaint(
                        "this is no name of a credential",
                        expected: "a name such as team-secret, as LoadCredential has it"
                    ), value.position)
            }
            return .credential(credential)
        case "command":
            return .command(try command(value))
        default:
            throw Located(
                ValueComplaint(
                    "unknown key", expected: "env, file, credential or command",
                    suggestion: nearest(to: name, among: ["env", "file", "credential", "command"])), key.position)
        }
    }

    private func command(_ node: YAMLNode) throws(Located<ValueComplaint>) -> [String] {
        let expected = OptionType.command.expectation
        guard let sequence = node.sequence, !sequence.isEmpty, sequence.count <= 1000 else {
            let found =
                switch node.sequence?.count {
                case nil: "\(node.kindInWords) where a list should be"
                case 0: "an empty list"
                default: "more than 1000 arguments"
                }
            throw Located(ValueComplaint(found, expected: expected), node.position)
        }
        var words: [String] = []
        for element in sequence { words.append(try line(element, expected: "text")) }
        if let complaint = OptionType.complaint(ofCommand: words) { throw Located(complaint, node.position) }
        return words
    }

    private func line(_ node: YAMLNode, expected: String) throws(Located<ValueComplaint>) -> String {
        do throws(ValueComplaint) {
            return try scalarText(node)
        } catch {
            throw Located(ValueComplaint(error.message, expected: error.expected ?? expected), node.position)
        }
    }

    /// One part of a path, of the characters that systemd allows (systemd.exec(5)) and no shell minds.
    private static func isCredentialName(_ text: String) -> Bool {
        guard let first = text.utf8.first, first != 0x2E, text.utf8.count <= 255 else { return false }
        return text.utf8.allSatisfy {
            switch $0 {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F: true
            default: false
            }
        }
    }

    private static func isVariableName(_ text: String) -> Bool {
        guard let first = text.utf8.first, !(0x30...0x39).contains(first) else { return false }
        return text.utf8.allSatisfy {
            switch $0 {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x5F: true
            default: false
            }
        }
    }
}
