#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// libFuzzer over one format, which the environment names: `CRIER_FUZZ_FORMAT=feeds CrierFuzz CORPUS`.
@main enum Fuzzer {
    static func main() {
        guard format != nil else {
            print("CRIER_FUZZ_FORMAT is one of", FuzzedFormat.allCases.map(\.rawValue).joined(separator: ", "))
            exit(64)
        }
        var count = CommandLine.argc
        var arguments: Arguments = CommandLine.unsafeArgv
        exit(runFuzzer(&count, &arguments) { read($0, $1) })
    }

    fileprivate static let format = getenv("CRIER_FUZZ_FORMAT").flatMap { FuzzedFormat(rawValue: String(cString: $0)) }
}

/// The name that libFuzzer's library wants to find.
@_cdecl("LLVMFuzzerTestOneInput")
func read(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    Fuzzer.format?.read(UnsafeBufferPointer(start: bytes, count: count))
    return 0
}

private typealias Arguments = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>

/// libFuzzer's own entry for programs that have a main function (llvm.org/docs/LibFuzzer.html, "Using libFuzzer as a
/// library").
@_silgen_name("LLVMFuzzerRunDriver")
private func runFuzzer(
    _ count: UnsafeMutablePointer<Int32>, _ arguments: UnsafeMutablePointer<Arguments>,
    _ body: @convention(c) (UnsafePointer<UInt8>?, Int) -> Int32
) -> Int32
