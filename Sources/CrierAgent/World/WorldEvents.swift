import CLinux
import Foundation
import Synchronization

/// What happens around the process and changes what is due. On Linux the kernel tells of it, so nothing is looked at in vain.
enum WorldEvents {
    /// The wall clock was set, or the machine has slept (timerfd_create(2), `TFD_TIMER_CANCEL_ON_SET`).
    static func clockChanges() -> AsyncStream<ClockChange> {
        #if os(Linux)
            let descriptor = timerfd_create(CLOCK_REALTIME, Int32(TFD_NONBLOCK | TFD_CLOEXEC))
            guard descriptor >= 0 else { return DescriptorEvents.none() }
            guard arm(descriptor) else {
                close(descriptor)
                return DescriptorEvents.none()
            }
            let meter = ClockMeter()
            return DescriptorEvents.stream(of: descriptor) { descriptor in
                var count: UInt64 = 0
                let isCanceled = read(descriptor, &count, 8) < 0 && errno == ECANCELED
                _ = arm(descriptor)
                return isCanceled ? meter.change() : nil
            }
        #else
            return DescriptorEvents.none()
        #endif
    }

    /// A route has come or gone (rtnetlink(7)).
    static func networkChanges() -> AsyncStream<Void> {
        #if os(Linux)
            let groups = UInt32(RTMGRP_IPV4_ROUTE | RTMGRP_IPV6_ROUTE)
            guard let descriptor = netlink(NETLINK_ROUTE, groups: groups) else { return DescriptorEvents.none() }
            return DescriptorEvents.stream(of: descriptor) { descriptor in
                DescriptorEvents.drain(descriptor)
                return ()
            }
        #else
            return DescriptorEvents.none()
        #endif
    }

    /// A plug was put in or pulled out, or a battery says something else (the kernel's uevents, netlink(7)).
    static func powerChanges() -> AsyncStream<Void> {
        #if os(Linux)
            guard let descriptor = netlink(NETLINK_KOBJECT_UEVENT, groups: 1) else { return DescriptorEvents.none() }
            let subject = Array("SUBSYSTEM=power_supply".utf8)
            return DescriptorEvents.stream(of: descriptor) { descriptor in
                var isTold = false
                DescriptorEvents.drain(descriptor) { bytes in
                    if bytes.split(separator: 0).contains(where: { $0.elementsEqual(subject) }) { isTold = true }
                }
                return isTold ? () : nil
            }
        #else
            return DescriptorEvents.none()
        #endif
    }

    /// What is worth to be told of a file.
    enum FileSubject {
        /// There is something else to read: the file was written to its end or moved to its place, or the path leads to another
        /// one, as a folder or a link on the way was replaced.
        case content
        /// The path may lead to something else than before, or to nothing.
        case place
    }

    /// Something has happened to the file of this path (inotify(7)). It ends at once where the system does not tell.
    static func changes(of path: String, for subject: FileSubject) -> AsyncStream<Void> {
        #if os(Linux)
            let descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
            guard descriptor >= 0 else { return DescriptorEvents.none() }
            let first = FileWatch(of: path, for: subject, by: descriptor)
            guard first.isHeard else {
                close(descriptor)
                return DescriptorEvents.none()
            }
            let watch = Mutex(first)
            return DescriptorEvents.stream(of: descriptor) { descriptor in
                var events: [(inotify_event, String)] = []
                DescriptorEvents.drain(descriptor) { events += self.events(in: $0) }
                return watch.withLock { $0.isTold(by: events) } ? () : nil
            }
        #else
            return DescriptorEvents.none()
        #endif
    }

    #if os(Linux)
        /// A socket on which the kernel tells of something; nil where it does not.
        private static func netlink(_ family: Int32, groups: UInt32) -> Int32? {
            let kind = Int32(SOCK_RAW.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
            let descriptor = socket(AF_NETLINK, kind, family)
            guard descriptor >= 0 else { return nil }
            var address = sockaddr_nl()
            address.nl_family = sa_family_t(AF_NETLINK)
            address.nl_groups = groups
            let isBound = withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_nl>.size)) == 0
                }
            }
            if isBound { return descriptor }
            close(descriptor)
            return nil
        }

        /// Once far ahead; what counts is that it is ended before.
        private static func arm(_ descriptor: Int32) -> Bool {
            var wish = itimerspec()
            wish.it_value.tv_sec = time(nil) + 10 * 365 * 86_400
            return timerfd_settime(descriptor, Int32(TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET), &wish, nil)
                == 0
        }

        private static func events(in bytes: UnsafeRawBufferPointer) -> [(event: inotify_event, name: String)] {
            var events: [(inotify_event, String)] = []
            var offset = 0
            let header = MemoryLayout<inotify_event>.size
            while offset + header <= bytes.count {
                let event = bytes.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
                let end = min(bytes.count, offset + header + Int(event.len))
                let name = bytes[(offset + header)..<end].prefix { $0 != 0 }
                events.append((event, String(decoding: name, as: UTF8.self)))
                offset = end
            }
            return events
        }
    #endif
}
