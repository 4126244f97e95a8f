/* What the operating system of the host says of the features of its CPU. A separate file for each
 * architecture, so that tests can replace it by an emulation.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_CODEGEN_GRANT_H
#define QN_CODEGEN_GRANT_H

#include <stdint.h>

/* arch_prctl(ARCH_REQ_XCOMP_PERM, XFEATURE_XTILEDATA). */
enum { QN_X86_ARCH_PRCTL = 158, QN_X86_REQUEST_STATE = 0x1023, QN_X86_TILE_DATA = 18 };

/* Returns `features` (bit set of rows of x86_features.def) without those that this process may not
 * use. Linux requires a request for AMX tiles, because their state enlarges signal frames. Requests
 * them for the whole process if the CPU has them; Linux denies the request if a thread has a small
 * alternate signal stack. */
uint64_t qn_cg_x86_grant(uint64_t features);

/* Returns the features (bit set of rows of aarch64_features.def) that Linux reports in the
 * auxiliary vector: all cores have them. LLVM reads them from /proc/cpuinfo instead, which may be
 * missing, or describe another machine under an emulator. On other systems returns `features`. */
uint64_t qn_cg_aarch64_grant(uint64_t features);

/* Returns `features` (bit set of rows of riscv_features.def) without V if Linux denies it to the
 * process. */
uint64_t qn_cg_riscv_grant(uint64_t features);

#endif
