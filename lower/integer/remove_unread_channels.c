/* Removes the channels of a tensor that its only reader multiplies by zero weights, and with them
 * the weights that compute them. Training with weight decay leaves such channels: without them,
 * MLPerf Tiny's visual wake words has half of its products.
 *
 *   before: %a = "ml.integer_conv"(%x, %v, ...) : (tensor<1x6x6x8xui8>, tensor<128x1x1x8xi8>, ...)
 *                -> tensor<1x6x6x128xui8>
 *           %y = "ml.integer_conv"(%a, %w, ...), the elements of %w for channels 20 to 127 of %a
 *                are 0
 *   after:  %a = "ml.integer_conv"(%x, %v1, ...) : (tensor<1x6x6x8xui8>, tensor<20x1x1x8xi8>, ...)
 *                -> tensor<1x6x6x20xui8>
 *           %y = "ml.integer_conv"(%a, %w1, ...)
 *
 * Between the two products, ops that compute each channel from the same channel alone may run:
 * pads, depthwise convolutions, pools, tables. Products are visited from last to first, so that
 * fewer output channels of one can leave more input channels unread. With the zero point of the
 * weights subtracted, a weight of 0 adds 0 to a sum for every x: the pass is exact.
 *
 * Vectors compute whole groups of channels, so the channels that stay are rounded up to groups,
 * with unread ones; a tensor without a whole group to remove is not changed. The rounding
 * "up_in_eights" depends on the number of a channel, but is one for all channels of whole groups of
 * eight. The pass does nothing with keep_tensors, which preserves all tensors. Numerics: exact.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "ir/op_attrs.h"
#include "ir/walk.h"
#include "ir/weights.h"
#include "lower/integer/integer.h"

enum { X, WEIGHTS, FIRST_PER_CHANNEL, PRODUCT_OPERANDS = 5, MAX_LINKS = 16, MAX_RANK = 4 };

/* The ops from the reader of a tensor up to the product that computes it. */
typedef struct chain {
  qn_op *reader, *producer;
  qn_op *links[MAX_LINKS]; /* between them, from last to first */
  uint32_t count;
} chain;

/* Numbers of the channels that stay, in ascending order. */
typedef struct channels {
  const int64_t *kept;
  int64_t count, before; /* before: number of all channels */
} channels;

static int64_t last_dim(const qn_type *type) {
  uint32_t rank = type->kind == QN_TYPE_TENSOR ? type->shaped.rank : 0;
  return rank > 0 && rank <= MAX_RANK ? type->shaped.dims[rank - 1] : 0;
}

/* ---- which ops take part ---- */

/* Whether weights and parameters per channel are constants that can be cut. */
static bool has_constants(const qn_op *op) {
  const qn_channel_layout layout = qn_channel_layout_of(op);
  bool fits = op->operand_count == PRODUCT_OPERANDS && qn_channel_layout_fits(&layout);
  if (!fits || !qn_op_find(op, QN_A_WEIGHT_ZERO_POINT)) return false;
  for (uint32_t i = WEIGHTS; i < PRODUCT_OPERANDS; i++) {
    const qn_attr *value = qn_value_constant(qn_op_operand(op, i));
    if (!value || !qn_attr_is_elements(value)) return false;
  }
  const qn_type *element = qn_type_element(qn_op_operand(op, WEIGHTS)->type);
  return qn_op_weight_zero_point(op) == 0 && !qn_type_is_unsigned(element) &&
         (qn_type_is_int(element, 8) || qn_type_is_int(element, 16));
}

/* Whether every output channel depends on every input channel. */
static bool is_product(const qn_op *op) {
  bool has_groups = qn_op_find(op, QN_A_GROUPS) && qn_op_groups(op) != 1;
  return qn_op_weights(op) == QN_CHANNELS_FIRST && !has_groups && has_constants(op);
}

static bool is_plain_depthwise(const qn_op *op) {
  return qn_op_weights(op) == QN_CHANNELS_LAST && has_constants(op) &&
         last_dim(qn_op_operand(op, X)->type) == last_dim(qn_op_operand(op, WEIGHTS)->type);
}
static bool pads_no_channel(const qn_op *op) {
  qn_i64s pad = qn_op_pad(op);
  return pad.count >= 2 && pad.data[pad.count - 1] == 0 && pad.data[pad.count - 2] == 0;
}

/* Whether an op without parameters per channel computes each channel from the same channel of its
 * first operand: functions of one element, lookups, pools, pads, reshapes. */
static bool has_one_function(const qn_op *op) {
  if (op->kind == QN_OP_ML_PAD) return pads_no_channel(op);
  if (op->kind == QN_OP_ML_RESHAPE) return true;
  if (op->kind == QN_OP_ML_LUT) return true;
  bool is_alone = op->operand_count == 1 && qn_op_has(op, QN_INTEGER_STAGE);
  return is_alone && qn_op_has(op, QN_ELEMENTWISE | QN_SPATIAL);
}

/* The same of any op, for the last dimension of operand and result. */
static bool keeps_channels_apart(const qn_op *op) {
  if (op->operand_count == 0 || op->result_count != 1) return false;
  int64_t count = last_dim(qn_op_operand(op, X)->type);
  bool same = count > 0 && count == last_dim(op->results[0].type);
  return same && (qn_op_has_weights(op) ? is_plain_depthwise(op) : has_one_function(op));
}

/* Finds the product that computes what `reader` reads, if no other op reads it or a tensor between
 * them. */
static bool find_chain(qn_op *reader, chain *out) {
  *out = (chain){.reader = reader};
  const qn_value *x = qn_op_operand(reader, X);
  int64_t count = last_dim(x->type);
  if (count < 2 || count != last_dim(qn_op_operand(reader, WEIGHTS)->type)) return false;
  for (; x->op && qn_value_has_one_use(x) && last_dim(x->type) == count;
       x = qn_op_operand(x->op, X)) {
    if (is_product(x->op)) {
      out->producer = x->op;
      return true;
    }
    if (out->count == MAX_LINKS || !keeps_channels_apart(x->op)) return false;
    out->links[out->count++] = x->op;
  }
  return false;
}

/* ---- which channels stay ---- */

/* Channels that vectors of the target compute together: as many as bytes in a vector, or the four
 * of a tile of scalars. */
static int64_t group_of(const qn_lower_config *config) {
  enum { SCALARS = 4, ANY_VECTOR = 16 };
  const qn_target *target = config ? config->target : NULL;
  if (!target) return ANY_VECTOR;
  return target->dot->splits ? SCALARS : target->vector_bytes;
}

/* Moves the channels to the front of `unread` whose weights are all 0; returns their number. */
static int64_t find_unread(const qn_op *reader, int64_t all, int64_t *unread) {
  const qn_attr *weights = qn_value_constant(qn_op_operand(reader, WEIGHTS));
  int64_t rows = qn_type_elements(weights->type) / all, left = all;
  for (int64_t c = 0; c < all; c++) unread[c] = c;
  for (int64_t row = 0; row < rows && left > 0; row++) {
    int64_t still = 0;
    for (int64_t i = 0; i < left; i++) {
      bool zero = qn_dense_int(weights, weights->dense.splat ? 0 : row * all + unread[i]) == 0;
      if (zero) unread[still++] = unread[i];
    }
    left = still;
  }
  return left;
}

/* Whether an op whose channels are removed rounds the last channels in another way, if they are not
 * a group of eight. */
static bool rounds_in_eights(const chain *c) {
  bool in_eights = qn_op_requant_rounding(c->producer) == QN_REQUANT_UP_IN_EIGHTS;
  for (uint32_t i = 0; i < c->count; i++)
    in_eights |= qn_op_has_weights(c->links[i]) &&
                 qn_op_requant_rounding(c->links[i]) == QN_REQUANT_UP_IN_EIGHTS;
  return in_eights;
}

/* Returns false if no whole group can go. */
static bool choose(const qn_pass_context *pc, const chain *c, channels *out) {
  enum { EIGHT = 8 };
  int64_t all = last_dim(qn_op_operand(c->reader, X)->type), group = group_of(pc->config);
  if (rounds_in_eights(c)) {
    if (all % EIGHT != 0) return false;
    if (group < EIGHT) group = EIGHT;
  }
  int64_t *unread = QN_NEW_ARRAY(pc->scratch, (size_t)all, int64_t);
  int64_t *kept = QN_NEW_ARRAY(pc->scratch, (size_t)all, int64_t);
  int64_t removed = find_unread(c->reader, all, unread), stay = all - removed, next = 0, count = 0;
  int64_t rounded = stay == 0 ? group : (stay + group - 1) / group * group;
  if (rounded >= all) return false;
  int64_t fill = rounded - stay; /* the first unread channels */
  for (int64_t i = 0; i < all; i++) {
    bool is_unread = next < removed && unread[next] == i;
    next += is_unread;
    if (!is_unread || next <= fill) kept[count++] = i;
  }
  QN_ASSERT(count == rounded);
  *out = (channels){kept, count, all};
  return true;
}

/* ---- cutting ---- */

static const qn_type *cut_type(qn_pass_context *pc, const qn_type *type, uint32_t dim,
                               const channels *c) {
  int64_t dims[MAX_RANK];
  QN_ASSERT(type->shaped.rank <= MAX_RANK && type->shaped.dims[dim] == c->before);
  for (uint32_t i = 0; i < type->shaped.rank; i++)
    dims[i] = i == dim ? c->count : type->shaped.dims[i];
  return qn_type_tensor(pc->cx, qn_type_element(type), type->shaped.rank, dims);
}

/* The elements of a constant at the channels that stay, along a dimension. */
static qn_bytes cut_elements(qn_pass_context *pc, const qn_value *old, uint32_t dim,
                             const channels *c) {
  const qn_attr *value = qn_value_constant(old);
  if (value->dense.splat) return value->dense.bytes;
  size_t inner = qn_type_bytes(qn_type_element(old->type));
  for (uint32_t i = dim + 1; i < old->type->shaped.rank; i++)
    inner *= (size_t)old->type->shaped.dims[i];
  size_t all = (size_t)c->before, rows = value->dense.bytes.size / (all * inner);
  QN_ASSERT(rows * all * inner == value->dense.bytes.size);
  uint8_t *bytes = qn_arena_alloc(pc->scratch, rows * (size_t)c->count * inner), *to = bytes;
  for (size_t row = 0; row < rows; row++)
    for (int64_t i = 0; i < c->count; i++, to += inner)
      memcpy(to, value->dense.bytes.data + (row * all + (size_t)c->kept[i]) * inner, inner);
  return (qn_bytes){bytes, (size_t)(to - bytes)};
}

static void cut_operand(qn_pass_context *pc, qn_op *op, uint32_t operand, uint32_t dim,
                        const channels *c) {
  const qn_value *old = qn_op_operand(op, operand);
  const qn_type *type = cut_type(pc, old->type, dim, c);
  const qn_attr *value = qn_attr_dense(pc->cx, type, cut_elements(pc, old, dim, c), false);
  qn_builder b = qn_builder_before(pc->module, op);
  qn_op_set_operand(op, operand,
                    qn_build_1(&b, QN_OP_ML_CONST, type, NULL, 0, QN_ATTRS({"value", value})));
}

/* Output channels of an op with weights. A multiplier or shift of one element is for all. */
static void cut_outputs(qn_pass_context *pc, qn_op *op, const channels *c) {
  uint32_t rank = qn_op_operand(op, WEIGHTS)->type->shaped.rank;
  cut_operand(pc, op, WEIGHTS, qn_weights_channel_dim(qn_op_weights(op), rank), c);
  for (uint32_t i = FIRST_PER_CHANNEL; i < PRODUCT_OPERANDS; i++)
    if (last_dim(qn_op_operand(op, i)->type) == c->before) cut_operand(pc, op, i, 0, c);
}

/* The tensor is not the model's any more, so the op loses the mark of that tensor. */
static void cut_result(qn_pass_context *pc, qn_op *op, const channels *c) {
  qn_value *y = qn_op_result(op, 0);
  qn_value_set_type(y, cut_type(pc, y->type, y->type->shaped.rank - 1, c));
  qn_op_set_attr(pc->module, op, qn_attr_decls[QN_A_TENSORS].name, NULL);
}

static void remove_from(qn_op *op, void *user) {
  qn_pass_context *pc = user;
  chain links;
  channels c;
  if (!is_product(op) || !find_chain(op, &links)) return;
  const qn_arena_mark mark = qn_arena_get_mark(pc->scratch);
  if (choose(pc, &links, &c)) {
    cut_operand(pc, op, WEIGHTS, qn_op_operand(op, WEIGHTS)->type->shaped.rank - 1, &c);
    for (uint32_t i = 0; i < links.count; i++) {
      if (qn_op_has_weights(links.links[i])) cut_outputs(pc, links.links[i], &c);
      cut_result(pc, links.links[i], &c);
    }
    cut_outputs(pc, links.producer, &c);
    cut_result(pc, links.producer, &c);
    pc->changed = true;
  }
  qn_arena_rewind(pc->scratch, mark);
}

static qn_status run(qn_pass_context *pc) {
  const qn_lower_config *config = pc->config;
  if (pc->keep_tensors || (config && config->keep_tensors)) return QN_OK;
  qn_integer_for_each_backward(pc->module, pc->scratch, remove_from, pc);
  return QN_OK;
}

const qn_pass qn_pass_remove_unread_channels = {
    .name = "remove-unread-channels",
    .summary = "remove channels that their reader multiplies by zero weights",
    .numerics = QN_EXACT,
    .needed = (const qn_property *const[]){&qn_property_integers_only, NULL},
    .run = run,
};
