/* SYMBOL_model, the descriptor for Quern's runtime, with the structs of codegen/layout.h.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "codegen/c/c.h"
#include "codegen/layout.h"

enum { MAX_LITERAL = 4000 /* C99 compilers need not take more than 4095 characters */ };

/* ---- structs ---- */

static void put_field(const qn_c *c, const qn_cg_abi_field *field, qn_text *out) {
  static const struct {
    const char *type, *suffix;
  } kinds[] = {[QN_ABI_FIELD_I32] = {"uint32_t", ""},
               [QN_ABI_FIELD_I64] = {"int64_t", ""},
               [QN_ABI_FIELD_F64] = {"double", ""},
               [QN_ABI_FIELD_DIMS] = {"int64_t", "[16]"},
               [QN_ABI_FIELD_SIZES] = {"int32_t", "[16]"}};
  _Static_assert(QN_ABI_MAX_RANK == 16, "the suffix is the rank");
  qn_text_puts(out, "  ");
  if (field->kind != QN_ABI_FIELD_POINTER) {
    qn_text_format(out, "%s %s%s;\n", kinds[field->kind].type, field->text,
                   kinds[field->kind].suffix);
    return;
  }
  qn_c_put_template(c, field->text, out);
  qn_text_puts(out, ";\n");
}

static void put_structs(const qn_c *c, qn_text *out) {
  static const qn_cg_abi_struct_id needed[] = {QN_ABI_STRUCT_TENSOR, QN_ABI_STRUCT_SIZE,
                                               QN_ABI_STRUCT_PROBE,  QN_ABI_STRUCT_STEP,
                                               QN_ABI_STRUCT_LOOP,   QN_ABI_STRUCT_MODEL};
  unsigned count;
  const qn_cg_abi_struct *structs = qn_cg_abi_structs(&count);
  for (size_t i = 0; i < QN_COUNT(needed); i++) {
    const qn_cg_abi_struct *s = &structs[needed[i]];
    qn_text_format(out, "struct %s {\n", s->name);
    for (unsigned k = 0; k < s->count; k++) put_field(c, &s->fields[k], out);
    qn_text_puts(out, "};\n");
  }
  qn_text_putc(out, '\n');
}

/* ---- strings ---- */

/* Strings of the descriptor. One that is too long for a literal is an array. */
typedef struct strings {
  qn_text *before; /* arrays */
  uint32_t count;
} strings;

static void put_text(strings *s, const char *text, qn_text *out) {
  if (strlen(text) <= MAX_LITERAL / 4) { /* each character may be an escape of four */
    qn_c_put_string(out, text);
    return;
  }
  qn_text_format(s->before, "static const char text_%u[] = {", s->count);
  for (const char *at = text; *at; at++)
    qn_text_format(s->before, "%s%d,", (at - text) % 20 ? " " : "\n  ", *at);
  qn_text_puts(s->before, " 0\n};\n");
  qn_text_format(out, "text_%u", s->count++);
}

/* ---- tables ---- */

static void put_ints(qn_text *out, const int64_t *numbers, uint32_t count) {
  qn_text_puts(out, "{");
  for (uint32_t i = 0; i < count; i++)
    qn_text_format(out, "%s%lldll", i ? ", " : "", (long long)numbers[i]);
  qn_text_puts(out, count ? "}" : "0}");
}

static void put_tensor(strings *s, const qn_abi_tensor *t, qn_text *out) {
  int64_t sizes[QN_ABI_MAX_RANK];
  for (uint32_t i = 0; i < t->rank; i++) sizes[i] = t->sizes[i];
  put_text(s, t->name, out);
  qn_text_format(out, ", %uu, %uu, ", t->dtype, t->rank);
  put_ints(out, t->dims, t->rank);
  qn_text_puts(out, ", ");
  put_ints(out, sizes, t->rank);
  qn_text_format(out, ", %llull, %a, %lldll, %lldll, %llull", (unsigned long long)t->bytes,
                 t->scale, (long long)t->zero_point, (long long)t->index,
                 (unsigned long long)t->offset);
}

static void put_size(strings *s, const qn_abi_size *size, qn_text *out) {
  put_text(s, size->name, out);
  qn_text_format(out, ", %lldll", (long long)size->bound);
}

static void put_probe(strings *s, const qn_abi_probe *p, qn_text *out) {
  (void)s;
  qn_text_format(out, "%lldll, %lldll, %lldll, %lldll, %lldll", (long long)p->index,
                 (long long)p->offset, (long long)p->bytes, (long long)p->output,
                 (long long)p->size);
}

static void put_step(strings *s, const qn_abi_step *step, qn_text *out) {
  put_text(s, step->name, out);
  qn_text_format(out, ", %lldll, %lldll", (long long)step->macs, (long long)step->bytes);
}

static void put_loop(strings *s, const qn_abi_loop *loop, qn_text *out) {
  put_text(s, loop->name, out);
  qn_text_format(out, ", %lldll", (long long)loop->limit);
}

/* put_<row>s(s, name, rows, count, out): a table, if it is not empty. */
#define TABLE(row)                                                                                 \
  static void put_##row##s(strings *s, const char *name, const qn_abi_##row *rows, uint32_t count, \
                           qn_text *out) {                                                         \
    if (count == 0) return;                                                                        \
    qn_text_format(out, "static const struct qn_abi_" #row " %s[] = {\n", name);                   \
    for (uint32_t i = 0; i < count; i++) {                                                         \
      qn_text_puts(out, "  {");                                                                    \
      put_##row(s, &rows[i], out);                                                                 \
      qn_text_puts(out, i + 1 < count ? "},\n" : "}\n");                                           \
    }                                                                                              \
    qn_text_puts(out, "};\n");                                                                     \
  }
TABLE(tensor)
TABLE(size)
TABLE(probe)
TABLE(step)
TABLE(loop)
#undef TABLE

static const char *table_or_null(const char *name, uint32_t count) { return count ? name : "0"; }

static void put_model(qn_c *c, strings *s, qn_text *out) {
  const qn_abi_model *m = &c->source->interface.model;
  qn_text_format(out,
                 "const struct qn_abi_model %s_model = {\n  %uu, %uu, %uu, %uu, %uu, %uu, %uu, "
                 "%uu,\n  %s, %s, %s, %s, %s, %s, %s,\n  %llull, %llull,\n  %s_invoke, ",
                 c->symbol, m->version, m->input_count, m->output_count, m->state_count,
                 m->size_count, m->probe_count, m->step_count, m->loop_count,
                 table_or_null("inputs", m->input_count), table_or_null("outputs", m->output_count),
                 table_or_null("states", m->state_count), table_or_null("sizes", m->size_count),
                 table_or_null("probes", m->probe_count), table_or_null("steps", m->step_count),
                 table_or_null("loops", m->loop_count), (unsigned long long)m->arena_bytes,
                 (unsigned long long)m->state_bytes, c->symbol);
  if (m->state_count > 0)
    qn_text_format(out, "%s_reset, ", c->symbol);
  else
    qn_text_puts(out, "0, ");
  qn_text_format(out, "%s_supported,\n  ", c->symbol);
  put_text(s, qn_c_format(c, "%s (C)", c->source->level->name), out);
  qn_text_puts(out, ", ");
  put_text(s, m->numerics, out);
  qn_text_puts(out, "\n};\n");
}

void qn_c_put_descriptor(qn_c *c, qn_text *out) {
  const qn_abi_model *m = &c->source->interface.model;
  qn_text tables = {0};
  strings s = {.before = out};
  qn_text_puts(out, "/* ---- the description that Quern's runtime loads; not needed to call the "
                    "model ---- */\n\n");
  put_structs(c, out);
  put_tensors(&s, "inputs", m->inputs, m->input_count, &tables);
  put_tensors(&s, "outputs", m->outputs, m->output_count, &tables);
  put_tensors(&s, "states", m->states, m->state_count, &tables);
  put_sizes(&s, "sizes", m->sizes, m->size_count, &tables);
  put_probes(&s, "probes", m->probes, m->probe_count, &tables);
  put_steps(&s, "steps", m->steps, m->step_count, &tables);
  put_loops(&s, "loops", m->loops, m->loop_count, &tables);
  put_model(c, &s, &tables);
  qn_text_put(out, qn_text_view(&tables));
  qn_text_deinit(&tables);
}
