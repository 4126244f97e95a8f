/* Recurrent cells: one record per kind, and the operand segments that all kinds have.
 *
 * "operandSegmentSizes" specifies how many operands each segment has. The segment of an optional
 * part is empty if the cell lacks the part.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_IR_OPS_CELL_H
#define QN_IR_OPS_CELL_H

#include "ir/op_attrs.h"

typedef enum qn_cell_segment {
  QN_CELL_INPUT,       /* the sequence */
  QN_CELL_STATES,      /* the hidden state, then the others */
  QN_CELL_WEIGHTS,     /* [units, depth], one per gate */
  QN_CELL_RECURRENT,   /* [units, outputs], one per gate */
  QN_CELL_BIASES,      /* [units], one per gate */
  QN_CELL_PEEPHOLES,   /* [units], one per gate that reads the cell state; optional */
  QN_CELL_GAINS,       /* [units], layer normalization, one per gate; optional */
  QN_CELL_PROJECTION,  /* weights [outputs, units] and bias [outputs]; optional */
  QN_CELL_MULTIPLIERS, /* integer stage: multipliers and shifts of all products */
  QN_CELL_SEGMENTS
} qn_cell_segment;

typedef struct qn_cell_record {
  const char *gates;                /* names in the order of their operands */
  uint32_t sizes[QN_CELL_SEGMENTS]; /* sizes of the segments, with all optional parts */
} qn_cell_record;

/* The record of a kind of op; NULL if it is not a recurrent cell. */
const qn_cell_record *qn_cell_record_of(qn_op_kind kind);
/* Number of segments of the kind: the last one exists at the integer stage only. */
uint32_t qn_cell_segment_count(const qn_cell_record *record);
/* The attribute "operandSegmentSizes" of an op of the kind. */
const qn_attr *qn_cell_segments(qn_ir_context *cx, qn_op_kind kind,
                                const uint32_t sizes[QN_CELL_SEGMENTS]);

static inline uint32_t qn_cell_size(const qn_op *op, qn_cell_segment segment) {
  return qn_op_segment(op, segment);
}
/* Index of the first operand of a segment. */
static inline uint32_t qn_cell_first(const qn_op *op, qn_cell_segment segment) {
  uint32_t first = 0;
  for (uint32_t i = 0; i < segment; i++) first += qn_op_segment(op, i);
  return first;
}

#endif
