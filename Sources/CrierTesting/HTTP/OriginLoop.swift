import class Foundation.Thread

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The thread of a ``ScriptedOrigin``: one `poll` over the port and every connection.
struct OriginLoop {
    private let script: OriginScript
    private let listener: Int32
    private let wakeDescriptor: Int32
    private var connections: [Int32: OriginConnection] = [:]

    static func start(listener: Int32, script: OriginScript) throws(OriginError) {
        let (reading, writing) = try LoopbackSocket.makePipe()
        script.attach(wakeDescriptor: writing)
        let thread = Thread {
            var loop = OriginLoop(script: script, listener: listener, wakeDescriptor: reading)
            loop.run()
        }
        thread.name = "scripted-origin"
        thread.start()
    }

    private init(script: OriginScript, listener: Int32, wakeDescriptor: Int32) {
        self.script = script
        self.listener = listener
        self.wakeDescriptor = wakeDescriptor
    }

    private mutating func run() {
        while !script.withState({ $0.isStopped }) {
            var polled = [listener, wakeDescriptor].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            for connection in connections.values {
                let events = POLLIN | (connection.hasOutput ? POLLOUT : 0)
                polled.append(pollfd(fd: connection.descriptor, events: Int16(events), revents: 0))
            }
            poll(&polled, nfds_t(polled.count), -1)
            if polled[0].revents != 0 { acceptAll() }
            if polled[1].revents != 0 { drainWakeUps() }
            for entry in polled.dropFirst(2) where entry.revents & ~Int16(POLLOUT) != 0 { receive(entry.fd) }
            let openGates = script.withState { $0.openGates }
            for descriptor in Array(connections.keys) { advance(descriptor, openGates) }
        }
        for descriptor in Array(connections.keys) { end(descriptor) }
        close(listener)
        // Whoever wakes it up would else write to a pipe that nobody reads, and be ended by that.
        script.detach()
        close(wakeDescriptor)
    }

    private mutating func acceptAll() {
        while true {
            let descriptor = accept(listener, nil, nil)
            guard descriptor >= 0 else { return }
            LoopbackSocket.setNonblocking(descriptor)
            connections[descriptor] = OriginConnection(descriptor: descriptor)
            script.withState { $0.accepted += 1 }
        }
    }

    private func drainWakeUps() {
        var buffer = [UInt8](repeating: 0, count: 256)
        while read(wakeDescriptor, &buffer, buffer.count) > 0 {}
    }

    private mutating func receive(_ descriptor: Int32) {
        guard connections[descriptor]?.receive() == true else { return end(descriptor) }
        while let request = connections[descriptor]?.nextRequest() {
            connections[descriptor]?.enqueue(script.answer(request).steps(method: request.method))
        }
    }

    private mutating func advance(_ descriptor: Int32, _ openGates: Set<String>) {
        if connections[descriptor]?.advance(openGates: openGates) == false { end(descriptor) }
    }

    private mutating func end(_ descriptor: Int32) {
        guard connections.removeValue(forKey: descriptor) != nil else { return }
        close(descriptor)
        script.withState { $0.closed += 1 }
    }
}

/// One client's connection.
struct OriginConnection {
    let descriptor: Int32
    private var input: [UInt8] = []
    private var output: ArraySlice<UInt8> = []
    private var steps: ArraySlice<ScriptedAnswer.Step> = []

    init(descriptor: Int32) {
        self.descriptor = descriptor
    }

    var hasOutput: Bool { !output.isEmpty }

    /// False once the client has gone.
    mutating func receive() -> Bool {
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            if count < 0 { return errno == EAGAIN || errno == EINTR }
            guard count > 0 else { return false }
            input += buffer[..<count]
        }
    }

    mutating func nextRequest() -> ReceivedRequest? { ReceivedRequest(takenFrom: &input) }

    mutating func enqueue(_ more: [ScriptedAnswer.Step]) { steps += more }

    /// Sends what can be sent. False when the connection is to be closed.
    mutating func advance(openGates: Set<String>) -> Bool {
        while true {
            while !output.isEmpty {
                guard let count = LoopbackSocket.send(descriptor, output) else { return false }
                guard count > 0 else { return true }
                output.removeFirst(count)
            }
            switch steps.first {
            case .bytes(let bytes): output = bytes[...]
            case .endless(let bytes):
                output = bytes[...]
                continue
            case .gate(let name): guard openGates.contains(name) else { return true }
            case .close: return false
            case .hang, nil: return true
            }
            steps.removeFirst()
        }
    }
}
