/* The handler of illegal-instruction signals, and the function that codegen calls.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "tests/support/tiles/tile_traps.h"

#include <cpuid.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <ucontext.h>
#include <unistd.h>

#include "codegen/machine/grant.h"

enum {
#define FEATURE(ident, ...) ident,
#include "codegen/machine/x86_features.def"
#undef FEATURE
};

/* The AMX state of the thread. A signal handler has no other place for state that a CPU keeps per
 * thread. */
static _Thread_local qn_tile_unit the_unit;
static _Thread_local uint64_t executed;

static const int order[QN_X86_REGISTERS] = {REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP,
                                            REG_RSI, REG_RDI, REG_R8,  REG_R9,  REG_R10, REG_R11,
                                            REG_R12, REG_R13, REG_R14, REG_R15};

/* Prints the problem and ends the test. */
static void give_up(const char *name, const char *problem) {
  char text[256];
  int size = snprintf(text, sizeof text, "tile unit: %s: %s\n", name, problem);
  if (size > 0 && write(STDERR_FILENO, text, (size_t)size) < 0) _exit(2);
  signal(SIGILL, SIG_DFL); /* the default action: the process ends, as on a CPU without AMX */
}

static void on_illegal(int number, siginfo_t *info, void *where) {
  (void)number, (void)info;
  greg_t *saved = ((ucontext_t *)where)->uc_mcontext.gregs;
  uint64_t registers[QN_X86_REGISTERS];
  for (int i = 0; i < QN_X86_REGISTERS; i++) registers[i] = (uint64_t)saved[order[i]];
  const uint8_t *code = (const uint8_t *)(uintptr_t)saved[REG_RIP];
  qn_tile_instruction in = qn_tile_decode(code, registers);
  const char *problem = in.row ? qn_tile_execute(&the_unit, &in) : "no instruction of it";
  if (problem) {
    give_up(in.row ? in.name : "illegal instruction", problem);
    return;
  }
  saved[REG_RIP] += (greg_t)in.length;
  executed++;
}

static bool cpu_has_tiles(void) {
  unsigned a, b, c, d;
  return __get_cpuid_count(7, 0, &a, &b, &c, &d) && (d >> 24 & 3) == 3;
}

/* Requests permission to use AMX from the operating system, for a CPU that has AMX. */
static bool request(void) {
  return syscall(QN_X86_ARCH_PRCTL, QN_X86_REQUEST_STATE, QN_X86_TILE_DATA) == 0;
}

bool qn_tile_traps_start(void) {
  if (cpu_has_tiles()) return !request();
  struct sigaction action = {.sa_sigaction = on_illegal, .sa_flags = SA_SIGINFO | SA_NODEFER};
  return sigaction(SIGILL, &action, NULL) == 0;
}

uint64_t qn_tile_traps_count(void) { return executed; }
const qn_tile_unit *qn_tile_traps_unit(void) { return &the_unit; }

/* ---- the seam ---- */

/* Replaces the function by which codegen queries the operating system. */
uint64_t qn_cg_x86_grant(uint64_t features) {
  const uint64_t tiles = UINT64_C(1) << AMX_TILE | UINT64_C(1) << AMX_INT8;
  bool vectors = features >> AVX512VBMI & 1 && features >> AVX512VNNI & 1;
  if (cpu_has_tiles()) return request() ? features : features & ~tiles;
  return vectors && qn_tile_traps_start() ? features | tiles : features;
}
