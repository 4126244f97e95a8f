/* Which registers of the tile unit the values of a kernel are in. Numbers are given here, not by
 * LLVM: blocks of tiles are fixed shapes, one configuration serves the kernel, and what it would
 * spill would be silent.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_CODEGEN_TILES_H
#define QN_CODEGEN_TILES_H

#include "codegen/context.h"

enum { QN_MAX_TILES = 8 };

/* The shape of a tile register: 0 rows if it is unused. */
typedef struct qn_cg_tile {
  uint8_t rows, row_bytes;
} qn_cg_tile;

typedef struct qn_cg_tiles {
  uint8_t *numbers; /* by value id: 1 + the register; 0: the value is none */
  qn_cg_tile registers[QN_MAX_TILES];
} qn_cg_tiles;

/* Gives every tile of the kernel a register. NULL: it has none, the level has no unit for them, or
 * they don't fit: then they are vectors like others. In the arena of `cg`. */
const qn_cg_tiles *qn_cg_number_tiles(qn_cg *cg, const qn_op *func);

/* The register of a value of the kernel being filled; -1: none. */
static inline int qn_cg_tile_of(const qn_cg *cg, const qn_value *value) {
  return cg->tiles ? cg->tiles->numbers[value->id] - 1 : -1;
}

/* Whether it is a constant of zeros. */
bool qn_cg_is_zero(const qn_value *value);

/* Loads the configuration, and gives it back: around all of the kernel. */
void qn_cg_begin_tiles(qn_cg *cg);
void qn_cg_end_tiles(qn_cg *cg);
/* Before a loop: sets the register of what is carried to 0 where that begins with a constant. */
void qn_cg_carry_tile(qn_cg *cg, const qn_value *carried, const qn_value *init);

/* Instructions of a tile unit (machine/). */
typedef struct qn_cg_tile_unit {
  void (*configure)(qn_cg *cg, const qn_cg_tile *registers);
  void (*release)(qn_cg *cg);
  void (*zero)(qn_cg *cg, int tile);
  /* Rows that many bytes apart. */
  void (*load)(qn_cg *cg, int tile, LLVMValueRef address, int64_t stride);
  void (*store)(qn_cg *cg, int tile, LLVMValueRef address, int64_t stride);
  void (*dot)(qn_cg *cg, int acc, int a, int b, bool a_unsigned);
} qn_cg_tile_unit;

#endif
