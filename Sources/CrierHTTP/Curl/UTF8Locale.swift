#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The locale of a thread, while this lives: libcurl takes host names beyond ASCII in its character set.
///
/// Few names are, and the locale is read from files; so the curl thread begins it where it meets the first of them.
struct UTF8Locale: ~Copyable {
    private let own: locale_t?
    private let previous: locale_t?

    init() {
        own = newlocale(1 << LC_CTYPE, "C.UTF-8", nil)
        previous = own.flatMap { uselocale($0) }
    }

    deinit {
        guard let own else { return }
        uselocale(previous)
        freelocale(own)
    }
}
