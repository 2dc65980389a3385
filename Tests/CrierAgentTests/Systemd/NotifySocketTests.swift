import CrierTesting
import Foundation
import Testing

@testable import CrierAgent

@Suite("What the service manager is told, received by a socket like its own")
struct NotifySocketTests {
    @Test(arguments: [true, false])
    func everyMessageArrives(isAbstract: Bool) throws {
        let manager = try Manager(isAbstract: isAbstract)
        let socket = try #require(NotifySocket(environment: ["NOTIFY_SOCKET": manager.address]))
        #expect(socket.send(.ready, .status("3 sources\nnext in 5 min")))
        #expect(manager.received() == "READY=1\nSTATUS=3 sources next in 5 min")
        #expect(socket.send(.reloading(monotonicMicroseconds: 1_234_567)))
        #expect(manager.received() == "RELOADING=1\nMONOTONIC_USEC=1234567")
        #expect(socket.send(.watchdog))
        #expect(manager.received() == "WATCHDOG=1")
        #expect(socket.send(.stopping))
        #expect(manager.received() == "STOPPING=1")
    }

    @Test func reloadingIsDatedByTheMonotonicClock() throws {
        func moment() -> UInt64? {
            guard case .reloading(let moment) = NotifySocket.Message.reloadingNow else { return nil }
            return moment
        }
        let first = try #require(moment())
        #expect(try #require(moment()) >= first)
        let uptime = ProcessInfo.processInfo.systemUptime
        #expect(abs(Double(first) / 1_000_000 - uptime) < 3600)
    }

    @Test func whereNobodyListensNothingIsSent() throws {
        #expect(NotifySocket(environment: [:]) == nil)
        for address in ["", "/", "relative", "vsock:2:1234", "/" + String(repeating: "x", count: 200)] {
            #expect(NotifySocket(environment: ["NOTIFY_SOCKET": address]) == nil)
        }
        let folder = try TemporaryFolder()
        let gone = try #require(NotifySocket(environment: ["NOTIFY_SOCKET": folder.file("gone")]))
        #expect(!gone.send(.ready))
    }

    @Test func theWatchdogIsForOneProcess() {
        func timeout(_ environment: [String: String]) -> Duration? {
            NotifySocket.watchdogTimeout(environment: environment, processID: 42)
        }
        #expect(timeout(["WATCHDOG_USEC": "90000000"]) == .seconds(90))
        #expect(timeout(["WATCHDOG_USEC": "500", "WATCHDOG_PID": "42"]) == .microseconds(500))
        #expect(timeout(["WATCHDOG_USEC": "500", "WATCHDOG_PID": "43"]) == nil)
        for text in ["0", "-1", "soon", ""] { #expect(timeout(["WATCHDOG_USEC": text]) == nil) }
        #expect(timeout([:]) == nil)
    }
}

/// The manager's end: a datagram socket with a path or an abstract name.
private final class Manager {
    let address: String
    private let descriptor: Int32
    private let folder: TemporaryFolder

    init(isAbstract: Bool) throws {
        folder = try TemporaryFolder()
        address = isAbstract ? "@crier-test-\(UUID().uuidString)" : folder.file("notify")
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
        var bound = sockaddr_un()
        bound.sun_family = sa_family_t(AF_UNIX)
        let name = address.utf8.map { isAbstract && $0 == UInt8(ascii: "@") ? 0 : $0 }
        withUnsafeMutableBytes(of: &bound.sun_path) { $0.copyBytes(from: name) }
        let length = socklen_t(2 + name.count + (isAbstract ? 0 : 1))
        let status = withUnsafePointer(to: &bound) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, length) }
        }
        try #require(status == 0)
    }

    deinit { close(descriptor) }

    /// The datagram that has come; nil where none has.
    func received() -> String? {
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
        return count < 0 ? nil : String(decoding: buffer.prefix(count), as: UTF8.self)
    }
}
