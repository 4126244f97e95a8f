/* For libquern.so with LLVM inside: LLVM's archives of Debian 12 ask for arc4random, which glibc has
 * since 2.36. Hidden, over the system call, it lets the library run on systems since glibc 2.34.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdint.h>
#include <stdlib.h>
#include <sys/random.h>

uint32_t arc4random(void);

/* A few bytes come whole or not at all, and only an interrupt keeps them away. */
uint32_t arc4random(void) {
  uint32_t value;
  while (getrandom(&value, sizeof value, 0) != sizeof value) continue;
  return value;
}
