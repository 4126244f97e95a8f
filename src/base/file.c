/* Reading files. They are read, not mapped: a map changes, or ends the process, when somebody else
 * writes the file or cuts it off, and what has been checked would not be what is used. Reading
 * costs about a millisecond for 4 MB. A descriptor is open meanwhile, so nothing here gives the
 * call up: no memory is an error like the others.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/guard.h"

/* Enough for all but models that have their constants behind what offsets of 32 bits reach. */
static const size_t max_file = (size_t)2 << 30, max_model = (size_t)16 << 30;

struct qn_file {
  qn_bytes bytes;
  bool owned, sealed;
  atomic_uint references;
};

static const char *reason_of(int error) {
  const char *text = strerrordesc_np(error); /* unlike strerror: static storage, any thread */
  return text ? text : "unknown error";
}

static qn_file *new_file(qn_bytes bytes, bool owned) {
  qn_file *file = qn_heap_try(sizeof *file);
  if (!file) return NULL;
  file->bytes = bytes;
  file->owned = owned;
  atomic_init(&file->references, 1);
  return file;
}

typedef struct buffer {
  uint8_t *data;
  size_t size, capacity;
} buffer;

/* 0 or an error number. Room for one byte more than the file has shows its end without growing. */
static int read_all(int fd, size_t most, buffer *all) {
  for (;;) {
    if (all->size > most) return EFBIG;
    if (all->size == all->capacity) {
      all->capacity = 2 * all->capacity;
      uint8_t *grown = qn_heap_try_resize(all->data, all->capacity);
      if (!grown) return ENOMEM;
      all->data = grown;
    }
    ssize_t got = read(fd, all->data + all->size, all->capacity - all->size);
    if (got == 0) return 0;
    if (got < 0 && errno != EINTR) return errno;
    if (got > 0) all->size += (size_t)got;
  }
}

/* Whether a file of this size is read; of a long one, as its first bytes say. */
static bool is_taken(int fd, uint64_t size, qn_is_long *is_long) {
  enum { FIRST = 64 };
  uint8_t first[FIRST];
  if (size <= max_file) return true;
  if (!is_long || size > max_model) return false;
  ssize_t count = pread(fd, first, FIRST, 0);
  return count > 0 && is_long((qn_bytes){first, (size_t)count});
}

/* What has no size is of no more than other files are. */
static int open_fd(int fd, qn_is_long *is_long, qn_file **out_file) {
  enum { PIPE = 1 << 16 };
  struct stat info;
  if (fstat(fd, &info) != 0) return errno;
  if (S_ISDIR(info.st_mode)) return EISDIR;
  bool sized = S_ISREG(info.st_mode) && info.st_size > 0;
  size_t size = sized ? (size_t)info.st_size : 0, most = size > max_file ? size : max_file;
  if (!is_taken(fd, size, is_long)) return EFBIG;
  buffer all = {.capacity = sized ? size + 1 : PIPE};
  all.data = qn_heap_try(all.capacity);
  int error = all.data ? read_all(fd, most, &all) : ENOMEM;
  if (!error) *out_file = new_file((qn_bytes){all.data, all.size}, true);
  if (!error && !*out_file) error = ENOMEM;
  if (error) qn_heap_free(all.data);
  return error;
}

qn_status qn_file_open_long(const char *path, qn_is_long *is_long, qn_file **out_file,
                            const char **out_reason) {
  int error = 0;
  if (strcmp(path, "-") == 0) {
    error = open_fd(STDIN_FILENO, is_long, out_file);
  } else {
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    error = fd < 0 ? errno : open_fd(fd, is_long, out_file);
    if (fd >= 0) close(fd);
  }
  if (error) *out_reason = reason_of(error);
  if (error == ENOMEM || error == EFBIG) return QN_LIMIT;
  return error ? QN_IO : QN_OK;
}

qn_status qn_file_open(const char *path, qn_file **out_file, const char **out_reason) {
  return qn_file_open_long(path, NULL, out_file, out_reason);
}

qn_file *qn_file_from_memory(qn_bytes bytes, bool copy) {
  qn_bytes own = bytes;
  if (copy && bytes.size > 0) {
    uint8_t *data = qn_heap_try(bytes.size);
    if (!data) qn_guard_unwind_tried();
    memcpy(data, bytes.data, bytes.size);
    own.data = data;
  }
  qn_file *file = new_file(own, own.data != bytes.data);
  if (!file) {
    if (own.data != bytes.data) qn_heap_free((void *)(uintptr_t)own.data);
    qn_guard_unwind_tried();
  }
  return file;
}

qn_file *qn_file_sealed(qn_bytes bytes) {
  uint8_t *data = qn_heap_try_pages(bytes.size);
  if (!data) qn_guard_unwind_tried();
  memcpy(data, bytes.data, bytes.size);
  bool sealed = qn_heap_seal_pages(data);
  qn_file *file = sealed ? new_file((qn_bytes){data, bytes.size}, true) : NULL;
  if (!file) {
    qn_heap_free(data);
    if (!sealed) qn_guard_unwind(QN_EXCEEDED_SYSTEM);
    qn_guard_unwind_tried();
  }
  file->sealed = true;
  return file;
}

bool qn_file_is_sealed(const qn_file *file) { return file->sealed; }

qn_bytes qn_file_bytes(const qn_file *file) { return file->bytes; }

void qn_file_retain(qn_file *file) { atomic_fetch_add(&file->references, 1); }

void qn_file_release(qn_file *file) {
  if (!file || atomic_fetch_sub(&file->references, 1) > 1) return;
  if (file->owned) qn_heap_free((void *)(uintptr_t)file->bytes.data);
  qn_heap_free(file);
}
