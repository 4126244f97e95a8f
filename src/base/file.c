/* Reading and writing files. Signals that ask the process to end are held back while a file is
 * being replaced, so that neither half a file nor a temporary one is left behind.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "base/check.h"
#include "base/str.h"

/* What comes through a pipe has no size to check beforehand. */
static const size_t max_stream = (size_t)4 << 30;

typedef enum ownership { BORROWED, HEAP, MAPPED } ownership;

struct qn_file {
  qn_bytes bytes;
  ownership owned;
  atomic_uint references;
};

static const char *reason_of(int error) {
  const char *text = strerrordesc_np(error); /* unlike strerror: static storage, any thread */
  return text ? text : "unknown error";
}

static qn_file *new_file(qn_bytes bytes, ownership kind) {
  qn_file *file = calloc(1, sizeof *file);
  if (!file) QN_UNREACHABLE("out of memory");
  file->bytes = bytes;
  file->owned = kind;
  atomic_init(&file->references, 1);
  return file;
}

/* 0 or an error number. */
static int read_stream(int fd, qn_file **out_file) {
  QN_ARRAY(uint8_t) data = {0};
  for (;;) {
    qn_array_reserve(&data, data.count + 65536);
    ssize_t got = read(fd, data.data + data.count, data.capacity - data.count);
    if (got == 0) break;
    if (got > 0) data.count += (size_t)got;
    int error = got > 0 ? 0 : errno;
    if (data.count > max_stream) error = EFBIG;
    if (error && error != EINTR) {
      qn_array_free(&data);
      return error;
    }
  }
  *out_file = new_file((qn_bytes){data.data, data.count}, HEAP);
  return 0;
}

/* 0 or an error number. Whatever can't be mapped (pipes, some file systems) is read. */
static int open_fd(int fd, qn_file **out_file) {
  struct stat info;
  if (fstat(fd, &info) != 0) return errno;
  if (S_ISDIR(info.st_mode)) return EISDIR;
  if (S_ISREG(info.st_mode) && info.st_size > 0 && lseek(fd, 0, SEEK_CUR) == 0) {
    size_t size = (size_t)info.st_size;
    void *memory = mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (memory != MAP_FAILED) {
      *out_file = new_file((qn_bytes){memory, size}, MAPPED);
      return 0;
    }
  }
  return read_stream(fd, out_file);
}

qn_status qn_file_open(const char *path, qn_file **out_file, const char **out_reason) {
  int error = 0;
  if (strcmp(path, "-") == 0) {
    error = open_fd(STDIN_FILENO, out_file);
  } else {
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    error = fd < 0 ? errno : open_fd(fd, out_file);
    if (fd >= 0) close(fd);
  }
  if (error) *out_reason = reason_of(error);
  return error ? QN_IO : QN_OK;
}

qn_file *qn_file_from_memory(qn_bytes bytes, bool copy) {
  if (!copy || bytes.size == 0) return new_file(bytes, BORROWED);
  uint8_t *data = malloc(bytes.size);
  if (!data) QN_UNREACHABLE("out of memory");
  memcpy(data, bytes.data, bytes.size);
  return new_file((qn_bytes){data, bytes.size}, HEAP);
}

qn_bytes qn_file_bytes(const qn_file *file) { return file->bytes; }

void qn_file_retain(qn_file *file) { atomic_fetch_add(&file->references, 1); }

void qn_file_release(qn_file *file) {
  if (!file || atomic_fetch_sub(&file->references, 1) > 1) return;
  void *data = (void *)(uintptr_t)file->bytes.data;
  if (file->owned == MAPPED) munmap(data, file->bytes.size);
  if (file->owned == HEAP) free(data);
  free(file);
}

/* ---- writing ---- */

static int write_all(int fd, qn_bytes bytes) {
  while (bytes.size) {
    ssize_t put = write(fd, bytes.data, bytes.size);
    if (put < 0 && errno != EINTR) return errno;
    if (put > 0) bytes = (qn_bytes){bytes.data + put, bytes.size - (size_t)put};
  }
  return 0;
}

static int write_and_close(int fd, qn_bytes bytes) {
  int error = write_all(fd, bytes);
  if (close(fd) != 0 && !error) error = errno;
  return error;
}

static int replace(const char *path, qn_bytes bytes) {
  qn_text temporary = {0};
  qn_text_format(&temporary, "%s.tmp-%ld", path, (long)getpid());
  int fd = open(temporary.data, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  int error = fd < 0 ? errno : write_and_close(fd, bytes);
  if (!error && rename(temporary.data, path) != 0) error = errno;
  if (error && fd >= 0) unlink(temporary.data);
  qn_text_deinit(&temporary);
  return error;
}

/* A device, pipe or the like is written to; a symbolic link's target is replaced, not the link. */
static int write_path(const char *path, qn_bytes bytes) {
  struct stat info;
  if (stat(path, &info) != 0) return replace(path, bytes);
  if (S_ISDIR(info.st_mode)) return EISDIR;
  if (!S_ISREG(info.st_mode)) {
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    return fd < 0 ? errno : write_and_close(fd, bytes);
  }
  if (access(path, W_OK) != 0) return errno; /* renaming would replace a file set read-only */
  char *target = realpath(path, NULL);
  int error = target ? replace(target, bytes) : errno;
  free(target);
  return error;
}

qn_status qn_file_write(const char *path, qn_bytes bytes, const char **out_reason) {
  int error = 0;
  if (strcmp(path, "-") == 0) {
    error = write_all(STDOUT_FILENO, bytes);
  } else {
    sigset_t ending, before;
    sigemptyset(&ending);
    sigaddset(&ending, SIGINT);
    sigaddset(&ending, SIGTERM);
    sigaddset(&ending, SIGHUP);
    pthread_sigmask(SIG_BLOCK, &ending, &before);
    error = write_path(path, bytes);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
  }
  if (error) *out_reason = reason_of(error);
  return error ? QN_IO : QN_OK;
}
