#if os(Linux)
    import Foundation
    import Testing

    /// How much memory reading a feed takes, above what the program takes with a small one.
    @Suite(.serialized) struct ParseMemoryTests {
        private static let size = 10 * 1024 * 1024

        enum Form: String, CaseIterable {
            case rss, atom, jsonFeed
            /// Through plain paths, and through a program, which runs in a process of its own.
            case jsonByPaths, jsonByProgram

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
                case .jsonFeed, .jsonByPaths, .jsonByProgram:
                    "{\"version\":\"https://jsonfeed.org/version/1.1\",\"items\":[\(items.joined(separator: ","))]}"
                }
            }

            private func item(_ number: Int, _ text: String) -> String {
                switch self {
                case .rss:
                    "<item><guid>\(number)</guid><title>Item \(number)</title><description>\(text)</description></item>"
                case .atom:
                    "<entry><id>urn:\(number)</id><title>Item \(number)</title><summary>\(text)</summary></entry>"
                case .jsonFeed, .jsonByPaths, .jsonByProgram:
                    "{\"id\":\"\(number)\",\"title\":\"Item \(number)\",\"summary\":\"\(text)\"}"
                }
            }
        }

        private static func mapping(_ form: Form) -> [String] {
            let fields = ["--items", ".items[]", "--field", "id=.id", "--field", "summary=.summary", "--field"]
            return switch form {
            case .rss, .atom, .jsonFeed: []
            case .jsonByPaths: fields + ["title=.title"]
            case .jsonByProgram: fields + ["title=.title | ascii_downcase"]
            }
        }

        @Test(arguments: Form.allCases)
        func aFeedTakesLessThanSixTimesItsSize(_ form: Form) async throws {
            let crier = try BuiltCrier()
            try crier.folder.write(form.feed(size: 1), to: "small")
            try crier.folder.write(form.feed(size: Self.size), to: "large")
            let idle = try await peak(crier, "small", Self.mapping(form))
            let busy = try await peak(crier, "large", Self.mapping(form))
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

        /// The largest resident size of `crier parse`, in bytes: of its largest process as the kernel tells it (Foundation
        /// does not pass it on), or more where it was seen to have more together with a child, shared pages counted once.
        private func peak(_ crier: BuiltCrier, _ file: String, _ options: [String] = []) async throws -> Int {
            let script = """
                import os, re, resource, subprocess, sys
                def read(path):
                    try: return open(path).read()
                    except OSError: return ""
                def size(pid): return int((re.findall("^Pss: *([0-9]+)", read(f"/proc/{pid}/smaps_rollup"), re.M) or [0])[0])
                child = subprocess.Popen(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
                seen = 0
                while True:
                    try:
                        child.wait(0.02)
                        break
                    except subprocess.TimeoutExpired:
                        threads = os.listdir(f"/proc/{child.pid}/task")
                        children = {pid for thread in threads for pid in read(f"/proc/{child.pid}/task/{thread}/children").split()}
                        if children: seen = max(seen, size(child.pid) + sum(map(size, children)))
                print(child.returncode, max(seen, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss))
                """
            let process = crier.process([])
            process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            process.arguments =
                ["python3", "-c", script, BuiltCrier.binary, "parse", crier.folder.file(file)] + options
            let output = Pipe()
            process.standardOutput = output
            try await process.runToEnd()
            let words = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
                .split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
            // 65: refused in so many words.
            try #require(words.count == 2 && [0, 65].contains(words[0]), "\(words)")
            return words[1] * 1024
        }
    }
#endif
