#include "delay-load.h"
#include "delayed.h"
#include <stdio.h>

int crier_load(struct crier_library *library) {
    pthread_mutex_lock(&library->lock);
    int is_loaded = atomic_load(&library->is_loaded);
    if (!is_loaded) {
        void *handle = dlopen(library->name, RTLD_LAZY | RTLD_LOCAL);
        is_loaded = handle && library->find(handle);
        if (is_loaded) {
            atomic_store_explicit(&library->is_loaded, 1, memory_order_release);
        } else {
            const char *problem = dlerror();
            int is_first = !library->problem[0];
            snprintf(library->problem, sizeof library->problem, "%s", problem ? problem : library->name);
            if (is_first) fprintf(stderr, "crier: %s\n", library->problem);
            if (handle) dlclose(handle);
        }
    }
    pthread_mutex_unlock(&library->lock);
    return is_loaded;
}

const char *crier_delay_load_problem(void) {
    struct crier_library *all[] = {&crier_libcurl, &crier_libxml2, &crier_libjq};
    for (int index = 0; index < 3; index++) {
        if (!crier_is_loaded(all[index])) return all[index]->problem;
    }
    return NULL;
}
