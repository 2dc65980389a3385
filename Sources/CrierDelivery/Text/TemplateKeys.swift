import CrierNotifications
import Mustache

/// What a template is written over.
package enum TemplateSubject: String, Sendable {
    case notification, digest

    fileprivate func samples(for template: NotificationTemplate) -> [[String: UserInfoValue]] {
        switch self {
        case .notification: TemplateSamples.attempts.map { template.members(of: $0) }
        case .digest: [TemplateSamples.digest.members]
        }
    }
}

extension NotificationTemplate {
    /// The keys that it asks for and that there are not, as it asks for them, with all that there are. They give nothing, and are
    /// misspelled, most likely. Of `userInfo` everything counts as a key, as it may hold what a program put there.
    package func unknownKeys(of subject: TemplateSubject) -> (unknown: [String], known: Set<String>) {
        var (unknown, known): ([String], Set<String>) = ([], [])
        for members in subject.samples(for: self) {
            let probe = TemplateProbe(TemplateObject(members: members, writing: writing))
            _ = render(probe)
            unknown += probe.unknown.filter { !unknown.contains($0) }
            known.formUnion(UserInfoValue.object(members.filter { $0.key != TemplateProbe.open }).keys)
        }
        return (unknown, known)
    }
}

extension UserInfoValue {
    /// Those of it and of what it holds.
    fileprivate var keys: Set<String> {
        switch self {
        case .object(let members): members.values.reduce(Set(members.keys)) { $0.union($1.keys) }
        case .array(let elements): elements.reduce([]) { $0.union($1.keys) }
        default: []
        }
    }
}

/// What stands around everything else, and is asked for what nothing within has.
private final class TemplateProbe: MustacheParent {
    /// Whose keys nobody knows.
    static let open = "userInfo"

    private let document: TemplateObject
    private(set) var unknown: [String] = []

    init(_ document: TemplateObject) {
        self.document = document
    }

    func child(named name: String) -> Any? {
        if name == Self.open, document.child(named: name) != nil { return OpenObject() }
        if let child = document.child(named: name) { return child }
        if !unknown.contains(name) { unknown.append(name) }
        return nil
    }
}

/// Has whatever it is asked for.
private struct OpenObject: MustacheParent {
    func child(named name: String) -> Any? { OpenObject() }
}
