#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A locale of UTF-8 for the thread that makes it, while this lives: libcurl reads host names beyond ASCII in the character set of
/// its thread's locale.
///
/// Few names are such, and the locale is read from files, so the curl thread makes one only at the first of them.
struct UTF8Locale: ~Copyable {
    private let own: locale_t?
    private let previous: locale_t?

    init() {
        own = newlocale(LC_CTYPE_MASK, "C.UTF-8", nil)
        previous = own.flatMap { uselocale($0) }
    }

    deinit {
        guard let own else { return }
        uselocale(previous)
        freelocale(own)
    }
}
