/* The canonical layout of rules. A call that fits on one line is printed on one line. Otherwise its
 * operands fill lines, aligned after the opening parenthesis, or indented by two columns if that is
 * too far right; an operand that needs several lines gets its own lines. Each of the four parts of
 * a rule begins a line.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "rules/print/print.h"

enum { WIDTH = 100, PART_INDENT = 4, DEEPEST = 60 /* deepest aligned column */, STEP = 2 };

typedef struct printer {
  qn_text *out;
  size_t line; /* offset in the text where the current line begins */
} printer;

static size_t column(const printer *p) { return p->out->size - p->line; }

static void newline(printer *p, size_t indent) {
  while (p->out->size > p->line && p->out->data[p->out->size - 1] == ' ') p->out->size--;
  qn_text_putc(p->out, '\n');
  p->line = p->out->size;
  for (size_t i = 0; i < indent; i++) qn_text_putc(p->out, ' ');
}

/* ---- comments ---- */

static bool is_inline(const qn_rule_comment *comment) {
  return !comment->line && !comment->alone && comment->pos.line == comment->end_line;
}

static bool all_inline(const qn_rule_comment *comment) {
  for (; comment; comment = comment->next)
    if (!is_inline(comment)) return false;
  return true;
}

static void put_comment(printer *p, const qn_rule_comment *comment) {
  qn_text_put(p->out, comment->text);
  const char *last = memrchr(comment->text.data, '\n', comment->text.size);
  if (last) p->line = p->out->size - (size_t)(comment->text.data + comment->text.size - last - 1);
}

/* Prints the comments before a node: on the same line if they are inline, else on lines of their
 * own. */
static void put_before(printer *p, const qn_rule_comment *comment, size_t indent) {
  for (; comment; comment = comment->next) {
    put_comment(p, comment);
    if (is_inline(comment))
      qn_text_putc(p->out, ' ');
    else
      newline(p, indent);
  }
}

/* Prints the comments after a node, on its line. Only the last can be a // comment, which ends the
 * line. */
static void put_behind(printer *p, const qn_rule_comment *comment) {
  for (; comment; comment = comment->next) {
    qn_text_putc(p->out, ' ');
    put_comment(p, comment);
  }
}

/* Prints the comments before a closing parenthesis, each on a line of its own. */
static void put_inside(printer *p, const qn_rule_comment *comment, size_t indent) {
  for (; comment; comment = comment->next) {
    newline(p, indent);
    put_comment(p, comment);
  }
}

/* ---- on one line ---- */

/* Whether the operands of a call can share lines: no comment among them needs its own line. */
static bool shares_lines(const qn_rule_node *call) {
  for (uint32_t i = 0; i < call->arg_count; i++)
    if (!all_inline(call->args[i]->before) || !all_inline(call->args[i]->behind)) return false;
  return call->inside == NULL;
}

static bool is_flat(const qn_rule_node *node) {
  if (!shares_lines(node)) return false;
  for (uint32_t i = 0; i < node->arg_count; i++)
    if (!is_flat(node->args[i])) return false;
  return true;
}

static void put_leaf(printer *p, const qn_rule_node *node) {
  bool string = node->kind == QN_RULE_STRING, dtype = node->kind == QN_RULE_DTYPE;
  bool number = node->kind == QN_RULE_INT || node->kind == QN_RULE_FLOAT;
  if (dtype) qn_text_puts(p->out, "DType::");
  if (string) qn_text_putc(p->out, '"');
  qn_text_put(p->out, number ? node->spelling : node->text);
  if (string) qn_text_putc(p->out, '"');
}

/* Prints a node on one line, without the comments around it. */
static void put_flat(printer *p, const qn_rule_node *node) {
  put_leaf(p, node);
  if (node->kind != QN_RULE_CALL) return;
  qn_text_putc(p->out, '(');
  for (uint32_t i = 0; i < node->arg_count; i++) {
    if (i > 0) qn_text_puts(p->out, ", ");
    put_before(p, node->args[i]->before, 0);
    put_flat(p, node->args[i]);
    put_behind(p, node->args[i]->behind);
  }
  qn_text_putc(p->out, ')');
}

/* Width in characters of a node on one line with its comments; SIZE_MAX if it needs several
 * lines. */
static size_t flat_width(const qn_rule_node *node) {
  if (!is_flat(node) || !all_inline(node->before) || !all_inline(node->behind)) return SIZE_MAX;
  qn_text text = {0};
  printer p = {.out = &text};
  put_before(&p, node->before, 0);
  put_flat(&p, node);
  put_behind(&p, node->behind);
  size_t width = text.size;
  qn_text_deinit(&text);
  return width;
}

/* ---- on several ---- */

static void put_node(printer *p, const qn_rule_node *node, size_t indent, size_t after);

/* Prints an operand with the comments around it, and a comma unless it is the last. */
static void put_arg(printer *p, const qn_rule_node *arg, size_t indent, bool last, size_t after) {
  bool ends = !all_inline(arg->behind);
  put_before(p, arg->before, indent);
  put_node(p, arg, indent, after);
  if (!last && ends) qn_text_putc(p->out, ',');
  put_behind(p, arg->behind);
  if (!last && !ends) qn_text_putc(p->out, ',');
}

/* Prints as many operands per line as fit. An operand that does not fit on a line gets lines of its
 * own. */
static void fill_lines(printer *p, const qn_rule_node *call, size_t indent, size_t after) {
  bool fresh = true; /* the next operand begins a line */
  for (uint32_t i = 0; i < call->arg_count; i++) {
    bool last = i + 1 == call->arg_count;
    size_t width = flat_width(call->args[i]), more = last ? after : 1;
    bool wide = width > WIDTH || indent + width + more > WIDTH;
    bool fits = !wide && column(p) + (fresh ? 0 : 1) + width + more <= WIDTH;
    if (!fresh && fits) qn_text_putc(p->out, ' ');
    if (!fresh && !fits) newline(p, indent);
    put_arg(p, call->args[i], indent, last, more);
    fresh = false;
    if (!wide || last) continue;
    newline(p, indent);
    fresh = true;
  }
}

/* Prints one operand per line, because there are comments between them. */
static void list_lines(printer *p, const qn_rule_node *call, size_t indent) {
  for (uint32_t i = 0; i < call->arg_count; i++) {
    bool last = i + 1 == call->arg_count;
    newline(p, indent + STEP);
    put_arg(p, call->args[i], indent + STEP, last, last ? 0 : 1);
  }
  put_inside(p, call->inside, indent + STEP);
  newline(p, indent);
}

/* Prints a node without the comments around it. `after`: number of characters that follow on its
 * last line. */
static void put_node(printer *p, const qn_rule_node *node, size_t indent, size_t after) {
  size_t start = column(p);
  if (is_flat(node)) {
    size_t size = p->out->size;
    put_flat(p, node);
    if (column(p) + after <= WIDTH || node->kind != QN_RULE_CALL) return;
    p->out->size = size; /* too long for one line: print again, on several */
  }
  put_leaf(p, node);
  qn_text_putc(p->out, '(');
  size_t align = column(p);
  if (!shares_lines(node)) {
    list_lines(p, node, start);
  } else if (align <= DEEPEST || node->arg_count == 0) {
    fill_lines(p, node, align, after + 1);
  } else {
    newline(p, indent + STEP);
    fill_lines(p, node, indent + STEP, after + 1);
  }
  qn_text_putc(p->out, ')');
}

/* ---- rules and files ---- */

static void put_pass(printer *p, const qn_rule *rule) {
  qn_text_puts(p->out, "DEF_PACKAGE_OPTIMIZATION(");
  if (!all_inline(rule->pass_before)) newline(p, PART_INDENT);
  put_before(p, rule->pass_before, PART_INDENT);
  qn_text_put(p->out, rule->pass_name);
  if (rule->has_offset) qn_text_format(p->out, " + %llu", (unsigned long long)rule->pass_offset);
  bool ends = !all_inline(rule->pass_behind);
  if (ends) qn_text_putc(p->out, ',');
  put_behind(p, rule->pass_behind);
  if (!ends) qn_text_putc(p->out, ',');
}

static void put_rule(printer *p, const qn_rule *rule) {
  const qn_rule_node *const parts[] = {rule->match, rule->constraint, rule->replacement};
  put_pass(p, rule);
  for (size_t i = 0; i < QN_COUNT(parts); i++) {
    newline(p, PART_INDENT);
    put_arg(p, parts[i], PART_INDENT, i + 1 == QN_COUNT(parts), 1);
  }
  put_inside(p, rule->inside, PART_INDENT);
  if (rule->inside || !all_inline(rule->replacement->behind)) newline(p, 0);
  qn_text_putc(p->out, ')');
}

void qn_rule_format(const qn_rule *rule, qn_text *out) {
  printer p = {.out = out, .line = out->size};
  put_rule(&p, rule);
}

static void put_decl(const qn_rule_op_decl *decl, qn_text *out) {
  qn_text_format(out, "%.*s(%.*s, \"%.*s\"", QN_STR_ARG(decl->keyword), QN_STR_ARG(decl->function),
                 QN_STR_ARG(decl->op));
  if (decl->cost.size > 0) qn_text_format(out, ", %.*s", QN_STR_ARG(decl->cost));
  for (int i = 0; qn_rule_flag_names[i]; i++)
    if (decl->flags & 1u << i) qn_text_format(out, ", Flags::%s", qn_rule_flag_names[i]);
  qn_text_putc(out, ')');
}

/* Prints the text between rules of a rule file: comments, without blanks at line ends, with at most
 * one empty line in a row, and none at the start and end of the file. */
static void put_between(qn_str text, bool last, qn_text *out) {
  unsigned lines = 0; /* line ends read but not yet printed */
  for (size_t at = 0; at < text.size;) {
    const char *stop = memchr(text.data + at, '\n', text.size - at);
    size_t end = stop ? (size_t)(stop - text.data) : text.size, shown = end;
    while (shown > at && memchr(" \t\r\v\f", text.data[shown - 1], 5)) shown--;
    if (shown > at) {
      for (; lines > 0 && out->size > 0; lines--) qn_text_putc(out, '\n');
      qn_text_put(out, (qn_str){text.data + at, shown - at});
      lines = 0;
    }
    if (stop && lines < 2) lines++;
    at = end + 1;
  }
  if (last) lines = 1;
  for (; lines > 0 && out->size > 0; lines--) qn_text_putc(out, '\n');
}

void qn_rule_format_file(const qn_rule_file *file, qn_text *out) {
  uint32_t at = 0;
  for (uint32_t i = 0; i <= file->item_count; i++) {
    const qn_rule_item *item = i < file->item_count ? &file->items[i] : NULL;
    uint32_t end = item ? item->begin : (uint32_t)file->source.size;
    QN_ASSERT(at <= end && end <= file->source.size); /* items are in their order */
    const qn_str between = {file->source.data + at, end - at};
    if (file->pure)
      put_between(between, !item, out);
    else
      qn_text_put(out, between);
    if (!item) return;
    bool same_line = file->pure && out->size > 0 && out->data[out->size - 1] != '\n';
    if (same_line) qn_text_putc(out, '\n');
    const qn_str text = {file->source.data + item->begin, item->end - item->begin};
    bool has_comments =
        memmem(text.data, text.size, "//", 2) || memmem(text.data, text.size, "/*", 2);
    if (item->rule)
      qn_rule_format(item->rule, out);
    else if (has_comments)
      qn_text_put(out, text);
    else
      put_decl(item->decl, out);
    at = item->end;
  }
}
