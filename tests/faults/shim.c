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

#include <execinfo.h>
#include <link.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "shim_calls.h"

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
bool shim_hit(const void *caller, char kind, const char *function) {
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

void shim_note_block(void *memory, const void *caller) {
  if (!memory || busy || !is_ours(caller)) return;
  pthread_mutex_lock(&lock);
  size_t i = slot_of(memory);
  while (state.table[i] && state.table[i] != (void *)1) i = (i + 1) & (TABLE - 1);
  state.table[i] = memory;
  state.blocks++;
  pthread_mutex_unlock(&lock);
}

/* Blocks may be freed by others, and others' by us. Removed entries stay as marks. */
bool shim_forget_block(const void *memory) {
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

void shim_count_file(const void *caller, int by) {
  if (!busy && is_ours(caller)) __atomic_fetch_add(&state.files, by, __ATOMIC_SEQ_CST);
}

void shim_count_mapping(const void *caller, int by) {
  if (!busy && is_ours(caller)) __atomic_fetch_add(&state.mappings, by, __ATOMIC_SEQ_CST);
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
