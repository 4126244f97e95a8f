/* An operating system may restrict the features of an x86-64 CPU: Linux requires a request for AMX
 * tiles, because their state enlarges signal frames.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_CODEGEN_GRANT_H
#define QN_CODEGEN_GRANT_H

#include <stdint.h>

/* arch_prctl(ARCH_REQ_XCOMP_PERM, XFEATURE_XTILEDATA). */
enum { QN_X86_ARCH_PRCTL = 158, QN_X86_REQUEST_STATE = 0x1023, QN_X86_TILE_DATA = 18 };

/* Returns `features` (bit set of rows of x86_features.def) without those that this process may not
 * use. Requests AMX tiles for the whole process if the CPU has them; Linux denies the request if a
 * thread has a small alternate signal stack. A separate file, so that tests can replace it by an
 * emulation. */
uint64_t qn_cg_x86_grant(uint64_t features);

#endif
