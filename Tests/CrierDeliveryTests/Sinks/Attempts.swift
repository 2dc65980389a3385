import CrierNotifications

import struct Foundation.Date

/// What outsiders put into titles: terminal sequences, options, shell, format and markup, reordering, a NUL.
let hostileTitle =
    "--help \u{1b}[31mred\u{1b}]8;;http://evil.example/\u{7}link\u{1b}]8;;\u{7} $(id) %s <script>\u{202e}gpj\u{0}\r!"

/// 2026-11-21 08:30:00 UTC.
let madeAt = Date(timeIntervalSince1970: 1_795_249_800)

extension DeliveryAttempt {
    static func of(
        _ content: NotificationContent, identifier: String = "gank:1", number: Int = 1, receipt: String? = nil,
        mayBeRaised: Bool = false
    ) -> DeliveryAttempt {
        DeliveryAttempt(
            request: NotificationRequest(identifier: identifier, content: content), number: number, created: madeAt,
            receipt: receipt, mayBeRaised: mayBeRaised)
    }

    static func titled(_ title: String, identifier: String = "gank:1") -> DeliveryAttempt {
        .of(NotificationContent(title: title), identifier: identifier)
    }
}

extension String {
    /// Whether anything in it steers a terminal, reorders text or is a NUL.
    var isHarmless: Bool {
        unicodeScalars.allSatisfy { scalar in
            let value = scalar.value
            return (value >= 0x20 || scalar == "\n") && !(0x7f...0x9f).contains(value)
                && !(0x202a...0x202e).contains(value) && !(0x2066...0x2069).contains(value)
        }
    }
}
