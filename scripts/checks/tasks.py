"""How much of its task each asynchronous function takes: what the compiler says of itself in the program."""
import re
import struct
import subprocess


def sizes(program):
    """In bytes, by the function's name."""
    # Beside each stands a pointer to it, of four bytes, and its size.
    symbol = re.compile(r"([0-9a-f]+) . (\S+)Tu$")
    pointers = {}
    for line in subprocess.run(["nm", program], capture_output=True, text=True, check=True).stdout.splitlines():
        if match := symbol.match(line):
            pointers[match[2]] = int(match[1], 16)
    image = program.read_bytes()
    segments = loaded(image)
    return {name: size(image, segments, address) for name, address in pointers.items()}


def loaded(image):
    """Address, length and place in the file of each segment of a 64-bit ELF file."""
    start, = struct.unpack_from("<Q", image, 32)
    length, count = struct.unpack_from("<HH", image, 54)
    segments = []
    for number in range(count):
        kind, _, place, address, _, filled = struct.unpack_from("<IIQQQQ", image, start + number * length)
        if kind == 1:
            segments.append((address, filled, place))
    return segments


def size(image, segments, address):
    place = next(place + address - start for start, length, place in segments if start <= address < start + length)
    return struct.unpack_from("<iI", image, place)[1]
