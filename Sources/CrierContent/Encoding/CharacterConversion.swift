#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Other encodings to UTF-8, with U+FFFD for what is none.
enum CharacterConversion {
    /// nil where iconv does not know the encoding.
    static func utf8(_ bytes: ArraySlice<UInt8>, from name: String) -> [UInt8]? { converted(bytes, from: name)?.text }

    /// The same, with the number of bytes that the encoding has no character for.
    static func converted(_ bytes: ArraySlice<UInt8>, from name: String) -> (text: [UInt8], errors: Int)? {
        guard let descriptor = iconv_open("UTF-8", name), descriptor != iconv_t(bitPattern: -1) else { return nil }
        defer { iconv_close(descriptor) }
        var output: [UInt8] = []
        output.reserveCapacity(bytes.count + bytes.count / 4)
        let unit = name.hasPrefix("UTF-32") ? 4 : name.hasPrefix("UTF-16") ? 2 : 1
        let errors = bytes.withUnsafeBufferPointer { convert($0, of: unit, with: descriptor, into: &output) }
        return (output, errors)
    }

    /// - Parameter unit: the bytes that are skipped where they are no character.
    private static func convert(
        _ bytes: UnsafeBufferPointer<UInt8>, of unit: Int, with descriptor: iconv_t, into output: inout [UInt8]
    ) -> Int {
        guard let start = bytes.baseAddress else { return 0 }
        var errors = 0
        var source: UnsafeMutablePointer<CChar>? = UnsafeMutableRawPointer(mutating: start)
            .assumingMemoryBound(to: CChar.self)
        var sourceLeft = bytes.count
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64 * 1024) { block in
            while sourceLeft > 0 {
                var target = block.baseAddress
                var targetLeft = block.count
                let result = iconv(descriptor, &source, &sourceLeft, &target, &targetLeft)
                let failure = errno
                output.append(contentsOf: UnsafeRawBufferPointer(block).prefix(block.count - targetLeft))
                guard result == -1 else {
                    // Where marks follow letters, as in windows-1258, the last letter is kept back until it is asked for.
                    (target, targetLeft) = (block.baseAddress, block.count)
                    iconv(descriptor, nil, nil, &target, &targetLeft)
                    output.append(contentsOf: UnsafeRawBufferPointer(block).prefix(block.count - targetLeft))
                    return errors
                }
                if failure != E2BIG { errors += 1 }
                switch failure {
                case E2BIG: continue
                case EILSEQ:
                    output.append(contentsOf: UTF8Repair.replacement)
                    source = source.map { $0 + min(unit, sourceLeft) }
                    sourceLeft -= min(unit, sourceLeft)
                default:
                    // The document ends within a character.
                    output.append(contentsOf: UTF8Repair.replacement)
                    return errors
                }
            }
            return errors
        }
    }
}
