#if os(Linux)
    import Foundation
    import Testing

    /// How much memory reading a feed takes, above what the program takes with a small one.
    @Suite(.serialized) struct ParseMemoryTests {
        private static let size = 10 * 1024 * 1024

        enum Form: String, CaseIterable {
            case rss, atom, jsonFeed

            /// A feed of this form, of at least so many bytes in items of about 2 KiB.
            func feed(size: Int) -> String {
                let text = String(repeating: "Some words of a summary. ", count: 80)
                var items: [String] = []
                var count = 0
                while count < size {
                    let item = item(items.count, text)
                    count += item.utf8.count + 1
                    items.append(item)
                }
                return switch self {
                case .rss: "<rss version=\"2.0\"><channel><title>t</title>\(items.joined())</channel></rss>"
                case .atom: "<feed xmlns=\"http://www.w3.org/2005/Atom\"><title>t</title>\(items.joined())</feed>"
                case .jsonFeed:
                    "{\"version\":\"https://jsonfeed.org/version/1.1\",\"items\":[\(items.joined(separator: ","))]}"
                }
            }

            private func item(_ number: Int, _ text: String) -> String {
                switch self {
                case .rss:
                    "<item><guid>\(number)</guid><title>Item \(number)</title><description>\(text)</description></item>"
                case .atom:
                    "<entry><id>urn:\(number)</id><title>Item \(number)</title><summary>\(text)</summary></entry>"
                case .jsonFeed: "{\"id\":\"\(number)\",\"title\":\"Item \(number)\",\"summary\":\"\(text)\"}"
                }
            }
        }

        @Test(arguments: Form.allCases)
        func aFeedTakesLessThanSixTimesItsSize(_ form: Form) async throws {
            let crier = try BuiltCrier()
            try crier.folder.write(form.feed(size: 1), to: "small")
            try crier.folder.write(form.feed(size: Self.size), to: "large")
            let idle = try await peak(crier, "small")
            let busy = try await peak(crier, "large")
            #expect(idle > 0 && busy - idle < 6 * Self.size, "\(form): \((busy - idle) / 1024) KiB above idle")
        }

        @Test func millionsOfEmptyObjectsAreRefusedInLittleMemory() async throws {
            let crier = try BuiltCrier()
            let objects = Array(repeating: "{}", count: 3_000_000).joined(separator: ",")
            try crier.folder.write("{\"items\":[\(objects)]}", to: "large")
            try crier.folder.write("{\"items\":[]}", to: "small")
            let idle = try await peak(crier, "small")
            let busy = try await peak(crier, "large")
            #expect(busy - idle < 6 * objects.utf8.count, "\((busy - idle) / 1024) KiB above idle")
        }

        /// The largest resident size of `crier parse`, in bytes, as the kernel tells its parent; Foundation does not pass
        /// it on.
        private func peak(_ crier: BuiltCrier, _ file: String) async throws -> Int {
            let script = """
                import resource, subprocess, sys
                subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
                print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
                """
            let process = crier.process([])
            process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            process.arguments = ["python3", "-c", script, BuiltCrier.binary, "parse", crier.folder.file(file)]
            let output = Pipe()
            process.standardOutput = output
            try await process.runToEnd()
            let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            return (Int(text.trimmingCharacters(in: .whitespacesAndNewlines)) ?? 0) * 1024
        }
    }
#endif
