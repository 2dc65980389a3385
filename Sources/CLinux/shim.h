// What Swift's Glibc module leaves out of Linux.
#pragma once
#if defined(__linux__)
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <malloc.h>
#include <sys/timerfd.h>
#endif
