/* Preloaded to Quern on RISC-V, in the place of functions of glibc: says when all threads are let
 * fetch new code, which an emulator does not show; and is a system that does not let the process
 * use V if NO_V is set.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <unistd.h>

int __riscv_flush_icache(void *begin, void *end, unsigned long flags);
int prctl(int option, ...);

int __riscv_flush_icache(void *begin, void *end, unsigned long flags) {
  static const char said[] = "flushed for all threads\n";
  return begin < end && flags == 0 && write(STDERR_FILENO, said, sizeof said - 1) > 0 ? 0 : -1;
}

int prctl(int option, ...) {
  enum { RISCV_V_GET_CONTROL = 70, OFF = 1 };
  return option == RISCV_V_GET_CONTROL && getenv("NO_V") ? OFF : -1;
}
