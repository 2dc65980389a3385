import CrierProcess
import CrierTesting
import Foundation
import Testing

@testable import CrierAgent

/// A real `dbus-daemon`, and somebody on it who says what logind says.
@Suite(.timeLimit(.minutes(5))) struct SystemBusTests {
    private static let logind = """
        import dbus, dbus.service
        from dbus.mainloop.glib import DBusGMainLoop
        from gi.repository import GLib
        DBusGMainLoop(set_as_default=True)
        bus = dbus.SystemBus()
        class Manager(dbus.service.Object):
            @dbus.service.signal('org.freedesktop.login1.Manager', signature='s')
            def SessionNew(self, name): pass
            @dbus.service.signal('org.freedesktop.login1.Manager', signature='b')
            def PrepareForSleep(self, begins): pass
            @dbus.service.method('org.freedesktop.login1.Manager', in_signature='s')
            def Say(self, begins):
                self.SessionNew('c1')
                self.PrepareForSleep(begins == 'true')
        name = dbus.service.BusName('org.freedesktop.login1', bus)
        manager = Manager(bus, '/org/freedesktop/login1')
        print('ready', flush=True)
        GLib.MainLoop().run()
        """

    @Test func aBusThatHasHungUpIsNoSignal() throws {
        var ends: [Int32] = [-1, -1]
        try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
        close(ends[0])
        defer { close(ends[1]) }
        // It would go to the thread that writes, and end the process; while it is blocked there it can be seen.
        var (pipeSignal, mask, pending) = (sigset_t(), sigset_t(), sigset_t())
        sigemptyset(&pipeSignal)
        sigaddset(&pipeSignal, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &pipeSignal, &mask)
        let isSent = SystemBus.hasSent([0], to: ends[1])
        sigpending(&pending)
        let isSignalled = sigismember(&pending, SIGPIPE) == 1
        if isSignalled {
            var taken: Int32 = 0
            sigwait(&pipeSignal, &taken)
        }
        pthread_sigmask(SIG_SETMASK, &mask, nil)
        #expect(!isSent)
        #expect(!isSignalled)
    }

    @Test(.enabled(if: FakeNetworkManager.isPossible, "dbus-daemon or python3-dbus is not installed"))
    func whatLogindSaysBeforeAndAfterASleepIsHeard() async throws {
        let folder = try TemporaryFolder()
        let configuration = try folder.write(FakeNetworkManager.configuration(in: folder), to: "bus.conf")
        let script = try folder.write(Self.logind, to: "logind.py")
        let variables = [
            "DBUS_SYSTEM_BUS_ADDRESS": "unix:path=\(folder.path)/bus",
            "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "",
        ]
        var heard = AsyncStream<Bool> { $0.finish() }.makeAsyncIterator()
        try await withProgram("dbus-daemon", ["--nofork", "--print-address", "--config-file", configuration]) { bus in
            _ = try await bus.firstLine()
            try await withProgram("/usr/bin/python3", [script], variables) { logind in
                _ = try await logind.firstLine()
                let address = "unix:path=/nowhere/bus;unix:guid=0,path=\(folder.path)/bus"
                let stream = SystemBus(environment: ["DBUS_SYSTEM_BUS_ADDRESS": address])
                    .booleans(of: SystemBus.prepareForSleep)
                heard = stream.makeAsyncIterator()
                for begins in [true, false] {
                    // Again and again, until it is heard: nobody says when the bus has begun to listen for us.
                    let talking = Task {
                        while !Task.isCancelled {
                            let call = BusCall(
                                .system, "org.freedesktop.login1", interface: "org.freedesktop.login1.Manager",
                                method: "Say", arguments: ["\(begins)"])
                            _ = await call.answer(variables: variables, limit: .seconds(10))
                        }
                    }
                    var value: Bool?
                    repeat { value = await heard.next() } while value == !begins
                    #expect(value == begins)
                    talking.cancel()
                    await talking.value
                }
            }
        }
        // A bus that goes ends the stream, and nothing turns in circles.
        while await heard.next() != nil {}
    }

    @Test func whereThereIsNoBusNothingIsHeard() async {
        for address in ["unix:path=/nowhere/bus", "tcp:host=localhost,port=1"] {
            let bus = SystemBus(environment: ["DBUS_SYSTEM_BUS_ADDRESS": address])
            for await _ in bus.booleans(of: SystemBus.prepareForSleep) { Issue.record("there is no bus") }
        }
        #expect(SystemBus(environment: [:]).address.text == "unix:path=/run/dbus/system_bus_socket")
    }

    @Test func aMessageIsReadInPiecesAndInEitherByteOrder() {
        var bytes: [UInt8] = []
        for byte in BusMessage.call("Hello", serial: 1) {
            #expect(BusMessage(first: &bytes) == nil)
            bytes.append(byte)
        }
        #expect(BusMessage(first: &bytes)?.isSignal("Hello") == false && bytes.isEmpty)
        // "B", a signal, four bytes of body; its only field is its name.
        bytes = [66, 4, 0, 1, 0, 0, 0, 4, 0, 0, 0, 1, 0, 0, 0, 10, 3, 1, 115, 0, 0, 0, 0, 1, 0x58, 0]
        bytes += [0, 0, 0, 0, 0, 0, 0, 0, 0, 1]
        let message = BusMessage(first: &bytes)
        #expect(message?.isSignal("X") == true && message?.isSignal("Y") == false && message?.boolean == true)
    }
}
