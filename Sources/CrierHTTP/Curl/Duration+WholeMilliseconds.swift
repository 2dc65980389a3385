extension Duration {
    /// From 1, as zero means "without limit" to libcurl, to 24 days, which is what its numbers hold.
    var wholeMilliseconds: Int {
        let (seconds, attoseconds) = min(max(self, .milliseconds(1)), .milliseconds(Int32.max)).components
        return Int(seconds * 1000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
    }
}
