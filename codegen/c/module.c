/* The file as a whole: the header of the object, checks of the compiler, helpers, constants,
 * kernels, entry points, the descriptor.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "codegen/c/c.h"
#include "ir/walk.h"

static void note_launches(qn_c *c) {
  QN_FOR_EACH_NESTED_OP(op, c->source->interface.main) {
    if (op->kind != QN_OP_QUERN_LAUNCH) continue;
    const qn_op *kernel = qn_cg_named(c->source, qn_op_kernel(op));
    qn_map_set(&c->used, kernel, (void *)(uintptr_t)kernel);
  }
}

/* Writes kernels that are launched: compilers warn of others. */
static void write_file(qn_c *c, const qn_text *header, qn_text *out) {
  note_launches(c);
  QN_FOR_EACH_OP(op, qn_op_body(c->source->module->op)) {
    bool kernel = op->kind == QN_OP_FUNC && op != c->source->interface.main;
    if (kernel && qn_map_get(&c->used, op)) qn_c_emit_kernel(c, op);
  }
  qn_c_emit_entry_points(c);
  qn_text_put(out, qn_text_view(header));
  qn_text_puts(out, "\n/* ---- the code: C99, for any compiler ---- */\n\n");
  qn_c_put_checks(c, out);
  qn_c_put_helpers(c, out);
  qn_c_put_constants(c, out);
  qn_text_put(out, qn_text_view(&c->code));
  qn_c_put_descriptor(c, out);
}

static void close(qn_c *c) {
  qn_array_free(&c->lines);
  qn_text_deinit(&c->code);
  qn_str_map_deinit(&c->taken);
  qn_map_deinit(&c->names);
  qn_map_deinit(&c->used);
  qn_arena_deinit(&c->arena);
}

static qn_status write(const qn_cg_source *source, qn_text *out) {
  qn_text header = {0};
  QN_TRY(qn_codegen_declarations(source->module, source->options, &header));
  qn_c c = {.source = source,
            .symbol = source->options->symbol.data,
            .index_bits = source->level->index_bits};
  qn_arena_init(&c.arena);
  c.values = QN_NEW_ARRAY(&c.arena, source->module->value_count + 1, qn_c_value);
  qn_c_name_symbols(&c);
  write_file(&c, &header, out);
  close(&c);
  qn_text_deinit(&header);
  return QN_OK;
}

qn_status qn_codegen_c(const qn_module *loops, const qn_codegen_options *options, qn_text *out) {
  qn_cg_source source;
  qn_status status = qn_cg_source_open(&source, &qn_cg_c, loops, options, 1);
  if (status == QN_OK) status = write(&source, out);
  qn_cg_source_close(&source);
  return status;
}
