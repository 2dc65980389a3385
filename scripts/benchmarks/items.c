#include "floor.h"
#include <expat.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static sqlite3 *database;
static sqlite3_stmt *insert, *insert_json;

void items_prepare(sqlite3 *db) {
    database = db;
    sqlite3_prepare_v2(db, "INSERT OR IGNORE INTO item VALUES (?, ?, ?, ?, ?, ?) RETURNING title", -1, &insert, NULL);
    sqlite3_prepare_v2(
        db, "INSERT OR IGNORE INTO item SELECT ?1, i.value ->> '_id', i.value ->> 'desc', i.value ->> 'url',"
        " i.value ->> 'publishedAt', i.value ->> 'who' FROM json_each(?2, '$.results') c, json_each(c.value) i"
        " RETURNING title", -1, &insert_json, NULL);
}

/* Runs an insert; each row it gives is an item that was not known. */
static void tell_new(sqlite3_stmt *row) {
    int code;
    while ((code = sqlite3_step(row)) == SQLITE_ROW) printf("%s\n", (const char *)sqlite3_column_text(row, 0));
    if (code != SQLITE_DONE) fail(sqlite3_errmsg(database));
    sqlite3_reset(row);
}

/* The fields of an item, in the order of the table's columns. */
enum { IDENTIFIER, TITLE, URL, DATE, SUMMARY, FIELDS };

struct reading {
    const char *source;
    int in_item, field;
    struct body text[FIELDS];
};

static int field_of(const char *name) {
    if (!strcmp(name, "guid") || !strcmp(name, "id")) return IDENTIFIER;
    if (!strcmp(name, "title")) return TITLE;
    if (!strcmp(name, "link")) return URL;
    if (!strcmp(name, "pubDate") || !strcmp(name, "published")) return DATE;
    if (!strcmp(name, "description") || !strcmp(name, "summary")) return SUMMARY;
    return -1;
}

static void append(struct body *body, const char *bytes, size_t length) {
    if (body->length + length > body->capacity) {
        body->capacity = (body->length + length) * 2;
        if (!(body->bytes = realloc(body->bytes, body->capacity))) fail("memory");
    }
    memcpy(body->bytes + body->length, bytes, length);
    body->length += length;
}

static void on_start(void *context, const char *name, const char **attributes) {
    struct reading *reading = context;
    if (!strcmp(name, "item") || !strcmp(name, "entry")) {
        reading->in_item = 1;
        for (int i = 0; i < FIELDS; i++) reading->text[i].length = 0;
    }
    reading->field = reading->in_item ? field_of(name) : -1;
    if (reading->field != URL) return;
    for (; *attributes; attributes += 2)
        if (!strcmp(attributes[0], "href")) append(&reading->text[URL], attributes[1], strlen(attributes[1]));
}

static void on_text(void *context, const char *bytes, int length) {
    struct reading *reading = context;
    if (reading->field >= 0) append(&reading->text[reading->field], bytes, (size_t)length);
}

static void on_end(void *context, const char *name) {
    struct reading *reading = context;
    reading->field = -1;
    if (strcmp(name, "item") && strcmp(name, "entry")) return;
    reading->in_item = 0;
    sqlite3_bind_text(insert, 1, reading->source, -1, SQLITE_STATIC);
    for (int i = 0; i < FIELDS; i++)
        sqlite3_bind_text(insert, i + 2, reading->text[i].bytes, (int)reading->text[i].length, SQLITE_STATIC);
    tell_new(insert);
}

static void store_xml(const struct visit *visit) {
    struct reading reading = {.source = visit->url, .field = -1};
    XML_Parser parser = XML_ParserCreate(NULL);
    XML_SetUserData(parser, &reading);
    XML_SetElementHandler(parser, on_start, on_end);
    XML_SetCharacterDataHandler(parser, on_text);
    if (!XML_Parse(parser, visit->body.bytes, (int)visit->body.length, 1)) fail(visit->url);
    XML_ParserFree(parser);
    for (int i = 0; i < FIELDS; i++) free(reading.text[i].bytes);
}

void items_store(const struct visit *visit) {
    if (visit->body.length && visit->body.bytes[0] == '<') return store_xml(visit);
    sqlite3_bind_text(insert_json, 1, visit->url, -1, SQLITE_STATIC);
    sqlite3_bind_text(insert_json, 2, visit->body.bytes, (int)visit->body.length, SQLITE_STATIC);
    tell_new(insert_json);
}
