/* Multiples of a number, less what is whole.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_QUANT_RESIDUE_H
#define QN_QUANT_RESIDUE_H

#include <stdint.h>

enum { QN_RESIDUE_MAX_BITS = 39 }; /* of a modulus */

/* The least n >= 0 with lo <= n * factor mod modulus <= hi, or -1 where there is none below 2^24.
 * 0 <= lo <= hi < modulus <= 2^QN_RESIDUE_MAX_BITS, 0 <= factor < 2^24. */
int64_t qn_residue_first(uint64_t factor, uint64_t modulus, uint64_t lo, uint64_t hi);

#endif
