/* A folder takes a new file or an exchange of two names in one step, and nothing else about files
 * is that simple. So each file is made under another name in its own folder, with signals that end
 * the process held back until it is in its place or gone.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "base/output.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/magic.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

enum { TEMPORARY_NAME = 32, MAX_LINKS = 40, MAX_TRIES = 64 };

static const char temporary_prefix[] = ".quern-";
enum { PREFIX = sizeof temporary_prefix - 1, DIGITS = 16 };

bool qn_output_is_temporary(const char *name) {
  return strncmp(name, temporary_prefix, PREFIX) == 0 && strlen(name) == PREFIX + DIGITS &&
         strspn(name + PREFIX, "0123456789abcdef") == DIGITS;
}

typedef enum state {
  UNTOUCHED,
  MADE,      /* under its temporary name */
  PUBLISHED, /* in its place; where `exchanged`, the temporary name is the old file's */
} state;

typedef struct file {
  const qn_output *output;
  char *path; /* of the file itself, with all links resolved; NULL: not a file that is replaced */
  const char *name; /* of the file in its folder: the end of `path` */
  int folder;       /* -1: not open */
  int target;       /* open for writing in place, or -1 */
  char temporary[TEMPORARY_NAME];
  struct stat info; /* of what is there already */
  bool exists, exchanged;
  state state;
} file;

static const char *reason_of(int error) {
  const char *text = strerrordesc_np(error); /* unlike strerror: static storage, any thread */
  return text ? text : "unknown error";
}

/* ---- writing bytes: 0 or an error number ---- */

static int write_piece(int fd, qn_bytes bytes) {
  while (bytes.size) {
    ssize_t put = write(fd, bytes.data, bytes.size);
    if (put < 0 && errno != EINTR) return errno;
    if (put > 0) bytes = (qn_bytes){bytes.data + put, bytes.size - (size_t)put};
  }
  return 0;
}

static int write_all(int fd, const qn_output *output) {
  int error = 0;
  for (size_t i = 0; i < output->count && !error; i++) error = write_piece(fd, output->pieces[i]);
  return error;
}

static int write_and_close(int fd, const qn_output *output) {
  int error = write_all(fd, output);
  if (close(fd) != 0 && !error) error = errno;
  return error;
}

/* ---- where a path leads ---- */

static int open_folder(file *f) {
  char *slash = strrchr(f->path, '/');
  f->name = slash ? slash + 1 : f->path;
  if (!slash) {
    f->folder = open(".", O_PATH | O_DIRECTORY | O_CLOEXEC);
  } else {
    char kept = slash[1];
    slash[1] = '\0'; /* the slash stays: the folder may be the root */
    f->folder = open(f->path, O_PATH | O_DIRECTORY | O_CLOEXEC);
    slash[1] = kept;
  }
  return f->folder < 0 ? errno : 0;
}

static void forget_path(file *f) {
  if (f->folder >= 0) close(f->folder);
  free(f->path);
  f->folder = -1;
  f->path = NULL;
}

/* /dev/stdout and the like lead to files that are open already, and there is nothing to replace. */
static bool is_open_file(const file *f) {
  struct statfs system;
  return fstatfs(f->folder, &system) == 0 && system.f_type == PROC_SUPER_MAGIC;
}

/* From a link to what it names; there need not be a file yet, which realpath would want. */
static int take_hop(file *f, const char *link) {
  int before = link[0] == '/' ? 0 : (int)(f->name - f->path);
  char *next = NULL;
  if (asprintf(&next, "%.*s%s", before, f->path, link) < 0) return ENOMEM;
  forget_path(f);
  f->path = next;
  return 0;
}

static int find_place(file *f) {
  f->path = strdup(f->output->path);
  if (!f->path) return ENOMEM;
  for (int hops = 0; hops < MAX_LINKS; hops++) {
    char link[PATH_MAX];
    int error = open_folder(f);
    if (error) return error;
    if (is_open_file(f)) {
      forget_path(f);
      return 0;
    }
    if (f->output->private) return 0;
    ssize_t size = readlinkat(f->folder, f->name, link, sizeof link - 1);
    if (size < 0) return 0;
    link[size] = '\0';
    error = take_hop(f, link);
    if (error) return error;
  }
  return ELOOP;
}

static int find(file *f) {
  const char *path = f->output->path;
  if (strcmp(path, "-") == 0) return 0;
  f->exists = !f->output->private && stat(path, &f->info) == 0;
  if (!f->output->private && !f->exists && errno != ENOENT) return errno;
  if (f->exists && S_ISDIR(f->info.st_mode)) return EISDIR;
  if (f->exists && !S_ISREG(f->info.st_mode)) return 0;
  if (f->exists && access(path, W_OK) != 0) return errno; /* a new name would get around it */
  int error = find_place(f);
  return !error && f->path && !f->name[0] ? ENOENT : error; /* "name/" */
}

static bool same_file(const file *a, const file *b) {
  if (!a->path || !b->path) return false;
  if (a->exists && b->exists)
    return a->info.st_dev == b->info.st_dev && a->info.st_ino == b->info.st_ino;
  struct stat x, y;
  return a->exists == b->exists && strcmp(a->name, b->name) == 0 && fstat(a->folder, &x) == 0 &&
         fstat(b->folder, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

/* ---- making ---- */

/* An unguessable, unused name, short whatever the file's own name is. */
static int create_temporary(file *f, int *out_fd) {
  for (int i = 0; i < MAX_TRIES; i++) {
    uint64_t number;
    if (getrandom(&number, sizeof number, 0) != (ssize_t)sizeof number) return errno;
    snprintf(f->temporary, sizeof f->temporary, "%s%0*llx", temporary_prefix, DIGITS,
             (unsigned long long)number);
    *out_fd = openat(f->folder, f->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
                     f->output->private ? 0600 : 0666);
    if (*out_fd >= 0) return 0;
    if (errno != EEXIST) return errno;
  }
  return EEXIST;
}

/* The mode and owner of the file that it replaces; false when this process may not give them. */
static bool take_over(const file *f, int fd) {
  struct stat made;
  if (!f->exists) return true;
  if (fstat(fd, &made) != 0) return false;
  bool other = made.st_uid != f->info.st_uid || made.st_gid != f->info.st_gid;
  if (other && fchown(fd, f->info.st_uid, f->info.st_gid) != 0) return false;
  return fchmod(fd, f->info.st_mode & 07777) == 0;
}

static int make(file *f) {
  int fd = -1, error = create_temporary(f, &fd);
  bool closed_folder = error == EACCES || error == EPERM || error == EROFS;
  bool in_place = f->exists && (closed_folder || f->info.st_nlink > 1);
  if (error && !in_place) return error;
  if (!error) {
    f->state = MADE;
    if (!take_over(f, fd)) in_place = true;
    error = write_and_close(fd, f->output); /* in place or not: that there is room for it */
    if (error) return error;
  }
  if (!in_place) return 0;
  f->target = openat(f->folder, f->name, O_WRONLY | O_CLOEXEC);
  return f->target < 0 ? errno : 0;
}

/* ---- publishing ---- */

/* With several files the old one is kept until all are in place. Not every file system can
 * exchange; there, the old one is gone. */
static int publish(file *f, bool several) {
  if (several && f->exists &&
      renameat2(f->folder, f->temporary, f->folder, f->name, RENAME_EXCHANGE) == 0) {
    f->exchanged = true;
  } else if (renameat(f->folder, f->temporary, f->folder, f->name) != 0) {
    return errno;
  }
  f->state = PUBLISHED;
  return 0;
}

static void take_back(file *f) {
  if (f->state == PUBLISHED && f->exchanged)
    (void)!renameat2(f->folder, f->temporary, f->folder, f->name, RENAME_EXCHANGE);
  else if (f->state == PUBLISHED && !f->exists)
    unlinkat(f->folder, f->name, 0);
}

static int overwrite(file *f) {
  off_t size = 0;
  for (size_t i = 0; i < f->output->count; i++) size += (off_t)f->output->pieces[i].size;
  int error = write_all(f->target, f->output);
  if (!error && ftruncate(f->target, size) != 0) error = errno;
  if (close(f->target) != 0 && !error) error = errno;
  f->target = -1;
  return error;
}

/* ---- all of them ---- */

typedef struct job {
  file *files;
  size_t count, failed;
  bool twice; /* a file is named by two paths */
} job;

static int for_each(job *j, int (*step)(file *f), bool (*wanted)(const file *f)) {
  for (size_t i = 0; i < j->count; i++) {
    int error = wanted(&j->files[i]) ? step(&j->files[i]) : 0;
    if (!error) continue;
    j->failed = i;
    return error;
  }
  return 0;
}

static int refuse_twice(job *j) {
  for (size_t i = 0; i < j->count && !j->twice; i++) {
    for (size_t k = 0; k < i && !j->twice; k++) j->twice = same_file(&j->files[k], &j->files[i]);
    j->failed = i;
  }
  return j->twice ? EINVAL : 0;
}

static bool is_any(const file *f) { return f->output != NULL; }
static bool is_stream(const file *f) { return f->path == NULL; }
static bool is_replaced(const file *f) { return f->path != NULL; }
static bool is_moved(const file *f) { return f->path && f->target < 0; }
static bool is_overwritten(const file *f) { return f->target >= 0; }

static int write_stream(file *f) {
  if (strcmp(f->output->path, "-") == 0) return write_all(STDOUT_FILENO, f->output);
  int fd = open(f->output->path, O_WRONLY | O_APPEND | O_CLOEXEC);
  return fd < 0 ? errno : write_and_close(fd, f->output);
}

static int publish_one(file *f) { return publish(f, false); }
static int publish_several(file *f) { return publish(f, true); }

static void clean_up(job *j, bool failed) {
  for (size_t i = 0; i < j->count; i++) {
    file *f = &j->files[i];
    if (failed) take_back(f);
    if (f->target >= 0) close(f->target);
    if (f->state == MADE || f->exchanged) unlinkat(f->folder, f->temporary, 0);
    forget_path(f);
  }
}

static int replace_all(job *j) {
  int error = for_each(j, make, is_replaced);
  if (!error) error = for_each(j, j->count > 1 ? publish_several : publish_one, is_moved);
  if (!error) error = for_each(j, overwrite, is_overwritten);
  return error;
}

/* A file beyond the size that the process may write brings a signal that ends it, unless it is held
 * back and taken away. */
static void forget_size_signal(void) {
  sigset_t size;
  sigemptyset(&size);
  sigaddset(&size, SIGXFSZ);
  sigtimedwait(&size, NULL, &(struct timespec){0});
}

static int write_job(job *j) {
  sigset_t ending, size, before;
  sigemptyset(&size);
  sigaddset(&size, SIGXFSZ);
  ending = size;
  sigaddset(&ending, SIGINT);
  sigaddset(&ending, SIGTERM);
  sigaddset(&ending, SIGHUP);
  sigaddset(&ending, SIGQUIT);
  pthread_sigmask(SIG_BLOCK, &size, &before);
  bool held = sigismember(&before, SIGXFSZ) == 1;
  int error = for_each(j, find, is_any);
  if (!error) error = refuse_twice(j);
  if (!error) error = for_each(j, write_stream, is_stream);
  pthread_sigmask(SIG_BLOCK, &ending, NULL);
  if (!error) error = replace_all(j);
  clean_up(j, error != 0);
  if (error == EFBIG && !held) forget_size_signal();
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return error;
}

qn_status qn_outputs_write(const qn_output *outputs, size_t count, size_t *out_failed,
                           const char **out_reason) {
  job j = {.files = calloc(count + 1, sizeof *j.files), .count = count};
  *out_failed = 0;
  *out_reason = reason_of(ENOMEM);
  if (!j.files) return QN_LIMIT;
  for (size_t i = 0; i < count; i++)
    j.files[i] = (file){.output = &outputs[i], .folder = -1, .target = -1};
  int error = write_job(&j);
  free(j.files);
  *out_failed = j.failed;
  *out_reason = j.twice ? "another output of this command is the same file" : reason_of(error);
  if (j.twice) return QN_INVALID;
  if (error == ENOMEM) return QN_LIMIT;
  return error ? QN_IO : QN_OK;
}
