/* Error messages in the model's terms.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "import/graph/report.h"

/* Maximum length of a name in a message; hostile names are as long as the file. */
enum { NAME_IN_MESSAGE = 120 };

/* The more severe status: a malformed file is not excused by an unsupported operator. With another
 * batch size, a mismatch may follow from exceeding a limit. */
static qn_status graver(const qn_graph *graph, qn_status a, qn_status b) {
  static const uint8_t gravity[] = {
      [QN_OK] = 0, [QN_UNSUPPORTED] = 1, [QN_LIMIT] = 2, [QN_INVALID] = 3, [QN_NOT_FOUND] = 4,
  };
  if (graph->options->rebatch && (a == QN_LIMIT || b == QN_LIMIT)) return QN_LIMIT;
  return gravity[a] >= gravity[b] ? a : b;
}

/* Bytes of the UTF-8 sequence at text[i]; 0 if invalid or a control character. */
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

qn_str qn_graph_printable(qn_arena *arena, qn_str name, size_t limit) {
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

qn_str qn_graph_shape_text(qn_graph *graph, const qn_graph_shape *shape) {
  qn_text out = {0};
  qn_text_putc(&out, '[');
  for (uint32_t i = 0; i < shape->rank; i++)
    qn_text_format(&out, "%s%lld", i ? ", " : "", (long long)shape->dims[i]);
  qn_text_putc(&out, ']');
  qn_str kept = qn_arena_str(&graph->arena, qn_text_view(&out));
  qn_text_deinit(&out);
  return kept;
}

static qn_str tensor_text(qn_graph *graph, const qn_graph_tensor *tensor) {
  if (!tensor->name.size) return qn_arena_format(&graph->arena, "tensor %u", tensor->index);
  qn_str shown = qn_graph_printable(&graph->arena, tensor->name, NAME_IN_MESSAGE);
  return qn_arena_format(&graph->arena, "tensor '%.*s'", QN_STR_ARG(shown));
}

static qn_str operator_text(const qn_graph_op *op) {
  qn_arena *arena = &op->graph->arena;
  if (!op->title.size)
    return qn_arena_format(arena, "operator %u (%.*s)", op->index, QN_STR_ARG(op->name));
  qn_str title = qn_graph_printable(arena, op->title, NAME_IN_MESSAGE);
  return qn_arena_format(arena, "operator %u '%.*s' (%.*s)", op->index, QN_STR_ARG(title),
                         QN_STR_ARG(op->name));
}

const qn_loc *qn_graph_loc(const qn_graph_op *op, const qn_graph_tensor *tensor) {
  qn_graph *graph = op->graph;
  qn_str text = op->is_interface ? op->name : operator_text(op);
  if (op->frame && op->frame->outer)
    text =
        qn_arena_format(&graph->arena, "subgraph %u, %.*s", op->frame->subgraph, QN_STR_ARG(text));
  if (tensor) {
    qn_str of = tensor_text(graph, tensor);
    text = qn_arena_format(&graph->arena, "%.*s, %.*s", QN_STR_ARG(text), QN_STR_ARG(of));
  }
  return qn_loc_name(&graph->cx->diag, text, graph->loc);
}

static void report(qn_graph *graph, const qn_loc *loc, qn_status status, const char *format,
                   va_list arguments) {
  qn_str text = qn_arena_vformat(&graph->arena, format, arguments);
  graph->status = graver(graph, graph->status,
                         qn_error(&graph->cx->diag, loc, status, "%.*s", QN_STR_ARG(text)));
}

static void model_error(qn_graph *graph, const qn_graph_tensor *tensor, qn_status status,
                        const char *format, va_list arguments) {
  const qn_loc *loc =
      tensor ? qn_loc_name(&graph->cx->diag, tensor_text(graph, tensor), graph->loc) : graph->loc;
  report(graph, loc, status, format, arguments);
}

void qn_graph_model_error(qn_graph *graph, const qn_graph_tensor *tensor, qn_status status,
                          const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  model_error(graph, tensor, status, format, arguments);
  va_end(arguments);
}

/* Stores the first reason of an operator, with its tensor. */
static void keep_reason(qn_graph_op *op, const qn_graph_tensor *tensor, const char *format,
                        va_list arguments) {
  qn_arena *arena = &op->graph->arena;
  if (op->reason.size > 0) return;
  op->reason = qn_arena_vformat(arena, format, arguments);
  bool own =
      op->outputs.count > 0 && tensor && qn_graph_number(op->outputs, 0) == (int32_t)tensor->index;
  if (!tensor || own) return;
  qn_str of = tensor_text(op->graph, tensor);
  op->reason = qn_arena_format(arena, "%.*s: %.*s", QN_STR_ARG(of), QN_STR_ARG(op->reason));
}

static void op_error(qn_graph_op *op, const qn_graph_tensor *tensor, qn_status status,
                     const char *format, va_list arguments) {
  op->failed = true;
  if (status == QN_UNSUPPORTED && op->graph->options->keep_unsupported)
    keep_reason(op, tensor, format, arguments);
  else
    report(op->graph, qn_graph_loc(op, tensor), status, format, arguments);
}

bool qn_graph_error(qn_graph_op *op, const qn_graph_tensor *tensor, qn_status status,
                    const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  op_error(op, tensor, status, format, arguments);
  va_end(arguments);
  return false;
}

void qn_graph_problem(qn_graph *graph, qn_graph_op *op, const qn_graph_tensor *tensor,
                      qn_status status, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  if (op)
    op_error(op, tensor, status, format, arguments);
  else
    model_error(graph, tensor, status, format, arguments);
  va_end(arguments);
}

void qn_graph_warn(qn_graph_op *op, const qn_graph_tensor *tensor, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  qn_str text = qn_arena_vformat(&op->graph->arena, format, arguments);
  va_end(arguments);
  qn_warning(&op->graph->cx->diag, qn_graph_loc(op, tensor), "%.*s", QN_STR_ARG(text));
}

void qn_graph_remark(qn_graph_op *op, const qn_graph_tensor *tensor, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  qn_str text = qn_arena_vformat(&op->graph->arena, format, arguments);
  va_end(arguments);
  qn_remark(&op->graph->cx->diag, qn_graph_loc(op, tensor), "%.*s", QN_STR_ARG(text));
}
