/* The kernel that copies images into their padded buffers, image by image.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "lower/loops/narrow/border.h"

#include "lower/loops/nest.h"
#include "lower/loops/vec.h"

enum { IMAGES, SCALES, ZERO_POINTS, WEIGHTS };

typedef struct run {
  qn_builder *b;
  qn_value *to, *to_at, *from, *from_at;
  qn_value *byte; /* fill byte; NULL: a copy */
} run;

static void build_piece(qn_kernel *k, void *user, qn_value *index, int64_t lanes) {
  (void)k;
  const run *r = user;
  qn_value *to = qn_nest_add(r->b, r->to_at, index), *v;
  if (r->byte)
    v = qn_vec_broadcast(r->b, r->byte, lanes);
  else
    v = qn_vec_load(r->b, r->from, qn_nest_add(r->b, r->from_at, index), 0, lanes);
  qn_vec_store(r->b, v, r->to, to, 0);
}

static void build_run(qn_kernel *k, run r, int64_t count) {
  if (count > 0) qn_nest_run(k, count, k->lo->target->vector_bytes, true, build_piece, &r);
}

static qn_value *after(qn_builder *b, qn_value *at, int64_t offset) {
  return qn_index_add(b, at, offset);
}

typedef struct sizes {
  int64_t height, line; /* lines of an image; bytes of a line */
  int64_t above, below, left,
      right; /* padding: above and below in lines, left and right in bytes */
} sizes;

static void build_image(qn_kernel *k, const sizes *s, qn_value *from, qn_value *to, qn_value *byte,
                        qn_value *image) {
  qn_builder *b = &k->b;
  int64_t wide = s->left + s->line + s->right;
  int64_t all = (s->above + s->height + s->below) * wide;
  qn_value *from_at = qn_index_affine(b, image, s->height * s->line, 0);
  qn_value *to_at = qn_index_affine(b, image, all, 0);
  build_run(k, (run){.b = b, .to = to, .to_at = to_at, .byte = byte}, s->above * wide);
  qn_value *line = qn_nest_count(b, s->height, 1);
  qn_value *from_line = qn_index_affine(b, line, s->line, 0);
  from_line = qn_nest_add(b, from_at, from_line);
  qn_value *to_line = qn_index_affine(b, line, wide, s->above * wide);
  to_line = qn_nest_add(b, to_at, to_line);
  build_run(k, (run){.b = b, .to = to, .to_at = to_line, .byte = byte}, s->left);
  qn_value *inside = after(b, to_line, s->left);
  build_run(k, (run){.b = b, .to = to, .to_at = inside, .from = from, .from_at = from_line},
            s->line);
  qn_value *behind = after(b, inside, s->line);
  build_run(k, (run){.b = b, .to = to, .to_at = behind, .byte = byte}, s->right);
  qn_nest_end(b);
  qn_value *below = after(b, to_at, (s->above + s->height) * wide);
  build_run(k, (run){.b = b, .to = to, .to_at = below, .byte = byte}, s->below * wide);
}

qn_value *qn_narrow_bordered(qn_loops *lo, const qn_op *op, qn_value *const *buffers) {
  const int64_t *x = qn_op_operand(op, IMAGES)->type->shaped.dims, *pad = qn_op_pad(op).data;
  const sizes s = {.height = x[1],
                   .line = x[2] * x[3],
                   .above = pad[0],
                   .below = pad[1],
                   .left = pad[2] * x[3],
                   .right = pad[3] * x[3]};
  if (pad[0] + pad[1] + pad[2] + pad[3] == 0) return buffers[IMAGES];
  int64_t all = x[0] * (s.above + s.height + s.below) * (s.left + s.line + s.right);
  const qn_type *i8 = qn_type_i(lo->cx, 8);
  enum { FROM, ZEROS, TO, COUNT };
  qn_value *const used[COUNT] = {buffers[IMAGES], buffers[ZERO_POINTS],
                                 qn_loops_scratch(lo, op, i8, all)};
  qn_kernel k = qn_kernel_begin(lo, "border", op, used, COUNT);
  qn_builder *b = &k.b;
  qn_value *image = qn_nest_begin(b, k.lower, k.upper, 1);
  qn_value *zero = qn_build_1(b, QN_OP_MEMREF_LOAD, qn_type_i(lo->cx, 32),
                              QN_VALUES(k.args[ZEROS], image), NULL);
  zero = qn_build_unary(b, QN_OP_ARITH_TRUNCI, zero, i8);
  build_image(&k, &s, k.args[FROM], k.args[TO], zero, image);
  qn_nest_end(b);
  qn_kernel_end(&k, x[0], 0);
  return used[TO];
}

qn_conv_shape qn_narrow_padded_shape(const qn_op *op) {
  const int64_t *x = qn_op_operand(op, IMAGES)->type->shaped.dims;
  const int64_t *w = qn_op_operand(op, WEIGHTS)->type->shaped.dims;
  const int64_t *y = op->results[0].type->shaped.dims;
  const int64_t *strides = qn_op_strides(op).data, *dilations = qn_op_dilations(op).data;
  const int64_t *pad = qn_op_pad(op).data;
  return (qn_conv_shape){.batch = y[0],
                         .out_height = y[1],
                         .out_width = y[2],
                         .out_channels = y[3],
                         .height = x[1] + pad[0] + pad[1],
                         .width = x[2] + pad[2] + pad[3],
                         .channels = x[3],
                         .kernel_height = w[1],
                         .kernel_width = w[2],
                         .stride_y = strides[0],
                         .stride_x = strides[1],
                         .dilation_y = dilations[0],
                         .dilation_x = dilations[1]};
}
