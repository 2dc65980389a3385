import CrierContent
import CrierDelivery
import CrierFetch
import CrierNotifications
import CrierProcess

import struct Foundation.Date
import class Foundation.ProcessInfo
import struct Foundation.URLComponents

extension Configuration {
    /// What may be said and comes to nothing, in words for the user and in file order: `FILE:LINE:COLUMN: KEY: what comes of it`.
    ///
    /// - Parameter statePath: Of the state that goes with it; nil where that is not known.
    public func remarks(at date: Date, statePath: String? = nil) -> [String] {
        let updates = (sources + disabledSources).filter { $0.updates != .ignore && $0.notify != .each }.map { source in
            remark(
                "sources.\(source.name).updates",
                "\"\(source.updates.rawValue)\" tells of nothing beside `notify: \(source.notify.rawValue)`; updates are "
                    + "told with `notify: each`")
        }
        let digests = digests.filter { $0.at.next(after: date, in: $0.timeZone) == nil }.map { digest in
            remark(
                "digests.\(digest.name).at",
                "\"\(printable(digest.at.text))\" never comes: what waits for the digest is not told")
        }
        // A week from now it is quiet still.
        let quiet = quietHours.end(at: date).map { $0.timeIntervalSince(date) >= 7 * 86_400 } ?? false
        let hours = quiet ? [remark("quiet-hours", "they never end: what waits for their end is not told")] : []
        let passwords = places.passwords.map { remark($0, Self.passwordRemark) }
        let all =
            updates + digests + tagRemarks + ruleRemarks + pathRemarks + loopRemarks + stateRemarks(statePath)
            + sinkRemarks + unusedRemarks + templateRemarks + hours + places.slips + passwords
        return Self.once(all.sorted { ($0.position, $0.path) < ($1.position, $1.path) }).map(\.description)
    }

    /// What several have in common, as by an alias, stands at one place and is told of the first.
    private static func once(_ remarks: [ConfigurationProblem]) -> [ConfigurationProblem] {
        func common(_ remark: ConfigurationProblem) -> ConfigurationProblem {
            var remark = remark
            remark.path = ""
            return remark
        }
        var counts = remarks.reduce(into: [:]) { $0[common($1), default: 0] += 1 }
        return remarks.compactMap { remark in
            var remark = remark
            guard let count = counts.removeValue(forKey: common(remark)) else { return nil }
            if count > 1 { remark.message += ", and so of \(count - 1) more" }
            return remark
        }
    }

    /// Of an address that carries a password.
    package static let passwordRemark =
        "it holds a password, for whoever sees this file; `auth: {user: NAME, password: {file: PATH}}` keeps it out"

    /// What can be used, and was most likely meant otherwise.
    package var slips: [ConfigurationProblem] { places.slips }

    /// Not where a source is left out because of a mistake: it may have the tag.
    private var tagRemarks: [ConfigurationProblem] {
        guard brokenSources.isEmpty else { return [] }
        return unusedTags.flatMap { path, tags in
            tags.map { remark(path, tag: $0, "no source has the tag \(quoted($0))") }
        }
    }

    /// Of sinks and hosts that stand there for nothing: most likely a name is misspelled, here or there. Not where a source is left out
    /// because of a mistake: it may be theirs.
    private var unusedRemarks: [ConfigurationProblem] {
        let all = sources + disabledSources
        guard brokenSources.isEmpty, !all.isEmpty else { return [] }
        let used = Set(
            all.flatMap { $0.sinks + $0.rules.flatMap { $0.sinks ?? [] } } + digests.flatMap(\.sinks))
        let unusedSinks = sinks.filter { !used.contains($0.name) }.map { sink in
            remark("sinks.\(sink.name)", "no source and no digest goes to it")
        }
        let unusedHosts = HostPaces(named: hosts).unused(by: all).map { host in
            remark("hosts.\(host)", "no source has an address of this host; it is paced if a redirect leads there")
        }
        return unusedSinks + unusedHosts
    }

    private var ruleRemarks: [ConfigurationProblem] {
        places.idleRules.flatMap { path, numbers in
            numbers.map { remark(path, "number \($0) does nothing, as it says neither `skip`, `level` nor `to`") }
        }
    }

    /// Of sinks that write the same file.
    private var pathRemarks: [ConfigurationProblem] {
        var writers: [String: String] = [:]
        return sinks.compactMap { sink in
            guard let path = sink.settings.path, let other = writers.updateValue(sink.name, forKey: path) else {
                return nil
            }
            return remark("sinks.\(sink.name).path", "the sink \(quoted(other)) writes the same file")
        }
    }

    /// Of sinks that write a file of the state: what stands there then is no state any more, or none can be made.
    private func stateRemarks(_ statePath: String?) -> [ConfigurationProblem] {
        guard let state = statePath.map(SymbolicLinks.resolved) else { return [] }
        let files = ["", ".lock", "-wal", "-shm"].map { state + $0 }
        return sinks.compactMap { sink in
            guard let place = sink.settings.place, files.contains(place) else { return nil }
            return remark("sinks.\(sink.name).path", "it is a file of the state, \(printable(state))")
        }
    }

    /// Of feeds that are read by a source which goes there: what it has told is new to it.
    private var loopRemarks: [ConfigurationProblem] {
        sinks.compactMap { sink in
            guard case .feed = sink.settings, let place = sink.settings.place else { return nil }
            let reader = sources.first { source in
                guard source.filePath.map(SymbolicLinks.resolved) == place else { return false }
                return source.sinks.contains(sink.name)
                    || source.rules.contains { $0.sinks?.contains(sink.name) ?? false }
            }
            return reader.map { reader in
                let words =
                    "the source \(quoted(reader.name)) reads this file and goes to this sink: it tells the same for ever"
                return remark("sinks.\(sink.name).path", words)
            }
        }
    }

    private var sinkRemarks: [ConfigurationProblem] {
        sinks.flatMap { sink in sink.settings.idleKeys.map { remark("sinks.\(sink.name).\($0.key)", $0.words) } }
    }

    /// Of keys that there are not, and of none at all.
    private var templateRemarks: [ConfigurationProblem] {
        let ofSinks = sinks.flatMap { sink in
            sink.settings.templates.map {
                (
                    "sinks.\(sink.name).\($0.key)", $0.text, TemplateSubject.notification,
                    sink.settings.mayBeConstant($0.key)
                )
            }
        }
        let ofDigests = digests.flatMap { digest in
            (digestTemplates[digest.name]?.templates ?? []).map {
                ("digests.\(digest.name).\($0.key)", $0.text, TemplateSubject.digest, false)
            }
        }
        return (ofSinks + ofDigests).flatMap { path, text, subject, mayBeConstant -> [ConfigurationProblem] in
            let keys = (try? NotificationTemplate(text, escaping: .plain))?.unknownKeys(of: subject)
            let named = keys?.known.sorted().first { text.contains("{\($0)}") }
            if !text.contains("{{"), named != nil || !mayBeConstant {
                let written = "a key is written {{\(named ?? "title")}}"
                return [remark(path, "it is the same for each \(subject.rawValue); \(written)")]
            }
            return (keys?.unknown ?? []).map { key in
                let known = keys?.known ?? []
                if known.contains(key) {
                    let holder = "only what a \(subject.rawValue) holds"
                    return remark(path, "\(holder) has the key \(quoted(key)): it gives nothing here")
                }
                let meant = nearest(to: key, among: known.sorted())
                let hint = meant.map { "; did you mean \(quoted($0))?" } ?? ""
                return remark(path, "\(quoted(key)) is no key of a \(subject.rawValue) and gives nothing\(hint)")
            }
        }
    }

    private func remark(_ path: String, tag: String? = nil, _ message: String) -> ConfigurationProblem {
        ConfigurationProblem(
            file: places.file, position: places[path, tag] ?? FilePosition(line: 1, column: 1), path: path,
            message: message)
    }
}

extension Source {
    /// Of the file that it reads.
    fileprivate var filePath: String? {
        guard case .url(let url) = address, let parts = URLComponents(string: url) else { return nil }
        return parts.scheme?.lowercased() == "file" ? parts.path : nil
    }
}

extension SinkSettings {
    /// Of the file that it writes.
    fileprivate var path: String? {
        switch self {
        case .file(let settings): settings.path
        case .feed(let settings): settings.path
        default: nil
        }
    }

    /// That file itself.
    fileprivate var place: String? {
        path.map { path in
            let home = ProcessInfo.processInfo.environment["HOME"]
            return SymbolicLinks.resolved(HomePath.expanded(path, home: home) ?? path)
        }
    }

    /// Those of the user's own, with the keys that hold them.
    fileprivate var templates: [(key: String, text: String)] {
        let all: [(String, String?)] =
            switch self {
            case .stdout(let settings): [("template", settings.template)]
            case .webhook(let settings): [("template", settings.template)]
            case .email(let settings):
                [("subject", settings.subject), ("template", settings.text), ("html", settings.html)]
            default: []
            }
        return all.compactMap { key, text in text.map { (key, $0) } }
    }

    /// Whether a template that is the same each time may be meant so: a subject, and what only calls a web hook.
    fileprivate func mayBeConstant(_ key: String) -> Bool {
        if case .webhook = self { true } else { key == "subject" }
    }

    /// The keys that come to nothing beside others, or without them, and what comes of each.
    fileprivate var idleKeys: [(key: String, words: String)] {
        switch self {
        case .stdout(let settings) where settings.template != nil && settings.format == .json:
            [("format", "\"json\" comes to nothing beside `template`")]
        case .webhook(let settings): settings.idleKeys
        case .email(let settings): settings.idleKeys
        default: []
        }
    }
}

extension EmailSinkSettings {
    fileprivate var idleKeys: [(key: String, words: String)] {
        let address = URLComponents(string: server)
        if address?.scheme?.lowercased() == "smtps", encryption == Encryption.none {
            return [("encryption", "\"none\" comes to nothing beside smtps://, which is encrypted from the start")]
        }
        // There a server says nothing before the connection is encrypted.
        guard address?.scheme?.lowercased() == "smtp", address?.port == 465 else { return [] }
        return [("server", "465 is the port of smtps://")]
    }
}

extension DigestTemplateTexts {
    fileprivate var templates: [(key: String, text: String)] {
        [("text", text), ("html", html), ("markdown", markdown)].compactMap { key, text in text.map { (key, $0) } }
    }
}

extension WebhookSinkSettings {
    fileprivate var idleKeys: [(key: String, words: String)] {
        var idle: [(String, String)] = []
        if template == nil, contentType != "application/json" {
            idle.append(("content-type", "it comes to nothing without `template`: what is sent is of `encoding`"))
        }
        if template != nil, encoding != .standard {
            idle.append(("encoding", "\"\(encoding.rawValue)\" comes to nothing beside `template`"))
        }
        if template != nil, !givesJSON {
            let words =
                "what it gives is no JSON, which `content-type: \(printable(contentType))` says; a text needs quotes, "
                + "as in {\"text\": \"{{title}}\"}"
            idle.append(("template", words))
        }
        if headers.keys.contains(where: { $0.lowercased() == "content-type" }) {
            let words = "it goes with `encoding`, and beside a template `content-type` says it"
            idle.append(("headers", "\"Content-Type\" is not sent: \(words)"))
        }
        return idle
    }

    /// False where JSON is promised, and none comes out of an item, a summary, a digest or a notice.
    fileprivate var givesJSON: Bool {
        guard Escaping.isJSON(contentType), let template,
            let template = try? NotificationTemplate(template, escaping: .json)
        else { return true }
        return TemplateSamples.attempts.contains { attempt in
            (try? JSONDocument.parse(Array(template.render(attempt).utf8))) != nil
        }
    }
}

/// Where a file says what may come to nothing. Files that say the same are equal, wherever it stands.
struct RemarkPlaces: Sendable, Hashable {
    private struct Place: Hashable {
        let path: String
        let tag: String?
    }

    let file: String
    /// The numbers of rules that do nothing, by the keys that hold them.
    var idleRules: [String: [Int]] = [:]
    /// Of conditions, HTTP fields and tags.
    var slips: [ConfigurationProblem] = []
    /// The keys of addresses that carry one.
    var passwords: [String] = []
    private var positions: [Place: FilePosition] = [:]

    init(file: String = "") {
        self.file = file
    }

    /// The first place of a key, or of a tag that it names.
    subscript(path: String, tag: String? = nil) -> FilePosition? {
        get { positions[Place(path: path, tag: tag)] }
        set { positions[Place(path: path, tag: tag)] = positions[Place(path: path, tag: tag)] ?? newValue }
    }

    /// How many remarks there are on what sources may share.
    var countOfShared: Int { slips.count + idleRules.count }

    mutating func note(_ tags: [Located<String>]?, at path: String) {
        for tag in tags ?? [] { self[path, tag.value] = tag.position }
    }

    static func == (one: RemarkPlaces, other: RemarkPlaces) -> Bool { true }

    func hash(into hasher: inout Hasher) {}
}
