/* What a power cut leaves of a directory, told without one: whatever a program brings to the disk
 * (fsync, fdatasync) is copied to a "platter" at that moment.
 *
 * Loaded before libc by LD_PRELOAD. PLATTER names the directory that the copies go to, PLATTER_OF
 * the one that is watched. As POSIX has it, a file's bytes and its name are brought to the disk by
 * two calls: of a file its bytes, of a directory the names in it.
 *
 *   PLATTER/bytes/DEVICE-INODE-BIRTH   the bytes of a file, as they were last synced
 *   PLATTER/names/DEVICE-INODE-BIRTH   a line for each name in a directory: d or f, its key, the name
 *
 * A key tells a file from another one that was given its number later.
 * Every copy is made beside its place and renamed, so a kill leaves the former one. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

static int key_at(int dir, const char *name, char *key, size_t size, mode_t *mode) {
    struct statx s;
    int flags = AT_SYMLINK_NOFOLLOW | (*name ? 0 : AT_EMPTY_PATH);
    if (statx(dir, name, flags, STATX_BASIC_STATS | STATX_BTIME, &s) != 0) return -1;
    snprintf(key, size, "%llu-%llu-%lld.%u",
             (unsigned long long)makedev(s.stx_dev_major, s.stx_dev_minor),
             (unsigned long long)s.stx_ino, (long long)s.stx_btime.tv_sec, s.stx_btime.tv_nsec);
    *mode = s.stx_mode;
    return 0;
}

static int is_watched(int fd) {
    const char *of = getenv("PLATTER_OF");
    char link[64], path[PATH_MAX];
    if (!of || !getenv("PLATTER")) return 0;
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length < 0) return 0;
    path[length] = 0;
    size_t n = strlen(of);
    return strncmp(path, of, n) == 0 && (path[n] == 0 || path[n] == '/');
}

static int draft(const char *kind, const char *key, char *place, char *beside, int size) {
    const char *platter = getenv("PLATTER");
    int n = snprintf(place, size, "%s/%s/%s", platter, kind, key);
    int m = snprintf(beside, size, "%s/%s/%s.%ld", platter, kind, key, (long)syscall(SYS_gettid));
    if (n >= size || m >= size) return -1;
    return open(beside, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
}

static int put(int to, const char *bytes, size_t length) {
    while (length > 0) {
        ssize_t n = write(to, bytes, length);
        if (n <= 0) return -1;
        bytes += n, length -= (size_t)n;
    }
    return 0;
}

/* The bytes are read by another descriptor: this one may be open for writing only. */
static int copy_bytes(int fd, int to) {
    char link[64], buffer[65536];
    ssize_t n;
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    int from = open(link, O_RDONLY | O_CLOEXEC);
    if (from < 0) return -1;
    while ((n = read(from, buffer, sizeof buffer)) > 0)
        if (put(to, buffer, (size_t)n) != 0) n = -1;
    close(from);
    return n < 0 ? -1 : 0;
}

static int copy_names(int fd, int to) {
    int again = openat(fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *dir = again < 0 ? NULL : fdopendir(again);
    if (!dir) return -1;
    int failed = 0;
    for (struct dirent *entry; (entry = readdir(dir));) {
        char key[128], line[512];
        mode_t mode;
        if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, "..")) continue;
        if (key_at(fd, entry->d_name, key, sizeof key, &mode) != 0) continue;
        int n = snprintf(line, sizeof line, "%c %s %s\n", S_ISDIR(mode) ? 'd' : 'f', key, entry->d_name);
        failed |= put(to, line, (size_t)n);
    }
    closedir(dir);
    return failed;
}

static int to_platter(int fd) {
    char key[128], place[PATH_MAX], beside[PATH_MAX];
    mode_t mode;
    if (!is_watched(fd) || key_at(fd, "", key, sizeof key, &mode) != 0) return 0;
    int is_dir = S_ISDIR(mode);
    int to = draft(is_dir ? "names" : "bytes", key, place, beside, sizeof place);
    int failed = to < 0 || (is_dir ? copy_names(fd, to) : copy_bytes(fd, to)) != 0;
    if (to >= 0) close(to);
    if (failed || rename(beside, place) != 0) {
        errno = EIO;
        return -1;
    }
    return 0;
}

/* The disk itself is left alone: the machine goes on, and a sync costs time. */
int fsync(int fd) { return to_platter(fd); }
int fdatasync(int fd) { return to_platter(fd); }
