/* The directory of a cache: finds, writes and removes entries.
 *
 * An entry is a file named by its key: a header, then the objects, consecutively. The objects are
 * written from their own memory in several pieces, because a copy would be as large as the model.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "api/cache/cache.h"
#include "base/hash.h"
#include "base/output.h"

/* File descriptors are open in this file, so its functions must not be aborted by a longjmp: they
 * allocate with malloc, and if memory does not suffice, no entry is found or stored. */

typedef struct header {
  char magic[8];
  uint32_t version, count;
  uint64_t sizes[QN_CODE_MAX_PARTS]; /* bytes of each object; 0 from index `count` on */
  uint8_t key[QN_CACHE_DIGEST];
  uint64_t sum; /* checksum of the objects */
} header;

static const header prototype = {.magic = "qn-code", .version = 3};
static const char suffix[] = ".code";
enum { NAME = 2 * QN_CACHE_DIGEST + sizeof suffix };

static void name_of(const qn_cache_key *key, char out_name[NAME]) {
  for (size_t i = 0; i < QN_CACHE_DIGEST; i++) snprintf(out_name + 2 * i, 3, "%02x", key->bytes[i]);
  memcpy(out_name + 2 * QN_CACHE_DIGEST, suffix, sizeof suffix);
}

/* ---- the folder itself ---- */

/* Creates a directory like `mkdir -p`, with access for this user only. */
static void make(const char *folder) {
  char *path = strdup(folder);
  if (!path) return;
  for (char *at = path; *at; at++) {
    if (at == path || *at != '/') continue;
    *at = '\0';
    mkdir(path, 0700);
    *at = '/';
  }
  mkdir(path, 0700);
  free(path);
}

/* Whether this user owns the file and no other user has write permission. Access control lists are
 * covered, because they appear in the permissions of the group.
 */
static bool is_ours(const struct stat *info) {
  return info->st_uid == geteuid() && !(info->st_mode & (S_IWGRP | S_IWOTH));
}

static const char *error_text(int error) {
  const char *text = strerrordesc_np(error); /* unlike strerror: static storage, any thread */
  return text ? text : "unknown error";
}

/* Opens the directory and returns its descriptor. Returns -1, with the reason, if it does not
 * exist, or if a user other than this one owns it or can write to it. */
static int open_folder(const char *folder, const char **out_reason) {
  int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  struct stat info;
  if (fd < 0 || fstat(fd, &info) != 0) {
    *out_reason = error_text(errno);
  } else if (info.st_uid != geteuid()) {
    *out_reason = "it belongs to somebody else";
  } else if (!is_ours(&info)) {
    *out_reason = "others can write in it";
  } else {
    return fd;
  }
  if (fd >= 0) close(fd);
  return -1;
}

/* A checksum that detects damage. It does not protect against manipulation: only this user can
 * write here (is_ours), and anyone who can write could also compute a cryptographic digest, which
 * would take half of the time of a lookup. */
static uint64_t sum_of(const qn_code *code) {
  uint64_t sum = code->count;
  for (uint32_t i = 0; i < code->count; i++)
    sum = qn_hash_mix(sum, qn_hash_bytes(i, code->parts[i].data, code->parts[i].size));
  return sum;
}

/* ---- finding ---- */

static bool check(qn_bytes file, const qn_cache_key *key, qn_code *out_code) {
  header h;
  if (file.size < sizeof h) return false;
  memcpy(&h, file.data, sizeof h);
  if (memcmp(h.magic, prototype.magic, sizeof h.magic) != 0 || h.version != prototype.version ||
      h.count == 0 || h.count > QN_CODE_MAX_PARTS || memcmp(h.key, key->bytes, sizeof h.key) != 0)
    return false;
  size_t at = sizeof h;
  *out_code = (qn_code){.count = h.count};
  for (uint32_t i = 0; i < QN_CODE_MAX_PARTS; i++) {
    if (h.sizes[i] > (i < h.count ? file.size - at : 0)) return false;
    out_code->parts[i] = (qn_bytes){file.data + at, (size_t)h.sizes[i]};
    at += (size_t)h.sizes[i];
  }
  return at == file.size && sum_of(out_code) == h.sum;
}

/* Reads an open entry. QN_INVALID if it is damaged, not a regular file, or writable by other users.
 */
static qn_status read_entry(int fd, const qn_cache_key *key, qn_file **out_file,
                            qn_code *out_code) {
  struct stat info;
  const char *reason;
  if (fstat(fd, &info) != 0 || !S_ISREG(info.st_mode) || !is_ours(&info)) return QN_INVALID;
  QN_TRY(qn_file_read(fd, out_file, &reason));
  if (check(qn_file_bytes(*out_file), key, out_code)) return QN_OK;
  qn_file_release(*out_file);
  *out_file = NULL;
  return QN_INVALID;
}

/* Opens an entry. It does not follow symbolic links and does not wait for the writer of a pipe.
 * Every failure except lack of memory or descriptors means that there is no valid entry. */
static qn_status open_entry(int folder, const char *name, int *out_fd) {
  *out_fd = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (*out_fd >= 0) return QN_OK;
  if (errno == ENOENT) return QN_NOT_FOUND;
  return errno == ENOMEM || errno == EMFILE || errno == ENFILE ? QN_LIMIT : QN_INVALID;
}

static bool find_in(int folder, const qn_cache_key *key, qn_file **out_file, qn_code *out_code) {
  char name[NAME];
  int fd;
  name_of(key, name);
  qn_status status = open_entry(folder, name, &fd);
  if (status == QN_OK) status = read_entry(fd, key, out_file, out_code);
  if (status == QN_OK) futimens(fd, NULL); /* marks the entry as the most recently used */
  if (status == QN_INVALID) unlinkat(folder, name, 0);
  if (fd >= 0) close(fd);
  return status == QN_OK;
}

bool qn_cache_find(const char *folder, const qn_cache_key *key, qn_file **out_file,
                   qn_code *out_code) {
  const char *reason;
  int fd = open_folder(folder, &reason);
  *out_file = NULL;
  if (fd < 0) return false;
  bool found = find_in(fd, key, out_file, out_code);
  close(fd);
  return found;
}

/* ---- removal of least recently used entries, and of files that killed writers left ---- */

typedef struct found_entry {
  char name[NAME];
  bool temporary; /* a temporary file: being written, or left from a killed process */
  struct timespec used;
  uint64_t size;
} found_entry;

typedef struct found_entries {
  found_entry *rows;
  size_t count, capacity;
  uint64_t size;
} found_entries;

static bool is_entry(const char *name) {
  return strlen(name) == NAME - 1 &&
         strspn(name, "0123456789abcdef") == NAME - (size_t)sizeof suffix &&
         strcmp(name + NAME - sizeof suffix, suffix) == 0;
}

static bool add_entry(found_entries *all, const char *name, const struct stat *info) {
  const size_t length = strlen(name);
  assert(length < NAME); /* names of entries and of temporary files have a fixed length */
  if (all->count == all->capacity) {
    size_t capacity = 2 * all->capacity + 16;
    found_entry *rows = realloc(all->rows, capacity * sizeof *rows);
    if (!rows) return false;
    all->rows = rows;
    all->capacity = capacity;
  }
  found_entry *row = &all->rows[all->count++];
  *row = (found_entry){.temporary = qn_output_is_temporary(name),
                       .used = info->st_mtim,
                       .size = (uint64_t)info->st_size};
  memcpy(row->name, name, length + 1);
  all->size += row->size;
  return true;
}

static void list_entries(int folder, found_entries *all) {
  char path[64];
  snprintf(path, sizeof path, "/proc/self/fd/%d", folder);
  DIR *dir = opendir(path);
  if (!dir) return;
  struct stat info;
  for (const struct dirent *d; (d = readdir(dir));)
    if ((is_entry(d->d_name) || qn_output_is_temporary(d->d_name)) &&
        fstatat(folder, d->d_name, &info, AT_SYMLINK_NOFOLLOW) == 0 &&
        !add_entry(all, d->d_name, &info))
      break;
  closedir(dir);
}

static int by_use(const void *a, const void *b) {
  const found_entry *x = a, *y = b;
  if (x->used.tv_sec != y->used.tv_sec) return x->used.tv_sec < y->used.tv_sec ? -1 : 1;
  if (x->used.tv_nsec != y->used.tv_nsec) return x->used.tv_nsec < y->used.tv_nsec ? -1 : 1;
  return strcmp(x->name, y->name);
}

/* Whether a temporary file is left from a killed process. Writing takes less than a second. If a
 * process that was only stopped loses its file, its entry is not stored, which is harmless. */
static bool is_left(const found_entry *entry) {
  enum { LEFT_SECONDS = 600 };
  time_t now = time(NULL), then = entry->used.tv_sec;
  return entry->temporary && (then < now - LEFT_SECONDS || then > now + LEFT_SECONDS);
}

/* Removes the oldest entries. Another process may do the same concurrently, so a file that does not
 * exist any more is not an error. */
static void remove_oldest(int folder, uint64_t bound) {
  found_entries all = {0};
  list_entries(folder, &all);
  if (all.size > bound) qsort(all.rows, all.count, sizeof *all.rows, by_use);
  for (size_t i = 0; i < all.count; i++) {
    if (all.size <= bound && !is_left(&all.rows[i])) continue;
    unlinkat(folder, all.rows[i].name, 0);
    all.size -= all.rows[i].size;
  }
  free(all.rows);
}

/* ---- storing an entry ---- */

static uint64_t size_of(const qn_code *code) {
  uint64_t size = sizeof(header);
  for (uint32_t i = 0; i < code->count; i++) size += code->parts[i].size;
  return size;
}

static const char *write_entry(int folder, const qn_cache_key *key, const qn_code *code) {
  header h = prototype;
  h.count = code->count;
  h.sum = sum_of(code);
  for (uint32_t i = 0; i < code->count; i++) h.sizes[i] = code->parts[i].size;
  memcpy(h.key, key->bytes, sizeof h.key);
  qn_bytes pieces[1 + QN_CODE_MAX_PARTS] = {{(const uint8_t *)&h, sizeof h}};
  memcpy(pieces + 1, code->parts, code->count * sizeof *pieces);
  /* The path refers to the open directory by its descriptor, so that renaming the directory has no
   * effect. */
  char name[NAME], path[64 + NAME];
  name_of(key, name);
  snprintf(path, sizeof path, "/proc/self/fd/%d/%s", folder, name);
  size_t failed;
  const char *reason = NULL;
  qn_output output = {.path = path, .pieces = pieces, .count = 1 + code->count, .private = true};
  qn_status status = qn_outputs_write(&output, 1, &failed, &reason);
  return status == QN_OK ? NULL : reason ? reason : qn_status_name(status);
}

const char *qn_cache_keep(const char *folder, size_t bound, const qn_cache_key *key,
                          const qn_code *code) {
  if (size_of(code) > bound) return "it is larger than all that may be kept";
  const char *reason = NULL;
  make(folder);
  int fd = open_folder(folder, &reason);
  if (fd < 0) return reason;
  reason = write_entry(fd, key, code);
  remove_oldest(fd, bound);
  close(fd);
  return reason;
}
