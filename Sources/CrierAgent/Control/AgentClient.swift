import CrierDelivery
import CrierProcess
import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix

/// Talks to the agent of this user, if there is one.
public struct AgentClient: Sendable {
    /// Why the agent did not do what it was asked.
    public struct Failure: LocalizedError, Sendable, Hashable, CustomStringConvertible {
        public let description: String
        /// What to end with (``AgentEvent/status``).
        public var status: Int32?
        public var errorDescription: String? { description }
    }

    /// In the midst of its answer.
    private static let hungUp = Failure(description: "the agent has ended before its answer did")

    private let path: String
    /// Whose state it is that is asked about: who is trusted with that may be asked, too, as where root looks at a user's.
    private let owner: uid_t?
    /// An agent that answers does so at once, also on a busy machine; one that is stopped or stuck never does.
    private static let patience = TimeAmount.seconds(5)

    /// What the agent does now.
    public func status() async throws -> AgentStatus {
        var status: AgentStatus?
        try await exchange(.GET, "/v1/status") { line in
            status = try AgentEvent.decoder.decode(AgentStatus.self, from: line)
        }
        guard let status else { throw Failure(description: "the agent has said nothing") }
        return status
    }

    /// Has the agent write down what it keeps for the log.
    public func writeLog() async throws {
        try await exchange(.POST, "/v1/log") { _ in }
    }

    /// Nil where no agent answers at the socket.
    static func description(socket path: String) async -> AgentDescription? {
        await AgentClient(path: path, owner: nil).description()
    }

    private func description() async -> AgentDescription? {
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        var answer: AgentDescription?
        try? await exchange(.GET, "/v1/agent") { line in
            answer = try? AgentEvent.decoder.decode(AgentDescription.self, from: line)
        }
        return answer
    }

    /// The agent that works with this state; nil where none does.
    public static func ofState(
        _ statePath: String, environment: [String: String] = ProcessInfo.processInfo.environment
    ) async -> (client: AgentClient, description: AgentDescription)? {
        guard let path = ConfigurationPaths.socket(environment: environment) else { return nil }
        var state = stat()
        let client = AgentClient(path: path, owner: stat(statePath, &state) == 0 ? state.st_uid : nil)
        guard let description = await client.description(), description.state == SymbolicLinks.resolved(statePath)
        else { return nil }
        return (client, description)
    }

    /// Tells the agent of this state that the state has changed. False where there is none.
    @discardableResult
    public static func wake(_ statePath: String) async -> Bool {
        guard let (client, _) = await ofState(statePath) else { return false }
        do {
            try await client.exchange(.POST, "/v1/wake") { _ in }
            return true
        } catch {
            return false
        }
    }

    /// Has the agent fetch, and hears what it does meanwhile.
    ///
    /// - Parameters:
    ///   - visited: Called for each visit that has ended.
    ///   - show: Called for each notification that goes to standard output. False where it could not be shown: the agent does.
    /// - Throws: ``Failure``.
    public func fetch(
        _ order: FetchOrder, visited: (VisitAccount) async throws -> Void,
        show: (RaisedNotification) async throws -> Bool
    ) async throws -> RunAccount {
        var ended: RunAccount?
        var order = order
        order.confirms = true
        try await exchange(.POST, "/v1/fetch", body: try JSONEncoder.ofLines.encode(order)) { line in
            let event = try AgentEvent.decoder.decode(AgentEvent.self, from: line)
            if let reason = event.refused { throw Failure(description: reason, status: event.status) }
            if let account = event.ended { ended = account }
            if let visit = event.visited { try await visited(visit) }
            if let raised = event.raised { await confirm(raised, isShown: try await show(raised)) }
        }
        guard let ended else { throw Failure(description: "the agent has ended before the run did") }
        return ended
    }

    /// Hears of every notification that is raised, until the agent ends.
    ///
    /// - Parameters:
    ///   - isTerminal: Whether a person reads at a terminal, so that the desktop need not show it as well.
    ///   - show: False where it could not be shown, which ends the watch.
    public func watch(
        isTerminal: Bool, begin: () -> Void, show: (RaisedNotification) async throws -> Bool
    ) async throws {
        struct ReaderHasGone: Error {}
        do {
            try await exchange(.GET, "/v1/watch?terminal=\(isTerminal)&confirms=true", begin: begin) { line in
                let event = try AgentEvent.decoder.decode(AgentEvent.self, from: line)
                guard let raised = event.raised else { return }
                let isShown = try await show(raised)
                await confirm(raised, isShown: isShown)
                if !isShown { throw ReaderHasGone() }
            }
        } catch is ReaderHasGone {}
    }

    /// Tells the agent, where it waits for that, whether a notification was shown: it is recorded then, and not before.
    private func confirm(_ raised: RaisedNotification, isShown: Bool) async {
        guard let receipt = raised.receipt else { return }
        // One that is not told shows it itself.
        try? await exchange(.POST, "/v1/receipts/\(receipt)?shown=\(isShown)") { _ in }
    }

    /// Whether it is this user, the superuser or the state's owner who listens there: in a folder that is shared it may be anybody.
    private func trusts(_ channel: any Channel) async throws -> Bool {
        #if os(Linux)
            guard let options = channel as? any SocketOptionProvider else { return false }
            let name = NIOBSDSocket.Option(rawValue: SO_PEERCRED)
            let listener: SocketPeer = try await options.unsafeGetSocketOption(level: .socket, name: name).get()
            return [geteuid(), 0, owner].contains(listener.user)
        #else
            return true
        #endif
    }

    /// - Throws: ``Failure`` also where the agent does not begin to answer.
    private func exchange(
        _ method: HTTPMethod, _ uri: String, body: Data? = nil, begin: () -> Void = {},
        hear: (Data) async throws -> Void
    ) async throws {
        do {
            let channel = try await ClientBootstrap(group: AnswerService.eventLoops)
                .connect(unixDomainSocketPath: path) { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHTTPClientHandlers()
                        return try NIOAsyncChannel<HTTPClientResponsePart, HTTPClientRequestPart>(
                            wrappingChannelSynchronously: channel)
                    }
                }
            let patience = channel.channel.eventLoop.scheduleTask(in: Self.patience) {
                channel.channel.close(promise: nil)
            }
            defer { patience.cancel() }
            try await channel.executeThenClose { inbound, outbound in
                guard try await trusts(channel.channel) else {
                    throw Failure(description: "the agent is another user's")
                }
                var fields = HTTPHeaders([("host", "localhost"), ("connection", "close")])
                if let body { fields.add(name: "content-length", value: String(body.count)) }
                var parts: [HTTPClientRequestPart] = [
                    .head(HTTPRequestHead(version: .http1_1, method: method, uri: uri, headers: fields))
                ]
                if let body { parts.append(.body(.byteBuffer(ByteBuffer(bytes: body)))) }
                parts.append(.end(nil))
                // At once: where the agent has answered the head and hung up, the rest could not be written any more, and its
                // answer would be lost.
                try await outbound.write(contentsOf: parts)
                var rest = ByteBuffer()
                var answers = false
                for try await part in inbound {
                    switch part {
                    case .head(let head):
                        guard head.status.code < 300 else {
                            throw Failure(description: "the agent says \(head.status)")
                        }
                        patience.cancel()
                        answers = true
                        begin()
                    case .body(var bytes):
                        rest.writeBuffer(&bytes)
                        while let line = rest.readLine() { try await hear(line) }
                        rest.discardReadBytes()
                    case .end:
                        if rest.readableBytes > 0 { try await hear(Data(buffer: rest)) }
                        return
                    }
                }
                if !answers { throw Failure(description: "the agent does not answer") }
            }
        } catch is HTTPParserError, is IOError, is ChannelError {
            throw Self.hungUp
        }
    }
}

extension ByteBuffer {
    /// The bytes before the next line end; nil where there is none yet.
    fileprivate mutating func readLine() -> Data? {
        guard let end = readableBytesView.firstIndex(of: 0x0a) else { return nil }
        let line = readData(length: end - readerIndex)
        moveReaderIndex(forwardBy: 1)
        return line
    }

    fileprivate mutating func readData(length: Int) -> Data? { readBytes(length: length).map { Data($0) } }
}

extension Data {
    init(buffer: ByteBuffer) { self.init(buffer.readableBytesView) }
}
