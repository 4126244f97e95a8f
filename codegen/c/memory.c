/* Buffers are pointers to unsigned char, through which C may read any object. Elements of more than
 * a byte are copied (load_16, store_16 ...), which breaks no aliasing rule and costs no
 * instruction.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "codegen/c/c.h"

const char *qn_c_index(qn_c *c, const qn_c_lane *index, uint32_t lane) {
  if (index->constant) return qn_c_format(c, "%lld", (long long)(index->number + lane));
  if (lane == 0) return index->text;
  return qn_c_format(c, "%s + %u", qn_c_in(c, index), lane);
}

static qn_c_lane load_lane(qn_c *c, const qn_c_type *type, const char *buffer, const char *index) {
  if (type->bits == 1) return qn_c_compound(qn_c_format(c, "(%s[%s] & 1) != 0", buffer, index));
  if (type->bits == 8) return qn_c_atom(qn_c_format(c, "%s[%s]", buffer, index));
  const char *prefix = type->is_float ? "f" : "";
  return qn_c_atom(qn_c_format(c, "load_%s%u(%s, %s)", prefix, type->bits, buffer, index));
}

/* Bytes as variables of four. */
static void load_words(qn_c *c, const qn_op *op) {
  enum { WORD = 4 };
  const char *buffer = qn_c_operand(c, op, 0)->lanes[0].text;
  const qn_c_lane *index = &qn_c_operand(c, op, 1)->lanes[0];
  uint32_t count = qn_c_lanes_of(qn_op_result(op, 0)->type);
  qn_c_lane *lanes = qn_c_new_lanes(c, count);
  for (uint32_t i = 0; i < count; i += WORD) {
    const char *text = qn_c_format(c, "load_bytes(%s, %s)", buffer, qn_c_index(c, index, i));
    qn_c_lane word = qn_c_declare(c, 'v', "uint32_t", text);
    for (unsigned k = 0; k < WORD; k++) lanes[i + k] = qn_c_byte_of(c, word.text, k);
  }
  qn_c_bind(c, qn_op_result(op, 0), lanes, count);
}

void qn_c_emit_load(qn_c *c, const qn_op *op) {
  if (qn_c_loads_words(c, op)) {
    load_words(c, op);
    return;
  }
  const qn_value *result = qn_op_result(op, 0);
  const qn_c_type *type = qn_c_type_of(c, result->type);
  const char *buffer = qn_c_operand(c, op, 0)->lanes[0].text;
  const qn_c_lane *index = &qn_c_operand(c, op, 1)->lanes[0];
  uint32_t count = qn_c_lanes_of(result->type);
  qn_c_lane *lanes = qn_c_new_lanes(c, count);
  for (uint32_t i = 0; i < count; i++)
    lanes[i] = load_lane(c, type, buffer, qn_c_index(c, index, i));
  qn_c_set(c, result, lanes);
}

void qn_c_emit_store(qn_c *c, const qn_op *op) {
  const qn_c_value *value = qn_c_operand(c, op, 0);
  const qn_c_type *type = qn_c_type_of(c, qn_op_operand(op, 0)->type);
  const char *buffer = qn_c_operand(c, op, 1)->lanes[0].text;
  const qn_c_lane *index = &qn_c_operand(c, op, 2)->lanes[0];
  for (uint32_t i = 0; i < value->count; i++) {
    const char *at = qn_c_index(c, index, i), *text = value->lanes[i].text;
    if (type->bits <= 8)
      qn_c_line_put(c, "%s[%s] = %s;", buffer, at, text);
    else
      qn_c_line_put(c, "store_%s%u(%s, %s, %s);", type->is_float ? "f" : "", type->bits, buffer, at,
                    text);
  }
}

void qn_c_emit_view(qn_c *c, const qn_op *op) {
  const qn_c_lane *offset = &qn_c_operand(c, op, 1)->lanes[0];
  const char *buffer = qn_c_operand(c, op, 0)->lanes[0].text;
  const char *text = qn_c_format(c, "%s + %s", buffer, qn_c_in(c, offset));
  qn_c_lane lane = qn_c_declare(c, 'v', "unsigned char *", text);
  qn_c_bind(c, qn_op_result(op, 0), &lane, 1);
}

/* Kernels take pointers to memory that they may write to, and write to no constant (check.c). */
void qn_c_emit_get_global(qn_c *c, const qn_op *op) {
  const qn_op *global = qn_cg_named(c->source, qn_op_global_name(op));
  QN_ASSERT(global && global->kind == QN_OP_MEMREF_GLOBAL);
  qn_map_set(&c->used, global, (void *)(uintptr_t)global);
  const char *text = qn_c_format(c, "(unsigned char *)%s", qn_c_name(c, global));
  /* SYMBOL_invoke only passes the address on. */
  qn_c_lane lane = c->in_invoke ? qn_c_atom(text) : qn_c_declare(c, 'v', "unsigned char *", text);
  qn_c_bind(c, qn_op_result(op, 0), &lane, 1);
}

/* Memory of the function, aligned for every element. */
void qn_c_emit_scratch(qn_c *c, const qn_op *op) {
  const qn_type *type = qn_op_result(op, 0)->type;
  uint64_t bytes = (uint64_t)type->shaped.dims[0] * qn_type_bytes(type->shaped.element);
  uint32_t number = c->variables++;
  qn_c_line_put(c, "uint64_t v%u[%llu];", number, (unsigned long long)(bytes / 8 + 1));
  qn_c_lane lane =
      qn_c_declare(c, 'v', "unsigned char *", qn_c_format(c, "(unsigned char *)v%u", number));
  qn_c_bind(c, qn_op_result(op, 0), &lane, 1);
}

/* Elements of a table whose indices are lanes. */
void qn_c_emit_lookup(qn_c *c, const qn_op *op) {
  const qn_value *result = qn_op_result(op, 0);
  const qn_c_type *type = qn_c_type_of(c, result->type);
  const char *buffer = qn_c_operand(c, op, 0)->lanes[0].text;
  const qn_c_value *index = qn_c_operand(c, op, 1);
  qn_c_lane *lanes = qn_c_new_lanes(c, index->count);
  for (uint32_t i = 0; i < index->count; i++)
    lanes[i] = load_lane(c, type, buffer, index->lanes[i].text);
  qn_c_set(c, result, lanes);
}
