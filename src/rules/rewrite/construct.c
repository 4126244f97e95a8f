/* Building one op: the slots of its form, filled from operands in the eyes of rules.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "ir/ops/infer/infer.h"
#include "rules/rewrite/build.h"

enum { MOST_LIST = 2 * QN_RULE_MAX_RANK };

/* An op that is being put together. */
typedef struct making {
  qn_rule_staging *s;
  const qn_rule_form *form;
  qn_rule_wanted wanted[1];
  const qn_rule_operand *inputs;
  uint32_t input_count;
  QN_ARRAY(qn_value *) values;
  qn_rule_layout layout; /* of operand 0, where the form keeps it, and of the result */
  qn_rule_dims dims;     /* of operand 0 in that layout */
  uint32_t rank;         /* of operand 0 */
  qn_attr_arg attrs[QN_RULE_MAX_SLOTS + 1];
  uint32_t attr_count;
  int64_t begin[QN_RULE_MAX_RANK];
  int64_t axis;
  double low, high;
  bool slices, clamps;
  int64_t fills; /* channels that are added */
} making;

static bool fail(making *m, const char *format, ...) {
  va_list arguments;
  qn_text text = {0};
  va_start(arguments, format);
  qn_text_vformat(&text, format, arguments);
  va_end(arguments);
  (void)qn_rule_stage_fail(m->s, "RR0903", "\"%s\": %s", m->form->name, text.data);
  qn_text_deinit(&text);
  return false;
}

static bool add_attr(making *m, qn_attr_id id, const qn_attr *value) {
  m->attrs[m->attr_count++] = (qn_attr_arg){qn_attr_decls[id].name, value};
  return true;
}

static bool add_list(making *m, qn_attr_id id, const int64_t *values, uint32_t count) {
  return add_attr(m, id, qn_attr_i64s(m->s->builder.cx, values, count));
}

/* ---- data of operands ---- */

/* A shape of so many sizes; 0: any. */
static bool take_shape(making *m, qn_rule_operand operand, uint32_t count, qn_rule_wanted *sizes) {
  const qn_rule_gnode *node = qn_rule_gnode_of(operand);
  if (node->of == QN_RULE_OF_NUMBERS || !qn_rule_sizes_of(m->s, operand, sizes))
    return fail(m, "an operand must be a shape");
  return count == 0 || sizes->rank == count ? true : fail(m, "a shape must have %u sizes", count);
}

/* The elements of a constant. */
static bool take_numbers(making *m, qn_rule_operand operand, uint32_t count, double *numbers) {
  const qn_rule_view *v = m->s->evaluation.view;
  if (v->constant_size(v->graph, operand) != (int64_t)count)
    return fail(m, "an operand must be a constant of %u", count);
  for (uint32_t i = 0; i < count; i++) numbers[i] = v->constant_at(v->graph, operand, i);
  return true;
}

static bool take_integers(making *m, qn_rule_operand operand, uint32_t count, int64_t *out) {
  double numbers[MOST_LIST] = {0};
  if (!take_numbers(m, operand, count, numbers)) return false;
  for (uint32_t i = 0; i < count; i++) {
    if (!(fabs(numbers[i]) <= INT32_MAX) || floor(numbers[i]) != numbers[i])
      return fail(m, "a constant must be an integer, %g is none", numbers[i]);
    out[i] = (int64_t)numbers[i];
  }
  return true;
}

/* What rules see as 4 dimensions as those of operand 0; a dimension that it has not must be `one`.
 */
static bool to_own_dims(making *m, const int64_t *seen, int64_t one, int64_t *out_dims) {
  for (uint32_t i = 0; i < m->dims.rank; i++) {
    if (m->dims.of[i] >= 0)
      out_dims[m->dims.of[i]] = seen[i];
    else if (seen[i] != one)
      return fail(m, "dimension %u is %lld, where its operand has none", i, (long long)seen[i]);
  }
  return true;
}

/* ---- attributes ---- */

static bool write_pair(making *m, const qn_rule_slot *slot, qn_rule_operand operand) {
  qn_rule_wanted sizes;
  if (!take_shape(m, operand, 4, &sizes)) return false;
  if (sizes.sizes[0] != 1 || sizes.sizes[3] != 1)
    return fail(m, "a step or window must be 1, rows, columns, 1");
  return add_list(m, slot->attr, &sizes.sizes[1], 2);
}

static bool write_list(making *m, const qn_rule_slot *slot, qn_rule_operand operand) {
  qn_rule_wanted sizes;
  return take_shape(m, operand, 4, &sizes) && add_list(m, slot->attr, sizes.sizes, sizes.rank);
}

static bool write_begin(making *m, const qn_rule_slot *slot, qn_rule_operand operand) {
  qn_rule_wanted sizes;
  m->slices = true;
  return take_shape(m, operand, m->dims.rank, &sizes) && to_own_dims(m, sizes.sizes, 0, m->begin) &&
         add_list(m, slot->attr, m->begin, m->rank);
}

static bool write_size(making *m, const qn_rule_slot *slot, qn_rule_operand operand) {
  qn_rule_wanted sizes;
  int64_t end[QN_RULE_MAX_RANK];
  const int64_t *have = m->values.data[0]->type->shaped.dims;
  if (!take_shape(m, operand, m->dims.rank, &sizes) || !to_own_dims(m, sizes.sizes, 1, end))
    return false;
  if (m->wanted->any_size) memcpy(m->wanted->sizes, sizes.sizes, sizeof sizes.sizes);
  for (uint32_t i = 0; i < m->rank; i++) {
    if (m->begin[i] < 0 || end[i] < 1 || end[i] > have[i] || m->begin[i] > have[i] - end[i])
      return qn_rule_stage_fail(
          m->s, "RR0908",
          "a slice of %lld from %lld on is out of range: dimension %u of its operand has %lld",
          (long long)end[i], (long long)m->begin[i], i, (long long)have[i]);
    end[i] += m->begin[i];
  }
  return add_list(m, slot->attr, end, m->rank);
}

static bool write_new_shape(making *m, const qn_rule_slot *slot, qn_rule_operand operand) {
  qn_rule_wanted sizes;
  (void)slot;
  if (!take_shape(m, operand, 0, &sizes)) return false;
  if (m->wanted->any_size) {
    m->wanted->rank = sizes.rank;
    memcpy(m->wanted->sizes, sizes.sizes, sizeof sizes.sizes);
  }
  bool same = sizes.rank == m->wanted->rank;
  for (uint32_t i = 0; same && i < sizes.rank; i++) same = sizes.sizes[i] == m->wanted->sizes[i];
  return same ? true : fail(m, "the new shape is not the size of the result");
}

static bool write_axis(making *m, const qn_rule_slot *slot, qn_rule_operand operand) {
  int64_t axis = 0;
  if (!take_integers(m, operand, 1, &axis)) return false;
  int64_t own = axis - (m->dims.rank - m->rank);
  if (own < 0 || own >= m->rank) return fail(m, "there is no dimension %lld", (long long)axis);
  m->axis = own;
  return add_attr(m, slot->attr, qn_attr_i64(m->s->builder.cx, own));
}

static bool write_permutation(making *m, const qn_rule_slot *slot, qn_rule_operand operand) {
  int64_t perm[MOST_LIST];
  int64_t ones = m->dims.rank - m->rank;
  if (!take_integers(m, operand, m->dims.rank, perm)) return false;
  for (int64_t i = 0; i < m->dims.rank; i++)
    if (i < ones ? perm[i] != i : (perm[i] -= ones) < 0)
      return fail(m, "the permutation moves a dimension that its operand has not");
  return add_list(m, slot->attr, perm + ones, m->rank);
}

static bool write_pads(making *m, const qn_rule_slot *slot, qn_rule_operand operand) {
  int64_t seen[MOST_LIST], pads[MOST_LIST] = {0};
  if (!take_integers(m, operand, 2 * m->dims.rank, seen)) return false;
  for (uint32_t i = 0; i < 2 * m->dims.rank; i++) {
    int32_t own = m->dims.of[i / 2];
    if (own < 0 && seen[i] != 0) return fail(m, "a dimension that its operand has not is padded");
    if (own >= 0) pads[2 * (uint32_t)own + i % 2] = seen[i];
  }
  return add_list(m, slot->attr, pads, 2 * m->rank);
}

static bool write_border(making *m, const qn_rule_slot *slot, qn_rule_operand operand) {
  const qn_quant_uniform *q = qn_type_quant(qn_type_element(m->values.data[0]->type));
  double real = 0;
  if (!take_numbers(m, operand, 1, &real)) return false;
  if (real == 0) return true; /* the zero point unless said */
  if (q && q->count != 1) return fail(m, "the border has a code per channel");
  double code = q ? nearbyint(real / q->scales[0]) + (double)q->zero_points[0] : real;
  if (!(fabs(code) <= INT32_MAX) || code != floor(code))
    return fail(m, "the border can't be %g", real);
  return add_attr(m, slot->attr, qn_attr_i64(m->s->builder.cx, (int64_t)code));
}

static bool write_number(making *m, const qn_rule_slot *slot, qn_rule_operand operand) {
  double number = 0;
  qn_ir_context *cx = m->s->builder.cx;
  return take_numbers(m, operand, 1, &number) &&
         add_attr(m, slot->attr, qn_attr_float(cx, number, qn_type_float(cx, QN_F32)));
}

static bool write_real(making *m, const qn_rule_slot *slot, qn_rule_operand operand) {
  double number = 0;
  if (!take_numbers(m, operand, 1, &number)) return false;
  return number == slot->number ? true : fail(m, "there is no such op with %g", number);
}

static bool write_low(making *m, const qn_rule_slot *slot, qn_rule_operand operand) {
  (void)slot;
  return take_numbers(m, operand, 1, &m->low);
}

/* Both ends are known: LOW stands in front of HIGH. */
static bool write_high(making *m, const qn_rule_slot *slot, qn_rule_operand operand) {
  if (!take_numbers(m, operand, 1, &m->high)) return false;
  for (uint32_t i = 1; i < QN_RULE_ACTIVATIONS; i++)
    if (qn_rule_activations[i].low == m->low && qn_rule_activations[i].high == m->high)
      return add_attr(m, slot->attr, qn_attr_word(m->s->builder.cx, slot->attr, i));
  return fail(m, "no fused activation has the range %g to %g", m->low, m->high);
}

static bool (*const writers[QN_RULE_SLOT_INPUTS])(making *m, const qn_rule_slot *slot,
                                                  qn_rule_operand operand) = {
    [QN_RULE_SLOT_PAIR] = write_pair,
    [QN_RULE_SLOT_LIST] = write_list,
    [QN_RULE_SLOT_BEGIN] = write_begin,
    [QN_RULE_SLOT_SIZE] = write_size,
    [QN_RULE_SLOT_NEW_SHAPE] = write_new_shape,
    [QN_RULE_SLOT_AXIS] = write_axis,
    [QN_RULE_SLOT_PERMUTATION] = write_permutation,
    [QN_RULE_SLOT_PADS] = write_pads,
    [QN_RULE_SLOT_BORDER] = write_border,
    [QN_RULE_SLOT_NUMBER] = write_number,
    [QN_RULE_SLOT_REAL] = write_real,
    [QN_RULE_SLOT_LOW] = write_low,
    [QN_RULE_SLOT_HIGH] = write_high,
};

/* Behind the elements of the last dimension that rules see, up to the size that is wanted. */
static bool write_fill(making *m, const qn_rule_slot *slot) {
  int64_t pads[MOST_LIST] = {0};
  const qn_type *x = m->values.data[0]->type;
  uint32_t last = m->dims.rank - 1;
  int32_t own = m->dims.of[last];
  if (own < 0) return fail(m, "its operand has no channels");
  if (m->wanted->any_size || m->wanted->rank != m->dims.rank)
    pads[2 * own + 1] = 1;
  else
    pads[2 * own + 1] = m->wanted->sizes[last] - x->shaped.dims[own];
  m->fills = pads[2 * own + 1];
  return m->fills >= 0 ? add_list(m, slot->attr, pads, 2 * m->rank)
                       : fail(m, "the result is smaller than its operand");
}

static bool write_fixed(making *m, const qn_rule_slot *slot) {
  int64_t values[MOST_LIST];
  const qn_type *x = m->values.data[0]->type;
  if (slot->kind == QN_RULE_SLOT_FILL) return write_fill(m, slot);
  if (slot->kind == QN_RULE_SLOT_LAST)
    return add_attr(m, slot->attr, qn_attr_i64(m->s->builder.cx, m->rank - 1));
  if (slot->kind == QN_RULE_SLOT_ANY)
    return add_attr(m, slot->attr, qn_attr_bool(m->s->builder.cx, true));
  if (slot->kind == QN_RULE_SLOT_PLANE)
    return m->rank == 4 ? add_list(m, slot->attr, &x->shaped.dims[1], 2)
                        : fail(m, "it needs a plane");
  if (qn_attr_decls[slot->attr].kind != QN_SPEC_I64S)
    return add_attr(m, slot->attr, qn_attr_i64(m->s->builder.cx, (int64_t)slot->number));
  uint32_t count = slot->operand ? slot->operand : m->rank;
  for (uint32_t i = 0; i < count; i++) values[i] = (int64_t)slot->number;
  return add_list(m, slot->attr, values, count);
}

/* ---- values ---- */

static bool add_value(making *m, qn_rule_operand operand, qn_rule_layout layout) {
  if (m->values.count == 0 && layout == QN_RULE_NATURAL && qn_rule_form_keeps_layout(m->form))
    m->layout = qn_rule_layout_of(operand);
  if (layout == QN_RULE_NATURAL) layout = m->layout;
  qn_value *value = qn_rule_stage_value(m->s, operand, layout);
  if (!value) return false;
  qn_array_push(&m->values, value);
  return true;
}

/* The stored integers of codes, as the operand of the cast that gives them another meaning. */
static bool add_stored(making *m, qn_rule_operand operand) {
  if (!add_value(m, operand, QN_RULE_NATURAL)) return false;
  qn_value *codes = m->values.data[0];
  const qn_quant_uniform *q = qn_type_quant(codes->type);
  if (!q) return fail(m, "its operand has no codes");
  const qn_type *type = qn_type_with_element(m->s->builder.cx, codes->type, q->storage);
  qn_value *stored = qn_build_1(&m->s->builder, m->form->kind, type, QN_VALUES(codes), NULL);
  qn_array_push(&m->s->made, stored->op);
  m->values.data[0] = stored;
  return true;
}

static bool add_values(making *m) {
  uint32_t i = 0;
  for (const qn_rule_slot *slot = m->form->slots; slot->kind != QN_RULE_SLOT_NONE; slot++) {
    if (slot->kind >= QN_RULE_SLOT_INPUTS) continue;
    uint32_t last = slot->kind == QN_RULE_SLOT_REST ? m->input_count : i + 1;
    for (; i < last; i++) {
      if (slot->kind == QN_RULE_SLOT_THROUGH && !add_stored(m, m->inputs[i])) return false;
      if ((slot->kind == QN_RULE_SLOT_VALUE || slot->kind == QN_RULE_SLOT_REST) &&
          !add_value(m, m->inputs[i], slot->layout))
        return false;
    }
  }
  if (m->values.count == 0) return fail(m, "it has no operand");
  if (m->form->needs & QN_RULE_SQUARED) qn_array_push(&m->values, m->values.data[0]);
  m->rank = m->values.data[0]->type->shaped.rank;
  return qn_rule_layout_dims(m->layout, m->rank, &m->dims);
}

static bool add_attrs(making *m) {
  uint32_t i = 0;
  for (const qn_rule_slot *slot = m->form->slots; slot->kind != QN_RULE_SLOT_NONE; slot++) {
    bool input = slot->kind < QN_RULE_SLOT_INPUTS, value = qn_rule_slot_is_value(slot);
    if (input && !value && !writers[slot->kind](m, slot, m->inputs[i])) return false;
    if (!input && !write_fixed(m, slot)) return false;
    i += input;
  }
  return true;
}

/* ---- the result ---- */

/* The scales of the channels that a slice keeps. */
static const qn_type *sliced_element(making *m, const qn_type *element) {
  const qn_quant_uniform *q = qn_type_quant(element);
  if (!q || q->scheme != QN_PER_AXIS || !m->slices) return element;
  qn_quant_uniform part = *q;
  for (uint32_t i = 0; i < m->dims.rank; i++)
    if (m->dims.of[i] == q->axis) part.count = (uint32_t)m->wanted->sizes[i];
  if (m->begin[q->axis] + part.count > q->count) return element;
  part.scales += m->begin[q->axis];
  part.zero_points += m->begin[q->axis];
  return qn_type_uniform(m->s->builder.cx, &part);
}

/* The scales of the channels, and the last one again for those that are filled. */
static const qn_type *filled_element(making *m, const qn_type *element) {
  enum { MOST = 1 << 16 };
  const qn_quant_uniform *q = qn_type_quant(element);
  bool along = q && q->scheme == QN_PER_AXIS && m->fills > 0 &&
               q->axis == m->dims.of[m->dims.rank - 1] && m->fills < MOST;
  if (!along) return element;
  qn_quant_uniform whole = *q;
  whole.count += (uint32_t)m->fills;
  double *scales = QN_NEW_ARRAY(&m->s->graph->arena, whole.count, double);
  int64_t *zeros = QN_NEW_ARRAY(&m->s->graph->arena, whole.count, int64_t);
  for (uint32_t i = 0; i < whole.count; i++) {
    uint32_t from = i < q->count ? i : q->count - 1;
    scales[i] = q->scales[from];
    zeros[i] = q->zero_points[from];
  }
  whole.scales = scales;
  whole.zero_points = zeros;
  return qn_type_uniform(m->s->builder.cx, &whole);
}

/* The matched output, where rules see the sizes that are wanted: its own dimensions are those that
 * its consumers need, so that nothing has to be reshaped behind this. NULL: it has others. */
static const qn_type *root_of_sizes(const making *m) {
  const qn_rule_binding *binding = m->s->evaluation.binding;
  const qn_value *root = binding && binding->root.node ? qn_rule_value_of(binding->root) : NULL;
  qn_rule_dims dims;
  if (!root || m->wanted->any_size || root->type->kind != QN_TYPE_TENSOR ||
      !qn_rule_layout_dims(QN_RULE_NATURAL, root->type->shaped.rank, &dims) ||
      dims.rank != m->wanted->rank)
    return NULL;
  for (uint32_t i = 0; i < dims.rank; i++)
    if (m->wanted->sizes[i] != (dims.of[i] < 0 ? 1 : root->type->shaped.dims[dims.of[i]]))
      return NULL;
  return root->type;
}

/* The type of a result whose shape nobody infers. */
static const qn_type *stated_type(making *m, const qn_type *element) {
  qn_ir_context *cx = m->s->builder.cx;
  const qn_type *x = m->values.data[0]->type;
  bool like_operand =
      (qn_op_infos[m->form->kind].traits & QN_ELEMENTWISE) || (m->form->needs & QN_RULE_UNCHANGED);
  if (like_operand) return qn_type_with_element(cx, x, element);
  const qn_type *root = root_of_sizes(m);
  if (root) return qn_type_with_element(cx, root, element);
  return qn_type_tensor(cx, element, m->wanted->rank, m->wanted->sizes);
}

static qn_op *build_several(making *m, const qn_type *element) {
  const qn_type *types[QN_RULE_MAX_SLOTS];
  if (m->wanted->outputs > QN_COUNT(types)) {
    (void)fail(m, "it has too many outputs");
    return NULL;
  }
  const qn_type *x = m->values.data[0]->type;
  int64_t dims[QN_RULE_MAX_RANK];
  if (m->wanted->any_size) {
    memcpy(dims, x->shaped.dims, x->shaped.rank * sizeof *dims);
    dims[m->axis] /= m->wanted->outputs;
  } else if (!to_own_dims(m, m->wanted->sizes, 1, dims)) {
    return NULL;
  }
  const qn_type *type = qn_type_tensor(m->s->builder.cx, element, x->shaped.rank, dims);
  for (uint32_t i = 0; i < m->wanted->outputs; i++) types[i] = type;
  qn_named_attr attrs[QN_RULE_MAX_SLOTS];
  for (uint32_t i = 0; i < m->attr_count; i++)
    attrs[i] = (qn_named_attr){qn_str_of(m->attrs[i].name), m->attrs[i].value};
  qn_op_state state = {.kind = m->form->kind,
                       .operands = m->values.data,
                       .operand_count = (uint32_t)m->values.count,
                       .result_types = types,
                       .result_count = m->wanted->outputs,
                       .attrs = attrs,
                       .attr_count = m->attr_count};
  return qn_build(&m->s->builder, state);
}

static qn_op *build(making *m) {
  qn_rule_staging *s = m->s;
  uint32_t rank = m->rank, count = (uint32_t)m->values.count;
  const qn_type *element =
      qn_rule_element_in(s, m->wanted->element, m->wanted->axis, m->layout, rank);
  if (!element) return NULL;
  element = filled_element(m, sliced_element(m, element));
  if (m->form->needs & QN_RULE_EVEN) return build_several(m, element);
  qn_value *made;
  if (qn_inference_of(m->form->kind)->shape)
    made = qn_build_inferred(&s->builder, m->form->kind, element, m->values.data, count, m->attrs);
  else
    made = qn_build_1(&s->builder, m->form->kind, stated_type(m, element), m->values.data, count,
                      m->attrs);
  return made ? made->op : NULL;
}

/* Whether rules see the sizes that were wanted. */
static bool has_sizes(const making *m, const qn_type *type) {
  qn_rule_dims dims;
  if (m->wanted->any_size) return true;
  if (!qn_rule_layout_dims(m->layout, type->shaped.rank, &dims) || dims.rank != m->wanted->rank)
    return false;
  for (uint32_t i = 0; i < dims.rank; i++)
    if (m->wanted->sizes[i] != (dims.of[i] < 0 ? 1 : type->shaped.dims[dims.of[i]])) return false;
  return true;
}

static void put_sizes(qn_text *out, uint32_t rank, const int64_t *sizes) {
  for (uint32_t i = 0; i < rank; i++)
    qn_text_format(out, "%s%lld", i ? "x" : "", (long long)sizes[i]);
}

static bool complain_of_sizes(making *m, const qn_type *type) {
  qn_text text = {0};
  put_sizes(&text, type->shaped.rank, type->shaped.dims);
  qn_text_puts(&text, ", but the rule says ");
  put_sizes(&text, m->wanted->rank, m->wanted->sizes);
  (void)fail(m, "its operands give %s", text.data);
  qn_text_deinit(&text);
  return false;
}

static bool check(making *m, qn_op *op) {
  qn_op_verify *verify = qn_op_info_of(op)->verify;
  if (verify && !verify(m->s->builder.cx, op)) return fail(m, "the op is not valid");
  return has_sizes(m, op->results[0].type) ? true : complain_of_sizes(m, op->results[0].type);
}

static bool make(making *m, qn_rule_operand *out_operand) {
  if (m->s->made.count >= m->s->most)
    return qn_rule_stage_fail(m->s, "RR0907", "the replacement would have more than %u ops",
                              m->s->most);
  if (!add_values(m) || !add_attrs(m)) return false;
  qn_op *op = build(m);
  if (!op) return fail(m, "its operands don't go together");
  if (!check(m, op)) {
    qn_op_erase(m->s->builder.module, op);
    return false;
  }
  qn_value *value = &op->results[0];
  if (op->result_count > 1)
    qn_array_push(&m->s->made, op);
  else
    value = qn_rule_stage_made(m->s, value);
  if (value->op->kind == m->form->kind) qn_rule_graph_name(m->s->graph, value->op, m->form);
  *out_operand = qn_rule_operand_of(m->s->graph, value, m->layout);
  return true;
}

/* ---- by name ---- */

static bool takes(const qn_rule_form *form, uint32_t count) {
  uint32_t inputs = qn_rule_form_inputs(form);
  bool more = qn_rule_form_input(form, inputs - 1)->kind == QN_RULE_SLOT_REST;
  return more ? count >= inputs : count == inputs;
}

/* An output of an op that has several: there is nothing to build. */
static bool choose_output(qn_rule_staging *s, const qn_rule_operand *inputs, uint32_t count,
                          qn_rule_operand *out_operand) {
  qn_rule_wanted sizes;
  qn_value *value = count == 2 ? qn_rule_value_of(inputs[0]) : NULL;
  if (!value || !value->op || !qn_rule_sizes_of(s, inputs[1], &sizes) || sizes.rank != 4 ||
      sizes.sizes[3] < 0 ||
      sizes.sizes[3] >= (value == s->parts[0] ? s->part_count : value->op->result_count))
    return qn_rule_stage_fail(s, "RR0903", "\"$Out\": there is no such output");
  value = value == s->parts[0] ? s->parts[sizes.sizes[3]] : &value->op->results[sizes.sizes[3]];
  *out_operand = qn_rule_operand_of(s->graph, value, QN_RULE_NATURAL);
  return true;
}

bool qn_rule_stage_op(qn_rule_staging *s, qn_str name, const qn_rule_operand *inputs,
                      uint32_t count, const qn_rule_wanted *wanted, qn_rule_operand *out_operand) {
  const qn_rule_form *form = qn_rule_form_find(name);
  if (form && (form->needs & QN_RULE_OUTPUT)) return choose_output(s, inputs, count, out_operand);
  if (form && (form->needs & QN_RULE_COMPOSED))
    return qn_rule_compose(s, name, inputs, count, wanted, out_operand);
  if (!form || form->kind == QN_OP_UNREGISTERED)
    return qn_rule_stage_fail(s, "RR0904", "this build has no op \"%.*s\"", QN_STR_ARG(name));
  const char *same = form->name;
  for (; form->name && strcmp(form->name, same) == 0; form++) {
    size_t before = s->made.count;
    making m = {.s = s, .form = form, .wanted = {*wanted}, .inputs = inputs, .input_count = count};
    if (!takes(form, count)) {
      (void)fail(&m, "it takes other operands than these %u", count);
      continue;
    }
    bool made = make(&m, out_operand);
    qn_array_free(&m.values);
    if (made) {
      qn_text_clear(&s->failure);
      return true;
    }
    while (s->made.count > before) {
      qn_op *op = s->made.data[--s->made.count];
      qn_rule_graph_forget(s->graph, op);
      qn_op_erase(s->builder.module, op);
    }
  }
  return false;
}
