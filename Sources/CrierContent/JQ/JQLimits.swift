/// The bounds of one run of a program, over all its inputs.
struct JQLimits {
    /// Seconds of computing, at least 1.
    var computingTime = 2
    /// The wall time, for a run that does not compute.
    var time: Duration = .seconds(10)
    /// The most values it may yield for one input.
    var outputs = 20_000
    /// Bytes that it may map beyond what the process has.
    var memory = 512 << 20
    /// Bytes of all it yields, as JSON.
    var outputBytes = 128 << 20
}
