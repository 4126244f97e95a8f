/* The start of a Cortex-M or RISC-V core, and the services of board.h. No C library: compiled code
 * may call memcpy and memset, so they are here.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "board.h"

#include <stddef.h>

extern uint32_t data_start[], data_end[], data_in_flash[], bss_start[], bss_end[], stack_top[];

void *memcpy(void *restrict to, const void *restrict from, size_t size) {
  volatile unsigned char *t = to;
  const unsigned char *f = from;
  for (size_t i = 0; i < size; i++) t[i] = f[i];
  return to;
}

void *memset(void *to, int value, size_t size) {
  volatile unsigned char *t = to;
  for (size_t i = 0; i < size; i++) t[i] = (unsigned char)value;
  return to;
}

/* ---- semihosting: the operation is in the first register, its argument in the second ---- */

enum { SYS_WRITE0 = 0x04, SYS_EXIT = 0x18, APPLICATION_EXIT = 0x20026, RUN_TIME_ERROR = 0x20023 };

uintptr_t board_semihost(uintptr_t operation, uintptr_t argument) {
#ifdef __riscv
  register uintptr_t first __asm("a0") = operation;
  register uintptr_t second __asm("a1") = argument;
  __asm volatile(".option push\n .option norvc\n .balign 16\n"
                 "slli zero, zero, 0x1f\n ebreak\n srai zero, zero, 7\n .option pop"
                 : "+r"(first)
                 : "r"(second)
                 : "memory");
#else
  register uintptr_t first __asm("r0") = operation;
  register uintptr_t second __asm("r1") = argument;
  __asm volatile("bkpt 0xAB" : "+r"(first) : "r"(second) : "memory");
#endif
  return first;
}

void board_print(const char *text) { board_semihost(SYS_WRITE0, (uintptr_t)text); }

void board_print_number(uint32_t number) {
  char digits[11];
  size_t at = sizeof digits;
  digits[--at] = '\0';
  do digits[--at] = (char)('0' + number % 10);
  while ((number /= 10) != 0);
  board_print(digits + at);
}

#ifndef __riscv
/* ---- the system timer, which counts down 24 bits of the core's cycles ---- */

enum { ENABLE = 1, CORE_CLOCK = 4, TICKS = 0xFFFFFF };
static volatile uint32_t *const systick =
    (volatile uint32_t *)0xE000E010; /* control, reload, value */

void board_timer_start(void) {
  systick[0] = 0;
  systick[1] = TICKS;
  systick[2] = 0; /* loads it */
  systick[0] = ENABLE | CORE_CLOCK;
}

uint32_t board_timer(void) { return TICKS - systick[2]; }
#endif

/* ---- the start ---- */

void reset(void);
void reset(void) {
#if defined __ARM_FP || __ARM_ARCH >= 8
  /* CPACR: access to the floating-point unit and to Helium, which a compiler for soft floats does
   * not say that the model's object uses. */
  *(volatile uint32_t *)0xE000ED88 |= 0xFu << 20;
  __asm volatile("dsb\n isb");
#endif
  for (size_t i = 0; data_start + i < data_end; i++) data_start[i] = data_in_flash[i];
  for (uint32_t *p = bss_start; p < bss_end; p++) *p = 0;
  board_semihost(SYS_EXIT, firmware_main() == 0 ? APPLICATION_EXIT : RUN_TIME_ERROR);
  for (;;) continue;
}

/* On a real board, restart it or blink. Here a fault must end the emulator. */
static void fault(void) {
  board_semihost(SYS_EXIT, RUN_TIME_ERROR);
  for (;;) continue;
}

#ifdef __riscv
/* The first instructions of the image. A trap goes to `fault`; 0x305 is mtvec, whose address is a
 * multiple of 4. */
__attribute__((section(".vectors"), used, naked)) static void start(void) {
  __asm volatile(".option push\n .option norelax\n la gp, __global_pointer$\n .option pop\n"
                 "la sp, stack_top\n la t0, 1f\n .insn i 0x73, 1, x0, t0, 0x305\n call reset\n"
                 ".balign 4\n 1: call %0"
                 :
                 : "i"(fault));
}
#else
typedef union vector {
  uint32_t *stack;
  void (*handler)(void);
} vector;
__attribute__((section(".vectors"), used)) static const vector vectors[16] = {
    {.stack = stack_top}, {.handler = reset}, {.handler = fault}, {.handler = fault},
    {.handler = fault},   {.handler = fault}, {.handler = fault}};
#endif
