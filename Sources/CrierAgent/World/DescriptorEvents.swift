import Dispatch

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// What the kernel tells by making a file descriptor readable.
enum DescriptorEvents {
    /// Nothing more will come.
    struct End: Error {}

    /// An element each time that the descriptor is readable; of several that come before the reader looks, the last.
    ///
    /// - Parameters:
    ///   - descriptor: Closed with the stream.
    ///   - element: Reads what is there, all of it, and says what it is worth; nil is nothing. ``End`` ends the
    ///     stream.
    static func stream<Element: Sendable>(
        of descriptor: Int32, _ element: @escaping @Sendable (Int32) throws -> Element?
    ) -> AsyncStream<Element> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let queue = DispatchQueue(label: "crier events")
            // Cancelling is safe from any thread (dispatch_source_cancel(3)); the Linux overlay does not say so.
            nonisolated(unsafe) let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
            source.setEventHandler {
                do {
                    if let element = try element(descriptor) { continuation.yield(element) }
                } catch {
                    continuation.finish()
                }
            }
            source.setCancelHandler { close(descriptor) }
            continuation.onTermination = { _ in source.cancel() }
            source.resume()
        }
    }

    /// For what cannot be watched here.
    static func none<Element: Sendable>() -> AsyncStream<Element> { AsyncStream { $0.finish() } }

    /// Reads until nothing is left.
    static func drain(_ descriptor: Int32, _ body: (UnsafeRawBufferPointer) -> Void = { _ in }) {
        withUnsafeTemporaryAllocation(byteCount: 8192, alignment: 16) { buffer in
            while true {
                let count = read(descriptor, buffer.baseAddress, buffer.count)
                guard count > 0 else { return }
                body(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            }
        }
    }
}
