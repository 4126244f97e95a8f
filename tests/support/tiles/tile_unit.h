/* The AMX unit of x86-64 (AMX-TILE, AMX-INT8) in plain C: the effects of its instructions on eight
 * tiles of 16 rows of 64 bytes, and the operands that they reject, according to the documentation.
 * For tests of code that this machine cannot execute.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_TESTS_SUPPORT_TILE_UNIT_H
#define QN_TESTS_SUPPORT_TILE_UNIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { QN_TILES = 8, QN_TILE_MOST_ROWS = 16, QN_TILE_ROW_BYTES = 64, QN_TILE_CONFIG_BYTES = 64 };

typedef struct qn_tile_unit {
  bool configured;
  uint8_t rows[QN_TILES];
  uint16_t row_bytes[QN_TILES];
  uint8_t tiles[QN_TILES][QN_TILE_MOST_ROWS][QN_TILE_ROW_BYTES];
} qn_tile_unit;

/* General registers in the order of their encoding: rax, rcx, rdx, rbx, rsp, rbp, rsi, rdi, r8 ...
 */
enum { QN_X86_REGISTERS = 16 };

/* The AMX instruction at `code`: its length and name; 0 and NULL if it is not one. Decoding reads
 * no memory beyond the bytes of the instruction. */
typedef struct qn_tile_instruction {
  const char *name;
  size_t length;
  const struct qn_tile_row *row; /* row in the table of instructions */
  bool is_memory;
  unsigned reg, rm, vvvv; /* tile operands, if they are not memory */
  uint64_t address;       /* of memory */
  int64_t stride;         /* bytes from one row in memory to the next */
} qn_tile_instruction;
qn_tile_instruction qn_tile_decode(const uint8_t *code, const uint64_t registers[QN_X86_REGISTERS]);

/* Executes the instruction. Returns NULL, or the reason why a CPU would reject it; the state is
 * then unchanged. */
const char *qn_tile_execute(qn_tile_unit *unit, const qn_tile_instruction *instruction);

#endif
