#pragma once
#include <curl/curl.h>
#include <sqlite3.h>
#include <stddef.h>

/* The least that a poller can do, to compare with: one thread, curl_multi, one SQLite transaction. */

struct body {
    char *bytes;
    size_t length, capacity;
};

struct visit {
    char *url;
    char *etag, *modified; /* what was remembered */
    char *new_etag, *new_modified;
    long status;
    struct body body;
    struct curl_slist *fields;
};

enum level { TRANSPORT, STATE, FULL };

void fail(const char *what);

/* state.c */
sqlite3 *state_open(const char *path);
void state_load(sqlite3 *db, struct visit *visits, size_t count);
void state_save(sqlite3 *db, const struct visit *visit);

/* items.c: stores every item of a document and prints those that are new. */
void items_prepare(sqlite3 *db);
void items_store(const struct visit *visit);
