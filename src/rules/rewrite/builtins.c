/* Built-in external functions: sizes and starts of pieces for AUTOSPLIT, and constraints.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "rules/rewrite/external.h"

/* ---- shared functions ---- */

static bool reject(qn_rule_call *call, const char *problem) {
  call->problem = problem;
  return false;
}

static const qn_rule_definition *define(const qn_rule_call *call, uint32_t i) {
  QN_ASSERT(i < call->operand_count); /* the signature has so many */
  return call->view->definition(call->view->graph, call->operands[i]);
}

static bool give_shape(qn_rule_call *call, const int64_t *sizes, uint32_t count) {
  double numbers[QN_RULE_MAX_RANK];
  QN_ASSERT(count <= QN_RULE_MAX_RANK);
  for (uint32_t i = 0; i < count; i++) numbers[i] = (double)sizes[i];
  call->result = qn_rule_shape_node(call->graph, numbers, count);
  return true;
}

/* ---- constraints ---- */

enum { BUDGET = 256 * 1024, ROWS = 1 };

/* Whether `values[0]` rows of the operand fit BUDGET bytes, a common size of L2. */
bool qn_rule_fits_budget(qn_rule_call *call, void *user) {
  const qn_rule_definition *d = define(call, 0);
  int64_t bytes = d->element_bytes;
  (void)user;
  if (d->rank <= ROWS) return reject(call, "the operand has no rows");
  for (uint32_t i = 0; i < d->rank; i++)
    if (__builtin_mul_overflow(bytes, i == ROWS ? call->values[0].integer : d->sizes[i], &bytes))
      return reject(call, "there are too many bytes");
  call->holds = bytes <= BUDGET;
  return true;
}

/* Whether the operand has one encoding for all elements, or its per-axis encoding is along
 * dimension values[0]. */
bool qn_rule_same_axis(qn_rule_call *call, void *user) {
  const qn_rule_definition *d = define(call, 0);
  (void)user;
  call->holds = d->channels < 2 || d->axis == call->values[0].integer;
  return true;
}

bool qn_rule_const_is_uniform(qn_rule_call *call, void *user) {
  const qn_rule_view *v = call->view;
  int64_t count = v->constant_size(v->graph, call->operands[0]);
  (void)user;
  call->holds = count > 0;
  double first = count > 0 ? v->constant_at(v->graph, call->operands[0], 0) : 0;
  for (int64_t i = 1; i < count && call->holds; i++)
    call->holds = v->constant_at(v->graph, call->operands[0], i) == first;
  return true;
}

/* ---- pieces ---- */

static bool start_in(qn_rule_call *call, int64_t dim) {
  QN_ASSERT(call->piece && call->piece->start >= 0); /* shape functions of splits have a piece */
  int64_t sizes[QN_RULE_MAX_RANK] = {0};
  const qn_rule_definition *d = define(call, 0);
  if (dim < 0 || dim >= d->rank) return reject(call, "the operand has no such dimension");
  sizes[dim] = call->piece->start;
  return give_shape(call, sizes, d->rank);
}

static bool size_in(qn_rule_call *call, int64_t dim) {
  QN_ASSERT(call->piece && call->piece->size > 0);
  int64_t sizes[QN_RULE_MAX_RANK];
  const qn_rule_definition *d = define(call, 0);
  if (dim < 0 || dim >= d->rank) return reject(call, "the operand has no such dimension");
  for (uint32_t i = 0; i < d->rank; i++) sizes[i] = d->sizes[i];
  sizes[dim] = call->piece->size;
  return give_shape(call, sizes, d->rank);
}

bool qn_rule_simple_split_start(qn_rule_call *call, void *user) {
  (void)user;
  return start_in(call, call->piece->dim);
}
bool qn_rule_simple_split_size(qn_rule_call *call, void *user) {
  (void)user;
  return size_in(call, call->piece->dim);
}
bool qn_rule_simpledim_split_start(qn_rule_call *call, void *user) {
  (void)user;
  return start_in(call, call->values[0].integer);
}
bool qn_rule_simpledim_split_size(qn_rule_call *call, void *user) {
  (void)user;
  return size_in(call, call->values[0].integer);
}

/* ---- windows: a piece of the result needs rows (or columns) of the operand around it ---- */

typedef struct rows {
  int64_t begin, end;    /* rows of the operand */
  int64_t before, after; /* rows of padding that belong to the piece */
} rows;

/* Size of a window along a dimension. The window is a shape [1, rows, columns, 1] or a filter
 * [rows, columns, in, out]. */
static int64_t window_size(const qn_rule_call *call, uint32_t window, int64_t dim) {
  bool is_shape = qn_rule_gnode_of(call->operands[window])->of == QN_RULE_OF_SHAPE;
  return define(call, window)->sizes[is_shape ? dim : dim - 1];
}

static bool find_rows(qn_rule_call *call, uint32_t window, uint32_t step, int64_t before,
                      rows *out_rows) {
  int64_t dim = call->piece->dim;
  if (dim != 1 && dim != 2) return reject(call, "only rows and columns have windows");
  if (define(call, window)->rank != 4 || define(call, step)->rank != 4 ||
      define(call, 0)->rank != 4)
    return reject(call, "operand, window and step must have 4 dimensions");
  int64_t have = define(call, 0)->sizes[dim], by = define(call, step)->sizes[dim];
  int64_t first = call->piece->start * by - before;
  int64_t last =
      (call->piece->start + call->piece->size - 1) * by - before + window_size(call, window, dim);
  *out_rows = (rows){.begin = first < 0 ? 0 : first,
                     .end = last > have ? have : last,
                     .before = first < 0 ? -first : 0,
                     .after = last > have ? last - have : 0};
  return out_rows->begin < out_rows->end ? true : reject(call, "a piece is in the padding");
}

static bool give_start(qn_rule_call *call, const rows *r) {
  int64_t sizes[4] = {0};
  sizes[call->piece->dim] = r->begin;
  return give_shape(call, sizes, 4);
}

static bool give_size(qn_rule_call *call, const rows *r) {
  int64_t sizes[4];
  for (uint32_t i = 0; i < 4; i++) sizes[i] = define(call, 0)->sizes[i];
  sizes[call->piece->dim] = r->end - r->begin;
  return give_shape(call, sizes, 4);
}

bool qn_rule_conv_split_start_valid(qn_rule_call *call, void *user) {
  rows r;
  (void)user;
  return find_rows(call, 1, 2, 0, &r) && give_start(call, &r);
}
bool qn_rule_conv_split_size_valid(qn_rule_call *call, void *user) {
  rows r;
  (void)user;
  return find_rows(call, 1, 2, 0, &r) && give_size(call, &r);
}

/* Finds the rows of the operand that the current piece needs. Operands of the call: x, window,
 * stride, pad, where pad is [top, bottom, left, right]. */
static bool find_padded(qn_rule_call *call, rows *out_rows) {
  const qn_rule_definition *pad = define(call, 3);
  if (pad->rank != 4) return reject(call, "the padding must be top, bottom, left, right");
  return find_rows(call, 1, 2, pad->sizes[call->piece->dim == 2 ? 2 : 0], out_rows);
}

bool qn_rule_window_split_start(qn_rule_call *call, void *user) {
  rows r;
  (void)user;
  return find_padded(call, &r) && give_start(call, &r);
}
bool qn_rule_window_split_size(qn_rule_call *call, void *user) {
  rows r;
  (void)user;
  return find_padded(call, &r) && give_size(call, &r);
}
bool qn_rule_window_split_pad(qn_rule_call *call, void *user) {
  rows r;
  int64_t sizes[4];
  (void)user;
  if (!find_padded(call, &r)) return false;
  for (uint32_t i = 0; i < 4; i++) sizes[i] = define(call, 3)->sizes[i];
  sizes[call->piece->dim == 2 ? 2 : 0] = r.before;
  sizes[call->piece->dim == 2 ? 3 : 1] = r.after;
  return give_shape(call, sizes, 4);
}

/* ---- padding ---- */

/* Adds the padding of a Pad op to that of the convolution after it. */
bool qn_rule_add_pads(qn_rule_call *call, void *user) {
  enum { DIMS = 4 };
  const qn_rule_view *v = call->view;
  const qn_rule_definition *own = define(call, 0);
  int64_t sizes[DIMS];
  (void)user;
  if (own->rank != DIMS || v->constant_size(v->graph, call->operands[1]) != 2 * DIMS)
    return reject(call, "the borders are not of 4 dimensions");
  for (int64_t i = 0; i < 2 * DIMS; i++) {
    int64_t more = (int64_t)v->constant_at(v->graph, call->operands[1], i);
    bool plane = i / 2 == 1 || i / 2 == 2;
    if (!plane && more != 0) return reject(call, "batches or channels are padded");
    if (plane) sizes[i - 2] = own->sizes[i - 2] + more;
  }
  return give_shape(call, sizes, DIMS);
}
