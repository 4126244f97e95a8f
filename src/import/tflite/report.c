/* Saying what is wrong with a model in the model's terms.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "import/tflite/tflite.h"

/* Names in messages are cut here; hostile names are as long as the file. */
enum { NAME_IN_MESSAGE = 120 };

/* The gravest status is the result: a malformed file is not excused by an unsupported operator. Of
 * another batch, what does not fit may follow from what is beyond a limit. */
static qn_status graver(const qn_tflite *im, qn_status a, qn_status b) {
  static const uint8_t gravity[] = {
      [QN_OK] = 0,
      [QN_UNSUPPORTED] = 1,
      [QN_LIMIT] = 2,
      [QN_INVALID] = 3,
  };
  if (im->options->rebatch && (a == QN_LIMIT || b == QN_LIMIT)) return QN_LIMIT;
  return gravity[a] >= gravity[b] ? a : b;
}

/* Bytes of the UTF-8 sequence at text[i], 0 when it is none or a control character. */
static size_t utf8_length(qn_str text, size_t i) {
  const uint8_t *p = (const uint8_t *)text.data + i;
  size_t left = text.size - i, n = p[0] < 0x80   ? 1
                                   : p[0] < 0xC2 ? 0
                                   : p[0] < 0xE0 ? 2
                                   : p[0] < 0xF0 ? 3
                                   : p[0] < 0xF5 ? 4
                                                 : 0;
  if (n == 0 || n > left || p[0] < 0x20 || p[0] == 0x7F) return 0;
  for (size_t k = 1; k < n; k++)
    if ((p[k] & 0xC0) != 0x80) return 0;
  bool overlong = (p[0] == 0xE0 && p[1] < 0xA0) || (p[0] == 0xF0 && p[1] < 0x90);
  bool surrogate = p[0] == 0xED && p[1] >= 0xA0;
  bool too_large = p[0] == 0xF4 && p[1] >= 0x90;
  return overlong || surrogate || too_large ? 0 : n;
}

qn_str qn_tflite_printable(qn_arena *arena, qn_str name, size_t limit) {
  qn_text out = {0};
  for (size_t i = 0; i < name.size;) {
    if (out.size >= limit) {
      qn_text_puts(&out, "...");
      break;
    }
    size_t n = utf8_length(name, i);
    if (n)
      qn_text_put(&out, (qn_str){name.data + i, n});
    else
      qn_text_format(&out, "\\x%02X", (unsigned)(uint8_t)name.data[i]);
    i += n ? n : 1;
  }
  qn_str kept = qn_arena_str(arena, qn_text_view(&out));
  qn_text_deinit(&out);
  return kept;
}

const char *qn_tflite_dtype_name(uint8_t dtype) {
  static const char *const names[] = {
      "float32", "float16",   "int32",  "uint8",   "int64",      "string", "bool",
      "int16",   "complex64", "int8",   "float64", "complex128", "uint64", "resource",
      "variant", "uint32",    "uint16", "int4",    "bfloat16",   "int2",
  };
  return dtype < QN_COUNT(names) ? names[dtype] : "an unknown type";
}

qn_str qn_tflite_shape_text(qn_tflite *im, const qn_tflite_shape *shape) {
  qn_text out = {0};
  qn_text_putc(&out, '[');
  for (uint32_t i = 0; i < shape->rank; i++)
    qn_text_format(&out, "%s%lld", i ? ", " : "", (long long)shape->dims[i]);
  qn_text_putc(&out, ']');
  qn_str kept = qn_arena_str(&im->arena, qn_text_view(&out));
  qn_text_deinit(&out);
  return kept;
}

static qn_str tensor_text(qn_tflite *im, const qn_tflite_tensor *tensor) {
  qn_str name = qn_fb_string(tensor->table, QN_FB_TENSOR_NAME);
  if (!name.size) return qn_arena_format(&im->arena, "tensor %u", tensor->index);
  qn_str shown = qn_tflite_printable(&im->arena, name, NAME_IN_MESSAGE);
  return qn_arena_format(&im->arena, "tensor '%.*s'", QN_STR_ARG(shown));
}

const qn_loc *qn_tflite_loc(const qn_tflite_op *op, const qn_tflite_tensor *tensor) {
  qn_tflite *im = op->im;
  qn_str text = op->is_interface ? op->code->name
                                 : qn_arena_format(&im->arena, "operator %u (%.*s)", op->index,
                                                   QN_STR_ARG(op->code->name));
  if (op->frame && op->frame->outer)
    text = qn_arena_format(&im->arena, "subgraph %u, %.*s", op->frame->subgraph, QN_STR_ARG(text));
  if (tensor) {
    qn_str of = tensor_text(im, tensor);
    text = qn_arena_format(&im->arena, "%.*s, %.*s", QN_STR_ARG(text), QN_STR_ARG(of));
  }
  return qn_loc_name(&im->cx->diag, text, im->loc);
}

static void report(qn_tflite *im, const qn_loc *loc, qn_status status, const char *format,
                   va_list arguments) {
  qn_str text = qn_arena_vformat(&im->arena, format, arguments);
  im->status =
      graver(im, im->status, qn_error(&im->cx->diag, loc, status, "%.*s", QN_STR_ARG(text)));
}

void qn_tflite_model_error(qn_tflite *im, const qn_tflite_tensor *tensor, qn_status status,
                           const char *format, ...) {
  const qn_loc *loc =
      tensor ? qn_loc_name(&im->cx->diag, tensor_text(im, tensor), im->loc) : im->loc;
  va_list arguments;
  va_start(arguments, format);
  report(im, loc, status, format, arguments);
  va_end(arguments);
}

/* The first reason, with the tensor that it is about. */
static void keep_reason(qn_tflite_op *op, const qn_tflite_tensor *tensor, const char *format,
                        va_list arguments) {
  qn_arena *arena = &op->im->arena;
  if (op->reason.size > 0) return;
  op->reason = qn_arena_vformat(arena, format, arguments);
  bool own =
      op->outputs.count > 0 && tensor && qn_fb_i32_at(op->outputs, 0) == (int32_t)tensor->index;
  if (!tensor || own) return;
  qn_str of = tensor_text(op->im, tensor);
  op->reason = qn_arena_format(arena, "%.*s: %.*s", QN_STR_ARG(of), QN_STR_ARG(op->reason));
}

bool qn_tflite_error(qn_tflite_op *op, const qn_tflite_tensor *tensor, qn_status status,
                     const char *format, ...) {
  op->failed = true;
  va_list arguments;
  va_start(arguments, format);
  if (status == QN_UNSUPPORTED && op->im->options->keep_unsupported)
    keep_reason(op, tensor, format, arguments);
  else
    report(op->im, qn_tflite_loc(op, tensor), status, format, arguments);
  va_end(arguments);
  return false;
}

void qn_tflite_warn(qn_tflite_op *op, const qn_tflite_tensor *tensor, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  qn_str text = qn_arena_vformat(&op->im->arena, format, arguments);
  va_end(arguments);
  qn_warning(&op->im->cx->diag, qn_tflite_loc(op, tensor), "%.*s", QN_STR_ARG(text));
}

void qn_tflite_remark(qn_tflite_op *op, const qn_tflite_tensor *tensor, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  qn_str text = qn_arena_vformat(&op->im->arena, format, arguments);
  va_end(arguments);
  qn_remark(&op->im->cx->diag, qn_tflite_loc(op, tensor), "%.*s", QN_STR_ARG(text));
}
