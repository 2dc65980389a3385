#if canImport(Glibc)
    import CLinux
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Threads for what blocks. Foundation's say nothing where the system begins none, and whoever waits for one waits for ever.
package enum OwnThread {
    /// - Parameters:
    ///   - name: As the system shows it, of at most 15 bytes (pthread_setname_np(3)).
    ///   - work: Is not done where no thread begins.
    /// - Returns: Nil where it has begun, else why not: the system, or a limit, may allow no more.
    package static func begin(_ name: String, _ work: @escaping @Sendable () -> Void) -> String? {
        let body = Unmanaged.passRetained(Body(name: name, work: work))
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        #if canImport(Darwin)
            var thread: pthread_t?
            let code = pthread_create(&thread, &attributes, { OwnThread.run($0) }, body.toOpaque())
        #else
            var thread = pthread_t()
            let code = pthread_create(&thread, &attributes, { OwnThread.run($0!) }, body.toOpaque())
        #endif
        if code == 0 { return nil }
        body.release()
        return "no thread can be begun: \(String(cString: strerror(code)))"
    }

    private static func run(_ body: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
        let body = Unmanaged<Body>.fromOpaque(body).takeRetainedValue()
        #if canImport(Darwin)
            pthread_setname_np(body.name)
        #elseif canImport(Glibc)
            pthread_setname_np(pthread_self(), body.name)
        #endif
        body.work()
        return nil
    }

    private final class Body: Sendable {
        let name: String
        let work: @Sendable () -> Void

        init(name: String, work: @escaping @Sendable () -> Void) {
            self.name = name
            self.work = work
        }
    }
}
