#include "FaultyDisk.h"

#include <pthread.h>
#include <sqlite3.h>
#include <string.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static sqlite3_vfs *root;
static sqlite3_vfs faulty;
static char watched_folder[1024];
static struct {
    bool is_armed;
    FaultyDiskKind kind;
    long left;
    bool lasts;
    long struck;
    pthread_t thread;
} fault;

typedef struct {
    sqlite3_file base;
    sqlite3_file *real;
    bool is_watched;
} File;

#define REAL(file) (((File *)(file))->real)
#define CALL(file, method, ...) REAL(file)->pMethods->method(REAL(file), ##__VA_ARGS__)

static bool is_watched(const char *path) {
    if (path == NULL) return false;
    pthread_mutex_lock(&mutex);
    bool is = watched_folder[0] != 0 && strncmp(path, watched_folder, strlen(watched_folder)) == 0;
    pthread_mutex_unlock(&mutex);
    return is;
}

/// Whether this call is to fail. A call is a lock, a write, or another.
static bool strikes(bool is_watched, bool is_lock, bool is_write) {
    if (!is_watched) return false;
    pthread_mutex_lock(&mutex);
    bool counts = fault.is_armed
        && (fault.kind == FaultyDiskInputOutput || (fault.kind == FaultyDiskBusy ? is_lock : is_write));
    bool result = false;
    if (counts) {
        fault.left -= 1;
        result = fault.left == 0 || (fault.left < 0 && fault.lasts);
        if (result) fault.struck += 1;
    }
    pthread_mutex_unlock(&mutex);
    return result;
}

#define STRIKES(file) strikes(((File *)(file))->is_watched, false, false)
#define STRIKES_LOCK(file) strikes(((File *)(file))->is_watched, true, false)

static int f_close(sqlite3_file *file) { return CALL(file, xClose); }

static int f_read(sqlite3_file *file, void *bytes, int count, sqlite3_int64 offset) {
    return STRIKES(file) ? SQLITE_IOERR_READ : CALL(file, xRead, bytes, count, offset);
}

static int f_write(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 offset) {
    if (!strikes(((File *)file)->is_watched, false, true)) return CALL(file, xWrite, bytes, count, offset);
    CALL(file, xWrite, bytes, count / 2, offset);
    return fault.kind == FaultyDiskFull ? SQLITE_FULL : SQLITE_IOERR_WRITE;
}

static int f_truncate(sqlite3_file *file, sqlite3_int64 size) {
    return STRIKES(file) ? SQLITE_IOERR_TRUNCATE : CALL(file, xTruncate, size);
}

static int f_sync(sqlite3_file *file, int flags) {
    if (STRIKES(file)) return SQLITE_IOERR_FSYNC;
    return ((File *)file)->is_watched ? SQLITE_OK : CALL(file, xSync, flags);
}

static int f_file_size(sqlite3_file *file, sqlite3_int64 *size) {
    return STRIKES(file) ? SQLITE_IOERR_FSTAT : CALL(file, xFileSize, size);
}

static int f_lock(sqlite3_file *file, int level) {
    if (!STRIKES_LOCK(file)) return CALL(file, xLock, level);
    return fault.kind == FaultyDiskBusy ? SQLITE_BUSY : SQLITE_IOERR_LOCK;
}

static int f_unlock(sqlite3_file *file, int level) { return CALL(file, xUnlock, level); }
static int f_check_reserved(sqlite3_file *file, int *result) { return CALL(file, xCheckReservedLock, result); }
static int f_control(sqlite3_file *file, int code, void *argument) { return CALL(file, xFileControl, code, argument); }
static int f_sector_size(sqlite3_file *file) { return CALL(file, xSectorSize); }
static int f_characteristics(sqlite3_file *file) { return CALL(file, xDeviceCharacteristics); }

static int f_shm_map(sqlite3_file *file, int region, int size, int extends, void volatile **memory) {
    return STRIKES(file) ? SQLITE_IOERR_SHMMAP : CALL(file, xShmMap, region, size, extends, memory);
}

static int f_shm_lock(sqlite3_file *file, int offset, int count, int flags) {
    if (!(flags & SQLITE_SHM_LOCK) || !STRIKES_LOCK(file)) return CALL(file, xShmLock, offset, count, flags);
    return fault.kind == FaultyDiskBusy ? SQLITE_BUSY : SQLITE_IOERR_SHMLOCK;
}

static void f_shm_barrier(sqlite3_file *file) { CALL(file, xShmBarrier); }
static int f_shm_unmap(sqlite3_file *file, int deletes) { return CALL(file, xShmUnmap, deletes); }

// Version 2: without memory-mapped reading, which would come past the counting.
static const sqlite3_io_methods methods = {
    2, f_close, f_read, f_write, f_truncate, f_sync, f_file_size, f_lock, f_unlock, f_check_reserved, f_control,
    f_sector_size, f_characteristics, f_shm_map, f_shm_lock, f_shm_barrier, f_shm_unmap, NULL, NULL,
};

static int v_open(sqlite3_vfs *vfs, const char *path, sqlite3_file *file, int flags, int *opened) {
    (void)vfs;
    File *own = (File *)file;
    own->base.pMethods = NULL;
    own->is_watched = is_watched(path);
    own->real = (sqlite3_file *)(own + 1);
    if (STRIKES(file)) return SQLITE_CANTOPEN;
    int result = root->xOpen(root, path, own->real, flags, opened);
    if (own->real->pMethods != NULL) own->base.pMethods = &methods;
    return result;
}

static int v_delete(sqlite3_vfs *vfs, const char *path, int syncs) {
    (void)vfs;
    bool is = is_watched(path);
    return strikes(is, false, false) ? SQLITE_IOERR_DELETE : root->xDelete(root, path, is ? 0 : syncs);
}

static int v_access(sqlite3_vfs *vfs, const char *path, int flags, int *result) {
    (void)vfs;
    return strikes(is_watched(path), false, false) ? SQLITE_IOERR_ACCESS : root->xAccess(root, path, flags, result);
}

/// Whoever waits for a lock that is refused need not: SQLite counts what it meant to sleep.
static int v_sleep(sqlite3_vfs *vfs, int microseconds) {
    (void)vfs;
    pthread_mutex_lock(&mutex);
    bool is_armed = fault.is_armed && pthread_equal(fault.thread, pthread_self());
    pthread_mutex_unlock(&mutex);
    return is_armed ? microseconds : root->xSleep(root, microseconds);
}

void faulty_disk_install(const char *folder) {
    pthread_mutex_lock(&mutex);
    strncpy(watched_folder, folder, sizeof watched_folder - 1);
    bool is_first = root == NULL;
    if (is_first) {
        root = sqlite3_vfs_find(NULL);
        faulty = *root;
        faulty.zName = "faulty";
        faulty.pNext = NULL;
        faulty.szOsFile = (int)sizeof(File) + root->szOsFile;
        faulty.xOpen = v_open;
        faulty.xDelete = v_delete;
        faulty.xAccess = v_access;
        faulty.xSleep = v_sleep;
    }
    pthread_mutex_unlock(&mutex);
    if (is_first) sqlite3_vfs_register(&faulty, 1);
}

void faulty_disk_arm(FaultyDiskKind kind, long number, bool lasts) {
    pthread_mutex_lock(&mutex);
    fault.is_armed = true;
    fault.kind = kind;
    fault.left = number;
    fault.lasts = lasts;
    fault.struck = 0;
    fault.thread = pthread_self();
    pthread_mutex_unlock(&mutex);
}

long faulty_disk_disarm(void) {
    pthread_mutex_lock(&mutex);
    fault.is_armed = false;
    long struck = fault.struck;
    pthread_mutex_unlock(&mutex);
    return struck;
}
