// What Swift's Glibc module leaves out of Linux.
#pragma once
#if defined(__linux__)
#include <linux/memfd.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <malloc.h>
#include <pthread.h>
#include <spawn.h>
#include <sys/timerfd.h>
#include <sys/xattr.h>
#include <unistd.h>
// The variable itself is, to Swift, one that any thread may change.
static inline char **crier_environment(void) {
    extern char **environ;
    return environ;
}
#if defined(__GLIBC__)
// Since glibc 2.34, for sources that ask for more than POSIX.
int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int first);
#endif
// For such sources, too.
int pthread_setname_np(pthread_t thread, const char *name);
int memfd_create(const char *name, unsigned int flags);
#endif
