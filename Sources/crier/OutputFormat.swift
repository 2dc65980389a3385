import ArgumentParser
import CrierDelivery

/// What `--format` takes: that of the sink on standard output.
typealias OutputFormat = StdoutSink.Format

extension StdoutSink.Format: ExpressibleByArgument {}
