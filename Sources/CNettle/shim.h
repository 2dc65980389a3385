#pragma once
#include <nettle/hmac.h>
#include <nettle/sha2.h>
#include <nettle/version.h>

/* Since Nettle 4, a digest is asked for without its length. */
#if NETTLE_VERSION_MAJOR >= 4
#define CRIER_WHOLE(context, digest) (context), (digest)
#else
#define CRIER_WHOLE(context, digest) (context), SHA256_DIGEST_SIZE, (digest)
#endif

static inline void crier_sha256(size_t count, const uint8_t *bytes, uint8_t *digest) {
    struct sha256_ctx context;
    sha256_init(&context);
    sha256_update(&context, count, bytes);
    sha256_digest(CRIER_WHOLE(&context, digest));
}

static inline void crier_hmac_sha256(
    size_t key_count, const uint8_t *key, size_t count, const uint8_t *bytes, uint8_t *code) {
    struct hmac_sha256_ctx context;
    hmac_sha256_set_key(&context, key_count, key);
    hmac_sha256_update(&context, count, bytes);
    hmac_sha256_digest(CRIER_WHOLE(&context, code));
}
