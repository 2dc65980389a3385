extension FetchRun {
    /// Reads a usual command line without ArgumentParser, which would take a sixth of a run with one source to look through its own
    /// declarations (decision "A lean binary"): cron starts such a run every ten minutes.
    ///
    /// - Parameter arguments: What follows `fetch`.
    /// - Returns: What ``Fetch`` would make of them; nil where it is to be asked, as there is something else to them, be it right
    ///   or wrong.
    init?(plain arguments: ArraySlice<String>) {
        self.init()
        var rest = arguments
        while let argument = rest.popFirst() {
            switch argument {
            case "--force": force = true
            case "--scheduled": scheduled = true
            case "--dry-run": dryRun = true
            case "--quiet": quiet = true
            case "--exit-code": exitCode = true
            case "--format":
                guard let value = rest.popFirst(), let format = OutputFormat(rawValue: value) else { return nil }
                self.format = format
            case "--config":
                guard let path = rest.popFirst(), Self.isPlain(path) else { return nil }
                files.config = path
            case "--state":
                guard let path = rest.popFirst(), Self.isPlain(path) else { return nil }
                files.state = path
            default:
                guard Self.isPlain(argument) else { return nil }
                sources.append(argument)
            }
        }
        if scheduled, force || !sources.isEmpty { return nil }
    }

    /// Whether it cannot be an option.
    private static func isPlain(_ argument: String) -> Bool { !argument.isEmpty && !argument.hasPrefix("-") }
}
