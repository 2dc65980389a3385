#include "delayed.h"
#include <stdarg.h>
/* Otherwise the header says that its functions are exported. */
#define CURL_STATICLIB
#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>

#define LIBCURL(F)                                                                                          \
    F(void, curl_easy_cleanup, (CURL *easy), (easy), )                                                      \
    F(CURL *, curl_easy_init, (void), (), 0)                                                                \
    F(const struct curl_easyoption *, curl_easy_option_by_id, (CURLoption option), (option), 0)             \
    F(CURLcode, curl_easy_perform, (CURL *easy), (easy), CURLE_FAILED_INIT)                                 \
    F(void, curl_easy_reset, (CURL *easy), (easy), )                                                        \
    F(const char *, curl_easy_strerror, (CURLcode code), (code), "libcurl cannot be loaded")                \
    F(void, curl_free, (void *memory), (memory), )                                                          \
    F(CURLcode, curl_global_init, (long flags), (flags), CURLE_FAILED_INIT)                                 \
    F(CURLMcode, curl_multi_add_handle, (CURLM *multi, CURL *easy), (multi, easy), CURLM_INTERNAL_ERROR)    \
    F(CURLMcode, curl_multi_cleanup, (CURLM *multi), (multi), CURLM_INTERNAL_ERROR)                         \
    F(CURLMsg *, curl_multi_info_read, (CURLM *multi, int *left), (multi, left), 0)                         \
    F(CURLM *, curl_multi_init, (void), (), 0)                                                              \
    F(CURLMcode, curl_multi_perform, (CURLM *multi, int *running), (multi, running), CURLM_INTERNAL_ERROR)  \
    F(CURLMcode, curl_multi_poll,                                                                           \
        (CURLM *multi, struct curl_waitfd descriptors[], unsigned int count, int milliseconds, int *ready), \
        (multi, descriptors, count, milliseconds, ready), CURLM_INTERNAL_ERROR)                             \
    F(CURLMcode, curl_multi_remove_handle, (CURLM *multi, CURL *easy), (multi, easy), CURLM_INTERNAL_ERROR) \
    F(CURLMcode, curl_multi_wakeup, (CURLM *multi), (multi), CURLM_INTERNAL_ERROR)                          \
    F(struct curl_slist *, curl_slist_append, (struct curl_slist *list, const char *text), (list, text), 0) \
    F(void, curl_slist_free_all, (struct curl_slist *list), (list), )                                       \
    F(CURLU *, curl_url, (void), (), 0)                                                                     \
    F(void, curl_url_cleanup, (CURLU *url), (url), )                                                        \
    F(CURLUcode, curl_url_get, (CURLU *url, CURLUPart part, char **text, unsigned int flags),               \
        (url, part, text, flags), CURLUE_OUT_OF_MEMORY)                                                     \
    F(CURLUcode, curl_url_set, (CURLU *url, CURLUPart part, const char *text, unsigned int flags),          \
        (url, part, text, flags), CURLUE_OUT_OF_MEMORY)                                                     \
    F(curl_version_info_data *, curl_version_info, (CURLversion age), (age), &no_version)

#define LIBCURL_VARIADIC(F)                                                                                                 \
    F(CURLcode, curl_easy_setopt, (CURL *object, CURLoption option, ...), (object, option, word), CURLE_FAILED_INIT)        \
    F(CURLcode, curl_easy_getinfo, (CURL *object, CURLINFO option, ...), (object, option, word), CURLE_FAILED_INIT)         \
    F(CURLMcode, curl_multi_setopt, (CURLM *object, CURLMoption option, ...), (object, option, word), CURLM_INTERNAL_ERROR)

/* What follows an option is a long, a pointer or a curl_off_t: one word each. */
#define FORWARD_VARIADIC(result, name, parameters, arguments, otherwise)   \
    __attribute__((visibility("hidden"))) result(name) parameters {        \
        va_list rest;                                                      \
        va_start(rest, option);                                            \
        void *word = va_arg(rest, void *);                                 \
        va_end(rest);                                                      \
        if (!crier_is_loaded(&CRIER_LIBRARY)) return otherwise;            \
        return found_##name arguments;                                     \
    }

_Static_assert(sizeof(long) == sizeof(void *) && sizeof(curl_off_t) == sizeof(void *), "one word each");

static curl_version_info_data no_version;

LIBCURL_VARIADIC(CRIER_POINTER)
CRIER_DELAYED(crier_libcurl, "libcurl.so.4", LIBCURL, LIBCURL_VARIADIC(CRIER_FIND))
#define CRIER_LIBRARY crier_libcurl
LIBCURL(CRIER_FORWARD)
LIBCURL_VARIADIC(FORWARD_VARIADIC)
