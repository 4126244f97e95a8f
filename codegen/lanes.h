/* Positions of lanes that the quern dialect defines, for both back ends.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_CODEGEN_LANES_H
#define QN_CODEGEN_LANES_H

#include <stdint.h>

/* quern.pack to `count` lanes of `width` bits: the lane of the concatenation of its operands that
 * becomes lane i. Per 128 bits of the result, half of the lanes are from either operand. */
static inline uint32_t qn_cg_pack_source(uint32_t width, uint32_t count, uint32_t i) {
  enum { PART_BITS = 128 };
  uint32_t half = PART_BITS / (2 * width), part = i / (2 * half), within = i % (2 * half);
  return (within < half ? 0 : count / 2) + part * half + within % half;
}

/* quern.dot_blocks: the bytes of a and b whose product k, of 8, accumulator i adds. Per 128 bits,
 * accumulator i is the product of row i / 2 of a and column i % 2 of b. */
enum { QN_BLOCK_SIDE = 2, QN_BLOCK_DEPTH = 8, QN_BLOCK_SUMS = QN_BLOCK_SIDE * QN_BLOCK_SIDE };
static inline uint32_t qn_cg_block_row(uint32_t i, uint32_t k) {
  uint32_t block = i / QN_BLOCK_SUMS * QN_BLOCK_SIDE * QN_BLOCK_DEPTH;
  return block + i % QN_BLOCK_SUMS / QN_BLOCK_SIDE * QN_BLOCK_DEPTH + k;
}
static inline uint32_t qn_cg_block_column(uint32_t i, uint32_t k) {
  uint32_t block = i / QN_BLOCK_SUMS * QN_BLOCK_SIDE * QN_BLOCK_DEPTH;
  return block + i % QN_BLOCK_SIDE * QN_BLOCK_DEPTH + k;
}

/* quern.dot_joined: the first byte of the 16 bits of b whose product k, of 4, accumulator i adds;
 * accumulators of odd number add the product of this byte only. */
enum { QN_JOINED_DEPTH = 4 };
static inline uint32_t qn_cg_joined_column(uint32_t i, uint32_t k) {
  enum { PAIR_BYTES = 8 };
  return i / 2 * PAIR_BYTES + 2 * (k % 2 * 2 + k / 2);
}

#endif
