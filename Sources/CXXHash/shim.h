#pragma once
/* All of it is compiled from the header: there is no library to load at each start. */
#define XXH_INLINE_ALL
#include <xxhash.h>

static inline void crier_xxh3_128(size_t count, const uint8_t *bytes, uint8_t *hash) {
    XXH128_canonicalFromHash((XXH128_canonical_t *)hash, XXH3_128bits(bytes, count));
}
