#include "delayed.h"
#include <jv.h>
#include <jq.h>

#define LIBJQ(F)                                                                                     \
    F(int, jq_compile, (jq_state *jq, const char *program), (jq, program), 0)                        \
    F(jq_state *, jq_init, (void), (), 0)                                                            \
    F(jv, jq_next, (jq_state *jq), (jq), (jv){0})                                                    \
    F(void, jq_set_error_cb, (jq_state *jq, jq_msg_cb callback, void *data), (jq, callback, data), ) \
    F(void, jq_start, (jq_state *jq, jv input, int flags), (jq, input, flags), )                     \
    F(void, jq_teardown, (jq_state **jq), (jq), )                                                    \
    F(jv, jv_array, (void), (), (jv){0})                                                             \
    F(jv, jv_array_append, (jv array, jv element), (array, element), (jv){0})                        \
    F(jv, jv_array_get, (jv array, int index), (array, index), (jv){0})                              \
    F(int, jv_array_length, (jv array), (array), 0)                                                  \
    F(jv, jv_bool, (int value), (value), (jv){0})                                                    \
    F(jv, jv_copy, (jv value), (value), (jv){0})                                                     \
    F(jv, jv_dump_string, (jv value, int flags), (value, flags), (jv){0})                            \
    F(void, jv_free, (jv value), (value), )                                                          \
    F(jv_kind, jv_get_kind, (jv value), (value), JV_KIND_INVALID)                                    \
    F(jv, jv_invalid_get_msg, (jv value), (value), (jv){0})                                          \
    F(int, jv_invalid_has_msg, (jv value), (value), 0)                                               \
    F(jv, jv_null, (void), (), (jv){0})                                                              \
    F(jv, jv_number, (double value), (value), (jv){0})                                               \
    F(jv, jv_object, (void), (), (jv){0})                                                            \
    F(jv, jv_object_set, (jv object, jv key, jv value), (object, key, value), (jv){0})               \
    F(jv, jv_string, (const char *text), (text), (jv){0})                                            \
    F(int, jv_string_length_bytes, (jv text), (text), 0)                                             \
    F(jv, jv_string_sized, (const char *bytes, int count), (bytes, count), (jv){0})                  \
    F(const char *, jv_string_value, (jv text), (text), 0)

CRIER_DELAYED(crier_libjq, "libjq.so.1", LIBJQ, )
#define CRIER_LIBRARY crier_libjq
LIBJQ(CRIER_FORWARD)
