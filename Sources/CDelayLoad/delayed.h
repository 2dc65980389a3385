#pragma once
#include <pthread.h>

/* A list of functions is a macro LIST(F) of entries F(result, name, (parameters), (arguments)). */

/* The first of the names, which end with NULL, that can be loaded; NULL where none can. */
void *crier_library(const char *const *names);

/* Ends the process, as the system's loader does at its start, where the library or the function is missing. */
void *crier_function(void *library, const char *name);

#define CRIER_POINTER(result, name, parameters, arguments) static __typeof__(name) *found_##name;

#define CRIER_FIND(result, name, parameters, arguments) \
    found_##name = (__typeof__(name) *)crier_function(library, #name);

/* Hidden: the library's own calls must find its own functions. All are found at once: the child of a process with several
   threads, which runs jq, may not ask the loader for more. */
#define CRIER_FORWARD(result, name, parameters, arguments)                 \
    __attribute__((visibility("hidden"))) result(name) parameters {        \
        pthread_once(&once, find);                                         \
        return found_##name arguments;                                     \
    }

/* MORE is what is done besides when the library has been loaded; the rest are its names. */
#define CRIER_DELAYED(LIST, MORE, ...)                                     \
    static pthread_once_t once = PTHREAD_ONCE_INIT;                        \
    static const char *const names[] = {__VA_ARGS__, 0};                   \
    LIST(CRIER_POINTER)                                                    \
    static void find(void) {                                               \
        void *library = crier_library(names);                              \
        LIST(CRIER_FIND)                                                   \
        MORE;                                                              \
    }                                                                      \
    LIST(CRIER_FORWARD)
