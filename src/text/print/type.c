/* Types in MLIR's spelling; quantized types as MLIR's quant dialect prints them.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>

#include "text/number.h"
#include "text/printer.h"

static void print_integer(qn_printer *out, const qn_type *type) {
  static const char *const prefixes[] = {
      [QN_SIGNLESS] = "i", [QN_SIGNED] = "si", [QN_UNSIGNED] = "ui"};
  qn_puts(out, prefixes[type->integer.sign]);
  qn_print_uint(out, type->integer.width);
}

void qn_print_types(qn_printer *out, const qn_type *const *types, size_t count) {
  for (size_t i = 0; i < count; i++) {
    qn_comma(out, i);
    qn_print_type(out, types[i]);
  }
}

void qn_print_result_types(qn_printer *out, const qn_type *const *types, size_t count) {
  bool bare = count == 1 && types[0]->kind != QN_TYPE_FUNCTION;
  if (!bare) qn_puts(out, "(");
  qn_print_types(out, types, count);
  if (!bare) qn_puts(out, ")");
}

static void print_function(qn_printer *out, const qn_type *type) {
  qn_puts(out, "(");
  qn_print_types(out, type->function.inputs, type->function.input_count);
  qn_puts(out, ") -> ");
  qn_print_result_types(out, type->function.results, type->function.result_count);
}

static void print_tuple(qn_printer *out, const qn_type *type) {
  qn_puts(out, "tuple<");
  qn_print_types(out, type->tuple.elements, type->tuple.count);
  qn_puts(out, ">");
}

static void print_shaped_anew(qn_printer *out, const qn_type *type) {
  static const char *const names[] = {
      [QN_TYPE_TENSOR] = "tensor<", [QN_TYPE_MEMREF] = "memref<", [QN_TYPE_VECTOR] = "vector<"};
  qn_puts(out, names[type->kind]);
  if (!type->shaped.ranked) qn_puts(out, "*x");
  for (uint32_t i = 0; i < type->shaped.rank; i++) {
    if (type->shaped.dims[i] == QN_DYNAMIC)
      qn_puts(out, "?");
    else
      qn_print_uint(out, (uint64_t)type->shaped.dims[i]);
    qn_puts(out, "x");
  }
  qn_print_type(out, type->shaped.element);
  const qn_attr *attrs[] = {type->shaped.encoding, type->shaped.memory_space};
  for (size_t i = 0; i < QN_COUNT(attrs); i++) {
    if (!attrs[i]) continue;
    qn_puts(out, ", ");
    qn_print_attr(out, attrs[i]);
  }
  qn_puts(out, ">");
}

/* Prints a type through a cache of texts, because types occur often. */
typedef void type_printer(qn_printer *out, const qn_type *type);
static void print_kept(qn_printer *out, const qn_type *type, type_printer *print, size_t most) {
  qn_str *text = qn_map_get(&out->type_texts, type);
  if (text) {
    qn_put(out, *text);
    return;
  }
  size_t start = out->out->size;
  print(out, type);
  if (out->out->size - start > most) return;
  text = QN_NEW(&out->scratch, qn_str);
  *text = qn_arena_str(&out->scratch, (qn_str){out->out->data + start, out->out->size - start});
  qn_map_set(&out->type_texts, type, text);
}

/* Prints a shaped type. Only short texts are cached: a long one has a long element type, which is
 * cached itself. */
static void print_shaped(qn_printer *out, const qn_type *type) {
  enum { LONG = 256 };
  print_kept(out, type, print_shaped_anew, LONG);
}

/* ---- quantized types ---- */

/* Prints i8 or u8, and the range if it is not the default. An unsigned type with signless storage
 * i8 is u8; with storage ui8 it is ui8. */
static void print_storage(qn_printer *out, const qn_type *storage, bool is_signed, int64_t min,
                          int64_t max) {
  if (!is_signed && storage->integer.sign == QN_SIGNLESS)
    qn_text_format(out->out, "u%" PRIu32, storage->integer.width);
  else
    print_integer(out, storage);
  int64_t low, high;
  qn_storage_range(storage->integer.width, is_signed, &low, &high);
  if (min != low || max != high) qn_text_format(out->out, "<%" PRId64 ":%" PRId64 ">", min, max);
}

static void print_double(qn_printer *out, double value) {
  qn_text_print_float(value, QN_F64, out->out);
}

/* Prints scale[:zero point]. The parser reads hexadecimal scales as bits of a double, so they are
 * always printed that way. A decimal scale of a sub-channel grid has the digits of the expressed
 * type. */
static void print_scale(qn_printer *out, const qn_quant_uniform *type, uint32_t i) {
  size_t start = out->out->size;
  bool narrow = type->scheme == QN_SUB_CHANNEL;
  qn_text_print_float(type->scales[i], narrow ? type->expressed->float_kind : QN_F64, out->out);
  if (narrow && out->out->size > start + 1 && out->out->data[start + 1] == 'x') {
    uint64_t bits = qn_float_encode(QN_F64, type->scales[i]);
    out->out->size = start;
    qn_text_format(out->out, "0x%" PRIX64, bits);
  }
  if (type->zero_points[i]) qn_text_format(out->out, ":%" PRId64, type->zero_points[i]);
}

/* Prints one level of the grid, whose scales start at *next. */
static void print_grid(qn_printer *out, const qn_quant_uniform *type, uint32_t level,
                       uint32_t *next) {
  qn_puts(out, "{");
  for (int64_t i = 0; i < type->grid_dims[level]; i++) {
    qn_comma(out, (size_t)i);
    if (level + 1 < type->grid_rank)
      print_grid(out, type, level + 1, next);
    else
      print_scale(out, type, (*next)++);
  }
  qn_puts(out, "}");
}

static void print_axis_scales(qn_printer *out, const qn_quant_uniform *type) {
  qn_puts(out, "{");
  for (uint32_t i = 0; i < type->count; i++) {
    if (i) qn_puts(out, ","); /* no blank, as upstream */
    print_scale(out, type, i);
  }
  qn_puts(out, "}");
}

static void print_uniform_anew(qn_printer *out, const qn_type *quantized) {
  const qn_quant_uniform *type = &quantized->uniform;
  uint32_t next = 0;
  qn_puts(out, "!quant.uniform<");
  print_storage(out, type->storage, type->is_signed, type->min, type->max);
  qn_puts(out, ":");
  qn_print_type(out, type->expressed);
  if (type->scheme == QN_PER_AXIS) qn_text_format(out->out, ":%" PRId32, type->axis);
  if (type->scheme == QN_SUB_CHANNEL) {
    qn_puts(out, ":{");
    for (uint32_t i = 0; i < type->block_count; i++) {
      qn_comma(out, i);
      qn_text_format(out->out, "%" PRId32 ":%" PRId64, type->block_axes[i], type->block_sizes[i]);
    }
    qn_puts(out, "}");
  }
  qn_puts(out, ", ");
  if (type->scheme == QN_PER_LAYER) print_scale(out, type, 0);
  if (type->scheme == QN_PER_AXIS) print_axis_scales(out, type);
  if (type->scheme == QN_SUB_CHANNEL) print_grid(out, type, 0, &next);
  qn_puts(out, ">");
}

void qn_print_type_aliases(qn_printer *out) {
  for (size_t i = 0; i < out->types.items.count; i++) {
    const qn_type *type = out->types.items.data[i];
    qn_print_alias(out, &out->types, "!q", type);
    qn_puts(out, " = ");
    print_uniform_anew(out, type);
    qn_puts(out, "\n");
  }
}

/* Prints a uniform type as upstream does, or its alias if type_aliases is set. */
static void print_uniform(qn_printer *out, const qn_type *type) {
  enum { FEW = 8 };
  if (out->aliases && out->options.type_aliases && type->uniform.count > 1)
    qn_print_alias(out, &out->types, "!q", type);
  else if (type->uniform.count > FEW)
    print_kept(out, type, print_uniform_anew, SIZE_MAX);
  else
    print_uniform_anew(out, type);
}

static void print_quant_any(qn_printer *out, const qn_type *type) {
  qn_puts(out, "!quant.any<");
  print_storage(out, type->any.storage, type->any.is_signed, type->any.min, type->any.max);
  if (type->any.expressed) {
    qn_puts(out, ":");
    qn_print_type(out, type->any.expressed);
  }
  qn_puts(out, ">");
}

static void print_calibrated(qn_printer *out, const qn_type *type) {
  qn_puts(out, "!quant.calibrated<");
  qn_print_type(out, type->calibrated.expressed);
  qn_puts(out, "<");
  print_double(out, type->calibrated.min);
  qn_puts(out, ":");
  print_double(out, type->calibrated.max);
  qn_puts(out, ">>");
}

/* ---- dispatch ---- */

static void print_none(qn_printer *out, const qn_type *type) {
  (void)type;
  qn_puts(out, "none");
}
static void print_index(qn_printer *out, const qn_type *type) {
  (void)type;
  qn_puts(out, "index");
}
static void print_float_type(qn_printer *out, const qn_type *type) {
  qn_puts(out, qn_float_format_of(type->float_kind)->name);
}
static void print_opaque(qn_printer *out, const qn_type *type) { qn_put(out, type->opaque); }

void qn_print_type(qn_printer *out, const qn_type *type) {
  static type_printer *const printers[] = {[QN_TYPE_NONE] = print_none,
                                           [QN_TYPE_INDEX] = print_index,
                                           [QN_TYPE_INTEGER] = print_integer,
                                           [QN_TYPE_FLOAT] = print_float_type,
                                           [QN_TYPE_FUNCTION] = print_function,
                                           [QN_TYPE_TENSOR] = print_shaped,
                                           [QN_TYPE_MEMREF] = print_shaped,
                                           [QN_TYPE_VECTOR] = print_shaped,
                                           [QN_TYPE_TUPLE] = print_tuple,
                                           [QN_TYPE_QUANT_ANY] = print_quant_any,
                                           [QN_TYPE_QUANT_UNIFORM] = print_uniform,
                                           [QN_TYPE_QUANT_CALIBRATED] = print_calibrated,
                                           [QN_TYPE_OPAQUE] = print_opaque};
  printers[type->kind](out, type);
}
