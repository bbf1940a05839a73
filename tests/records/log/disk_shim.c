/* Records every write, truncation, sync and removal of an archive and its logs, and can make writes fail. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/types.h>
#include <unistd.h>

enum operation { WRITE = 1, TRUNCATE = 2, SYNC = 3, UNLINK = 4, SYNC_FOLDER = 5 };

struct record {
    uint32_t operation;
    uint32_t file;
    uint64_t offset;
    uint64_t length;
};

static const char *archive;
static volatile uint64_t *failing;
static int trace = -1;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static const char *suffixes[] = {"", "-wal", "-journal"};

__attribute__((constructor)) static void begin(void) {
    const char *path = getenv("SHIJI_DISK_TRACE");
    const char *control = getenv("SHIJI_DISK_CONTROL");
    archive = getenv("SHIJI_DISK_ARCHIVE");
    if (!path || !control || !archive) return;
    trace = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
    int file = open(control, O_RDWR | O_CLOEXEC);
    if (file >= 0) {
        void *shared = mmap(NULL, sizeof *failing, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
        close(file);
        if (shared != MAP_FAILED) failing = shared;
    }
}

static int number_of(const char *path) {
    if (trace < 0 || !path) return -1;
    size_t length = strlen(archive);
    if (strncmp(path, archive, length)) return -1;
    for (int each = 0; each < 3; each++)
        if (!strcmp(path + length, suffixes[each])) return each;
    return -1;
}

static int path_of_open(int file, char *path, size_t room) {
    char link[64];
    if (trace < 0) return 0;
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = readlink(link, path, room - 1);
    if (length < 0) return 0;
    path[length] = 0;
    return 1;
}

static int number_of_open(int file) {
    char path[4096];
    return path_of_open(file, path, sizeof path) ? number_of(path) : -1;
}

static int is_folder(int file) {
    char path[4096];
    if (!path_of_open(file, path, sizeof path)) return 0;
    const char *name = strrchr(archive, '/');
    size_t length = name ? (size_t)(name - archive) : 0;
    return length && strlen(path) == length && !strncmp(path, archive, length);
}

static void put(const void *data, size_t length) {
    const char *rest = data;
    while (length) {
        ssize_t written = write(trace, rest, length);
        if (written <= 0) return;
        rest += written;
        length -= (size_t)written;
    }
}

static void note(uint32_t operation, int file, uint64_t offset, uint64_t length, const void *data) {
    struct record record = {operation, (uint32_t)file, offset, length};
    pthread_mutex_lock(&lock);
    put(&record, sizeof record);
    if (data) put(data, length);
    pthread_mutex_unlock(&lock);
}

static int fails(void) {
    if (failing && *failing) {
        errno = (int)*failing;
        return 1;
    }
    return 0;
}

#define REAL(type, name) ((type)dlsym(RTLD_NEXT, name))

static ssize_t written_at(int file, const void *data, size_t length, off_t offset, const char *name) {
    int number = number_of_open(file);
    if (number >= 0 && fails()) return -1;
    ssize_t done = REAL(ssize_t (*)(int, const void *, size_t, off_t), name)(file, data, length, offset);
    if (number >= 0 && done > 0) note(WRITE, number, (uint64_t)offset, (uint64_t)done, data);
    return done;
}

ssize_t pwrite(int file, const void *data, size_t length, off_t offset) {
    return written_at(file, data, length, offset, "pwrite");
}

ssize_t pwrite64(int file, const void *data, size_t length, off_t offset) {
    return written_at(file, data, length, offset, "pwrite64");
}

static int truncated(int file, off_t length, const char *name) {
    int number = number_of_open(file);
    if (number >= 0 && fails()) return -1;
    int done = REAL(int (*)(int, off_t), name)(file, length);
    if (number >= 0 && !done) note(TRUNCATE, number, (uint64_t)length, 0, NULL);
    return done;
}

int ftruncate(int file, off_t length) { return truncated(file, length, "ftruncate"); }

int ftruncate64(int file, off_t length) { return truncated(file, length, "ftruncate64"); }

static int synced(int file, const char *name) {
    int number = number_of_open(file);
    if (number >= 0 && fails()) return -1;
    int done = REAL(int (*)(int), name)(file);
    if (number >= 0 && !done) note(SYNC, number, 0, 0, NULL);
    if (number < 0 && !done && is_folder(file)) note(SYNC_FOLDER, 0, 0, 0, NULL);
    return done;
}

int fsync(int file) { return synced(file, "fsync"); }

int fdatasync(int file) { return synced(file, "fdatasync"); }

int unlink(const char *path) {
    int number = number_of(path);
    int done = REAL(int (*)(const char *), "unlink")(path);
    if (number >= 0 && !done) note(UNLINK, number, 0, 0, NULL);
    return done;
}
