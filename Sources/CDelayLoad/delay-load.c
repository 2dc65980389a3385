#include "delay-load.h"
#include "delayed.h"
#include <dlfcn.h>
#include <stdio.h>
#include <unistd.h>

/* The status with which the system's loader ends a program whose libraries are missing. */
enum { CANNOT_LOAD = 127 };

static void fail(void) {
    fprintf(stderr, "crier: error while loading shared libraries: %s\n", dlerror());
    _exit(CANNOT_LOAD);
}

void *crier_library(const char *const *names) {
    void *library = NULL;
    for (; *names && !library; names++) library = dlopen(*names, RTLD_LAZY | RTLD_LOCAL);
    if (!library) fail();
    return library;
}

void *crier_function(void *library, const char *name) {
    void *function = dlsym(library, name);
    if (!function) fail();
    return function;
}
