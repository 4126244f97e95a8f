/* Vectors as registers of 128 bits, at levels with Helium: types, and the exchange with lanes. A
 * vector of 8 x i32 has two registers. Lanes of registers are read where they are needed, and
 * registers are made of lanes where the lanes are computed, so that every name is in scope.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "codegen/c/c.h"

enum { WORD_BITS = 32, WORDS = QN_C_REGISTER_BITS / WORD_BITS };

uint32_t qn_c_registers_of(const qn_c *c, const qn_type *type) {
  if (!c->source->level->across || type->kind != QN_TYPE_VECTOR) return 0;
  const qn_type *element = qn_type_element(type);
  if (element->kind != QN_TYPE_INTEGER) return 0;
  unsigned bits = element->integer.width;
  uint32_t all = qn_c_lanes_of(type) * bits;
  bool fits = (bits == 8 || bits == 16 || bits == WORD_BITS) && all % QN_C_REGISTER_BITS == 0;
  return fits ? all / QN_C_REGISTER_BITS : 0;
}

const char **qn_c_new_texts(qn_c *c, uint32_t count) {
  return QN_NEW_ARRAY(&c->arena, count, const char *);
}

/* ---- registers of lanes ---- */

static bool are_equal(const qn_c_lane *lanes, uint32_t count) {
  for (uint32_t i = 1; i < count; i++)
    if (strcmp(lanes[i].text, lanes[0].text) != 0) return false;
  return true;
}

/* One register of lanes, which are first joined to words. */
static const char *join(qn_c *c, const qn_c_lane *lanes, unsigned bits) {
  if (are_equal(lanes, QN_C_REGISTER_BITS / bits))
    return qn_c_format(c, "splat_%s(%s)", qn_c_register_suffix(bits), lanes[0].text);
  const char *words[WORDS];
  uint32_t each = WORD_BITS / bits;
  for (uint32_t i = 0; i < WORDS; i++)
    words[i] =
        each == 1 ? lanes[i].text : qn_c_join(c, &lanes[i * each], each, bits, WORD_BITS).text;
  const char *text =
      qn_c_format(c, "make_32x4(%s, %s, %s, %s)", words[0], words[1], words[2], words[3]);
  if (bits == WORD_BITS) return text;
  return qn_c_format(c, "as_%s_from_32x4(%s)", qn_c_register_suffix(bits), text);
}

static const char *const *join_all(qn_c *c, const qn_value *value) {
  uint32_t count = qn_c_registers_of(c, value->type);
  unsigned bits = qn_c_lane_bits(value->type);
  const char **texts = qn_c_new_texts(c, count);
  for (uint32_t i = 0; i < count; i++)
    texts[i] = join(c, &c->values[value->id].lanes[i * (QN_C_REGISTER_BITS / bits)], bits);
  return texts;
}

const char *const *qn_c_registers(qn_c *c, const qn_value *value) {
  const qn_c_value *v = &c->values[value->id];
  QN_ASSERT(v->count > 0 && qn_c_registers_of(c, value->type) > 0);
  return v->registers ? v->registers : join_all(c, value);
}

const char *const *qn_c_name_registers(qn_c *c, unsigned bits, const char *const *texts,
                                       uint32_t count) {
  const char **names = qn_c_new_texts(c, count);
  for (uint32_t i = 0; i < count; i++)
    names[i] = qn_c_declare(c, 'v', qn_c_register_type(bits), texts ? texts[i] : NULL).text;
  return names;
}

void qn_c_set_registers(qn_c *c, const qn_value *value, const char *const *texts) {
  uint32_t count = qn_c_registers_of(c, value->type);
  c->values[value->id] =
      (qn_c_value){.count = qn_c_lanes_of(value->type),
                   .registers = qn_c_name_registers(c, qn_c_lane_bits(value->type), texts, count)};
}

/* Constants are written where they are used. */
void qn_c_join_results(qn_c *c, const qn_op *op) {
  for (uint32_t i = 0; i < op->result_count && op->kind != QN_OP_ARITH_CONSTANT; i++) {
    const qn_value *result = qn_op_result(op, i);
    uint32_t count = qn_c_registers_of(c, result->type);
    qn_c_value *v = &c->values[result->id];
    if (count == 0 || v->count == 0 || v->registers) continue;
    v->registers = qn_c_name_registers(c, qn_c_lane_bits(result->type), join_all(c, result), count);
  }
}
