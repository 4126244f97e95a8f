/* Non-cryptographic hash functions. Machines of the same byte order compute the same hashes.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_BASE_HASH_H
#define QN_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

#define QN_HASH_ODD UINT64_C(0x9E3779B97F4A7C15) /* 2^64 / golden ratio */

uint64_t qn_hash_bytes(uint64_t seed, const void *data, size_t size);
uint64_t qn_hash_mix(uint64_t a, uint64_t b);

#endif
