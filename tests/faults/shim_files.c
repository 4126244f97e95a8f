/* Files, mappings, threads and shared objects.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "shim_calls.h"

/* ---- files ---- */

static int fail_with(int error) {
  errno = error;
  return -1;
}

static int opened(int fd, const void *caller) {
  if (fd >= 0) shim_count_file(caller, 1);
  return fd;
}

EXPORT int open(const char *path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  int mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(arguments, int) : 0;
  va_end(arguments);
  if (shim_hit(HERE, 'f', "open")) return fail_with(EMFILE);
  return opened(NEXT(open)(path, flags, mode), HERE);
}

EXPORT int openat(int folder, const char *path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  int mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(arguments, int) : 0;
  va_end(arguments);
  if (shim_hit(HERE, 'f', "openat")) return fail_with(EMFILE);
  return opened(NEXT(openat)(folder, path, flags, mode), HERE);
}

EXPORT int mkostemp(char *pattern, int flags) {
  if (shim_hit(HERE, 'f', "mkostemp")) return fail_with(EACCES);
  return opened(NEXT(mkostemp)(pattern, flags), HERE);
}

EXPORT int mkstemp(char *pattern) {
  if (shim_hit(HERE, 'f', "mkstemp")) return fail_with(EACCES);
  return opened(NEXT(mkstemp)(pattern), HERE);
}

EXPORT int memfd_create(const char *name, unsigned flags) {
  if (shim_hit(HERE, 'f', "memfd_create")) return fail_with(EMFILE);
  return opened(NEXT(memfd_create)(name, flags), HERE);
}

/* The descriptor is gone in any case, as the system has it. */
EXPORT int close(int fd) {
  bool fails = shim_hit(HERE, 'f', "close");
  int result = NEXT(close)(fd);
  if (result == 0) shim_count_file(HERE, -1);
  return fails ? fail_with(EIO) : result;
}

EXPORT ssize_t read(int fd, void *data, size_t size) {
  if (shim_hit(HERE, 'f', "read")) return fail_with(EIO);
  return NEXT(read)(fd, data, size);
}

EXPORT ssize_t pread(int fd, void *data, size_t size, off_t at) {
  if (shim_hit(HERE, 'f', "pread")) return fail_with(EIO);
  return NEXT(pread)(fd, data, size, at);
}

EXPORT int fallocate(int fd, int mode, off_t at, off_t size) {
  if (shim_hit(HERE, 'f', "fallocate")) return fail_with(EOPNOTSUPP);
  return NEXT(fallocate)(fd, mode, at, size);
}

/* Half of it goes out before the end of the disk. */
EXPORT ssize_t write(int fd, const void *data, size_t size) {
  __typeof__(&write) next = NEXT(write);
  if (!shim_hit(HERE, 'f', "write")) return next(fd, data, size);
  if (size > 1) (void)!next(fd, data, size / 2);
  return fail_with(ENOSPC);
}

EXPORT int fsync(int fd) {
  if (shim_hit(HERE, 'f', "fsync")) return fail_with(EIO);
  return NEXT(fsync)(fd);
}

EXPORT int fdatasync(int fd) {
  if (shim_hit(HERE, 'f', "fdatasync")) return fail_with(EIO);
  return NEXT(fdatasync)(fd);
}

EXPORT int rename(const char *from, const char *to) {
  if (shim_hit(HERE, 'f', "rename")) return fail_with(EACCES);
  return NEXT(rename)(from, to);
}

EXPORT int renameat(int from_folder, const char *from, int to_folder, const char *to) {
  if (shim_hit(HERE, 'f', "renameat")) return fail_with(EACCES);
  return NEXT(renameat)(from_folder, from, to_folder, to);
}

EXPORT int renameat2(int from_folder, const char *from, int to_folder, const char *to,
                     unsigned flags) {
  if (shim_hit(HERE, 'f', "renameat2"))
    return fail_with(EINVAL); /* as file systems that can't exchange */
  return NEXT(renameat2)(from_folder, from, to_folder, to, flags);
}

EXPORT int linkat(int from_folder, const char *from, int to_folder, const char *to, int flags) {
  if (shim_hit(HERE, 'f', "linkat")) return fail_with(EPERM);
  return NEXT(linkat)(from_folder, from, to_folder, to, flags);
}

EXPORT int unlinkat(int folder, const char *path, int flags) {
  if (shim_hit(HERE, 'f', "unlinkat")) return fail_with(EPERM);
  return NEXT(unlinkat)(folder, path, flags);
}

/* Not a link is what it says most of the time, and EINVAL then. */
EXPORT ssize_t readlinkat(int folder, const char *path, char *link, size_t size) {
  if (shim_hit(HERE, 'f', "readlinkat")) return fail_with(EIO);
  return NEXT(readlinkat)(folder, path, link, size);
}

EXPORT int fchown(int fd, uid_t owner, gid_t group) {
  if (shim_hit(HERE, 'f', "fchown")) return fail_with(EPERM);
  return NEXT(fchown)(fd, owner, group);
}

EXPORT int mkdir(const char *path, mode_t mode) {
  if (shim_hit(HERE, 'f', "mkdir")) return fail_with(EACCES);
  return NEXT(mkdir)(path, mode);
}

EXPORT int fstat(int fd, struct stat *info) {
  if (shim_hit(HERE, 'f', "fstat")) return fail_with(EIO);
  return NEXT(fstat)(fd, info);
}

EXPORT int stat(const char *path, struct stat *info) {
  if (shim_hit(HERE, 'f', "stat")) return fail_with(EACCES);
  return NEXT(stat)(path, info);
}

EXPORT int fchmod(int fd, mode_t mode) {
  if (shim_hit(HERE, 'f', "fchmod")) return fail_with(EPERM);
  return NEXT(fchmod)(fd, mode);
}

EXPORT int ftruncate(int fd, off_t size) {
  if (shim_hit(HERE, 'f', "ftruncate")) return fail_with(ENOSPC);
  return NEXT(ftruncate)(fd, size);
}

EXPORT FILE *fopen(const char *path, const char *mode) {
  if (shim_hit(HERE, 'f', "fopen")) {
    errno = EMFILE;
    return NULL;
  }
  return NEXT(fopen)(path, mode);
}

EXPORT void *mmap(void *at, size_t size, int protection, int flags, int fd, off_t offset) {
  if (shim_hit(HERE, 'f', "mmap")) {
    errno = ENODEV;
    return MAP_FAILED;
  }
  void *memory = NEXT(mmap)(at, size, protection, flags, fd, offset);
  if (memory != MAP_FAILED) shim_count_mapping(HERE, 1);
  return memory;
}

EXPORT int munmap(void *memory, size_t size) {
  shim_count_mapping(HERE, -1);
  return NEXT(munmap)(memory, size);
}

/* ---- threads ---- */

EXPORT int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *),
                          void *user) {
  if (shim_hit(HERE, 't', "pthread_create")) return EAGAIN;
  return NEXT(pthread_create)(thread, attributes, run, user);
}

EXPORT void *dlopen(const char *path, int flags) {
  if (shim_hit(HERE, 'f', "dlopen"))
    return NEXT(dlopen)("/nonexistent/faults.so", flags); /* dlerror */
  return NEXT(dlopen)(path, flags);
}
