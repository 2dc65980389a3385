import CCurl
import CrierProcess
import Synchronization

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// What runs on the curl thread: every libcurl handle lives and dies here.
struct CurlLoop: ~Copyable {
    private let mailbox: CurlMailbox
    private let multi: UnsafeMutableRawPointer
    private let trust: TrustStore
    /// By the address of the handle.
    private var active: [Int: CurlTransfer] = [:]
    private var waiting = CurlQueue()
    private var handles = CurlHandles()
    private let idle = IdleConnections()
    /// From the first host on whose name needs it.
    private var locale: UTF8Locale?

    /// Far above what a polite poller has under way, far below the usual limit of 1024 open files.
    private static let maximumTransfers = 256
    /// Where fewer files may be open, visits need most of them.
    private static var maximumIdleConnections: Int { max(1, min(64, sysconf(Int32(_SC_OPEN_MAX)) / 8)) }

    /// Starts the thread, which ends after ``CurlMailbox/stop()``.
    static func start(_ mailbox: CurlMailbox, trust: TrustStore) {
        let refusal = OwnThread.begin("crier-http") {
            blockBrokenPipeSignal()
            guard isLibraryReady, let multi = curl_multi_init() else { return refuseAll(mailbox.giveUp(), .notReady) }
            // What cannot be woken, as there was no descriptor for it, would never hear of the first request.
            guard curl_multi_wakeup(multi) == CURLM_OK else {
                curl_multi_cleanup(multi)
                return refuseAll(mailbox.giveUp(), .notReady)
            }
            var loop = CurlLoop(mailbox: mailbox, multi: multi, trust: trust)
            loop.run()
            mailbox.didEnd()
        }
        if let refusal { refuseAll(mailbox.giveUp(), HTTPError(.transfer, refusal)) }
    }

    private init(mailbox: CurlMailbox, multi: UnsafeMutableRawPointer, trust: TrustStore) {
        self.mailbox = mailbox
        self.multi = multi
        self.trust = trust
        _ = crier_multi_set_long(multi, CURLMOPT_MAXCONNECTS, Self.maximumIdleConnections)
        mailbox.attach(multi)
    }

    private mutating func run() {
        while let commands = mailbox.take() {
            for command in commands { carryOut(command) }
            // What is started is performed at once, not after a poll.
            repeat {
                startWaiting()
                var running: Int32 = 0
                curl_multi_perform(multi, &running)
                collect()
            } while !waiting.isEmpty && active.count < Self.maximumTransfers
            // libcurl shortens the time to its own timers; without a transfer only a wake-up ends it.
            if mailbox.rest() { curl_multi_poll(multi, nil, 0, waiting.milliseconds, nil) }
        }
        let rest = mailbox.detach()
        for transfer in active.values {
            curl_multi_remove_handle(multi, transfer.easy)
            curl_easy_cleanup(transfer.easy)
            transfer.finish(.failure(.shutDown))
        }
        for (_, reply) in waiting.takeAll() { reply.resume(returning: .failure(.shutDown)) }
        Self.refuseAll(rest, .shutDown)
        handles.end()
        curl_multi_cleanup(multi)
    }

    private mutating func carryOut(_ command: CurlMailbox.Command) {
        switch command {
        case .start(let exchange, let reply):
            if exchange.isCancelled.load(ordering: .acquiring) { return reply.resume(returning: .failure(.cancelled)) }
            waiting.append((exchange, reply))
        case .cancel(let exchange):
            if let entry = waiting.take(exchange) { return entry.reply.resume(returning: .failure(.cancelled)) }
            guard let transfer = active.values.first(where: { $0.exchange === exchange }) else { return }
            curl_multi_remove_handle(multi, transfer.easy)
            retire(transfer, .failure(.cancelled))
        case .run(let job, let lane): job.runSynchronously(on: lane)
        }
    }

    /// Starts what there is room for, and ends what has waited for too long.
    private mutating func startWaiting() {
        if !waiting.isEmpty { idle.closeUnclean() }
        while active.count < Self.maximumTransfers, let (exchange, reply) = waiting.takeFirst() {
            start(exchange, reply)
        }
        for (exchange, reply) in waiting.takeExpired() {
            let hop = exchange.hop
            reply.resume(returning: .failure(.noAnswer(from: hop.url, within: hop.limits.total)))
        }
    }

    private mutating func start(_ exchange: CurlExchange, _ reply: CurlMailbox.Reply) {
        let easy: UnsafeMutableRawPointer
        do throws(HTTPError) { easy = try handles.take() } catch { return reply.resume(returning: .failure(error)) }
        let transfer = CurlTransfer(exchange, easy: easy, idle: idle, reply: reply)
        active[Int(bitPattern: easy)] = transfer
        if locale == nil, exchange.hop.namesHostBeyondASCII { locale = UTF8Locale() }
        if let error = transfer.prepare(trust: trust) { return retire(transfer, .failure(error)) }
        guard curl_multi_add_handle(multi, easy) == CURLM_OK else {
            return retire(transfer, .failure(HTTPError(.transfer, "libcurl does not take the transfer")))
        }
    }

    private mutating func collect() {
        var left: Int32 = 0
        while let message = curl_multi_info_read(multi, &left) {
            guard message.pointee.msg == CURLMSG_DONE, let easy = message.pointee.easy_handle,
                let transfer = active[Int(bitPattern: easy)]
            else { continue }
            let code = message.pointee.data.result
            let result = transfer.result(code)
            idle.add(connectionOf: transfer)
            curl_multi_remove_handle(multi, easy)
            retire(transfer, result)
        }
    }

    /// Keeps the handle for the next transfer and hands the result over.
    private mutating func retire(_ transfer: CurlTransfer, _ result: Result<CurlAnswer, HTTPError>) {
        active[Int(bitPattern: transfer.easy)] = nil
        idle.leave(transfer)
        handles.giveBack(transfer.easy, isUnchanged: transfer.leavesNothing(after: result))
        transfer.finish(result)
    }

    private static func refuseAll(_ commands: [CurlMailbox.Command], _ error: HTTPError) {
        for command in commands {
            switch command {
            case .start(_, let reply): reply.resume(returning: .failure(error))
            case .cancel: break
            case .run(let job, let lane): CurlLane.run(job, on: lane)
            }
        }
    }
}

/// Whether libcurl can be used. It is set up once for a process; where that fails, the next who asks tries again.
var isLibraryReady: Bool {
    readiness.withLock { isReady in
        if !isReady { isReady = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK }
        return isReady
    }
}

private let readiness = Mutex(false)

/// A peer that is gone is an error of one transfer, not the end of the process (CURLOPT_NOSIGNAL leaves that to us).
func blockBrokenPipeSignal() {
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGPIPE)
    pthread_sigmask(SIG_BLOCK, &signals, nil)
}
