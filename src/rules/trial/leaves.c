/* Leaves of sample graphs: arguments and constants of suitable types and sizes, and values of
 * attributes.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <string.h>

#include "ir/types/float_format.h"
#include "rules/trial/sampler.h"

typedef qn_rule_sampler sampler;

enum { LARGE = 1 << 14 };

/* ---- data ---- */

static double real_element(sampler *s) {
  static const double values[] = {0, 1, 2, -1, 0.5, 6, -2, 4, 1.5, 0.25};
  return QN_RULE_PICK(s, values);
}

/* The stored value that is nearest to a real one; clamped as a double, which a small scale makes
 * larger than any integer. */
static int64_t stored_of(const qn_quant_uniform *q, double real) {
  double steps = nearbyint(real / q->scales[0]) + (double)q->zero_points[0];
  return steps <= (double)q->min ? q->min : steps >= (double)q->max ? q->max : (int64_t)steps;
}

static void fill(sampler *s, const qn_type *element, int64_t count, uint8_t *data) {
  const qn_quant_uniform *q = qn_type_quant(element);
  uint32_t size = qn_type_bytes(element);
  bool equal = qn_rule_sampler_chance(s, 50);
  double value = real_element(s);
  for (int64_t i = 0; i < count; i++) {
    if (!equal) value = real_element(s);
    int64_t code = q ? stored_of(q, value) : (int64_t)value;
    if (element->kind == QN_TYPE_FLOAT)
      qn_float_store(element->float_kind, value, data + (size_t)i * size);
    else
      memcpy(data + (size_t)i * size, &code, size);
  }
}

static qn_value *data_leaf(sampler *s, const qn_type *type, bool constant) {
  if (!constant)
    return qn_block_add_arg(s->module, qn_op_body(s->function), type, s->cx->diag.unknown);
  int64_t count = qn_type_elements(type);
  size_t size = qn_type_bytes(qn_type_element(type));
  uint8_t *data = qn_arena_array(&s->run.arena, (size_t)count, size);
  fill(s, qn_type_element(type), count, data);
  return qn_rule_stage_constant(&s->run.staging, type, (qn_bytes){data, (size_t)count * size});
}

static int64_t pick_size(sampler *s, bool may_be_hinted) {
  static const int64_t sizes[] = {1, 2, 3, 4, 8};
  const qn_rule_hints *h = &s->hints;
  if (!may_be_hinted || h->size_count == 0 || qn_rule_sampler_chance(s, 40))
    return QN_RULE_PICK(s, sizes);
  /* A statement with one draw: the order of draws must not depend on the compiler. */
  int64_t size = h->sizes[qn_rule_sampler_below(s, h->size_count)];
  size += qn_rule_sampler_below(s, 3);
  return qn_rule_sampler_chance(s, 20) ? size - 1 : size;
}

/* Picks sizes of which at most one is large, so that samples stay small. */
static void pick_sizes(sampler *s, int64_t *sizes) {
  uint32_t large = qn_rule_sampler_below(s, 4);
  for (uint32_t i = 0; i < 4; i++)
    sizes[i] = i == 0 && qn_rule_sampler_chance(s, 70) ? 1 : pick_size(s, i == large);
}

static const qn_type *tensor(sampler *s, const qn_type *element, const int64_t *dims,
                             uint32_t rank) {
  for (uint32_t i = 0; i < rank; i++)
    if (dims[i] < 1) return NULL;
  return qn_type_tensor(s->cx, element, rank, dims);
}

/* The type of weights, with dimensions in the op's order. Sets s->channels. */
static const qn_type *weight_type(sampler *s, const qn_rule_slot *slot, const qn_type *element) {
  const int64_t *x = s->base.sizes, in = x[3];
  bool large = x[0] * x[1] * x[2] * x[3] > LARGE; /* if so, weights are as small as possible */
  const int64_t k = large ? 1 : 1 + qn_rule_sampler_below(s, 3),
                out = large ? 1 : pick_size(s, qn_rule_sampler_chance(s, 50));
  const int64_t filter[] = {out, k, k, in}, depthwise[] = {1, k, k, in}, matrix[] = {out, in};
  s->channels = slot->layout == QN_RULE_DEPTHWISE ? in : out;
  if (slot->layout == QN_RULE_FILTER) return tensor(s, element, filter, 4);
  return slot->layout == QN_RULE_DEPTHWISE ? tensor(s, element, depthwise, 4)
                                           : tensor(s, element, matrix, 2);
}

static const qn_type *other_type(sampler *s, const qn_rule_form *form, const qn_rule_slot *slot,
                                 uint32_t tag) {
  bool quantized = qn_type_quant(s->base.element) != NULL;
  bool bias = slot->layout == QN_RULE_VECTOR;
  if (slot->layout != QN_RULE_NATURAL && !bias)
    return weight_type(s, slot,
                       quantized ? (qn_rule_sampler_hinted(s, tag)
                                        ? qn_rule_sampler_leaf_type(s, form, tag)
                                        : qn_rule_sampler_codes(s, true))
                                 : s->base.element);
  if (bias) {
    const char *name = qn_rule_sampler_hinted(s, tag);
    const qn_type *element = name ? qn_rule_sampler_type(s, name) : NULL;
    if (!element) element = quantized ? qn_type_i(s->cx, 32) : s->base.element;
    return tensor(s, element, &s->channels, 1);
  }
  const qn_type *element =
      qn_rule_sampler_chance(s, 70) ? s->base.element : qn_rule_sampler_leaf_type(s, form, tag);
  if (qn_rule_sampler_chance(s, 60)) return tensor(s, element, s->base.sizes, 4);
  const int64_t some[] = {1, 1, 1, qn_rule_sampler_chance(s, 50) ? 1 : s->base.sizes[3]};
  return tensor(s, element, some, 4);
}

static bool make_data(sampler *s, const qn_rule_form *form, const qn_rule_slot *slot, uint32_t tag,
                      qn_rule_operand *out_operand) {
  int64_t sizes[4];
  const qn_type *type;
  if (s->around) {
    type = weight_type(s, s->around, qn_rule_sampler_leaf_type(s, form, tag));
    slot = s->around;
  } else if (s->base.rank == 0) {
    pick_sizes(s, sizes);
    if (s->hints.budget && qn_rule_sampler_chance(s, 10))
      sizes[0] = 1, sizes[1] = 40, sizes[2] = 1024, sizes[3] = 8;
    type = tensor(s, qn_rule_sampler_leaf_type(s, form, tag), sizes, 4);
  } else {
    type = other_type(s, form, slot, tag);
  }
  if (!type) return false;
  bool asked = tag < 64 && (s->hints.constants >> tag & 1);
  qn_value *value =
      data_leaf(s, type, asked ? qn_rule_sampler_chance(s, 90) : qn_rule_sampler_chance(s, 10));
  *out_operand = qn_rule_operand_of(&s->run.graph, value, slot->layout);
  return true;
}

static bool give_shape(sampler *s, double a, double b, double c, double d, qn_rule_operand *out) {
  *out = qn_rule_shape_node(&s->run.graph, (const double[]){a, b, c, d}, 4);
  return true;
}

static bool make_window(sampler *s, double k, qn_rule_operand *out) {
  double width = qn_rule_sampler_chance(s, 60) ? 1 : k;
  double height = qn_rule_sampler_chance(s, 60) ? 1 : k;
  return give_shape(s, 1, height, width, 1, out);
}

/* If the operand is a concatenation, begin and size of a slice are often exactly those of one of
 * its operands, which constraints of rules on slices ask for. The call for BEGIN chooses the
 * operand, the call for SIZE uses it. */
static bool make_part(sampler *s, const qn_rule_slot *slot, qn_rule_operand *out) {
  const qn_op *op = s->whole ? s->whole->op : NULL;
  bool begins = slot->kind == QN_RULE_SLOT_BEGIN;
  if (begins) {
    bool joined = op && op->kind == QN_OP_ML_CONCAT && qn_rule_sampler_chance(s, 50);
    s->part = joined ? 1 + qn_rule_sampler_below(s, op->operand_count) : 0;
  }
  if ((!begins && slot->kind != QN_RULE_SLOT_SIZE) || s->part == 0) return false;
  double begin[4] = {0}, size[4];
  int64_t axis = qn_op_axis(op);
  const qn_type *type = qn_op_operand(op, s->part - 1)->type;
  if (type->shaped.rank != 4 || axis < 0 || axis >= 4) return false;
  for (uint32_t i = 0; i < s->part - 1; i++)
    begin[axis] += (double)qn_op_operand(op, i)->type->shaped.dims[axis];
  for (uint32_t i = 0; i < 4; i++) size[i] = (double)type->shaped.dims[i];
  *out = qn_rule_shape_node(&s->run.graph, begins ? begin : size, 4);
  return true;
}

static bool make_shape(sampler *s, const qn_rule_slot *slot, qn_rule_operand *out) {
  if (make_part(s, slot, out)) return true;
  const int64_t *x = s->base.sizes;
  double total = (double)(x[0] * x[1] * x[2] * x[3]), k = 1 + qn_rule_sampler_below(s, 3);
  bool plane = slot->attr == QN_A_KERNEL_SIZES && qn_rule_sampler_chance(s, 40);
  switch (slot->kind) {
  case QN_RULE_SLOT_PAIR:
    return plane ? give_shape(s, 1, (double)x[1], (double)x[2], 1, out) : make_window(s, k, out);
  case QN_RULE_SLOT_LIST:
    return qn_rule_sampler_chance(s, 60) ? give_shape(s, 0, 0, 0, 0, out)
                                         : give_shape(s, 1, 0, 1, 1, out);
  case QN_RULE_SLOT_BEGIN:
    return give_shape(s, 0, qn_rule_sampler_chance(s, 60) ? 0 : (double)(x[1] / 2), 0, 0, out);
  case QN_RULE_SLOT_NEW_SHAPE:
    if (qn_rule_sampler_chance(s, 30)) return give_shape(s, 1, 1, 1, total, out);
    if (qn_rule_sampler_chance(s, 50))
      return give_shape(s, 1, 1, total / (double)x[3], (double)x[3], out);
    break;
  default:
    break;
  }
  int64_t rows = qn_rule_sampler_chance(s, 50)   ? x[1] / 2
                 : qn_rule_sampler_chance(s, 50) ? x[1] - x[1] / 2
                                                 : 1;
  double height =
      (double)(slot->kind == QN_RULE_SLOT_SIZE && qn_rule_sampler_chance(s, 60) ? rows : x[1]);
  return give_shape(s, (double)x[0], height, (double)x[2], (double)x[3], out);
}

static bool make_numbers(sampler *s, const qn_rule_slot *slot, qn_rule_operand *out) {
  static const double perms[][4] = {{0, 1, 2, 3}, {0, 3, 1, 2}, {0, 2, 3, 1}, {0, 2, 1, 3}};
  double pads[8] = {0}, number = slot->number;
  uint32_t count = 1;
  const double *numbers = &number;
  bool real = slot->kind >= QN_RULE_SLOT_BORDER;
  if (slot->kind == QN_RULE_SLOT_AXIS) number = qn_rule_sampler_below(s, 4);
  if (slot->kind == QN_RULE_SLOT_NUMBER) number = 1;
  if (slot->kind == QN_RULE_SLOT_BORDER) number = 0;
  if (slot->kind == QN_RULE_SLOT_LOW) number = 0;
  if (slot->kind == QN_RULE_SLOT_HIGH)
    number = qn_rule_sampler_chance(s, 50) ? (double)INFINITY : 6;
  if (slot->kind == QN_RULE_SLOT_PERMUTATION) numbers = QN_RULE_PICK(s, perms), count = 4;
  if (slot->kind == QN_RULE_SLOT_PADS) {
    if (qn_rule_sampler_chance(s, 60)) pads[2] = 1, pads[5] = 2;
    numbers = pads, count = 8;
  }
  *out = qn_rule_numbers_node(&s->run.graph, numbers, count, real);
  return true;
}

bool qn_rule_sampler_leaf(sampler *s, const qn_rule_form *form, const qn_rule_slot *slot,
                          uint32_t tag, qn_rule_operand *out_operand) {
  if (qn_rule_slot_is_value(slot)) return make_data(s, form, slot, tag, out_operand);
  bool numbers = slot->kind >= QN_RULE_SLOT_AXIS;
  return numbers ? make_numbers(s, slot, out_operand) : make_shape(s, slot, out_operand);
}
