/* Graphs for rules: the pattern built from its leaves up, with types and sizes out of small pools,
 * so that what a constraint wants equal often is; what it asks of element types and sizes is drawn
 * more often.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "rules/trial/sample.h"

#include <math.h>
#include <string.h>

#include "base/heap.h"
#include "eval/fold.h"
#include "ir/types/float_format.h"
#include "ir/verify/verify.h"

enum { MOST_HINTS = 16, CODES8 = 8, LARGE = 1 << 14 };

/* What the constraint names. */
typedef struct hints {
  struct {
    uint32_t tag, dtype;
  } dtypes[MOST_HINTS];
  uint32_t dtype_count;
  int64_t sizes[MOST_HINTS];
  uint32_t size_count;
  uint64_t constants; /* bit of each tag that is asked for its elements */
  bool budget;        /* a function is asked whether an operand is too large */
} hints;

typedef struct sampler {
  qn_rule_run run; /* of an empty set: its graph and staging */
  qn_rule_view view;
  qn_module *module;
  qn_ir_context *cx;
  const qn_rule *rule;
  qn_rule_sampling *sampling;
  hints hints;
  qn_op *function;
  qn_rule_binding binding;
  qn_rule_wanted base;        /* of the first operand with data of the op at hand */
  int64_t channels;           /* that its weights give */
  const qn_rule_slot *around; /* the slot that the op at hand makes weights for; or NULL */
} sampler;

/* ---- chance ---- */

static uint64_t draw(sampler *s) {
  uint64_t *state = &s->sampling->state;
  *state += 0x9E3779B97F4A7C15u;
  uint64_t z = (*state ^ (*state >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}
static uint32_t below(sampler *s, uint32_t count) { return (uint32_t)(draw(s) % count); }
static bool chance(sampler *s, uint32_t percent) { return below(s, 100) < percent; }
#define PICK(s, pool) ((pool)[below((s), (uint32_t)QN_COUNT(pool))])

/* ---- hints ---- */

static void collect(hints *h, const qn_rule_node *node) {
  enum { LARGEST = 600 };
  const qn_rule_node *of = node->arg_count > 0 ? node->args[0] : NULL;
  bool dtype = node->function && qn_rule_is(node, QN_RULE_FN_EQ) && of->function &&
               qn_rule_is(of, QN_RULE_FN_DTYPE_OF) && of->args[0]->kind == QN_RULE_STRING &&
               node->args[1]->kind == QN_RULE_DTYPE;
  if (dtype && h->dtype_count < MOST_HINTS) {
    uint32_t index = 0;
    while (qn_rule_dtypes[index] && !qn_str_is(node->args[1]->text, qn_rule_dtypes[index])) index++;
    h->dtypes[h->dtype_count].tag = of->args[0]->tag;
    h->dtypes[h->dtype_count++].dtype = index;
  }
  bool constant =
      node->function && of && of->kind == QN_RULE_STRING && of->tag < 64 &&
      (qn_rule_is(node, QN_RULE_FN_CONSTVAL_FLOAT) || qn_rule_is(node, QN_RULE_FN_CONSTVAL_INT) ||
       qn_rule_is(node, QN_RULE_FN_CONSTVAL_FLOAT_VALID) ||
       qn_rule_is(node, QN_RULE_FN_CONSTVAL_INT_VALID) || qn_rule_is(node, QN_RULE_FN_IS_CONST));
  if (node->function && qn_rule_is(node, QN_RULE_FN_EXTERNAL_CONSTRAINT)) h->budget = true;
  if (constant) h->constants |= (uint64_t)1 << of->tag;
  qn_rule_value edge = {.integer = node->integer}; /* of chunks and of layouts */
  bool layout = node->function && qn_rule_is(node, QN_RULE_FN_LAYOUT_CHUNKSIZE);
  if (layout) (void)!qn_rule_evaluate(&(qn_rule_evaluation){.view = NULL}, node, &edge);
  if ((layout || node->kind == QN_RULE_INT) && edge.integer > 1 && edge.integer < LARGEST &&
      h->size_count < MOST_HINTS)
    h->sizes[h->size_count++] = edge.integer;
  for (uint32_t i = 0; i < node->arg_count; i++) collect(h, node->args[i]);
}

/* The name of an element type that the constraint wants of a tag; NULL: it says nothing. */
static const char *hinted(sampler *s, uint32_t tag) {
  uint32_t found[MOST_HINTS], count = 0;
  for (uint32_t i = 0; i < s->hints.dtype_count; i++)
    if (s->hints.dtypes[i].tag == tag) found[count++] = s->hints.dtypes[i].dtype;
  return count > 0 && chance(s, 85) ? qn_rule_dtypes[found[below(s, count)]] : NULL;
}

/* ---- types ---- */

static const qn_type *codes(sampler *s, bool is_signed) {
  static const double steps[] = {0.5, 0.5, 0.25, 2.0};
  static const int64_t zeros[] = {128, 131, 0, 3, 130, 1};
  int64_t zero = PICK(s, zeros) - (is_signed ? 128 : 0);
  double step = PICK(s, steps);
  qn_quant_uniform q = {.scheme = QN_PER_LAYER,
                        .is_signed = is_signed,
                        .storage = qn_type_i(s->cx, CODES8),
                        .expressed = qn_type_float(s->cx, QN_F32),
                        .count = 1,
                        .scales = &step,
                        .zero_points = &zero};
  qn_storage_range(CODES8, is_signed, &q.min, &q.max);
  return qn_type_uniform(s->cx, &q);
}

static const qn_type *named_type(sampler *s, const char *name) {
  if (strcmp(name, "QUInt8") == 0) return codes(s, false);
  if (strcmp(name, "QInt8") == 0) return codes(s, true);
  if (strcmp(name, "Float16") == 0) return qn_type_float(s->cx, QN_F16);
  if (strcmp(name, "Float32") == 0) return qn_type_float(s->cx, QN_F32);
  if (strcmp(name, "Int32") == 0) return qn_type_i(s->cx, 32);
  return NULL;
}

static bool wants_codes(const qn_rule_form *form) {
  return form->kind == QN_OP_QUANT_DCAST || form->kind == QN_OP_ML_REQUANTIZE ||
         (form->needs & (QN_RULE_CODES | QN_RULE_RELABELLED));
}

/* Of a leaf, an operand of an op of the form. */
static const qn_type *leaf_type(sampler *s, const qn_rule_form *form, uint32_t tag) {
  const char *name = hinted(s, tag);
  const qn_type *type = name ? named_type(s, name) : NULL;
  if (type) return type;
  if (form->kind == QN_OP_QUANT_QCAST || (form->needs & QN_RULE_REALS))
    return qn_type_float(s->cx, QN_F32);
  if (form->kind == QN_OP_ARITH_EXTF || form->kind == QN_OP_ARITH_TRUNCF)
    return qn_type_float(s->cx, chance(s, 50) ? QN_F16 : QN_F32);
  bool real = !wants_codes(form) && chance(s, 25);
  return real ? qn_type_float(s->cx, QN_F32) : codes(s, chance(s, 50));
}

/* The same reals with the other sign. */
static const qn_type *shifted(sampler *s, const qn_quant_uniform *q) {
  enum { HALF = 128 };
  qn_quant_uniform other = *q;
  int64_t zero = q->zero_points[0] + (q->is_signed ? HALF : -HALF);
  other.is_signed = !q->is_signed;
  other.zero_points = &zero;
  qn_storage_range(CODES8, other.is_signed, &other.min, &other.max);
  return qn_type_uniform(s->cx, &other);
}

/* Of the result of an op on operands of the type of `like`. */
static const qn_type *result_type(sampler *s, const qn_rule_form *form, const qn_type *like,
                                  uint32_t tag) {
  const char *name = hinted(s, tag);
  const qn_type *type = name ? named_type(s, name) : NULL;
  const qn_quant_uniform *q = qn_type_quant(like);
  if (type) return type;
  if (form->kind == QN_OP_QUANT_DCAST || (form->needs & QN_RULE_REALS))
    return qn_type_float(s->cx, QN_F32);
  if (form->kind == QN_OP_ARITH_EXTF || form->kind == QN_OP_ARITH_TRUNCF)
    return qn_type_float(s->cx, qn_type_is_float(like, QN_F16) ? QN_F32 : QN_F16);
  if (form->kind == QN_OP_QUANT_QCAST) return codes(s, chance(s, 50));
  if (form->needs & QN_RULE_SHIFTED) return shifted(s, q);
  if (!q || (form->needs & QN_RULE_UNCHANGED)) return like;
  bool flips = form->kind == QN_OP_ML_REQUANTIZE && chance(s, 50);
  return chance(s, 60) && !flips ? like : codes(s, flips ? !q->is_signed : q->is_signed);
}

/* ---- leaves ---- */

static double real_element(sampler *s) {
  static const double values[] = {0, 1, 2, -1, 0.5, 6, -2, 4, 1.5, 0.25};
  return PICK(s, values);
}

static void fill(sampler *s, const qn_type *element, int64_t count, uint8_t *data) {
  const qn_quant_uniform *q = qn_type_quant(element);
  uint32_t size = qn_type_bytes(element);
  bool equal = chance(s, 50);
  double value = real_element(s);
  for (int64_t i = 0; i < count; i++) {
    if (!equal) value = real_element(s);
    int64_t code =
        q ? q->zero_points[0] + (int64_t)nearbyint(value / q->scales[0]) : (int64_t)value;
    if (q) code = code < q->min ? q->min : code > q->max ? q->max : code;
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
  const hints *h = &s->hints;
  if (!may_be_hinted || h->size_count == 0 || chance(s, 40)) return PICK(s, sizes);
  int64_t size = h->sizes[below(s, h->size_count)]; /* one draw a statement: in a stated order */
  size += below(s, 3);
  return chance(s, 20) ? size - 1 : size;
}

/* At most one dimension is large, so that samples are small. */
static void pick_sizes(sampler *s, int64_t *sizes) {
  uint32_t large = below(s, 4);
  for (uint32_t i = 0; i < 4; i++)
    sizes[i] = i == 0 && chance(s, 70) ? 1 : pick_size(s, i == large);
}

static const qn_type *tensor(sampler *s, const qn_type *element, const int64_t *dims,
                             uint32_t rank) {
  for (uint32_t i = 0; i < rank; i++)
    if (dims[i] < 1) return NULL;
  return qn_type_tensor(s->cx, element, rank, dims);
}

/* Weights in the order that the op has them. */
static const qn_type *weight_type(sampler *s, const qn_rule_slot *slot, const qn_type *element) {
  const int64_t *x = s->base.sizes, in = x[3];
  bool large = x[0] * x[1] * x[2] * x[3] > LARGE; /* and the weights as small as can be */
  const int64_t k = large ? 1 : 1 + below(s, 3), out = large ? 1 : pick_size(s, chance(s, 50));
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
                       quantized ? (hinted(s, tag) ? leaf_type(s, form, tag) : codes(s, true))
                                 : s->base.element);
  if (bias) {
    const char *name = hinted(s, tag);
    const qn_type *element = name ? named_type(s, name) : NULL;
    if (!element) element = quantized ? qn_type_i(s->cx, 32) : s->base.element;
    return tensor(s, element, &s->channels, 1);
  }
  const qn_type *element = chance(s, 70) ? s->base.element : leaf_type(s, form, tag);
  if (chance(s, 60)) return tensor(s, element, s->base.sizes, 4);
  const int64_t some[] = {1, 1, 1, chance(s, 50) ? 1 : s->base.sizes[3]};
  return tensor(s, element, some, 4);
}

static bool make_data(sampler *s, const qn_rule_form *form, const qn_rule_slot *slot, uint32_t tag,
                      qn_rule_operand *out_operand) {
  int64_t sizes[4];
  const qn_type *type;
  if (s->around) {
    type = weight_type(s, s->around, leaf_type(s, form, tag));
    slot = s->around;
  } else if (s->base.rank == 0) {
    pick_sizes(s, sizes);
    if (s->hints.budget && chance(s, 10))
      sizes[0] = 1, sizes[1] = 40, sizes[2] = 1024, sizes[3] = 8;
    type = tensor(s, leaf_type(s, form, tag), sizes, 4);
  } else {
    type = other_type(s, form, slot, tag);
  }
  if (!type) return false;
  bool asked = tag < 64 && (s->hints.constants >> tag & 1);
  qn_value *value = data_leaf(s, type, asked ? chance(s, 90) : chance(s, 10));
  *out_operand = qn_rule_operand_of(&s->run.graph, value, slot->layout);
  return true;
}

static bool give_shape(sampler *s, double a, double b, double c, double d, qn_rule_operand *out) {
  *out = qn_rule_shape_node(&s->run.graph, (const double[]){a, b, c, d}, 4);
  return true;
}

static bool make_window(sampler *s, double k, qn_rule_operand *out) {
  double width = chance(s, 60) ? 1 : k;
  double height = chance(s, 60) ? 1 : k;
  return give_shape(s, 1, height, width, 1, out);
}

static bool make_shape(sampler *s, const qn_rule_slot *slot, qn_rule_operand *out) {
  const int64_t *x = s->base.sizes;
  double total = (double)(x[0] * x[1] * x[2] * x[3]), k = 1 + below(s, 3);
  bool plane = slot->attr == QN_A_KERNEL_SIZES && chance(s, 40);
  switch (slot->kind) {
  case QN_RULE_SLOT_PAIR:
    return plane ? give_shape(s, 1, (double)x[1], (double)x[2], 1, out) : make_window(s, k, out);
  case QN_RULE_SLOT_LIST:
    return chance(s, 60) ? give_shape(s, 0, 0, 0, 0, out) : give_shape(s, 1, 0, 1, 1, out);
  case QN_RULE_SLOT_BEGIN:
    return give_shape(s, 0, chance(s, 60) ? 0 : (double)(x[1] / 2), 0, 0, out);
  case QN_RULE_SLOT_NEW_SHAPE:
    if (chance(s, 30)) return give_shape(s, 1, 1, 1, total, out);
    if (chance(s, 50)) return give_shape(s, 1, 1, total / (double)x[3], (double)x[3], out);
    break;
  default:
    break;
  }
  int64_t rows = chance(s, 50) ? x[1] / 2 : chance(s, 50) ? x[1] - x[1] / 2 : 1;
  double height = (double)(slot->kind == QN_RULE_SLOT_SIZE && chance(s, 60) ? rows : x[1]);
  return give_shape(s, (double)x[0], height, (double)x[2], (double)x[3], out);
}

static bool make_numbers(sampler *s, const qn_rule_slot *slot, qn_rule_operand *out) {
  static const double perms[][4] = {{0, 1, 2, 3}, {0, 3, 1, 2}, {0, 2, 3, 1}, {0, 2, 1, 3}};
  double pads[8] = {0}, number = slot->number;
  uint32_t count = 1;
  const double *numbers = &number;
  bool real = slot->kind >= QN_RULE_SLOT_BORDER;
  if (slot->kind == QN_RULE_SLOT_AXIS) number = below(s, 4);
  if (slot->kind == QN_RULE_SLOT_NUMBER) number = 1;
  if (slot->kind == QN_RULE_SLOT_BORDER) number = 0;
  if (slot->kind == QN_RULE_SLOT_LOW) number = 0;
  if (slot->kind == QN_RULE_SLOT_HIGH) number = chance(s, 50) ? (double)INFINITY : 6;
  if (slot->kind == QN_RULE_SLOT_PERMUTATION) numbers = PICK(s, perms), count = 4;
  if (slot->kind == QN_RULE_SLOT_PADS) {
    if (chance(s, 60)) pads[2] = 1, pads[5] = 2;
    numbers = pads, count = 8;
  }
  *out = qn_rule_numbers_node(&s->run.graph, numbers, count, real);
  return true;
}

/* ---- patterns ---- */

static bool make(sampler *s, const qn_rule_node *pattern, const qn_rule_form *form,
                 const qn_rule_slot *slot, uint32_t tag, qn_rule_operand *out_operand);

static bool make_leaf(sampler *s, const qn_rule_form *form, const qn_rule_slot *slot, uint32_t tag,
                      qn_rule_operand *out_operand) {
  if (qn_rule_slot_is_value(slot)) return make_data(s, form, slot, tag, out_operand);
  bool numbers = slot->kind >= QN_RULE_SLOT_AXIS;
  return numbers ? make_numbers(s, slot, out_operand) : make_shape(s, slot, out_operand);
}

static void note_base(sampler *s, const qn_rule_slot *slot, qn_rule_operand operand) {
  if (!qn_rule_slot_is_value(slot) || s->base.rank > 0 || !qn_rule_value_of(operand)) return;
  if (!qn_rule_wanted_of(&s->run.staging, operand, &s->base) || s->base.rank != 4) s->base.rank = 0;
}

/* A row of the name; of several any one. */
static const qn_rule_form *pick_form(sampler *s, qn_str name) {
  const qn_rule_form *form = qn_rule_form_find(name);
  uint32_t rows = 0;
  while (form && form[rows].name && strcmp(form[rows].name, form->name) == 0) rows++;
  return form ? form + below(s, rows) : NULL;
}

static bool make_output(sampler *s, const qn_rule_node *pattern, qn_rule_operand *out_operand) {
  qn_rule_operand whole;
  const double sizes[] = {0, 0, 2, below(s, 2)};
  if (pattern->arg_count != 3 || pattern->args[2]->kind != QN_RULE_STRING) return false;
  if (!make(s, pattern->args[1], NULL, NULL, UINT32_MAX - 1, &whole)) return false;
  const qn_value *value = qn_rule_value_of(whole);
  if (!value || !value->op || value->op->result_count != 2) return false;
  *out_operand =
      qn_rule_operand_of(&s->run.graph, &value->op->results[(int)sizes[3]], QN_RULE_NATURAL);
  return true;
}

/* Which operand in the eyes of rules has data. */
static uint32_t first_value(const qn_rule_form *form) {
  uint32_t i = 0;
  while (!qn_rule_slot_is_value(qn_rule_form_input(form, i))) i++;
  return i;
}

/* `slot`: what the op is made for, or NULL. */
static bool make_op(sampler *s, const qn_rule_node *pattern, const qn_rule_slot *slot, uint32_t tag,
                    qn_rule_operand *out_operand) {
  enum { MOST_INPUTS = 16 };
  qn_rule_operand inputs[MOST_INPUTS];
  const qn_rule_form *form = pick_form(s, qn_rule_op_name(pattern));
  if (!form) return false;
  if (form->needs & QN_RULE_OUTPUT) return make_output(s, pattern, out_operand);
  const qn_rule_wanted outer = s->base;
  const qn_rule_slot *around = s->around;
  const int64_t channels = s->channels;
  bool weights = slot && slot->kind == QN_RULE_SLOT_VALUE && slot->layout != QN_RULE_NATURAL &&
                 slot->layout != QN_RULE_VECTOR && qn_rule_form_keeps_layout(form);
  s->around = weights ? slot : NULL;
  if (!weights) s->base.rank = 0;
  uint32_t count = pattern->arg_count - 1, known = qn_rule_form_inputs(form);
  bool more = qn_rule_is(pattern, QN_RULE_FN_OpVarIn) &&
              qn_rule_form_input(form, known - 1)->kind == QN_RULE_SLOT_REST;
  bool rest = qn_rule_form_input(form, known - 1)->kind == QN_RULE_SLOT_REST;
  if (count > known && !rest) return false;
  for (uint32_t i = 0; i < MOST_INPUTS && (i < count || (more && i < known + 1)); i++) {
    const qn_rule_slot *own = qn_rule_form_input(form, i);
    bool good = i < count ? make(s, pattern->args[i + 1], form, own, UINT32_MAX - 1, &inputs[i])
                          : make_leaf(s, form, own, UINT32_MAX - 1, &inputs[i]);
    if (!good) return false;
    note_base(s, own, inputs[i]);
    if (i >= count) count = i + 1;
  }
  const qn_value *first = qn_rule_value_of(inputs[first_value(form)]);
  if (!first) return false;
  qn_rule_wanted wanted = {
      .any_size = true, .axis = -1, .outputs = form->needs & QN_RULE_EVEN ? 2 : 1};
  wanted.element = result_type(s, form, qn_type_element(first->type), tag);
  s->base = outer;
  s->around = around;
  if (!weights) s->channels = channels;
  return qn_rule_stage_op(&s->run.staging, qn_str_of(form->name), inputs, count, &wanted,
                          out_operand);
}

static bool bind(sampler *s, uint32_t tag, qn_rule_operand operand) {
  s->binding.bound[tag] = true;
  s->binding.tags[tag] = operand;
  return true;
}

static bool make(sampler *s, const qn_rule_node *pattern, const qn_rule_form *form,
                 const qn_rule_slot *slot, uint32_t tag, qn_rule_operand *out_operand) {
  if (pattern->kind == QN_RULE_STRING) {
    if (s->binding.bound[pattern->tag]) {
      *out_operand = s->binding.tags[pattern->tag];
      return true;
    }
    return form && make_leaf(s, form, slot, pattern->tag, out_operand) &&
           bind(s, pattern->tag, *out_operand);
  }
  if (qn_rule_is(pattern, QN_RULE_FN_EITHER))
    return make(s, pattern->args[0], form, slot, tag, out_operand);
  if (qn_rule_is(pattern, QN_RULE_FN_LET))
    return make(s, pattern->args[1], form, slot, pattern->args[0]->tag, out_operand) &&
           bind(s, pattern->args[0]->tag, *out_operand);
  return make_op(s, pattern, slot, tag, out_operand);
}

/* ---- the module ---- */

static void finish(sampler *s, qn_value *result) {
  qn_block *block = qn_op_body(s->function);
  const qn_type **types = QN_NEW_ARRAY(&s->run.arena, block->arg_count + 1, const qn_type *);
  for (uint32_t i = 0; i < block->arg_count; i++) types[i] = block->args[i]->type;
  const qn_type *type = qn_type_function(s->cx, types, block->arg_count, &result->type, 1);
  qn_op_set_attr(s->module, s->function, "function_type", qn_attr_type(s->cx, type));
  qn_builder b = qn_builder_at_end(s->module, block, s->cx->diag.unknown);
  (void)qn_build_0(&b, QN_OP_FUNC_RETURN, QN_VALUES(result), NULL);
}

static qn_value *build(sampler *s) {
  const qn_loc *loc = s->cx->diag.unknown;
  qn_builder b = qn_builder_at_end(s->module, qn_op_body(s->module->op), loc);
  qn_rule_operand root;
  s->function =
      qn_build_func(&b, qn_str_of("sample"), qn_type_function(s->cx, NULL, 0, NULL, 0), NULL);
  s->run.staging.builder = qn_builder_at_end(s->module, qn_op_body(s->function), loc);
  qn_rule_quiet quiet = qn_rule_begin_quiet(&s->run);
  bool good = make(s, s->rule->match, NULL, NULL, QN_RULE_ROOT, &root);
  qn_rule_end_quiet(&s->run, &quiet);
  return good ? qn_rule_value_of(root) : NULL;
}

qn_module *qn_rule_sample(qn_ir_context *cx, const qn_rule *rule, qn_rule_sampling *sampling) {
  const qn_rule_set none = {.options = {.names = &qn_rule_default_names}};
  const qn_rule_run_options options = QN_RULE_RUN_OPTIONS_INIT;
  sampler *s = qn_heap_new(sizeof *s);
  *s = (sampler){.module = qn_module_create(cx, cx->diag.unknown),
                 .cx = cx,
                 .rule = rule,
                 .sampling = sampling};
  qn_op_set_attr(s->module, s->module->op, "quern.numerics",
                 qn_attr_string(cx, qn_str_of("litert-ref")));
  qn_rule_run_init(&s->run, s->module, &none, &options);
  s->run.staging.evaluation.binding = &s->binding;
  qn_folder_destroy(s->run.staging.folder); /* what the pattern names stays */
  s->run.staging.folder = NULL;
  collect(&s->hints, rule->constraint);
  collect(&s->hints, rule->replacement);
  qn_value *root = build(s);
  qn_module *module = s->module;
  if (root) finish(s, root);
  s->run.staging.made.count = 0;
  qn_rule_run_deinit(&s->run);
  qn_heap_free(s);
  if (root && qn_verify(module) == QN_OK) return module;
  qn_module_destroy(module);
  return NULL;
}
