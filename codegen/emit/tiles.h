/* Assignment of AMX tile registers to the values of a kernel. Quern assigns them, not LLVM: blocks
 * of tiles have fixed shapes, one configuration serves the kernel, and spills by LLVM would go
 * unnoticed.
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
  uint8_t *numbers; /* [value id] register + 1; 0 if none */
  qn_cg_tile registers[QN_MAX_TILES];
} qn_cg_tiles;

/* Assigns a register to every tile of the kernel. NULL if it has no tiles, the level has no matrix
 * unit, or the tiles do not fit; then they are vectors. In the arena of `cg`. */
const qn_cg_tiles *qn_cg_number_tiles(qn_cg *cg, const qn_op *func);

/* The register of a value of the kernel being filled; -1: none. */
static inline int qn_cg_tile_of(const qn_cg *cg, const qn_value *value) {
  return cg->tiles ? cg->tiles->numbers[value->id] - 1 : -1;
}

/* Load the tile configuration at the start of the kernel, and release it at the end. */
void qn_cg_begin_tiles(qn_cg *cg);
void qn_cg_end_tiles(qn_cg *cg);
/* Before a loop: zeroes the register of a carried value whose initial value is a constant. */
void qn_cg_carry_tile(qn_cg *cg, const qn_value *carried, const qn_value *init);

/* Instructions of the matrix unit (machine/). */
typedef struct qn_cg_tile_unit {
  void (*configure)(qn_cg *cg, const qn_cg_tile *registers);
  void (*release)(qn_cg *cg);
  void (*zero)(qn_cg *cg, int tile);
  /* `stride`: bytes between rows. */
  void (*load)(qn_cg *cg, int tile, LLVMValueRef address, int64_t stride);
  void (*store)(qn_cg *cg, int tile, LLVMValueRef address, int64_t stride);
  void (*dot)(qn_cg *cg, int acc, int a, int b, bool a_unsigned);
} qn_cg_tile_unit;

#endif
