import CJQ

/// What a jq program says of an item.
public enum JQVerdict: Sendable, Hashable {
    /// It yields something, and neither false nor null.
    case met
    case unmet
    /// Why it fails on that item.
    case failed(String)
}

/// A jq program that says of an item whether it is wanted (`only`, `skip` and the rules of a source).
///
/// The program sees an ``ItemDocument``.
public struct JQFilter: Sendable {
    private let program: JQProgram

    /// - Throws: ``ContentError`` of the kind `badExpression` where the program does not compile, or `unavailable` without libjq.
    public init(_ text: String, programs: JQPrograms = JQPrograms()) throws(ContentError) {
        do throws(ContentError) {
            program = try programs.program("try (\(text)\n) catch {\"\(Self.fault)\": tostring}")
        } catch {
            // What is wrong with it is told of the text as it was written.
            program = try programs.program(text)
        }
    }

    /// The key of what is yielded where the program fails.
    private static let fault = "crier: failed"

    /// The key that the program looks up first, where no ``ItemDocument`` has it: then it says the same of each. Nil also where that
    /// cannot be told.
    package var unknownKey: String? {
        var key: String?
        // What has no keys at all complains of the first.
        let inputs = JQValue(owning: jv_array_append(jv_array(), jv_bool(1)))
        try? program.run(onEachOf: inputs, limits: JQLimits(computingTime: 1, outputs: 100)) {
            _, output throws(ContentError) in
            guard let reason = output[Self.fault].string else { return true }
            key = reason.wholeMatch(of: /Cannot index boolean with (?:string )?"(.+)"/).map { String($0.1) }
            return false
        }
        return key.flatMap { ItemDocument.keys.contains($0) ? nil : $0 }
    }

    /// Whether what a program yields comes from setting a value by `=`: its changed input, which is never false. Where that cannot be
    /// told, false.
    package static func yieldsAssigned(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        var (depth, isText, isComment, isAssigned) = (0, false, false, false)
        var index = 0
        while index < bytes.count {
            let (before, next) = (index > 0 ? bytes[index - 1] : 0, index + 1 < bytes.count ? bytes[index + 1] : 0)
            switch Character(Unicode.Scalar(bytes[index])) {
            case "\n": isComment = false
            case _ where isComment: break
            // Within a text there may be programs.
            case "\\" where isText && next == UInt8(ascii: "("): return false
            case "\\" where isText: index += 1
            case "\"": isText.toggle()
            case _ where isText: break
            case "#": isComment = true
            case "(", "[", "{": depth += 1
            case ")", "]", "}": depth -= 1
            case _ where depth > 0: break
            case "|" where next != UInt8(ascii: "="): isAssigned = false
            case "=" where next == UInt8(ascii: "="): index += 1
            case "=" where !"!<>|+-*/%".utf8.contains(before): isAssigned = true
            default: break
            }
            index += 1
        }
        return isAssigned
    }

    /// Whether the program holds `\b`, which is a backspace in a text of jq, and the edge of a word in an expression behind `\\`.
    package static func holdsBackspace(_ text: String) -> Bool {
        var bytes = text.utf8[...]
        while let place = bytes.firstIndex(of: UInt8(ascii: "\\")) {
            let next = bytes[place...].dropFirst()
            if next.first == UInt8(ascii: "b") { return true }
            bytes = next.dropFirst()
        }
        return false
    }

    /// How many answers the program gives on an item, 100 at most; none where it fails.
    package func answers(on item: ContentItem) -> Int {
        var count = 0
        let inputs = JQValue(owning: jv_array_append(jv_array(), JQValue(item).reference()))
        try? program.run(onEachOf: inputs, limits: JQLimits(computingTime: 1, outputs: 100)) {
            _, output throws(ContentError) in
            count += output[Self.fault].string == nil ? 1 : 0
            return true
        }
        return count
    }

    /// Of each item.
    ///
    /// - Throws: ``ContentError`` where the program takes too long, or all memory.
    public func verdicts(on items: [ContentItem]) throws(ContentError) -> [JQVerdict] {
        guard !items.isEmpty else { return [] }
        var verdicts: [JQVerdict?] = Array(repeating: nil, count: items.count)
        let inputs = JQValue(owning: items.reduce(jv_array()) { jv_array_append($0, JQValue($1).reference()) })
        try program.run(onEachOf: inputs, limits: JQLimits(outputs: 100)) { index, output throws(ContentError) in
            if let reason = output[Self.fault].string {
                verdicts[index] = .failed(reason)
            } else if verdicts[index] ?? .met == .met {
                verdicts[index] = output.isTruthy ? .met : .unmet
            }
            return true
        }
        return verdicts.map { $0 ?? .unmet }
    }

    /// The items for which the verdict is that, and those of which there is none: what cannot be judged is not left out.
    ///
    /// - Parameter faults: Gets to know why there is none, by identifier.
    public func items(
        _ items: [ContentItem], areKept: Bool = true, faults: inout [String: String]
    ) throws(ContentError) -> [ContentItem] {
        try zip(items, verdicts(on: items)).filter { item, verdict in
            guard case .failed(let reason) = verdict else { return (verdict == .met) == areKept }
            faults[item.identifier] = faults[item.identifier] ?? reason
            return true
        }.map(\.0)
    }
}
