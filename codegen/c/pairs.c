/* Products of bytes by pairs of 16 bits, as the object computes them at levels with the DSP
 * extension of Arm (SXTB16, SMLAD). Four bytes are loaded as one word, from which a helper function
 * makes two pairs; helpers.c has its instruction and its portable C.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "codegen/c/c.h"

enum { WORD = 4, BYTE_BITS = 8 };

qn_c_lane qn_c_byte_of(qn_c *c, const char *word, unsigned k) {
  const char *text = k == 0 ? qn_c_format(c, "(uint8_t)%s", word)
                            : qn_c_format(c, "(uint8_t)(%s >> %u)", word, k * BYTE_BITS);
  qn_c_lane lane = qn_c_atom(text);
  lane.word = word;
  lane.byte = k;
  return lane;
}

const char *qn_c_word_of(const qn_c_lane *lanes) {
  for (unsigned k = 0; k < WORD; k++)
    if (!lanes[k].word || lanes[k].byte != k || strcmp(lanes[k].word, lanes[0].word) != 0)
      return NULL;
  return lanes[0].word;
}

static bool is_of(const qn_value *value, unsigned bits) {
  return qn_type_is_int(qn_type_element(value->type), bits);
}

/* Whether the op multiplies four bytes per lane, or weights of two channels that are joined. */
static bool multiplies_words(const qn_op *op) {
  if (op->kind == QN_OP_QUERN_DOT_JOINED) return true;
  return op->kind == QN_OP_QUERN_DOT && is_of(qn_op_operand(op, 1), BYTE_BITS) &&
         qn_c_lanes_of(qn_op_operand(op, 1)->type) ==
             WORD * qn_c_lanes_of(qn_op_operand(op, 0)->type);
}

bool qn_c_loads_words(const qn_c *c, const qn_op *load) {
  const qn_value *bytes = qn_op_result(load, 0);
  if (!qn_cg_multiplies_pairs(c->source) || bytes->type->kind != QN_TYPE_VECTOR) return false;
  if (!is_of(bytes, BYTE_BITS) || qn_c_lanes_of(bytes->type) % WORD != 0) return false;
  for (const qn_use *use = bytes->first_use; use; use = use->next) {
    const qn_op *user = use->owner;
    bool as_words = user->kind == QN_OP_VECTOR_BITCAST && is_of(qn_op_result(user, 0), 32);
    if (!as_words && !multiplies_words(user)) return false;
  }
  return true;
}

/* Bytes 0 and 2 of a word, or 1 and 3 (`odd`), as a pair. */
static const char *pair_of(qn_c *c, const char *word, bool odd, bool is_unsigned) {
  return qn_c_format(c, "%s_%c8(%s)", odd ? "odd" : "even", is_unsigned ? 'u' : 's', word);
}

/* Factor b of lane i, for a pair of factor a. The weights of quern.dot_joined are pairs: words 2i
 * and 2i + 1 are for lane 2i; their even bytes are the weights of lane 2i + 1 alone. */
static const char *weights_of(qn_c *c, const qn_op *op, uint32_t i, bool odd) {
  const qn_c_lane *b = qn_c_operand(c, op, 2)->lanes;
  if (op->kind == QN_OP_QUERN_DOT) return pair_of(c, qn_c_word_of(&b[WORD * i]), odd, false);
  const char *word = qn_c_word_of(&b[WORD * (i / 2 * 2 + odd)]);
  return i % 2 ? pair_of(c, word, false, false) : word;
}

bool qn_c_emit_pairs(qn_c *c, const qn_op *op) {
  if (!multiplies_words(op)) return false;
  const qn_c_value *acc = qn_c_operand(c, op, 0), *a = qn_c_operand(c, op, 1),
                   *b = qn_c_operand(c, op, 2);
  for (uint32_t i = 0; i < acc->count; i++)
    if (!qn_c_word_of(&a->lanes[WORD * i]) || !qn_c_word_of(&b->lanes[WORD * i])) return false;
  qn_c_lane *lanes = qn_c_new_lanes(c, acc->count);
  for (uint32_t i = 0; i < acc->count; i++) {
    const char *sum = acc->lanes[i].text, *word = qn_c_word_of(&a->lanes[WORD * i]);
    for (int odd = 0; odd < 2; odd++)
      sum = qn_c_format(c, "dot_pair(%s, %s, %s)", pair_of(c, word, odd, qn_op_a_unsigned(op)),
                        weights_of(c, op, i, odd), sum);
    lanes[i] = qn_c_atom(sum);
  }
  qn_c_set(c, qn_op_result(op, 0), lanes);
  return true;
}
