/* The shared object of shim.h. In programs that know nothing of it, the environment arms it:
 *
 *   QN_FAULT_N=n          call n fails; 0: none
 *   QN_FAULT_FROM=m       and all from m on
 *   QN_FAULT_SIGNAL=s     instead of failing, call n raises signal s, then goes on
 *   QN_FAULT_KINDS=abc    only calls of these kinds count: m memory, f files, t threads
 *   QN_FAULT_LOG=file     at the end, a line "CALLS FIRED", then one for each site: number of its
 *                         first call, name, kind, function, address of the call, passed or failed
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "shim.h"

#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))
/* Where the interposed function was called from. */
#define HERE __builtin_return_address(0)

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *memory, size_t size);
extern void *__libc_memalign(size_t align, size_t size);
extern void __libc_free(void *memory);

enum { MAX_RANGES = 4, MAX_SITES = 1 << 14, TABLE = 1 << 20, DEPTH = 6 };

typedef struct site {
  uint64_t hash;
  long first; /* number of its first call since the arming below */
  long arming;
  const char *function;
  uintptr_t caller; /* in the program */
  char kind;
  bool failed;
} site;

static struct {
  struct {
    uintptr_t begin, end;
  } ranges[MAX_RANGES];
  uintptr_t base; /* where the program's addresses begin */
  int range_count;
  bool armed, fired;
  int signal;
  long wanted, from, arming, calls, blocks, files, mappings, site_count, failed;
  const char *kinds, *log;
  site sites[MAX_SITES];
  void *table[TABLE]; /* blocks that are ours, by hashed address */
} state;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static _Thread_local int busy;

/* ---- who calls ---- */

static int add_range(struct dl_phdr_info *info, size_t size, void *user) {
  (void)size, (void)user;
  bool program = !info->dlpi_name || !info->dlpi_name[0];
  if (!program && !strstr(info->dlpi_name, "libquern.so")) return 0;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *header = &info->dlpi_phdr[i];
    if (header->p_type != PT_LOAD || !(header->p_flags & PF_X)) continue;
    if (state.range_count == MAX_RANGES) return 0;
    if (program) state.base = info->dlpi_addr;
    uintptr_t begin = info->dlpi_addr + header->p_vaddr;
    state.ranges[state.range_count].begin = begin;
    state.ranges[state.range_count++].end = begin + header->p_memsz;
  }
  return 0;
}

static bool is_ours(const void *address) {
  for (int i = 0; i < state.range_count; i++)
    if ((uintptr_t)address - state.ranges[i].begin < state.ranges[i].end - state.ranges[i].begin)
      return true;
  return false;
}

/* The innermost frames from the caller on, relative to the program: equal in every process. */
static uint64_t hash_frames(const void *caller, char kind) {
  void *frames[DEPTH + 8];
  int count = backtrace(frames, DEPTH + 8), i = 0;
  while (i < count && frames[i] != caller) i++;
  uint64_t hash = 0xcbf29ce484222325u ^ (unsigned char)kind;
  for (int k = 0; k < DEPTH && i < count; k++, i++) {
    uintptr_t at = is_ours(frames[i]) ? (uintptr_t)frames[i] - state.base : 0;
    hash = (hash ^ at) * 0x100000001b3u;
    hash ^= hash >> 29;
  }
  return hash | 1;
}

static site *find_site(uint64_t hash) {
  size_t i = hash & (MAX_SITES - 1);
  while (state.sites[i].hash && state.sites[i].hash != hash) i = (i + 1) & (MAX_SITES - 1);
  return &state.sites[i];
}

/* Whether this call is the one. */
static bool hit(const void *caller, char kind, const char *function) {
  if (!state.armed || busy || !is_ours(caller)) return false;
  if (state.kinds && !strchr(state.kinds, kind)) return false;
  busy = 1;
  uint64_t hash = hash_frames(caller, kind);
  pthread_mutex_lock(&lock);
  long number = ++state.calls;
  site *at = find_site(hash);
  if (!at->hash && state.site_count < MAX_SITES / 2) {
    *at = (site){
        .hash = hash, .function = function, .caller = (uintptr_t)caller - state.base, .kind = kind};
    state.site_count++;
  }
  if (at->arming != state.arming) {
    at->arming = state.arming;
    at->first = number;
  }
  bool now = number == state.wanted || (state.from > 0 && number >= state.from);
  if (now && at->hash && !at->failed) {
    at->failed = true;
    state.failed++;
  }
  state.fired = state.fired || now;
  pthread_mutex_unlock(&lock);
  if (now && state.signal) {
    raise(state.signal);
    now = false;
  }
  busy = 0;
  return now;
}

/* ---- what is open ---- */

static size_t slot_of(const void *memory) {
  return ((uintptr_t)memory >> 4) * 0x9E3779B97F4A7C15u >> 44;
}

static void note_block(void *memory, const void *caller) {
  if (!memory || busy || !is_ours(caller)) return;
  pthread_mutex_lock(&lock);
  size_t i = slot_of(memory);
  while (state.table[i] && state.table[i] != (void *)1) i = (i + 1) & (TABLE - 1);
  state.table[i] = memory;
  state.blocks++;
  pthread_mutex_unlock(&lock);
}

/* Blocks may be freed by others, and others' by us. Removed entries stay as marks. */
static bool forget_block(const void *memory) {
  if (!memory || state.blocks == 0) return false;
  pthread_mutex_lock(&lock);
  size_t i = slot_of(memory);
  while (state.table[i] && state.table[i] != memory) i = (i + 1) & (TABLE - 1);
  bool found = state.table[i] == memory;
  if (found) {
    size_t next = (i + 1) & (TABLE - 1);
    state.table[i] = state.table[next] ? (void *)1 : NULL;
    state.blocks--;
  }
  pthread_mutex_unlock(&lock);
  return found;
}

/* ---- control ---- */

EXPORT void fault_arm(long n, long from) {
  pthread_mutex_lock(&lock);
  state.wanted = n;
  state.from = from;
  state.calls = 0;
  state.arming++;
  state.fired = false;
  state.armed = true;
  pthread_mutex_unlock(&lock);
}

EXPORT void fault_disarm(void) { state.armed = false; }

EXPORT void fault_read(fault_state *out_state) {
  pthread_mutex_lock(&lock);
  *out_state = (fault_state){.calls = state.calls,
                             .fired = state.fired,
                             .blocks = state.blocks,
                             .files = state.files,
                             .mappings = state.mappings,
                             .sites = state.site_count,
                             .failed = state.failed};
  pthread_mutex_unlock(&lock);
}

EXPORT long fault_new_sites(fault_site *sites, long most) {
  long count = 0;
  for (long i = 0; i < MAX_SITES && count < most; i++) {
    const site *at = &state.sites[i];
    if (at->hash && at->arming == state.arming && !at->failed)
      sites[count++] = (fault_site){at->first, i + 1};
  }
  return count;
}

EXPORT bool fault_has_failed(long index) { return state.sites[index - 1].failed; }

__attribute__((constructor)) static void begin(void) {
  void *frame;
  (void)backtrace(&frame, 1); /* loads the unwinder, which allocates */
  dl_iterate_phdr(add_range, NULL);
  const char *n = getenv("QN_FAULT_N"), *from = getenv("QN_FAULT_FROM"),
             *number = getenv("QN_FAULT_SIGNAL");
  state.kinds = getenv("QN_FAULT_KINDS");
  if (state.kinds && !state.kinds[0]) state.kinds = NULL;
  state.log = getenv("QN_FAULT_LOG");
  state.signal = number ? atoi(number) : 0;
  if (n) fault_arm(atol(n), from ? atol(from) : 0);
}

__attribute__((destructor)) static void end(void) {
  state.armed = false;
  FILE *log = state.log ? fopen(state.log, "w") : NULL;
  if (!log) return;
  fprintf(log, "%ld %d\n", state.calls, state.fired);
  for (size_t i = 0; i < MAX_SITES; i++)
    if (state.sites[i].hash)
      fprintf(log, "%ld %016llx %c %s 0x%zx %s\n", state.sites[i].first,
              (unsigned long long)state.sites[i].hash, state.sites[i].kind, state.sites[i].function,
              (size_t)state.sites[i].caller, state.sites[i].failed ? "failed" : "passed");
  fclose(log);
}

/* ---- memory ---- */

static void *none(void) {
  errno = ENOMEM;
  return NULL;
}

EXPORT void *malloc(size_t size) {
  if (hit(HERE, 'm', "malloc")) return none();
  void *memory = __libc_malloc(size);
  note_block(memory, HERE);
  return memory;
}

EXPORT void *calloc(size_t count, size_t size) {
  if (hit(HERE, 'm', "calloc")) return none();
  void *memory = __libc_calloc(count, size);
  note_block(memory, HERE);
  return memory;
}

EXPORT void *realloc(void *old, size_t size) {
  if (hit(HERE, 'm', "realloc")) return none();
  bool known = forget_block(old);
  void *memory = __libc_realloc(old, size);
  if (memory && (known || !old)) note_block(memory, HERE);
  return memory;
}

EXPORT void *aligned_alloc(size_t align, size_t size) {
  if (hit(HERE, 'm', "aligned_alloc")) return none();
  void *memory = __libc_memalign(align, size);
  note_block(memory, HERE);
  return memory;
}

EXPORT void free(void *memory) {
  (void)forget_block(memory);
  __libc_free(memory);
}

/* What libc's own functions allocate for the caller: NAME(ARGUMENTS) with a result to note. */
#define NEXT(name) ((__typeof__(&name))(uintptr_t)dlsym(RTLD_NEXT, #name))

EXPORT char *strdup(const char *text) {
  if (hit(HERE, 'm', "strdup")) return none();
  size_t size = strlen(text) + 1;
  char *copy = __libc_malloc(size);
  if (copy) memcpy(copy, text, size);
  note_block(copy, HERE);
  return copy;
}

EXPORT char *strndup(const char *text, size_t most) {
  if (hit(HERE, 'm', "strndup")) return none();
  size_t size = strnlen(text, most);
  char *copy = __libc_calloc(size + 1, 1);
  if (copy) memcpy(copy, text, size);
  note_block(copy, HERE);
  return copy;
}

static int format(char **out, const void *caller, const char *text, va_list arguments) {
  if (hit(caller, 'm', "asprintf")) {
    errno = ENOMEM;
    return -1;
  }
  va_list again;
  va_copy(again, arguments);
  int size = vsnprintf(NULL, 0, text, again);
  va_end(again);
  *out = __libc_malloc((size_t)size + 1);
  if (!*out) return -1;
  vsnprintf(*out, (size_t)size + 1, text, arguments);
  note_block(*out, caller);
  return size;
}

EXPORT int vasprintf(char **out, const char *text, va_list arguments) {
  return format(out, HERE, text, arguments);
}

EXPORT int asprintf(char **out, const char *text, ...) {
  va_list arguments;
  va_start(arguments, text);
  int size = format(out, HERE, text, arguments);
  va_end(arguments);
  return size;
}

/* As hardened builds call them. */
int __vasprintf_chk(char **out, int flag, const char *text, va_list arguments);
int __asprintf_chk(char **out, int flag, const char *text, ...);
EXPORT int __vasprintf_chk(char **out, int flag, const char *text, va_list arguments) {
  (void)flag;
  return format(out, HERE, text, arguments);
}

EXPORT int __asprintf_chk(char **out, int flag, const char *text, ...) {
  (void)flag;
  va_list arguments;
  va_start(arguments, text);
  int size = format(out, HERE, text, arguments);
  va_end(arguments);
  return size;
}

EXPORT char *realpath(const char *path, char *resolved) {
  if (hit(HERE, 'm', "realpath")) return none();
  return NEXT(realpath)(path, resolved);
}

EXPORT FILE *open_memstream(char **text, size_t *size) {
  if (hit(HERE, 'm', "open_memstream")) return none();
  return NEXT(open_memstream)(text, size);
}

/* ---- files ---- */

static int refuse(int error) {
  errno = error;
  return -1;
}

static int opened(int fd, const void *caller) {
  if (fd >= 0 && !busy && is_ours(caller)) __atomic_fetch_add(&state.files, 1, __ATOMIC_SEQ_CST);
  return fd;
}

EXPORT int open(const char *path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  int mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(arguments, int) : 0;
  va_end(arguments);
  if (hit(HERE, 'f', "open")) return refuse(EMFILE);
  return opened(NEXT(open)(path, flags, mode), HERE);
}

EXPORT int openat(int folder, const char *path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  int mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(arguments, int) : 0;
  va_end(arguments);
  if (hit(HERE, 'f', "openat")) return refuse(EMFILE);
  return opened(NEXT(openat)(folder, path, flags, mode), HERE);
}

EXPORT int mkostemp(char *pattern, int flags) {
  if (hit(HERE, 'f', "mkostemp")) return refuse(EACCES);
  return opened(NEXT(mkostemp)(pattern, flags), HERE);
}

EXPORT int mkstemp(char *pattern) {
  if (hit(HERE, 'f', "mkstemp")) return refuse(EACCES);
  return opened(NEXT(mkstemp)(pattern), HERE);
}

/* The descriptor is gone in any case, as the system has it. */
EXPORT int close(int fd) {
  bool fails = hit(HERE, 'f', "close");
  int result = NEXT(close)(fd);
  if (result == 0 && !busy && is_ours(HERE)) __atomic_fetch_sub(&state.files, 1, __ATOMIC_SEQ_CST);
  return fails ? refuse(EIO) : result;
}

EXPORT ssize_t read(int fd, void *data, size_t size) {
  if (hit(HERE, 'f', "read")) return refuse(EIO);
  return NEXT(read)(fd, data, size);
}

/* Half of it goes out before the end of the disk. */
EXPORT ssize_t write(int fd, const void *data, size_t size) {
  __typeof__(&write) next = NEXT(write);
  if (!hit(HERE, 'f', "write")) return next(fd, data, size);
  if (size > 1) (void)!next(fd, data, size / 2);
  return refuse(ENOSPC);
}

EXPORT int fsync(int fd) {
  if (hit(HERE, 'f', "fsync")) return refuse(EIO);
  return NEXT(fsync)(fd);
}

EXPORT int fdatasync(int fd) {
  if (hit(HERE, 'f', "fdatasync")) return refuse(EIO);
  return NEXT(fdatasync)(fd);
}

EXPORT int rename(const char *from, const char *to) {
  if (hit(HERE, 'f', "rename")) return refuse(EACCES);
  return NEXT(rename)(from, to);
}

EXPORT int renameat(int from_folder, const char *from, int to_folder, const char *to) {
  if (hit(HERE, 'f', "renameat")) return refuse(EACCES);
  return NEXT(renameat)(from_folder, from, to_folder, to);
}

EXPORT int renameat2(int from_folder, const char *from, int to_folder, const char *to,
                     unsigned flags) {
  if (hit(HERE, 'f', "renameat2")) return refuse(EINVAL); /* as file systems that can't exchange */
  return NEXT(renameat2)(from_folder, from, to_folder, to, flags);
}

EXPORT int linkat(int from_folder, const char *from, int to_folder, const char *to, int flags) {
  if (hit(HERE, 'f', "linkat")) return refuse(EPERM);
  return NEXT(linkat)(from_folder, from, to_folder, to, flags);
}

EXPORT int unlinkat(int folder, const char *path, int flags) {
  if (hit(HERE, 'f', "unlinkat")) return refuse(EPERM);
  return NEXT(unlinkat)(folder, path, flags);
}

/* Not a link is what it says most of the time, and EINVAL then. */
EXPORT ssize_t readlinkat(int folder, const char *path, char *link, size_t size) {
  if (hit(HERE, 'f', "readlinkat")) return refuse(EIO);
  return NEXT(readlinkat)(folder, path, link, size);
}

EXPORT int fchown(int fd, uid_t owner, gid_t group) {
  if (hit(HERE, 'f', "fchown")) return refuse(EPERM);
  return NEXT(fchown)(fd, owner, group);
}

EXPORT int mkdir(const char *path, mode_t mode) {
  if (hit(HERE, 'f', "mkdir")) return refuse(EACCES);
  return NEXT(mkdir)(path, mode);
}

EXPORT int fstat(int fd, struct stat *info) {
  if (hit(HERE, 'f', "fstat")) return refuse(EIO);
  return NEXT(fstat)(fd, info);
}

EXPORT int stat(const char *path, struct stat *info) {
  if (hit(HERE, 'f', "stat")) return refuse(EACCES);
  return NEXT(stat)(path, info);
}

EXPORT int fchmod(int fd, mode_t mode) {
  if (hit(HERE, 'f', "fchmod")) return refuse(EPERM);
  return NEXT(fchmod)(fd, mode);
}

EXPORT int ftruncate(int fd, off_t size) {
  if (hit(HERE, 'f', "ftruncate")) return refuse(ENOSPC);
  return NEXT(ftruncate)(fd, size);
}

EXPORT FILE *fopen(const char *path, const char *mode) {
  if (hit(HERE, 'f', "fopen")) {
    errno = EMFILE;
    return NULL;
  }
  return NEXT(fopen)(path, mode);
}

EXPORT void *mmap(void *at, size_t size, int protection, int flags, int fd, off_t offset) {
  if (hit(HERE, 'f', "mmap")) {
    errno = ENODEV;
    return MAP_FAILED;
  }
  void *memory = NEXT(mmap)(at, size, protection, flags, fd, offset);
  if (memory != MAP_FAILED && !busy && is_ours(HERE))
    __atomic_fetch_add(&state.mappings, 1, __ATOMIC_SEQ_CST);
  return memory;
}

EXPORT int munmap(void *memory, size_t size) {
  if (!busy && is_ours(HERE)) __atomic_fetch_sub(&state.mappings, 1, __ATOMIC_SEQ_CST);
  return NEXT(munmap)(memory, size);
}

/* ---- threads ---- */

EXPORT int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *),
                          void *user) {
  if (hit(HERE, 't', "pthread_create")) return EAGAIN;
  return NEXT(pthread_create)(thread, attributes, run, user);
}

EXPORT void *dlopen(const char *path, int flags) {
  if (hit(HERE, 'f', "dlopen")) return NEXT(dlopen)("/nonexistent/faults.so", flags); /* dlerror */
  return NEXT(dlopen)(path, flags);
}
