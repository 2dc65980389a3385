/* usage: floor transport|state|full URLS [DATABASE]
 * CA_DIR: only CURLOPT_CAPATH is set; CA_FILE: only CURLOPT_CAINFO. */
#include "floor.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { HANDLES = 64 };

void fail(const char *what) {
    fprintf(stderr, "floor: %s\n", what);
    exit(1);
}

static size_t on_body(char *bytes, size_t size, size_t count, void *context) {
    struct body *body = context;
    size_t length = size * count;
    if (body->length + length > body->capacity) {
        body->capacity = (body->length + length) * 2;
        if (!(body->bytes = realloc(body->bytes, body->capacity))) fail("memory");
    }
    memcpy(body->bytes + body->length, bytes, length);
    body->length += length;
    return length;
}

static void keep(char **field, const char *bytes, size_t length, size_t name) {
    while (length > name && (bytes[length - 1] == '\r' || bytes[length - 1] == '\n')) length--;
    while (name < length && bytes[name] == ' ') name++;
    free(*field);
    *field = strndup(bytes + name, length - name);
}

static size_t on_header(char *bytes, size_t size, size_t count, void *context) {
    struct visit *visit = context;
    size_t length = size * count;
    if (length > 5 && !strncasecmp(bytes, "etag:", 5)) keep(&visit->new_etag, bytes, length, 5);
    if (length > 14 && !strncasecmp(bytes, "last-modified:", 14)) keep(&visit->new_modified, bytes, length, 14);
    return length;
}

static struct curl_slist *field(struct curl_slist *list, const char *name, const char *value) {
    char line[1024];
    snprintf(line, sizeof line, "%s: %s", name, value);
    return curl_slist_append(list, line);
}

static void start(CURLM *multi, CURL *easy, struct visit *visit, enum level level) {
    curl_easy_setopt(easy, CURLOPT_URL, visit->url);
    curl_easy_setopt(easy, CURLOPT_ACCEPT_ENCODING, "gzip");
    curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(easy, CURLOPT_PRIVATE, visit);
    curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, on_body);
    curl_easy_setopt(easy, CURLOPT_WRITEDATA, &visit->body);
    const char *directory = getenv("CA_DIR"), *file = getenv("CA_FILE");
    if (directory) {
        curl_easy_setopt(easy, CURLOPT_CAINFO, NULL);
        curl_easy_setopt(easy, CURLOPT_CAPATH, directory);
    } else if (file) {
        curl_easy_setopt(easy, CURLOPT_CAINFO, file);
    }
    if (level != TRANSPORT) {
        curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, on_header);
        curl_easy_setopt(easy, CURLOPT_HEADERDATA, visit);
        if (visit->etag) visit->fields = field(visit->fields, "If-None-Match", visit->etag);
        if (visit->modified) visit->fields = field(visit->fields, "If-Modified-Since", visit->modified);
        curl_easy_setopt(easy, CURLOPT_HTTPHEADER, visit->fields);
    }
    curl_multi_add_handle(multi, easy);
}

static void end(struct visit *visit, CURLcode code, CURL *easy, enum level level, sqlite3 *db) {
    curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &visit->status);
    if (code != CURLE_OK || (visit->status != 200 && visit->status != 304)) {
        fprintf(stderr, "floor: %s: %ld %s\n", visit->url, visit->status, curl_easy_strerror(code));
        exit(1);
    }
    if (level != TRANSPORT) state_save(db, visit);
    if (level == FULL && visit->status == 200) items_store(visit);
    free(visit->body.bytes);
    memset(&visit->body, 0, sizeof visit->body);
    curl_slist_free_all(visit->fields);
}

static void run(struct visit *visits, size_t count, enum level level, sqlite3 *db) {
    CURLM *multi = curl_multi_init();
    curl_multi_setopt(multi, CURLMOPT_MAXCONNECTS, (long)HANDLES);
    size_t next = 0;
    int running = 0, left;
    while (next < count && next < HANDLES) start(multi, curl_easy_init(), &visits[next++], level);
    do {
        curl_multi_perform(multi, &running);
        CURLMsg *message;
        while ((message = curl_multi_info_read(multi, &left))) {
            CURL *easy = message->easy_handle;
            CURLcode code = message->data.result;
            struct visit *visit;
            curl_easy_getinfo(easy, CURLINFO_PRIVATE, &visit);
            end(visit, code, easy, level, db);
            curl_multi_remove_handle(multi, easy);
            if (next < count) {
                start(multi, easy, &visits[next++], level);
                running++;
            } else {
                curl_easy_cleanup(easy);
            }
        }
        if (running) curl_multi_poll(multi, NULL, 0, 1000, NULL);
    } while (running);
    curl_multi_cleanup(multi);
}

static struct visit *read_urls(const char *path, size_t *count) {
    FILE *file = fopen(path, "r");
    if (!file) fail(path);
    struct visit *visits = NULL;
    size_t capacity = 0;
    char line[4096];
    for (*count = 0; fgets(line, sizeof line, file); (*count)++) {
        if (*count == capacity) {
            capacity = capacity ? capacity * 2 : 1024;
            if (!(visits = realloc(visits, capacity * sizeof *visits))) fail("memory");
        }
        line[strcspn(line, "\n")] = 0;
        visits[*count] = (struct visit){.url = strdup(line)};
    }
    fclose(file);
    return visits;
}

int main(int argc, char **argv) {
    if (argc < 3) fail("usage: floor transport|state|full URLS [DATABASE]");
    enum level level = !strcmp(argv[1], "full") ? FULL : !strcmp(argv[1], "state") ? STATE : TRANSPORT;
    if (level != TRANSPORT && argc < 4) fail("no database");
    curl_global_init(CURL_GLOBAL_DEFAULT);
    size_t count;
    struct visit *visits = read_urls(argv[2], &count);
    sqlite3 *db = level == TRANSPORT ? NULL : state_open(argv[3]);
    if (db) state_load(db, visits, count);
    if (level == FULL) items_prepare(db);
    if (db) sqlite3_exec(db, "BEGIN", NULL, NULL, NULL);
    run(visits, count, level, db);
    if (db && sqlite3_exec(db, "COMMIT", NULL, NULL, NULL) != SQLITE_OK) fail(sqlite3_errmsg(db));
    return 0;
}
