/// Walks from block to block of zstd frames, without decoding, to see whether the last frame is whole (RFC 8878 §3.1).
struct ZstandardFrames {
    private enum State {
        case magic
        case descriptor
        case skippableSize
        /// The rest of the frame header.
        case header(hasChecksum: Bool)
        case blockHeader(hasChecksum: Bool)
        case blockEnd(isLast: Bool, hasChecksum: Bool)
        case checksum
    }

    private var state = State.magic
    /// Bytes to pass over before the state is looked at, or that ``number`` is made of.
    private var needed = 4
    private var number: UInt32 = 0
    private var numberBytes = 0

    /// Between two frames, or before the first.
    var isAtEnd: Bool {
        if case .magic = state { numberBytes == 0 && needed == 4 } else { false }
    }

    mutating func scan(_ bytes: Slice<UnsafeRawBufferPointer>) {
        var rest = bytes
        while !rest.isEmpty {
            if isPassingOver {
                let count = min(needed, rest.count)
                rest.removeFirst(count)
                needed -= count
            } else {
                number |= UInt32(rest.removeFirst()) << UInt32(8 * numberBytes)
                numberBytes += 1
                needed -= 1
            }
            while needed == 0 { step() }
        }
    }

    private var isPassingOver: Bool {
        switch state {
        case .header, .blockEnd, .checksum: true
        case .magic, .descriptor, .skippableSize, .blockHeader: false
        }
    }

    private mutating func step() {
        let value = number
        number = 0
        numberBytes = 0
        switch state {
        case .magic: value & 0xffff_fff0 == 0x184d_2a50 ? enter(.skippableSize, 4) : enter(.descriptor, 1)
        case .skippableSize: enter(.checksum, Int(value))
        case .descriptor: enter(.header(hasChecksum: value & 4 != 0), Self.headerBytes(descriptor: value))
        case .header(let hasChecksum): enter(.blockHeader(hasChecksum: hasChecksum), 3)
        case .blockHeader(let hasChecksum):
            // Type 1 repeats one byte `size` times.
            let size = (value >> 1) & 3 == 1 ? 1 : Int(value >> 3)
            enter(.blockEnd(isLast: value & 1 != 0, hasChecksum: hasChecksum), size)
        case .blockEnd(false, let hasChecksum): enter(.blockHeader(hasChecksum: hasChecksum), 3)
        case .blockEnd(true, true): enter(.checksum, 4)
        case .blockEnd(true, false), .checksum: enter(.magic, 4)
        }
    }

    private mutating func enter(_ state: State, _ needed: Int) {
        self.state = state
        self.needed = needed
    }

    /// Window descriptor, dictionary identifier and content size behind the descriptor byte (RFC 8878 §3.1.1.1).
    private static func headerBytes(descriptor: UInt32) -> Int {
        let isSingleSegment = descriptor & 0x20 != 0
        let dictionary = [0, 1, 2, 4][Int(descriptor & 3)]
        let contentSize = [isSingleSegment ? 1 : 0, 2, 4, 8][Int(descriptor >> 6 & 3)]
        return (isSingleSegment ? 0 : 1) + dictionary + contentSize
    }
}
