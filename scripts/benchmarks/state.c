#include "floor.h"
#include <string.h>

sqlite3 *state_open(const char *path) {
    sqlite3 *db;
    if (sqlite3_open(path, &db) != SQLITE_OK) fail(path);
    const char *schema =
        "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;"
        "CREATE TABLE IF NOT EXISTS source (url TEXT PRIMARY KEY, etag TEXT, modified TEXT, fetched INTEGER) WITHOUT ROWID;"
        "CREATE TABLE IF NOT EXISTS item (source TEXT, id TEXT, title TEXT, url TEXT, date TEXT, summary TEXT,"
        " PRIMARY KEY (source, id)) WITHOUT ROWID;";
    if (sqlite3_exec(db, schema, NULL, NULL, NULL) != SQLITE_OK) fail(sqlite3_errmsg(db));
    return db;
}

static char *copy(sqlite3_stmt *row, int column) {
    const char *text = (const char *)sqlite3_column_text(row, column);
    return text ? strdup(text) : NULL;
}

void state_load(sqlite3 *db, struct visit *visits, size_t count) {
    sqlite3_stmt *row;
    sqlite3_prepare_v2(db, "SELECT etag, modified FROM source WHERE url = ?", -1, &row, NULL);
    for (size_t i = 0; i < count; i++) {
        sqlite3_bind_text(row, 1, visits[i].url, -1, SQLITE_STATIC);
        if (sqlite3_step(row) == SQLITE_ROW) {
            visits[i].etag = copy(row, 0);
            visits[i].modified = copy(row, 1);
        }
        sqlite3_reset(row);
    }
    sqlite3_finalize(row);
}

void state_save(sqlite3 *db, const struct visit *visit) {
    static sqlite3_stmt *row;
    if (!row)
        sqlite3_prepare_v2(
            db, "INSERT INTO source VALUES (?, ?, ?, unixepoch()) ON CONFLICT (url) DO UPDATE SET"
            " etag = excluded.etag, modified = excluded.modified, fetched = excluded.fetched", -1, &row, NULL);
    sqlite3_bind_text(row, 1, visit->url, -1, SQLITE_STATIC);
    sqlite3_bind_text(row, 2, visit->new_etag ? visit->new_etag : visit->etag, -1, SQLITE_STATIC);
    sqlite3_bind_text(row, 3, visit->new_modified ? visit->new_modified : visit->modified, -1, SQLITE_STATIC);
    if (sqlite3_step(row) != SQLITE_DONE) fail(sqlite3_errmsg(db));
    sqlite3_reset(row);
}
