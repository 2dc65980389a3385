#include "delayed.h"
#include <jv.h>
#include <jq.h>

#define LIBJQ(F)                                                                                    \
    F(int, jq_compile, (jq_state *jq, const char *program), (jq, program))                          \
    F(jq_state *, jq_init, (void), ())                                                              \
    F(jv, jq_next, (jq_state *jq), (jq))                                                            \
    F(void, jq_set_error_cb, (jq_state *jq, jq_msg_cb callback, void *data), (jq, callback, data))  \
    F(void, jq_start, (jq_state *jq, jv input, int flags), (jq, input, flags))                      \
    F(void, jq_teardown, (jq_state **jq), (jq))                                                     \
    F(jv, jv_array, (void), ())                                                                     \
    F(jv, jv_array_append, (jv array, jv element), (array, element))                                \
    F(jv, jv_array_get, (jv array, int index), (array, index))                                      \
    F(int, jv_array_length, (jv array), (array))                                                    \
    F(jv, jv_bool, (int value), (value))                                                            \
    F(jv, jv_copy, (jv value), (value))                                                             \
    F(jv, jv_dump_string, (jv value, int flags), (value, flags))                                    \
    F(void, jv_free, (jv value), (value))                                                           \
    F(jv_kind, jv_get_kind, (jv value), (value))                                                    \
    F(jv, jv_invalid_get_msg, (jv value), (value))                                                  \
    F(int, jv_invalid_has_msg, (jv value), (value))                                                 \
    F(jv, jv_null, (void), ())                                                                      \
    F(jv, jv_number, (double value), (value))                                                       \
    F(jv, jv_object, (void), ())                                                                    \
    F(jv, jv_object_set, (jv object, jv key, jv value), (object, key, value))                       \
    F(jv, jv_string, (const char *text), (text))                                                    \
    F(int, jv_string_length_bytes, (jv text), (text))                                               \
    F(jv, jv_string_sized, (const char *bytes, int count), (bytes, count))                          \
    F(const char *, jv_string_value, (jv text), (text))

CRIER_DELAYED(LIBJQ, (void)0, "libjq.so.1")
