/* Counts every fsync and fdatasync of a process, and delays or fails it, as a shared file of three numbers says. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

struct control {
    uint64_t count;
    uint64_t delay_us;
    uint64_t failing;
};

static struct control *control;

__attribute__((constructor)) static void begin(void) {
    const char *path = getenv("SHIJI_FSYNC_SHIM");
    int file = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
    if (file < 0) return;
    void *shared = mmap(NULL, sizeof *control, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    if (shared != MAP_FAILED) control = shared;
}

static int synced(int file, const char *name) {
    int (*real)(int) = (int (*)(int))dlsym(RTLD_NEXT, name);
    if (control) {
        __atomic_add_fetch(&control->count, 1, __ATOMIC_SEQ_CST);
        uint64_t delay = control->delay_us;
        struct timespec pause = {(time_t)(delay / 1000000), (long)(delay % 1000000) * 1000};
        nanosleep(&pause, NULL);
        if (control->failing) {
            errno = EIO;
            return -1;
        }
    }
    return real(file);
}

int fsync(int file) { return synced(file, "fsync"); }

int fdatasync(int file) { return synced(file, "fdatasync"); }
