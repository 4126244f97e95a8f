/* Constants as arrays of numbers. They are `const`, so that linkers place them in flash.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "codegen/c/c.h"
#include "codegen/comment.h"
#include "ir/walk.h"

enum { COLUMNS = 100, BYTE_BITS = 8 };

/* The layer whose launch reads the constant first; empty if none. */
static qn_str reader_of(const qn_c *c, const qn_op *global) {
  QN_FOR_EACH_NESTED_OP(launch, c->source->interface.main) {
    if (launch->kind != QN_OP_QUERN_LAUNCH) continue;
    for (uint32_t i = 0; i < launch->operand_count; i++) {
      const qn_op *from = qn_op_operand(launch, i)->op;
      if (from && from->kind == QN_OP_MEMREF_VIEW) from = qn_op_operand(from, 0)->op;
      if (from && from->kind == QN_OP_MEMREF_GET_GLOBAL &&
          qn_cg_named(c->source, qn_op_global_name(from)) == global)
        return qn_op_layer_name(launch);
    }
  }
  return (qn_str){NULL, 0};
}

/* An array of floats with one that is not finite is one of their bits. */
static bool has_only_finite(const qn_attr *value, int64_t count) {
  for (int64_t i = 0; i < count; i++)
    if (!isfinite(qn_dense_float(value, i))) return false;
  return true;
}

static uint64_t bits_at(const qn_attr *value, int64_t i, unsigned bytes) {
  uint64_t bits = 0;
  memcpy(&bits, value->dense.bytes.data + i * bytes, bytes);
  return bits;
}

static int put_number(const qn_attr *value, int64_t i, const qn_c_type *type, bool finite,
                      char *out, size_t size) {
  if (type->is_float && finite)
    return snprintf(out, size, "%a%s", qn_dense_float(value, i), type->suffix);
  if (type->is_float)
    return snprintf(out, size, type->bits == 64 ? "0x%016llxull" : "0x%08llxu",
                    (unsigned long long)bits_at(value, i, type->bits / 8));
  int64_t number = qn_dense_int(value, i);
  if (type->bits == 1) return snprintf(out, size, "%d", number != 0);
  if (type->bits == 8) return snprintf(out, size, "%d", (int8_t)number);
  if (type->bits == 16) return snprintf(out, size, "%d", (int16_t)number);
  if (type->bits == 32 && (int32_t)number == INT32_MIN) return snprintf(out, size, "INT32_MIN");
  if (type->bits == 32) return snprintf(out, size, "%d", (int32_t)number);
  if (number == INT64_MIN) return snprintf(out, size, "INT64_MIN");
  return snprintf(out, size, "%lldll", (long long)number);
}

static const char *array_type(const qn_c_type *type, bool finite) {
  if (type->is_float) return finite ? type->name : qn_c_integer(type->bits)->name;
  return type->bits == 1 ? "uint8_t" : type->of_signed;
}

static void put_elements(qn_text *out, const qn_attr *value, int64_t count, const qn_c_type *type,
                         bool finite) {
  char number[64];
  size_t column = COLUMNS;
  for (int64_t i = 0; i < count; i++) {
    int size = put_number(value, value->dense.splat ? 0 : i, type, finite, number, sizeof number);
    bool fits = column + (size_t)size + 2 <= COLUMNS;
    qn_text_puts(out, fits ? " " : i ? "\n  " : "  ");
    column = (fits ? column + 1 : 2) + (size_t)size + 1;
    qn_text_puts(out, number);
    if (i + 1 < count) qn_text_putc(out, ',');
  }
}

static void put_constant(qn_c *c, const qn_op *op, qn_text *out) {
  const qn_attr *value = qn_op_find(op, QN_A_INITIAL_VALUE);
  const qn_type *shaped = qn_op_global_type(op);
  const qn_c_type *type = qn_c_type_of(c, shaped);
  int64_t count = qn_type_elements(value->type);
  bool finite = !type->is_float || has_only_finite(value, value->dense.splat ? (count > 0) : count);
  qn_str reader = reader_of(c, op);
  if (reader.size > 0) {
    qn_text_puts(out, "/* ");
    qn_cg_put_comment(out, reader);
    qn_text_puts(out, " */\n");
  }
  /* An array has at least one element. */
  size_t element = ((size_t)type->bits + BYTE_BITS - 1) / BYTE_BITS;
  qn_text_format(out, "CONSTANT(%u) %s %s[%lld] = {\n",
                 qn_target_constant_align(c->source->level, (size_t)count * element, element),
                 array_type(type, finite), qn_c_name(c, op), (long long)(count > 0 ? count : 1));
  if (count > 0)
    put_elements(out, value, count, type, finite);
  else
    qn_text_puts(out, "  0");
  qn_text_puts(out, "\n};\n\n");
}

/* Compilers warn of constants that nothing reads. */
void qn_c_put_constants(qn_c *c, qn_text *out) {
  QN_FOR_EACH_OP(op, qn_op_body(c->source->module->op))
  if (op->kind == QN_OP_MEMREF_GLOBAL && qn_map_get(&c->used, op)) put_constant(c, op, out);
}
