#pragma once
#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>

struct crier_library {
    const char *name;
    /* Looks up all that is used of it; 0 where something is missing. */
    int (*find)(void *handle);
    pthread_mutex_t lock;
    atomic_int is_loaded;
    /* Why it is not, since the last try. */
    char problem[256];
};

/* 0 where it cannot be loaded. */
int crier_load(struct crier_library *library);

static inline int crier_is_loaded(struct crier_library *library) {
    return atomic_load_explicit(&library->is_loaded, memory_order_acquire) || crier_load(library);
}

/* A list of functions is a macro LIST(F) of entries F(result, name, (parameters), (arguments), what it gives without the
   library). */

#define CRIER_POINTER(result, name, parameters, arguments, otherwise) static __typeof__(name) *found_##name;

#define CRIER_FIND(result, name, parameters, arguments, otherwise) \
    if (!(found_##name = (__typeof__(name) *)dlsym(handle, #name))) return 0;

/* Hidden: the library's own calls must find its own functions. All are found at once: the child of a process with several
   threads, which runs jq, may not ask the loader for more. */
#define CRIER_FORWARD(result, name, parameters, arguments, otherwise)      \
    __attribute__((visibility("hidden"))) result(name) parameters {        \
        if (!crier_is_loaded(&CRIER_LIBRARY)) return otherwise;            \
        return found_##name arguments;                                     \
    }

/* MORE is what else is to be found. */
#define CRIER_DELAYED(library, NAME, LIST, MORE)                           \
    LIST(CRIER_POINTER)                                                    \
    static int find_in_##library(void *handle) {                           \
        LIST(CRIER_FIND)                                                   \
        MORE                                                               \
        return 1;                                                          \
    }                                                                      \
    struct crier_library library = {NAME, find_in_##library, PTHREAD_MUTEX_INITIALIZER, 0, ""};

extern struct crier_library crier_libcurl, crier_libxml2, crier_libjq;
