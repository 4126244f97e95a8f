/* Reads files into memory. Files are not mapped: if another process writes to a mapped file, data
 * changes after it was checked; if it truncates the file, accesses end the process. Reading takes
 * about a millisecond per 4 MB. Functions here never abort the call, because the open descriptor
 * would leak; lack of memory is returned as an error.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/guard.h"

/* 2 GiB suffice except for models whose constants are beyond the range of 32-bit offsets. Endless
 * devices need a limit. */
static const size_t max_file = (size_t)2 << 30, max_model = (size_t)16 << 30;
static const size_t max_device = (size_t)1 << 20;

struct qn_file {
  qn_bytes bytes;
  bool owned, sealed;
  atomic_uint references;
};

static const char *reason_of(int error) {
  if (error == ETIME) return "the limit of time is reached";
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

typedef struct source {
  int fd;
  bool waits;  /* a pipe, a socket or a device: what there is to read may come later */
  size_t size; /* 0: unknown */
  size_t most; /* bytes that are taken */
} source;

/* Waits until data is available; returns 0 or an error number. It also waits while no process has
 * opened the other end of a pipe, because read would report the end of the file then. */
static int wait_for(const source *from) {
  enum { LOOK_MS = 50 };
  struct pollfd one = {.fd = from->fd, .events = POLLIN};
  for (;;) {
    if (qn_guard_is_late()) return ETIME;
    if (!from->waits) return 0;
    int ready = poll(&one, 1, LOOK_MS);
    if (ready > 0) return 0;
    if (ready < 0 && errno != EINTR) return errno;
  }
}

static int make_room(buffer *all, size_t most) {
  if (all->size < all->capacity) return 0;
  size_t capacity = all->capacity <= most / 2 ? 2 * all->capacity : most + 1;
  uint8_t *grown = qn_heap_try_resize(all->data, capacity);
  if (!grown) return ENOMEM;
  all->data = grown;
  all->capacity = capacity;
  return 0;
}

/* 0 or an error number. Room for one byte more than the file has shows its end without growing. */
static int read_all(const source *from, buffer *all) {
  enum { PIECE = 16 << 20 };
  for (;;) {
    if (all->size > from->most) return EFBIG;
    int error = make_room(all, from->most);
    if (!error) error = wait_for(from);
    if (error) return error;
    size_t room = all->capacity - all->size;
    ssize_t got = read(from->fd, all->data + all->size, room < PIECE ? room : PIECE);
    if (got == 0) return 0;
    if (got < 0 && errno != EINTR && errno != EAGAIN) return errno;
    if (got > 0) all->size += (size_t)got;
  }
}

/* Whether a file of this size may be read. For a file above max_file, `is_long` decides by its
 * first bytes. */
static bool is_taken(int fd, uint64_t size, qn_is_long *is_long) {
  enum { FIRST = 64 };
  uint8_t first[FIRST];
  if (size <= max_file) return true;
  if (!is_long || size > max_model) return false;
  ssize_t count = pread(fd, first, FIRST, 0);
  return count > 0 && is_long((qn_bytes){first, (size_t)count});
}

/* What has no size is of no more than other files are. */
static int describe(int fd, source *out) {
  struct stat info;
  if (fstat(fd, &info) != 0) return errno;
  if (S_ISDIR(info.st_mode)) return EISDIR;
  bool regular = S_ISREG(info.st_mode);
  bool device = S_ISCHR(info.st_mode) || S_ISBLK(info.st_mode);
  *out = (source){.fd = fd, .waits = !regular, .most = device ? max_device : max_file};
  if (regular && info.st_size > 0) out->size = (size_t)info.st_size;
  if (out->size > out->most) out->most = out->size;
  return 0;
}

static int open_fd(int fd, qn_is_long *is_long, qn_file **out_file) {
  enum { PIPE = 1 << 16 };
  source from = {0};
  int error = describe(fd, &from);
  if (error) return error;
  if (!is_taken(fd, from.size, is_long)) return EFBIG;
  buffer all = {.capacity = from.size > 0 ? from.size + 1 : PIPE};
  all.data = qn_heap_try(all.capacity);
  error = all.data ? read_all(&from, &all) : ENOMEM;
  if (!error) *out_file = new_file((qn_bytes){all.data, all.size}, true);
  if (!error && !*out_file) error = ENOMEM;
  if (error) qn_heap_free(all.data);
  return error;
}

static qn_status status_of(int error, const char **out_reason) {
  if (error) *out_reason = reason_of(error);
  if (error == ENOMEM || error == EFBIG || error == ETIME) return QN_LIMIT;
  return error ? QN_IO : QN_OK;
}

qn_status qn_file_read_long(int fd, qn_is_long *is_long, qn_file **out_file,
                            const char **out_reason) {
  return status_of(open_fd(fd, is_long, out_file), out_reason);
}

qn_status qn_file_read(int fd, qn_file **out_file, const char **out_reason) {
  return qn_file_read_long(fd, NULL, out_file, out_reason);
}

/* Without waiting for who writes to a pipe: reading does that, which looks at the time. */
qn_status qn_file_open_long(const char *path, qn_is_long *is_long, qn_file **out_file,
                            const char **out_reason) {
  int error = 0;
  if (strcmp(path, "-") == 0) {
    error = open_fd(STDIN_FILENO, is_long, out_file);
  } else {
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    error = fd < 0 ? errno : open_fd(fd, is_long, out_file);
    if (fd >= 0) close(fd);
  }
  return status_of(error, out_reason);
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
