/* The tile unit of x86-64 (AMX-TILE, AMX-INT8) in plain C: what its instructions do to eight tiles
 * of 16 rows of 64 bytes, by their documentation, and what they reject. For tests of code that this
 * machine can't execute.
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

/* General registers as instructions number them: rax, rcx, rdx, rbx, rsp, rbp, rsi, rdi, r8 ... */
enum { QN_X86_REGISTERS = 16 };

/* What an instruction at `code` is of this unit: its length and name; 0, NULL: none. Decoded
 * without memory accesses beyond its bytes. */
typedef struct qn_tile_instruction {
  const char *name;
  size_t length;
  const struct qn_tile_row *row; /* of the table of instructions */
  bool is_memory;
  unsigned reg, rm, vvvv; /* tiles, where they are not memory */
  uint64_t address;       /* of memory */
  int64_t stride;         /* from one row there to the next */
} qn_tile_instruction;
qn_tile_instruction qn_tile_decode(const uint8_t *code, const uint64_t registers[QN_X86_REGISTERS]);

/* Executes it. NULL, or why a CPU would reject: nothing has changed then. */
const char *qn_tile_execute(qn_tile_unit *unit, const qn_tile_instruction *instruction);

#endif
