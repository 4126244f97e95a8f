/* What an x86-64 has is not always what its operating system lets a process use: Linux wants to be
 * asked for tiles, whose state makes the frames of signals larger.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_CODEGEN_GRANT_H
#define QN_CODEGEN_GRANT_H

#include <stdint.h>

/* arch_prctl(ARCH_REQ_XCOMP_PERM, XFEATURE_XTILEDATA). */
enum { QN_X86_ARCH_PRCTL = 158, QN_X86_REQUEST_STATE = 0x1023, QN_X86_TILE_DATA = 18 };

/* The features, rows of x86_features.def bit by bit, without those that this process may not use.
 * Asks for tiles where the CPU has them, for the whole process; that is rejected where a thread has
 * a small alternate stack for signals. Alone in its file: tests put an emulation into its place. */
uint64_t qn_cg_x86_grant(uint64_t features);

#endif
