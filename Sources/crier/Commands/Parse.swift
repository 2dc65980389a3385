import ArgumentParser
import CrierContent
import Foundation

struct Parse: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "parse", abstract: "Read documents from files and show their items.",
        discussion: """
            Mapping options read JSON, HTML or XML files that are no feeds, as a source with the same options would:
              crier parse today.json --items '.posts[]' \\
                --field title=.name --field url=.link
            Dates without a zone are in UTC unless --time-zone says otherwise.

            --format json prints one object per file:
              {"file","format","items":[{"id","title","url","published","updated",
                "summary","content","authors","categories",
                "attachments":[{"url","type","length","duration","title"}],
                "image","commentsURL","externalURL","sourceTitle"}]}
              {"file","error"}   for a file that is no feed
            Dates are ISO 8601 in UTC, what an item lacks is null, and "content" is null where "summary" is all of it.
            Exit status: 65 when a file is no feed, 66 when one is not there or cannot be read.
            """)

    @OptionGroup var mapping: MappingOptions

    @Option(help: "text or json.")
    var format: OutputFormat = .text

    @Argument(help: "The files; - is standard input.", completion: .file(), transform: FilePath.notEmpty)
    var files: [String]

    func run() async throws {
        var mapping = try mapping.mapping()
        // The same on every machine.
        if self.mapping.timeZone == nil { mapping.timeZone = .gmt }
        let decoder = ContentDecoder(mapping: mapping)
        var status: ExitCode?
        for file in files {
            do {
                let bytes = try Self.read(file)
                let document = ContentDocument(body: bytes, url: "")
                let content = try decoder.decode(document)
                if let complaint = self.mapping.complaint(of: content.format) {
                    Terminal.note("\(file.shown): \(complaint)")
                }
                if self.mapping.isGiven {
                    for remark in content.remarks { Terminal.note("\(file.shown): \(remark.shown)") }
                }
                tell(file, content)
            } catch {
                if status != ExitStatus.noInput { status = Self.status(of: error) }
                if format == .json {
                    JSONLine.write(ParsedFailure(file: file, error: "\(error)"))
                } else {
                    Terminal.error("\(file.shown): \("\(error)".shown)")
                }
            }
        }
        if let status { throw status }
    }

    /// The bytes of a file, or of standard input.
    ///
    /// - Throws: ``UnreadableFile``.
    static func read(_ file: String) throws -> [UInt8] {
        do {
            let handle = file == "-" ? FileHandle.standardInput : try open(file)
            var length = 0
            // Once in memory, whatever its size.
            if let start = try? handle.offset(), let end = try? handle.seekToEnd() {
                try handle.seek(toOffset: start)
                length = Int(clamping: min(end - min(start, end), UInt64(longestDocument)))
            }
            // One more, to meet the end.
            var bytes = try piece(of: handle, upTo: length + 1)
            var isAtEnd = bytes.count <= length
            while !isAtEnd {
                let next = try piece(of: handle, upTo: 1 << 16)
                isAtEnd = next.isEmpty
                bytes += next
                guard bytes.count <= longestDocument else {
                    throw UnreadableFile(description: "is longer than \(longestDocument >> 20) MiB")
                }
            }
            return bytes
        } catch let error as UnreadableFile {
            throw error
        } catch {
            throw UnreadableFile(description: "cannot be read: \(cause(of: error))")
        }
    }

    /// As the system finds it: a URL of Foundation's takes `~` for the home folder, and `..` behind a link for the link's.
    private static func open(_ file: String) throws -> FileHandle {
        let descriptor = Foundation.open(file, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        return FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }

    /// As many bytes as asked for, fewer at the end.
    private static func piece(of handle: FileHandle, upTo length: Int) throws -> [UInt8] {
        try [UInt8](unsafeUninitializedCapacity: length) { buffer, filled in
            while filled < length {
                let rest = UnsafeMutableRawBufferPointer(buffer)[filled...]
                let count = Foundation.read(
                    handle.fileDescriptor, UnsafeMutableRawBufferPointer(rebasing: rest).baseAddress, rest.count)
                if count < 0, errno == EINTR { continue }
                if count < 0, errno == EAGAIN {
                    Terminal.wait(for: POLLIN, of: handle.fileDescriptor)
                    continue
                }
                guard count >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
                if count == 0 { return }
                filled += count
            }
        }
    }

    /// Bytes: far more than is fetched of any document.
    private static let longestDocument = 1 << 28

    static func status(of error: any Error) -> ExitCode {
        error is UnreadableFile ? ExitStatus.noInput : ExitStatus.unreadableData
    }

    private static func name(_ item: ContentItem) -> String { item.title ?? item.url ?? item.identifier }

    private func tell(_ file: String, _ content: DecodedContent) {
        if format == .json {
            let head = ParsedFile(file: file, format: content.format.rawValue)
            return JSONLine.write(head, "items", content.items.lazy.map { ItemDocument($0) })
        }
        let count = content.items.count == 1 ? "1 item" : "\(content.items.count) items"
        let head = Terminal.bold("\(file.shown): \(content.format.rawValue), \(count)")
        // Bytes, to which texts are appended faster than to a text.
        var lines = [UInt8](head.utf8)
        lines.reserveCapacity(lines.count + 100 * content.items.count)
        for index in content.items.indices {
            lines.append(UInt8(ascii: "\n"))
            lines += (content.items[index].date.map(ItemDocument.iso8601) ?? "no date             ").utf8
            for _ in 0..<2 { lines.append(UInt8(ascii: " ")) }
            lines += Self.name(content.items[index]).shown.utf8
        }
        lines.append(UInt8(ascii: "\n"))
        Terminal.write(lines, to: STDOUT_FILENO)
    }
}

/// A file that is not there, or may not be read.
struct UnreadableFile: Error, CustomStringConvertible {
    let description: String
}

private struct ParsedFailure: Encodable {
    let file: String
    let error: String
}

/// Its `items` come after it.
private struct ParsedFile: Encodable {
    let file: String
    let format: String
}
