/* usage: cost DESCRIPTOR PROGRAM [ARGUMENT…]: runs it and writes "CPU-SECONDS WALL-SECONDS PEAK-KIB" there.
 * A small process in between, because Linux counts the memory of whoever started a program into its peak. */
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>

extern char **environ;

static double seconds(struct timeval time) { return (double)time.tv_sec + (double)time.tv_usec / 1e6; }

int main(int argc, char **argv) {
    pid_t child;
    int status;
    struct rusage usage;
    struct timespec begin, end;
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    int figures = argc > 2 ? atoi(argv[1]) : -1;
    posix_spawn_file_actions_addclose(&actions, figures);
    clock_gettime(CLOCK_MONOTONIC, &begin);
    if (argc < 3 || posix_spawnp(&child, argv[2], &actions, NULL, argv + 2, environ) != 0) return 127;
    if (wait4(child, &status, 0, &usage) < 0) return 127;
    clock_gettime(CLOCK_MONOTONIC, &end);
    dprintf(figures, "%.6f %.6f %ld\n", seconds(usage.ru_utime) + seconds(usage.ru_stime),
            (double)(end.tv_sec - begin.tv_sec) + (double)(end.tv_nsec - begin.tv_nsec) / 1e9, usage.ru_maxrss);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}
