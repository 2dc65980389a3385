#ifndef FAULTY_DISK_H
#define FAULTY_DISK_H

#include <stdbool.h>

/// What a call fails with, and so which calls are counted: locks, all calls, or writes (of which half are made then).
typedef enum { FaultyDiskBusy, FaultyDiskInputOutput, FaultyDiskFull } FaultyDiskKind;

/// Makes SQLite use a virtual file system that fails on request (https://www.sqlite.org/vfs.html). Files are otherwise
/// those of the system, and outside of the folder always; in it nothing is flushed to the disk.
void faulty_disk_install(const char *folder);

/// From now on the `number`-th call (1 is the next) fails, and all after it where that `lasts`. This thread waits
/// for no lock meanwhile.
void faulty_disk_arm(FaultyDiskKind kind, long number, bool lasts);

/// Nothing fails any longer. Returns how many calls did.
long faulty_disk_disarm(void);

#endif
