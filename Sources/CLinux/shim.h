// What Swift's Glibc module leaves out of Linux.
#pragma once
#if defined(__linux__)
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <malloc.h>
#include <spawn.h>
#include <sys/timerfd.h>
#if defined(__GLIBC__)
// Since glibc 2.34, for sources that ask for more than POSIX.
int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int first);
#endif
#endif
