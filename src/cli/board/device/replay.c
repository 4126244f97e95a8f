/* The program of the board: reads invocations from the file "cases", runs each, and writes its
 * outputs to "answers". It uses the C library of no compiler.
 *
 * cases: per invocation a word, 2 * model + fresh, then the bytes of its inputs. With fresh = 1 the
 * model starts with reset states. answers: per invocation all outputs, then those of a second
 * invocation whose launches are cut in two; at the end, as a word, the maximum number of stack
 * bytes that a call took. Words have 32 bits.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "abi.h"
#include "board.h"

extern const qn_abi_model *const models[];
extern const uint32_t model_count;
extern uint32_t bss_end[], stack_top[];

enum {
  MAX_TENSORS = 64,
  STACK = 1 << 16, /* bytes that are kept free for the stack */
  PAINT = 0xA5,
  SYS_OPEN = 1,
  SYS_CLOSE = 2,
  SYS_WRITE = 5,
  SYS_READ = 6,
};

/* Every failure ends the emulator with exit code 1, so the reason is printed. */
static void fail(const char *what) {
  board_print("error: ");
  board_print(what);
  board_print("\n");
  board_semihost(0x18, 0x20023);
}

/* ---- memory: from the end of the image to the room for the stack ---- */

static uintptr_t memory_top;

static void *memory(uint64_t bytes) {
  uintptr_t at = (memory_top + QN_ABI_ALIGN - 1) & ~(uintptr_t)(QN_ABI_ALIGN - 1);
  uintptr_t end = (uintptr_t)stack_top - STACK;
  if (at > end || bytes > end - at) fail("the RAM of the board is too small for the model");
  memory_top = at + (uintptr_t)bytes;
  return (void *)at;
}

/* ---- files of the developer's machine ---- */

static uintptr_t open_file(const char *name, uintptr_t length, uintptr_t mode) {
  uintptr_t request[3] = {(uintptr_t)name, mode, length};
  return board_semihost(SYS_OPEN, (uintptr_t)request);
}

/* The number of bytes that were not transferred. */
static uintptr_t transfer(uintptr_t operation, uintptr_t file, const void *bytes, uint64_t count) {
  uintptr_t request[3] = {file, (uintptr_t)bytes, (uintptr_t)count};
  return count ? board_semihost(operation, (uintptr_t)request) : 0;
}

static void write_bytes(uintptr_t file, const void *bytes, uint64_t count) {
  if (transfer(SYS_WRITE, file, bytes, count) != 0) fail("can't write the answers");
}

/* ---- the stack: painted before a call; what it changed was used ---- */

static inline __attribute__((always_inline)) unsigned char *stack_now(void) {
  unsigned char *now;
#ifdef __riscv
  __asm volatile("mv %0, sp" : "=r"(now));
#else
  __asm volatile("mov %0, sp" : "=r"(now));
#endif
  return now;
}

/* Its frame is below that of `measured`, where only the call's frames come later. */
static __attribute__((noinline)) void paint(void) {
  volatile unsigned char *end = stack_now(), *at = (unsigned char *)stack_top - STACK;
  while (at < end) *at++ = PAINT;
}

static __attribute__((noinline)) uint32_t used_below(const unsigned char *frame) {
  const volatile unsigned char *at = (unsigned char *)stack_top - STACK;
  while (at < frame && *at == PAINT) at++;
  return (uint32_t)(frame - (const unsigned char *)at);
}

static uint32_t stack_bytes;

static __attribute__((noinline)) int32_t measured(const qn_abi_model *m, const qn_abi_call *call) {
  paint();
  int32_t status = m->invoke(call);
  uint32_t used = used_below(stack_now());
  if (used > stack_bytes) stack_bytes = used;
  return status;
}

/* ---- invocations ---- */

static void cut(void *pool, qn_abi_kernel *kernel, void *const *args, qn_abi_index count) {
  (void)pool;
  kernel(args, count / 2, count);
  kernel(args, 0, count / 2);
}

static void step(void *user, qn_abi_index k) {
  const qn_abi_model *m = user;
  if (k < 0 || k > (qn_abi_index)m->step_count) fail("the model reports an invalid step");
}

typedef struct instance {
  const qn_abi_model *model;
  void *arena, *prepared, *states[2]; /* of whole and of cut launches */
  uintptr_t call_memory;              /* where the memory of a call begins */
} instance;

static void begin(instance *i, const qn_abi_model *m) {
  memory_top = (uintptr_t)bss_end;
  i->model = m;
  if (!qn_abi_is_known(m) || m->input_count > MAX_TENSORS || m->output_count > MAX_TENSORS)
    fail("the model is not described as it should be");
  if (m->supported && !m->supported()) fail("the model does not run on this CPU");
  i->arena = memory(m->arena_bytes);
  i->prepared = memory(qn_abi_prepared_bytes(m));
  if (qn_abi_prepared_bytes(m) > 0) m->prepare(i->prepared);
  for (int k = 0; k < 2; k++) {
    i->states[k] = memory(m->state_bytes);
    if (m->reset) m->reset(i->states[k]);
  }
  i->call_memory = memory_top;
}

/* With IO_IN_ARENA, the tensors of a call are at their places in the arena. */
#ifdef IO_IN_ARENA
static void *in_arena(const instance *i, const qn_abi_tensor *tensor) {
  return (unsigned char *)i->arena + tensor->offset;
}
static const void *give(const instance *i, const qn_abi_tensor *tensor, const void *input) {
  return __builtin_memcpy(in_arena(i, tensor), input, (size_t)tensor->bytes);
}
static void *take(const instance *i, const qn_abi_tensor *tensor) { return in_arena(i, tensor); }
#else
static const void *give(const instance *i, const qn_abi_tensor *tensor, const void *input) {
  (void)i, (void)tensor;
  return input;
}
static void *take(const instance *i, const qn_abi_tensor *tensor) {
  (void)i;
  return memory(tensor->bytes);
}
#endif

static void invoke(instance *i, uintptr_t cases, uintptr_t answers) {
  const qn_abi_model *m = i->model;
  const void *given[MAX_TENSORS], *inputs[MAX_TENSORS];
  void *outputs[MAX_TENSORS];
  memory_top = i->call_memory;
  for (uint32_t k = 0; k < m->input_count; k++) {
    given[k] = memory(m->inputs[k].bytes);
    if (transfer(SYS_READ, cases, given[k], m->inputs[k].bytes) != 0) fail("a case is incomplete");
  }
  for (uint32_t k = 0; k < m->output_count; k++) outputs[k] = take(i, &m->outputs[k]);
  for (int is_cut = 0; is_cut < 2; is_cut++) {
    for (uint32_t k = 0; k < m->input_count; k++) inputs[k] = give(i, &m->inputs[k], given[k]);
    qn_abi_call call = {.inputs = inputs,
                        .outputs = outputs,
                        .arena = i->arena,
                        .states = i->states[is_cut],
                        .prepared = i->prepared};
    if (is_cut) call.parallel_for = cut, call.step = step, call.user = (void *)m;
    int32_t status = is_cut ? m->invoke(&call) : measured(m, &call);
    if (status != 0) fail("a call ends early");
    for (uint32_t k = 0; k < m->output_count; k++)
      write_bytes(answers, outputs[k], m->outputs[k].bytes);
  }
}

int firmware_main(void) {
  uintptr_t cases = open_file("cases", 5, 1), answers = open_file("answers", 7, 5);
  instance current = {0};
  uint32_t word;
  while (transfer(SYS_READ, cases, &word, sizeof word) == 0) {
    if (word / 2 >= model_count) fail("a case is for no model");
    if (word % 2 != 0) begin(&current, models[word / 2]);
    invoke(&current, cases, answers);
  }
  write_bytes(answers, &stack_bytes, sizeof stack_bytes);
  board_semihost(SYS_CLOSE, (uintptr_t)&answers);
  return 0;
}
