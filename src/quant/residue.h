/* Multiples of a number modulo another.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_QUANT_RESIDUE_H
#define QN_QUANT_RESIDUE_H

#include <stdint.h>

enum { QN_RESIDUE_MAX_BITS = 39 }; /* bits of a modulus */

/* The smallest n >= 0 with lo <= n * factor mod modulus <= hi; -1 if there is none below 2^24.
 * Requires 0 <= lo <= hi < modulus <= 2^QN_RESIDUE_MAX_BITS and 0 <= factor < 2^24. */
int64_t qn_residue_first(uint64_t factor, uint64_t modulus, uint64_t lo, uint64_t hi);

#endif
