/* Preloaded to Quern on RISC-V: says when it lets all threads fetch new code, which calls this
 * function of glibc. In an emulator, nothing else would show it.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <unistd.h>

int __riscv_flush_icache(void *begin, void *end, unsigned long flags);

int __riscv_flush_icache(void *begin, void *end, unsigned long flags) {
  static const char said[] = "flushed for all threads\n";
  return begin < end && flags == 0 && write(STDERR_FILENO, said, sizeof said - 1) > 0 ? 0 : -1;
}
