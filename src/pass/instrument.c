/* Reports of a running pipeline: IR dumps in MLIR's style, and counts. Times are in timing.c.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "pass/manager.h"

void qn_run_write(const qn_run_settings *settings, const qn_text *text) {
  if (settings->write)
    settings->write(settings->user, qn_text_view(text));
  else
    (void)fwrite(text->data, 1, text->size, stderr);
}

/* ---- dumps ---- */

void qn_dump_op(const qn_run_settings *settings, const qn_module *module, const qn_op *op,
                qn_text *out) {
  if (settings->print_module_scope || op == module->op) {
    qn_text_print(module, &settings->print, out);
  } else {
    qn_text_print_op(op, &settings->print, out);
    qn_text_putc(out, '\n');
  }
}

void qn_dump(const qn_run_settings *settings, const qn_module *module, const qn_op *op,
             const qn_pass *pass, qn_dump_kind kind) {
  static const char *const when[] = {
      [QN_DUMP_BEFORE] = "Before ", [QN_DUMP_AFTER] = "After ", [QN_DUMP_AFTER_FAILURE] = "After "};
  qn_text text = {0};
  qn_text_format(&text, "// -----// IR Dump %s", when[kind]);
  qn_put_title(pass, &text);
  qn_text_format(&text, "%s (%s)", kind == QN_DUMP_AFTER_FAILURE ? " Failed" : "", pass->name);
  if (settings->print_module_scope) {
    qn_str symbol = qn_op_sym_name(op);
    qn_text_format(&text, " ('%.*s' operation%s%.*s)", QN_STR_ARG(op->name),
                   symbol.size ? ": @" : "", QN_STR_ARG(symbol));
  }
  qn_text_puts(&text, " //----- //\n");
  qn_dump_op(settings, module, op, &text);
  qn_text_putc(&text, '\n');
  qn_run_write(settings, &text);
  qn_text_deinit(&text);
}

/* ---- counts ---- */

static void put_counts(const qn_pipeline_node *parent, const qn_pass_stats *stats, int depth,
                       qn_text *out) {
  for (const qn_pipeline_node *node = parent->first; node; node = node->next) {
    qn_text_format(out, "%*s", 2 * depth, "");
    qn_put_node_name(node, out);
    qn_text_putc(out, '\n');
    if (node->pass) {
      const qn_pass_stats *s = &stats[node->index];
      qn_text_format(out, "%*s(S) %u runs, %u changed the IR, %u skipped\n", 2 * depth + 2, "",
                     s->runs, s->changed, s->skipped);
    }
    put_counts(node, stats, depth + 1, out);
  }
}

void qn_run_report(const qn_run_settings *settings, const qn_pipeline *pipeline,
                   const qn_pass_stats *stats, qn_phases phases) {
  qn_text text = {0};
  if (settings->stats) {
    qn_put_banner("... Pass statistics report ...", &text);
    put_counts(pipeline->root, stats, 0, &text);
  }
  if (settings->timing) qn_report_times(settings->timing, pipeline, stats, phases, &text);
  if (text.size) qn_run_write(settings, &text);
  qn_text_deinit(&text);
}
