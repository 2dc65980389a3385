/// The attributes of a start tag as libxml2 lays them out: five pointers each (name, prefix, URI, value, end of value).
/// Valid only during the event that brings it.
struct XMLAttributes {
    private let base: UnsafeMutablePointer<UnsafePointer<UInt8>?>?
    private let count: Int

    init(_ base: UnsafeMutablePointer<UnsafePointer<UInt8>?>?, count: Int32) {
        self.base = base
        self.count = base == nil ? 0 : Int(count)
    }

    var isEmpty: Bool { count == 0 }

    /// The value of the attribute of that local name, whatever its prefix and letter case; one without a prefix goes first.
    func bytes(_ name: StaticString) -> UnsafeBufferPointer<UInt8>? {
        guard let base else { return nil }
        var prefixed: UnsafeBufferPointer<UInt8>?
        for index in 0..<count {
            let fields = base + 5 * index
            guard let local = fields[0], equalIgnoringCase(local, name) else { continue }
            if fields[1] == nil { return value(fields) }
            if prefixed == nil, !isXML(fields[1]) { prefixed = value(fields) }
        }
        return prefixed
    }

    /// The value as text without white space around it, nil where there is none.
    func string(_ name: StaticString) -> String? {
        bytes(name).flatMap { ByteText.string(ByteText.trimmed($0)) }
    }

    /// The value as a number of bytes; nil where it is none, as `-1` and `12 MB` are.
    func length(_ name: StaticString) -> Int? {
        string(name).flatMap { Int($0) }.flatMap { $0 < 0 ? nil : $0 }
    }

    /// `xml:base`.
    var xmlBase: String? {
        guard let base else { return nil }
        for index in 0..<count {
            let fields = base + 5 * index
            guard isXML(fields[1]), let local = fields[0], equalIgnoringCase(local, "base") else { continue }
            return value(fields).flatMap { ByteText.string(ByteText.trimmed($0)) }
        }
        return nil
    }

    private func value(_ fields: UnsafeMutablePointer<UnsafePointer<UInt8>?>) -> UnsafeBufferPointer<UInt8>? {
        guard let start = fields[3], let end = fields[4] else { return nil }
        return UnsafeBufferPointer(start: start, count: end - start)
    }

    private func isXML(_ prefix: UnsafePointer<UInt8>?) -> Bool {
        guard let prefix else { return false }
        return prefix[0] == UInt8(ascii: "x") && prefix[1] == UInt8(ascii: "m") && prefix[2] == UInt8(ascii: "l")
            && prefix[3] == 0
    }

    private func equalIgnoringCase(_ text: UnsafePointer<UInt8>, _ name: StaticString) -> Bool {
        let length = name.utf8CodeUnitCount
        for offset in 0..<length where text[offset] | 0x20 != name.utf8Start[offset] | 0x20 { return false }
        return text[length] == 0
    }
}
