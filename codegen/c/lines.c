/* Values as expressions and variables, and the lines of a function.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <ctype.h>
#include <math.h>

#include "codegen/c/c.h"

/* An expression longer than this gets a name. */
enum { MAX_INLINE = 60 };

const char *qn_c_format(qn_c *c, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  qn_str text = qn_arena_vformat(&c->arena, format, arguments);
  va_end(arguments);
  return text.data;
}

static void put(qn_c *c, const char *text, uint32_t declares) {
  const qn_c_line line = {text, c->indent, declares};
  qn_array_push(&c->lines, line);
}

void qn_c_line_put(qn_c *c, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  put(c, qn_arena_vformat(&c->arena, format, arguments).data, 0);
  va_end(arguments);
}

void qn_c_begin(qn_c *c, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  put(c, qn_arena_vformat(&c->arena, format, arguments).data, 0);
  va_end(arguments);
  c->indent++;
}

void qn_c_end(qn_c *c, const char *text) {
  QN_ASSERT(c->indent > 0);
  c->indent--;
  put(c, text, 0);
}

qn_c_lane qn_c_declare(qn_c *c, char letter, const char *type, const char *initial) {
  const char *name = qn_c_format(c, "%c%u", letter, c->variables++);
  const char *space = type[strlen(type) - 1] == '*' ? "" : " ";
  if (initial)
    put(c, qn_c_format(c, "%s%s%s = %s;", type, space, name, initial), c->variables);
  else
    put(c, qn_c_format(c, "%s%s%s;", type, space, name), 0);
  return qn_c_atom(name);
}

void qn_c_remark(qn_c *c, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  qn_str words = qn_arena_vformat(&c->arena, format, arguments);
  va_end(arguments);
  QN_ASSERT(c->lines.count > 0);
  qn_c_line *last = &c->lines.data[c->lines.count - 1];
  last->text = qn_c_format(c, "%s /* %s */", last->text, words.data);
}

const char *qn_c_in(qn_c *c, const qn_c_lane *lane) {
  return lane->atom ? lane->text : qn_c_format(c, "(%s)", lane->text);
}

qn_c_lane *qn_c_new_lanes(qn_c *c, uint32_t count) {
  return QN_NEW_ARRAY(&c->arena, count, qn_c_lane);
}

/* ---- lanes of registers ---- */

static void read_lanes(qn_c *c, const qn_value *value) {
  qn_c_value *v = &c->values[value->id];
  unsigned own = qn_c_lane_bits(value->type), bits = v->registers ? own : v->widened_bits;
  const char *const *registers = v->registers ? v->registers : v->widened;
  uint32_t each = QN_C_REGISTER_BITS / bits;
  v->lanes = qn_c_new_lanes(c, v->count);
  for (uint32_t i = 0; i < v->count; i++) {
    const char *text = qn_c_format(c, "get_%u(%s, %u)", bits, registers[i / each], i % each);
    if (bits != own) text = qn_c_format(c, "(%s)%s", qn_c_integer(own)->name, text);
    v->lanes[i] = qn_c_atom(text);
  }
}

qn_c_value *qn_c_value_of(qn_c *c, const qn_value *value) {
  qn_c_value *v = &c->values[value->id];
  if (v->count > 0 && !v->lanes) read_lanes(c, value);
  return v;
}

void qn_c_bind(qn_c *c, const qn_value *value, const qn_c_lane *lanes, uint32_t count) {
  qn_c_lane *copy = qn_arena_copy(&c->arena, lanes, count * sizeof *lanes);
  c->values[value->id] = (qn_c_value){.count = count, .lanes = copy};
}

/* ---- constants ---- */

static int64_t extended(int64_t number, unsigned bits) {
  if (bits == 64) return number;
  uint64_t mask = (UINT64_C(1) << bits) - 1, sign = UINT64_C(1) << (bits - 1);
  return (int64_t)((((uint64_t)number & mask) ^ sign) - sign);
}

qn_c_lane qn_c_number(qn_c *c, const qn_c_type *type, int64_t number) {
  int64_t value = extended(number, type->bits);
  qn_c_lane lane = {.atom = true, .constant = true, .number = value};
  if (type->bits == 1)
    lane.text = value ? "true" : "false";
  else if (value >= 0)
    lane.text = qn_c_format(c, "%lld%s", (long long)value, type->suffix);
  else if (type->bits < 64 || value > INT64_MIN)
    lane.text =
        qn_c_format(c, "(%s)%lld%s", type->name, (long long)value, type->bits == 64 ? "ll" : "");
  else
    lane.text = "0x8000000000000000ull";
  /* -2147483648 is not an int, but converted all the same. */
  return lane;
}

qn_c_lane qn_c_real(qn_c *c, const qn_c_type *type, double value) {
  if (isfinite(value)) {
    const char *text = qn_c_format(c, "%a%s", value, type->suffix);
    return (qn_c_lane){.text = text, .atom = !signbit(value)};
  }
  if (type->bits == 64) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return qn_c_atom(qn_c_format(c, "f64_of_bits(0x%016llxull)", (unsigned long long)bits));
  }
  float single = (float)value;
  uint32_t bits;
  memcpy(&bits, &single, sizeof bits);
  return qn_c_atom(qn_c_format(c, "f32_of_bits(0x%08xu)", bits));
}

/* ---- results ---- */

bool qn_c_is_store(const qn_op *op) {
  return op->kind == QN_OP_MEMREF_STORE || op->kind == QN_OP_VECTOR_STORE;
}

/* Whether an op writes to memory, or contains ops that may. */
static bool may_write(const qn_op *op) {
  return op->region_count > 0 || qn_c_is_store(op) || op->kind == QN_OP_QUERN_LAUNCH;
}

/* Whether memory is the same at the user as at the op. */
static bool reaches(const qn_op *op, const qn_op *user) {
  for (op = op->next; op != user; op = op->next)
    if (may_write(op)) return false;
  return true;
}

/* Whether evaluating the expression reads memory. */
static bool reads(const char *text) { return strchr(text, '[') || strstr(text, "load_"); }

/* Whether an op evaluates every lane of operand `value` once. */
static bool evaluates_once(const qn_op *user, const qn_value *value) {
  switch (user->kind) {
  case QN_OP_QUERN_MADD_S16:
  case QN_OP_QUERN_MADD_U8S8:
  case QN_OP_QUERN_DOT:
  case QN_OP_QUERN_PACK:
  case QN_OP_VECTOR_REDUCTION:
    return true;
  case QN_OP_VECTOR_LOAD:
  case QN_OP_MEMREF_LOAD:
    return qn_c_lanes_of(qn_op_result(user, 0)->type) == 1;
  case QN_OP_QUERN_LOOKUP:
  case QN_OP_QUERN_GATHER:
    return qn_op_operand(user, 1) == value;
  case QN_OP_VECTOR_STORE:
  case QN_OP_MEMREF_STORE:
    return qn_op_operand(user, 0) == value || qn_c_lanes_of(qn_op_operand(user, 0)->type) == 1;
  default:
    return qn_op_has(user, QN_ELEMENTWISE);
  }
}

/* Whether the only use of a value can hold its expression. A store of several lanes writes before
 * it evaluates the others. */
static bool is_inlined(const qn_value *value, bool reads_memory) {
  if (!value->op || !qn_value_has_one_use(value)) return false;
  const qn_op *user = value->first_use->owner;
  if (user->block != value->op->block || !evaluates_once(user, value)) return false;
  if (!reads_memory) return true;
  bool stores = may_write(user) && qn_c_lanes_of(value->type) > 1;
  return !stores && reaches(value->op, user);
}

/* A lane before `i` with the same expression, among the last few; `i` if there is none. */
static uint32_t twin_of(const qn_c_lane *lanes, uint32_t i) {
  enum { LOOKS_BACK = 16 };
  for (uint32_t k = i; k > 0 && i - k < LOOKS_BACK; k--)
    if (strcmp(lanes[i].text, lanes[k - 1].text) == 0) return k - 1;
  return i;
}

static bool any_reads(const qn_c_lane *lanes, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    if (reads(lanes[i].text)) return true;
  return false;
}

bool qn_c_is_name(const char *text) {
  if (text[0] != 'v' && text[0] != 'i') return false;
  return text[1] && text[1 + strspn(text + 1, "0123456789")] == '\0';
}

void qn_c_set(qn_c *c, const qn_value *value, const qn_c_lane *lanes) {
  uint32_t count = qn_c_lanes_of(value->type);
  qn_c_lane *named = qn_c_new_lanes(c, count);
  bool inlined = is_inlined(value, any_reads(lanes, count));
  const qn_c_type *type = qn_c_type_of(c, value->type);
  for (uint32_t i = 0; i < count; i++) {
    uint32_t twin = twin_of(lanes, i);
    bool held = inlined && strlen(lanes[i].text) <= MAX_INLINE;
    if (lanes[i].constant || held || qn_c_is_name(lanes[i].text))
      named[i] = lanes[i];
    else if (twin < i)
      named[i] = named[twin];
    else
      named[i] = qn_c_declare(c, 'v', type->name, lanes[i].text);
    named[i].parts = lanes[i].parts;
    named[i].part_bits = lanes[i].part_bits;
    named[i].word = lanes[i].word;
    named[i].byte = lanes[i].byte;
  }
  c->values[value->id] = (qn_c_value){.count = count, .lanes = named};
}

/* ---- the function ---- */

/* Whether a variable's name begins at text[i]; its number and the end of the name. */
static bool is_variable(const char *text, size_t i, uint32_t *out_number, size_t *out_end) {
  bool begins = text[i] == 'v' || text[i] == 'i' || text[i] == 'a';
  if (!begins || !isdigit((unsigned char)text[i + 1])) return false;
  if (i > 0 && (isalnum((unsigned char)text[i - 1]) || text[i - 1] == '_')) return false;
  *out_number = 0;
  for (i++; isdigit((unsigned char)text[i]); i++)
    *out_number = *out_number * 10 + (uint32_t)(text[i] - '0');
  *out_end = i;
  return true;
}

static void note_uses(const qn_c *c, const char *text, bool *used) {
  uint32_t number;
  size_t end;
  if (text[0] == '/') return; /* a comment */
  for (size_t i = 0; text[i]; i++) {
    if (!is_variable(text, i, &number, &end)) continue;
    if (number < c->variables) used[number] = true;
    i = end - 1;
  }
}

/* Drops declarations of variables that nothing reads, such as lanes that a shuffle leaves out:
 * compilers warn of them. A use is always after the declaration, so one pass from the end
 * suffices. */
static void drop_unused(qn_c *c) {
  bool *used = QN_NEW_ARRAY(&c->arena, c->variables + 1, bool);
  for (size_t i = c->lines.count; i-- > 0;) {
    qn_c_line *line = &c->lines.data[i];
    bool dropped = line->declares > 0 && !used[line->declares - 1];
    if (dropped)
      line->text = NULL;
    else if (line->declares > 0)
      note_uses(c, strchr(line->text, '='), used);
    else
      note_uses(c, line->text, used);
  }
}

/* Parameters of kernels that nothing reads. */
static void put_unused_parameters(const qn_c *c, const char *head, qn_text *out) {
  static const char *const parameters[] = {"args", "lo", "hi"};
  if (!strstr(head, "*const *args")) return;
  for (size_t k = 0; k < QN_COUNT(parameters); k++) {
    bool read = false;
    const char *marks[] = {"args[", ")lo;", ")hi;"};
    for (size_t i = 0; i < c->lines.count && !read; i++)
      read = c->lines.data[i].text && strstr(c->lines.data[i].text, marks[k]);
    if (!read) qn_text_format(out, "  (void)%s;\n", parameters[k]);
  }
}

void qn_c_flush(qn_c *c, const char *head) {
  drop_unused(c);
  qn_text *out = &c->code;
  qn_text_format(out, "%s {\n", head);
  put_unused_parameters(c, head, out);
  for (size_t i = 0; i < c->lines.count; i++) {
    const qn_c_line *line = &c->lines.data[i];
    if (!line->text) continue;
    for (uint32_t k = 0; k <= line->indent; k++) qn_text_puts(out, "  ");
    qn_text_puts(out, line->text);
    qn_text_putc(out, '\n');
  }
  qn_text_puts(out, "}\n\n");
  c->lines.count = 0;
  c->indent = c->variables = 0;
}
