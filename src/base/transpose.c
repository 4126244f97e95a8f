/* Transposes plane by plane. A plane spans the last dimension of the result, whose elements are
 * neighbours in it, and the dimension whose elements are neighbours in the operand. A plane is
 * copied tile by tile through a buffer, so that each cache line of either side is read or written
 * once: lines at distances of a power of two would evict each other.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "base/transpose.h"

#include <stdbool.h>
#include <string.h>

#include "base/check.h"

enum { TILE = 64, MOST_WIDTH = 8 };

/* Rows of a plane are contiguous in the result, columns in the operand. */
typedef struct plane {
  int64_t rows, columns;
  int64_t row_step;    /* elements of the result between rows */
  int64_t column_step; /* elements of the operand between columns */
} plane;

static int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }

/* One tile of at most TILE rows and columns. Inlined for each width, so that an element is moved by
 * one instruction. */
static inline void copy_tile(const plane *p, int64_t rows, int64_t columns, size_t width,
                             const uint8_t *in, uint8_t *out) {
  uint8_t tile[TILE * TILE * MOST_WIDTH];
  for (int64_t c = 0; c < columns; c++)
    memcpy(tile + (size_t)(c * TILE) * width, in + (size_t)(c * p->column_step) * width,
           (size_t)rows * width);
  for (int64_t r = 0; r < rows; r++)
    for (int64_t c = 0; c < columns; c++)
      memcpy(out + (size_t)(r * p->row_step + c) * width, tile + (size_t)(c * TILE + r) * width,
             width);
}

static inline void copy_tiles(const plane *p, size_t width, const uint8_t *in, uint8_t *out) {
  for (int64_t r = 0; r < p->rows; r += TILE)
    for (int64_t c = 0; c < p->columns; c += TILE)
      copy_tile(p, least(TILE, p->rows - r), least(TILE, p->columns - c), width,
                in + (size_t)(r + c * p->column_step) * width,
                out + (size_t)(r * p->row_step + c) * width);
}

/* Elements of any other width, or runs of them. */
static void copy_each(const plane *p, size_t width, const uint8_t *in, uint8_t *out) {
  for (int64_t r = 0; r < p->rows; r++)
    for (int64_t c = 0; c < p->columns; c++)
      memcpy(out + (size_t)(r * p->row_step + c) * width,
             in + (size_t)(r + c * p->column_step) * width, width);
}

static void copy_plane(const plane *p, size_t width, const uint8_t *in, uint8_t *out) {
  switch (width) {
  case 1:
    copy_tiles(p, 1, in, out);
    return;
  case 2:
    copy_tiles(p, 2, in, out);
    return;
  case 4:
    copy_tiles(p, 4, in, out);
    return;
  case 8:
    copy_tiles(p, 8, in, out);
    return;
  default:
    copy_each(p, width, in, out);
  }
}

/* The dimension along which elements are neighbours in the operand; the last one if none is. */
static uint32_t dense_dimension(uint32_t rank, const int64_t *dims, const int64_t *strides) {
  uint32_t found = rank - 1;
  for (uint32_t d = 0; d < rank; d++)
    if (strides[d] == 1 && dims[d] > 1) found = d;
  return found;
}

void qn_transpose(uint32_t rank, const int64_t *dims, const int64_t *strides, size_t width,
                  const uint8_t *in, uint8_t *out) {
  int64_t at[QN_TRANSPOSE_MAX_RANK] = {0}, steps[QN_TRANSPOSE_MAX_RANK], step = 1;
  QN_ASSERT(rank <= QN_TRANSPOSE_MAX_RANK);
  for (uint32_t d = rank; d-- > 0; step *= dims[d]) steps[d] = step;
  if (step == 0) return;
  if (rank == 0) {
    memcpy(out, in, width);
    return;
  }
  const uint32_t last = rank - 1, dense = dense_dimension(rank, dims, strides);
  /* Elements that are neighbours in both move together, as one of their joint width. */
  const bool is_run = dense == last && strides[last] == 1;
  const size_t unit = is_run ? width * (size_t)dims[last] : width;
  const plane p = {.rows = dense == last ? 1 : dims[dense],
                   .columns = is_run ? 1 : dims[last],
                   .row_step = steps[dense],
                   .column_step = strides[last]};
  for (int64_t from = 0, to = 0;;) {
    copy_plane(&p, unit, in + (size_t)from * width, out + (size_t)to * width);
    uint32_t d = rank;
    while (d-- > 0) {
      if (d == last || d == dense) continue;
      from += strides[d];
      to += steps[d];
      if (++at[d] < dims[d]) break;
      from -= at[d] * strides[d];
      to -= at[d] * steps[d];
      at[d] = 0;
    }
    if (d == UINT32_MAX) return;
  }
}
