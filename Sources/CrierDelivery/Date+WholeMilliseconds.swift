import struct Foundation.Date

extension Date {
    /// Since 1970; 0 where there is no such number.
    package var wholeMilliseconds: Int { Int(exactly: (timeIntervalSince1970 * 1000).rounded(.towardZero)) ?? 0 }
}
