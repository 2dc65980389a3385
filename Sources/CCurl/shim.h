#pragma once
#include <curl/curl.h>

// An enumeration's in older versions of libcurl, a macro in newer ones.
static const long crier_netrc_ignored = CURL_NETRC_IGNORED;

// Spelled otherwise in newer versions of libcurl, which take this for a macro.
static const CURLoption crier_mail_rcpt_allow_fails = CURLOPT_MAIL_RCPT_ALLLOWFAILS;

// Swift cannot call variadic functions: one typed wrapper for each kind of argument.

static inline CURLcode crier_easy_set_long(CURL *easy, CURLoption option, long value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode crier_easy_set_offset(CURL *easy, CURLoption option, curl_off_t value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode crier_easy_set_string(CURL *easy, CURLoption option, const char *value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode crier_easy_set_pointer(CURL *easy, CURLoption option, void *value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode crier_easy_set_fields(CURL *easy, struct curl_slist *fields) {
    return curl_easy_setopt(easy, CURLOPT_HTTPHEADER, fields);
}

static inline CURLcode crier_easy_set_recipients(CURL *easy, struct curl_slist *addresses) {
    return curl_easy_setopt(easy, CURLOPT_MAIL_RCPT, addresses);
}

static inline CURLcode crier_easy_set_read_function(CURL *easy, curl_read_callback function, void *context) {
    CURLcode code = curl_easy_setopt(easy, CURLOPT_READFUNCTION, function);
    return code != CURLE_OK ? code : curl_easy_setopt(easy, CURLOPT_READDATA, context);
}

static inline CURLcode crier_easy_set_body(CURL *easy, const void *bytes, curl_off_t count) {
    CURLcode code = curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, count);
    return code != CURLE_OK ? code : curl_easy_setopt(easy, CURLOPT_COPYPOSTFIELDS, bytes);
}

static inline CURLcode crier_easy_set_body_function(CURL *easy, curl_write_callback function, void *context) {
    CURLcode code = curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, function);
    return code != CURLE_OK ? code : curl_easy_setopt(easy, CURLOPT_WRITEDATA, context);
}

static inline CURLcode crier_easy_set_header_function(CURL *easy, curl_write_callback function, void *context) {
    CURLcode code = curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, function);
    return code != CURLE_OK ? code : curl_easy_setopt(easy, CURLOPT_HEADERDATA, context);
}

static inline CURLcode crier_easy_set_debug_function(CURL *easy, curl_debug_callback function, void *context) {
    CURLcode code = curl_easy_setopt(easy, CURLOPT_DEBUGFUNCTION, function);
    return code != CURLE_OK ? code : curl_easy_setopt(easy, CURLOPT_DEBUGDATA, context);
}

static inline CURLcode crier_easy_set_socket_function(CURL *easy, curl_opensocket_callback function, void *context) {
    CURLcode code = curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, function);
    return code != CURLE_OK ? code : curl_easy_setopt(easy, CURLOPT_OPENSOCKETDATA, context);
}

static inline CURLcode crier_easy_set_prerequest_function(CURL *easy, curl_prereq_callback function, void *context) {
    CURLcode code = curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, function);
    return code != CURLE_OK ? code : curl_easy_setopt(easy, CURLOPT_PREREQDATA, context);
}

static inline CURLcode crier_easy_set_progress_function(CURL *easy, curl_xferinfo_callback function, void *context) {
    CURLcode code = curl_easy_setopt(easy, CURLOPT_XFERINFOFUNCTION, function);
    if (code == CURLE_OK) code = curl_easy_setopt(easy, CURLOPT_XFERINFODATA, context);
    return code != CURLE_OK ? code : curl_easy_setopt(easy, CURLOPT_NOPROGRESS, 0L);
}

static inline CURLcode crier_easy_get_long(CURL *easy, CURLINFO info, long *value) {
    return curl_easy_getinfo(easy, info, value);
}

static inline CURLcode crier_easy_get_offset(CURL *easy, CURLINFO info, curl_off_t *value) {
    return curl_easy_getinfo(easy, info, value);
}

static inline CURLcode crier_easy_get_string(CURL *easy, CURLINFO info, char **value) {
    return curl_easy_getinfo(easy, info, value);
}

static inline CURLcode crier_easy_get_socket(CURL *easy, CURLINFO info, curl_socket_t *value) {
    return curl_easy_getinfo(easy, info, value);
}

static inline CURLMcode crier_multi_set_long(CURLM *multi, CURLMoption option, long value) {
    return curl_multi_setopt(multi, option, value);
}

// Macros with casts, which Swift does not import.
static const long crier_auth_basic = CURLAUTH_BASIC;
static const long crier_auth_none = CURLAUTH_NONE;

// For the version of its structure that this header knows.
static inline int crier_curl_features(void) {
    return curl_version_info(CURLVERSION_NOW)->features;
}

// The file of certificate authorities that libcurl was built with; null for none.
static inline const char *crier_curl_authorities(void) {
    curl_version_info_data *version = curl_version_info(CURLVERSION_NOW);
    return version->age >= CURLVERSION_SEVENTH ? version->cainfo : NULL;
}
