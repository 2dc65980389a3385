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
    /// An element each time that the descriptor is readable; several that come before the reader looks are one.
    ///
    /// - Parameters:
    ///   - descriptor: Closed with the stream.
    ///   - isTold: Reads what is there, all of it, and says whether it is worth an element.
    static func stream(of descriptor: Int32, isTold: @escaping @Sendable (Int32) -> Bool) -> AsyncStream<Void> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let queue = DispatchQueue(label: "crier events")
            // Cancelling is safe from any thread (dispatch_source_cancel(3)); the Linux overlay does not say so.
            nonisolated(unsafe) let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
            source.setEventHandler { if isTold(descriptor) { continuation.yield() } }
            source.setCancelHandler { close(descriptor) }
            continuation.onTermination = { _ in source.cancel() }
            source.resume()
        }
    }

    /// For what cannot be watched here.
    static let none = AsyncStream<Void> { $0.finish() }

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
