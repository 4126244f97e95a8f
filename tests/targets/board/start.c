/* Start-up of the emulated boards: the vector table, and what comes before the C library's own
 * start, which asks for the command line by semihosting.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <malloc.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

int posix_memalign(void **out_memory, size_t align, size_t size);
void *_sbrk(ptrdiff_t more);
extern char end;
extern uint32_t stack_top;
extern void _start(void);

static void reset(void) {
#if defined(__ARM_FP)
  *(volatile uint32_t *)0xE000ED88 |= 0xFu << 20; /* CPACR: access to the floating-point unit */
  __asm volatile("dsb\n isb");
#endif
  _start();
}

/* Semihosting ends the emulator: a fault must not look like a test that takes long. */
static void fault(void) {
  register uint32_t operation __asm("r0") = 0x18; /* SYS_EXIT */
  register uint32_t reason __asm("r1") = 0x20023; /* run-time error */
  __asm volatile("bkpt 0xAB" : : "r"(operation), "r"(reason) : "memory");
  for (;;) continue;
}

typedef union vector {
  uint32_t *stack;
  void (*handler)(void);
} vector;
__attribute__((section(".vectors"), used)) static const vector vectors[16] = {
    {.stack = &stack_top}, {.handler = reset}, {.handler = fault}, {.handler = fault},
    {.handler = fault},    {.handler = fault}, {.handler = fault}};

/* The heap, from the end of the image to some room for the stack: the emulator's own idea of it
 * does not hold for all boards. */
void *_sbrk(ptrdiff_t more) {
  enum { STACK = 1 << 16 };
  static char *top = &end;
  char *before = top;
  if (more > (char *)&stack_top - STACK - top) return (void *)-1;
  top += more;
  return before;
}

/* newlib's aligned_alloc calls it, and has none. */
int posix_memalign(void **out_memory, size_t align, size_t size) {
  *out_memory = memalign(align, size);
  return *out_memory ? 0 : ENOMEM;
}
