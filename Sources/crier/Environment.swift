import Foundation

#if os(Linux)
    import CLinux
#endif

enum Environment {
    /// The variables that this process was started with, and those that it has set itself: what Foundation's `ProcessInfo` says.
    ///
    /// Foundation looks for the "=" of each among its characters rather than its bytes, which takes a fiftieth of a
    /// cold run's instructions.
    static var ofThisProcess: [String: String] {
        #if os(Linux)
            var variables: [String: String] = [:]
            guard var next = crier_environment() else { return variables }
            while let entry = next.pointee {
                next += 1
                guard let sign = strchr(entry, Int32(UInt8(ascii: "="))) else { continue }
                let name = String(decoding: UnsafeRawBufferPointer(start: entry, count: sign - entry), as: UTF8.self)
                variables[name] = String(cString: sign + 1)
            }
            return variables
        #else
            ProcessInfo.processInfo.environment
        #endif
    }
}
