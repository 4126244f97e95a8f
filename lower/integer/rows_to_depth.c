/* Joins rows of an image with few channels, so that the taps of a convolution are consecutive.
 *
 * Byte products multiply four consecutive bytes of x. A row of a window of 3 columns and 3 channels
 * has 9 bytes, so it takes three products, and 3 rows take nine; the 27 bytes of all rows take
 * seven if they are consecutive. That is im2col, but along the rows only: a row of the result is
 * read by all windows in it.
 *
 *   before: %p = "ml.pad"(%x) {pad = array<i64: 0, 0, 0, 1, 0, 1, 0, 0>, value = 7}
 *           %y = "ml.integer_conv"(%p, %w, ...) {strides = array<i64: 2, 2>}
 *             : (tensor<1x225x225x3xui8>, tensor<32x3x3x3xi8>, ...) -> tensor<1x112x112x32xui8>
 *   after:  %p = "ml.rows_to_depth"(%x)
 *             {rows = 3, step = 2, pad = array<i64: 0, 1, 0, 1>, value = 7}
 *           %y = "ml.integer_conv"(%p, %v, ...) {strides = array<i64: 1, 2>}
 *             : (tensor<1x112x225x9xui8>, tensor<32x1x3x9xi8>, ...) -> tensor<1x112x112x32xui8>
 *
 * %v has the weights of %w in another order. Either all rows of a window are joined, or, where the
 * step of the windows divides their height, as many as a step has, which copies no row twice. The
 * cheapest way is chosen by cycles, those of the copy included; a pad that is replaced is a copy,
 * too. The pass does nothing with keep_tensors, which preserves all tensors, without a target, and
 * for targets whose products do not take four bytes. Numerics: exact, as the same products are
 * summed modulo 2^32.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "ir/op_attrs.h"
#include "ir/ops/infer/infer.h"
#include "lower/integer/integer.h"

enum { X, WEIGHTS, QUAD = 4, RANK = 4 };

typedef struct window {
  qn_op *pad;                          /* an ml.pad that the new op replaces; NULL if none */
  int64_t height, width, depth;        /* of the window */
  int64_t step;                        /* from a window to the one below it */
  int64_t images, in_rows, in_columns; /* of x, padding included */
  int64_t pixels, channels;            /* of the result */
} window;

/* ---- what is possible ---- */

static bool is_dense(const qn_value *value) {
  const qn_attr *payload = qn_value_constant(value);
  return payload && qn_attr_is_elements(payload);
}

/* An ml.pad of rows and columns that only `op` reads; NULL if there is none. */
static qn_op *pad_before(const qn_pass_context *pc, const qn_op *op) {
  const qn_value *x = qn_op_operand(op, X);
  qn_op *pad = x->op;
  if (!pad || pad->kind != QN_OP_ML_PAD || !qn_value_has_one_use(x)) return NULL;
  if (qn_integer_is_kept(pc, pad)) return NULL;
  const int64_t *p = qn_op_pad(pad).data;
  bool fits = p[0] == 0 && p[1] == 0 && p[6] == 0 && p[7] == 0;
  return fits && p[2] <= QN_ROWS_MOST_BORDER && p[3] <= QN_ROWS_MOST_BORDER ? pad : NULL;
}

static bool window_of(const qn_pass_context *pc, const qn_op *op, window *out) {
  if (op->kind != QN_OP_ML_INTEGER_CONV || qn_op_groups(op) != 1) return false;
  const qn_type *x = qn_op_operand(op, X)->type, *w = qn_op_operand(op, WEIGHTS)->type;
  qn_i64s pad = qn_op_pad(op), dilations = qn_op_dilations(op);
  for (uint32_t i = 0; i < pad.count; i++)
    if (pad.data[i] != 0) return false;
  if (dilations.data[0] != 1 || dilations.data[1] != 1) return false;
  if (!qn_type_is_int(qn_type_element(x), 8) || !is_dense(qn_op_operand(op, WEIGHTS))) return false;
  const int64_t *in = x->shaped.dims, *out_dims = op->results[0].type->shaped.dims;
  *out = (window){.pad = pad_before(pc, op),
                  .height = w->shaped.dims[1],
                  .width = w->shaped.dims[2],
                  .depth = w->shaped.dims[3],
                  .step = qn_op_strides(op).data[0],
                  .images = in[0],
                  .in_rows = in[1],
                  .in_columns = in[2],
                  .pixels = out_dims[0] * out_dims[1] * out_dims[2],
                  .channels = out_dims[3]};
  return true;
}

/* ---- what it costs ---- */

/* How many groups of `size` contain `count`. */
static int64_t groups_of(int64_t count, int64_t size) { return (count + size - 1) / size; }

/* Cycles of the products if `rows` rows are joined. */
static double product_cycles(const window *w, const qn_target *target, int64_t rows) {
  int64_t quads = w->height / rows * groups_of(w->width * w->depth * rows, QUAD);
  int64_t vectors = groups_of(w->channels, target->vector_bytes / (int64_t)sizeof(int32_t));
  return (double)(quads * vectors) * (double)w->pixels * target->dot->cycles;
}

/* Cycles of the kernel that joins rows, or that pads: in each block of bytes, a load of each row, a
 * shuffle and a store. Measured on Zen 4: 4.7 for a block of a padded row, 5 to 7 for three to
 * seven joined rows; half as many for blocks of 16 bytes, two of which can begin per cycle; and 0.4
 * per byte if the result exceeds L2. */
static double copy_cycles(const window *w, const qn_target *target, int64_t rows) {
  static const int64_t block = 16, others = 2; /* bytes; shuffle and store */
  static const double beyond_l2 = 0.4;
  if (rows == 1 && !w->pad) return 0;
  int64_t step = rows == w->height ? w->step : rows;
  int64_t image = ((w->in_rows - rows) / step + 1) * w->in_columns * rows * w->depth;
  double bytes = (double)image * (double)w->images, cycles = bytes * (double)(rows + others);
  bool whole = rows == 1 || target->permutes; /* an instruction permutes whole vectors */
  cycles /= whole ? (double)target->vector_bytes : (double)(2 * block);
  return cycles + (image > target->l2_bytes ? bytes * beyond_l2 : 0);
}

/* How many rows to join; 1: none. What the products gain must exceed what the copy takes by a
 * quarter, as kernels of a few microseconds gain less than their cycles. */
static int64_t choose(const window *w, const qn_target *target) {
  static const double margin = 1.25;
  const int64_t candidates[] = {w->height, w->height % w->step == 0 ? w->step : 1};
  const double products = product_cycles(w, target, 1), pad = copy_cycles(w, target, 1);
  int64_t best = 1;
  double most = 0;
  for (size_t i = 0; i < QN_COUNT(candidates); i++) {
    int64_t rows = candidates[i];
    if (rows > QN_ROWS_MOST || rows * w->depth > QN_ROWS_MOST_CHANNELS || rows > w->in_rows)
      continue;
    double gain =
        products - product_cycles(w, target, rows) - margin * (copy_cycles(w, target, rows) - pad);
    if (gain > most) best = rows, most = gain;
  }
  return best;
}

/* ---- building ---- */

static qn_value *build_rows(qn_builder *b, const qn_op *op, const window *w, int64_t rows,
                            int64_t step) {
  int64_t pad[RANK] = {0}, value = 0;
  qn_value *x = qn_op_operand(op, X);
  if (w->pad) {
    memcpy(pad, qn_op_pad(w->pad).data + 2, sizeof pad);
    value = qn_op_pad_value(w->pad);
    x = qn_op_operand(w->pad, 0);
  }
  qn_value *joined = qn_build_inferred(
      b, QN_OP_ML_ROWS_TO_DEPTH, qn_type_element(x->type), QN_VALUES(x),
      QN_ATTRS({"rows", qn_attr_i64(b->cx, rows)}, {"step", qn_attr_i64(b->cx, step)},
               {"pad", qn_attr_i64s(b->cx, pad, RANK)}, {"value", qn_attr_i64(b->cx, value)}));
  QN_ASSERT(joined);
  return joined;
}

/* Weight [o][i][x][r * depth + c] is the old one [o][i * rows + r][x][c]. */
static qn_value *build_weights(qn_pass_context *pc, qn_builder *b, const qn_op *op, const window *w,
                               int64_t rows) {
  const qn_value *old = qn_op_operand(op, WEIGHTS);
  const qn_attr *payload = qn_value_constant(old);
  const int64_t dims[RANK] = {w->channels, w->height / rows, w->width, rows * w->depth};
  const qn_type *element = qn_type_element(old->type);
  const qn_type *type = qn_type_tensor(pc->cx, element, RANK, dims);
  qn_bytes bytes = payload->dense.bytes;
  if (!payload->dense.splat) {
    size_t pixel = (size_t)w->depth * qn_type_bytes(element); /* consecutive in both orders */
    uint8_t *to = qn_arena_alloc(pc->scratch, bytes.size);
    size_t at = 0;
    for (int64_t group = 0; group < w->channels * dims[1]; group++)
      for (int64_t x = 0; x < w->width; x++)
        for (int64_t r = 0; r < rows; r++, at += pixel) {
          size_t from = (size_t)((group * rows + r) * w->width + x);
          memcpy(to + at, bytes.data + from * pixel, pixel);
        }
    QN_ASSERT(at == bytes.size);
    bytes.data = to;
  }
  const qn_attr *value = qn_attr_dense(pc->cx, type, bytes, payload->dense.splat);
  return qn_build_1(b, QN_OP_ML_CONST, type, NULL, 0, QN_ATTRS({"value", value}));
}

static void join_rows(qn_op *op, void *user) {
  qn_pass_context *pc = user;
  const qn_target *target = ((const qn_lower_config *)pc->config)->target;
  window w;
  if (!window_of(pc, op, &w)) return;
  const int64_t rows = choose(&w, target), across = qn_op_strides(op).data[1];
  if (rows == 1) return;
  const bool all = rows == w.height;
  const qn_arena_mark mark = qn_arena_get_mark(pc->scratch);
  qn_builder b = qn_builder_before(pc->module, op);
  qn_op_set_operand(op, X, build_rows(&b, op, &w, rows, all ? w.step : rows));
  qn_op_set_operand(op, WEIGHTS, build_weights(pc, &b, op, &w, rows));
  qn_op_set_attr(pc->module, op, "strides", qn_attr_i64s(pc->cx, (int64_t[]){1, across}, 2));
  if (w.pad) qn_op_erase(pc->module, w.pad);
  qn_arena_rewind(pc->scratch, mark);
  pc->changed = true;
}

static qn_status run(qn_pass_context *pc) {
  const qn_lower_config *config = pc->config;
  bool fits = config && config->target && qn_dot_takes_quads(config->target->dot) &&
              !config->target->compact;
  if (!fits || pc->keep_tensors || config->keep_tensors) return QN_OK;
  qn_integer_for_each(pc->module, join_rows, pc);
  return QN_OK;
}

const qn_pass qn_pass_rows_to_depth = {
    .name = "rows-to-depth",
    .summary = "join rows of images with few channels, so that the taps of a convolution are "
               "consecutive",
    .numerics = QN_EXACT,
    .needed = (const qn_property *const[]){&qn_property_padding_explicit, NULL},
    .run = run,
};
