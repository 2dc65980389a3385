/// One message of D-Bus, as far as calls to the bus itself and signals of one boolean go.
struct BusMessage {
    private static let call: UInt8 = 1
    private static let signal: UInt8 = 4

    private let kind: UInt8
    private let isBigEndian: Bool
    private let fields: ArraySlice<UInt8>
    private let body: ArraySlice<UInt8>

    /// Takes the first message off the bytes; nil where it is not there as a whole.
    init?(first bytes: inout [UInt8]) {
        guard bytes.count >= 16 else { return nil }
        isBigEndian = bytes[0] == UInt8(ascii: "B")
        kind = bytes[1]
        let bodyLength = Self.number(bytes[4..<8], isBigEndian)
        let fieldsEnd = 16 + Self.number(bytes[12..<16], isBigEndian)
        let bodyStart = (fieldsEnd + 7) / 8 * 8
        guard bytes.count >= bodyStart + bodyLength else { return nil }
        fields = ArraySlice(Array(bytes[16..<fieldsEnd]))
        body = ArraySlice(Array(bytes[bodyStart..<bodyStart + bodyLength]))
        bytes.removeFirst(bodyStart + bodyLength)
    }

    /// Whether it is a signal of this name, the field 3.
    func isSignal(_ member: String) -> Bool {
        let field =
            [3, 1, UInt8(ascii: "s"), 0] + Self.bytes(UInt32(member.utf8.count), isBigEndian) + member.utf8 + [0]
        return kind == Self.signal && Array(fields).firstRange(of: field) != nil
    }

    /// The body, where that is four bytes.
    var boolean: Bool? { body.count == 4 ? Self.number(body, isBigEndian) != 0 : nil }

    /// The bytes of a call to the bus.
    static func call(_ member: String, serial: UInt32, argument: String? = nil) -> [UInt8] {
        var body: [UInt8] = []
        if let argument { body = bytes(UInt32(argument.utf8.count), false) + argument.utf8 + [0] }
        var fields: [UInt8] = []
        add(1, "o", "/org/freedesktop/DBus", to: &fields)
        add(2, "s", "org.freedesktop.DBus", to: &fields)
        add(3, "s", member, to: &fields)
        add(6, "s", "org.freedesktop.DBus", to: &fields)
        if argument != nil {
            pad(&fields)
            fields += [8, 1, UInt8(ascii: "g"), 0, 1, UInt8(ascii: "s"), 0]
        }
        var message: [UInt8] = [UInt8(ascii: "l"), call, 0, 1]
        message += bytes(UInt32(body.count), false) + bytes(serial, false) + bytes(UInt32(fields.count), false) + fields
        pad(&message)
        return message + body
    }

    private static func add(_ code: UInt8, _ type: Character, _ text: String, to fields: inout [UInt8]) {
        pad(&fields)
        fields += [code, 1, type.asciiValue ?? 0, 0] + bytes(UInt32(text.utf8.count), false) + text.utf8 + [0]
    }

    private static func pad(_ bytes: inout [UInt8]) {
        while bytes.count % 8 != 0 { bytes.append(0) }
    }

    private static func bytes(_ number: UInt32, _ isBigEndian: Bool) -> [UInt8] {
        withUnsafeBytes(of: isBigEndian ? number.bigEndian : number.littleEndian) { Array($0) }
    }

    private static func number(_ bytes: ArraySlice<UInt8>, _ isBigEndian: Bool) -> Int {
        (isBigEndian ? Array(bytes) : bytes.reversed()).reduce(0) { $0 << 8 | Int($1) }
    }
}
