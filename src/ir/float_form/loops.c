/* Loops of float decompositions.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "ir/float_form/form.h"
#include "ir/types/float_format.h"

qn_op *qn_form_open(qn_form *f, uint32_t loops, uint64_t reductions, const qn_form_access *inputs,
                    uint32_t input_count, const qn_form_access *output) {
  qn_generic generic = {.operand_count = input_count + 1, .loops = loops, .reductions = reductions};
  for (uint32_t i = 0; i <= input_count; i++) {
    const qn_form_access *access = i < input_count ? &inputs[i] : output;
    generic.operands[i] = access->value;
    generic.maps[i] = qn_generic_map_of(f->cx, loops, access->at, access->value->type->shaped.rank);
  }
  return qn_generic_open(f->b, &generic);
}

qn_value *qn_form_empty(qn_form *f, const qn_type *type) {
  return qn_build_1(f->b, QN_OP_TENSOR_EMPTY, type, NULL, 0, NULL);
}

qn_form_access qn_form_whole(const qn_form *f, qn_value *value) {
  qn_form_access access = {.value = value};
  for (uint32_t d = 0; d < value->type->shaped.rank; d++) access.at[d] = qn_form_dim(f, d);
  return access;
}

qn_value *qn_form_fill(qn_form *f, const qn_type *type, double value) {
  uint8_t bytes[sizeof(double)];
  qn_float_store(f->real->float_kind, value, bytes);
  const qn_attr *splat =
      qn_attr_dense(f->cx, type, (qn_bytes){bytes, qn_type_bytes(f->real)}, true);
  return qn_build_1(f->b, QN_OP_ARITH_CONSTANT, type, NULL, 0, QN_ATTRS({"value", splat}));
}

qn_value *qn_form_map(qn_form *f, qn_value *x, qn_form_body *body) {
  qn_form_access input = qn_form_whole(f, x);
  qn_form_access output = qn_form_whole(f, qn_form_empty(f, x->type));
  qn_op *generic = qn_form_open(f, x->type->shaped.rank, 0, &input, 1, &output);
  return qn_form_close(f, generic, body(f, qn_form_element(generic, 0)));
}

qn_value *qn_form_activated(qn_form *f, qn_value *x) {
  float low, high;
  return qn_form_clamps(f, &low, &high) ? qn_form_map(f, x, qn_form_activate) : x;
}

/* An index that is a loop variable alone must cover its whole dimension. So padding that is only
 * after the data gets a row before it, which is never read. */
qn_value *qn_form_padded(qn_form *f, qn_value *x, double value, int64_t out_first[2]) {
  qn_i64s pad = qn_op_pad(f->op);
  const int64_t *in = x->type->shaped.dims;
  int64_t dims[] = {in[0], in[1], in[2], in[3]}, border[2 * 4] = {0};
  for (uint32_t i = 0; i < 2; i++) {
    int64_t *sides = border + 2 * (1 + i);
    sides[1] = pad.data[2 * i + 1];
    out_first[i] = pad.data[2 * i] == 0 && sides[1] > 0 ? 1 : 0;
    sides[0] = pad.data[2 * i] + out_first[i];
    dims[1 + i] += sides[0] + sides[1];
  }
  if (dims[1] == in[1] && dims[2] == in[2]) return x;
  const qn_attr *real = qn_attr_float(f->cx, value, qn_type_float(f->cx, QN_F64));
  return qn_build_1(f->b, QN_OP_ML_PAD, qn_form_tensor(f, 4, dims), QN_VALUES(x),
                    QN_ATTRS({"pad", qn_attr_i64s(f->cx, border, 2 * 4)}, {"real_value", real}));
}
