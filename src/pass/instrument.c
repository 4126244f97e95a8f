/* What people see of a running pipeline: IR dumps in MLIR's style, times, and counts.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "pass/manager.h"

#include <ctype.h>

void qn_run_write(const qn_run_settings *settings, const qn_text *text) {
  if (settings->write)
    settings->write(settings->user, qn_text_view(text));
  else
    (void)fwrite(text->data, 1, text->size, stderr);
}

/* "lower-quant-ops" becomes "LowerQuantOps". */
static void put_title(const qn_pass *pass, qn_text *out) {
  if (pass->title) {
    qn_text_puts(out, pass->title);
    return;
  }
  bool upper = true;
  for (const char *c = pass->name; *c; c++) {
    if (*c != '-') qn_text_putc(out, upper ? (char)toupper((unsigned char)*c) : *c);
    upper = *c == '-';
  }
}

/* ---- dumps ---- */

void qn_dump(const qn_run_settings *settings, const qn_module *module, const qn_op *op,
             const qn_pass *pass, qn_dump_kind kind) {
  static const char *const when[] = {
      [QN_DUMP_BEFORE] = "Before ", [QN_DUMP_AFTER] = "After ", [QN_DUMP_AFTER_FAILURE] = "After "};
  qn_text text = {0};
  qn_text_format(&text, "// -----// IR Dump %s", when[kind]);
  put_title(pass, &text);
  qn_text_format(&text, "%s (%s)", kind == QN_DUMP_AFTER_FAILURE ? " Failed" : "", pass->name);
  if (settings->print_module_scope) {
    qn_str symbol = qn_op_string(op, "sym_name", "");
    qn_text_format(&text, " ('%.*s' operation%s%.*s)", QN_STR_ARG(op->name),
                   symbol.size ? ": @" : "", QN_STR_ARG(symbol));
  }
  qn_text_puts(&text, " //----- //\n");
  if (settings->print_module_scope || op == module->op) {
    qn_text_print(module, &settings->print, &text);
  } else {
    qn_text_print_op(op, &settings->print, &text);
    qn_text_putc(&text, '\n');
  }
  qn_text_putc(&text, '\n');
  qn_run_write(settings, &text);
  qn_text_deinit(&text);
}

/* ---- times ---- */

static double seconds_of(const qn_pipeline_node *node, const qn_pass_stats *stats) {
  if (node->pass) return stats[node->index].seconds;
  double sum = 0.0;
  for (const qn_pipeline_node *child = node->first; child; child = child->next)
    sum += seconds_of(child, stats);
  return sum;
}

static void put_name(const qn_pipeline_node *node, qn_text *out) {
  if (node->pass)
    put_title(node->pass, out);
  else if (node->anchor == QN_OP_UNREGISTERED)
    qn_text_puts(out, "'any' Pipeline");
  else
    qn_text_format(out, "'%s' Pipeline", qn_op_infos[node->anchor].name);
}

static double percent(double part, double total) {
  return total > 0.0 ? 100.0 * part / total : 0.0;
}

static void put_time_row(double seconds, double total, int depth, qn_text *out) {
  qn_text_format(out, "  %8.4f (%5.1f%%)  %*s", seconds, percent(seconds, total), 2 * depth, "");
}

static void put_times(const qn_pipeline_node *parent, const qn_pass_stats *stats, double total,
                      int depth, qn_text *out) {
  for (const qn_pipeline_node *node = parent->first; node; node = node->next) {
    put_time_row(seconds_of(node, stats), total, depth, out);
    put_name(node, out);
    qn_text_putc(out, '\n');
    put_times(node, stats, total, depth + 1, out);
  }
}

static void put_banner(const char *title, qn_text *out) {
  static const char line[] =
      "===-------------------------------------------------------------------------===\n";
  int before = (int)(sizeof line - 2 - strlen(title)) / 2;
  qn_text_format(out, "%s%*s%s\n%s", line, before, "", title, line);
}

static void report_times(const qn_pipeline *pipeline, const qn_pass_stats *stats, double total,
                         qn_text *out) {
  put_banner("... Execution time report ...", out);
  qn_text_format(out, "  Total Execution Time: %.4f seconds\n\n", total);
  qn_text_puts(out, "  ----Wall Time----  ----Name----\n");
  put_times(pipeline->root, stats, total, 0, out);
  put_time_row(total - seconds_of(pipeline->root, stats), total, 0, out);
  qn_text_puts(out, "Rest\n");
  put_time_row(total, total, 0, out);
  qn_text_puts(out, "Total\n");
}

static void put_json_time(double seconds, double total, qn_text *out) {
  qn_text_format(out, "{\"wall\": {\"duration\": %8.4f, \"percentage\": %5.1f}, \"name\": \"",
                 seconds, percent(seconds, total));
}

static void put_json_times(const qn_pipeline_node *parent, const qn_pass_stats *stats, double total,
                           int depth, qn_text *out) {
  for (const qn_pipeline_node *node = parent->first; node; node = node->next) {
    qn_text_format(out, "%*s", 2 * depth, "");
    put_json_time(seconds_of(node, stats), total, out);
    put_name(node, out);
    qn_text_puts(out, "\", \"passes\": [");
    if (node->first) {
      qn_text_putc(out, '\n');
      put_json_times(node, stats, total, depth + 1, out);
      qn_text_format(out, "%*s", 2 * depth, "");
    }
    /* At the top level "Rest" and "Total" follow. */
    qn_text_puts(out, depth == 0 || node->next ? "]},\n" : "]}\n");
  }
}

static void report_json_times(const qn_pipeline *pipeline, const qn_pass_stats *stats, double total,
                              qn_text *out) {
  qn_text_puts(out, "[\n");
  put_json_times(pipeline->root, stats, total, 0, out);
  put_json_time(total - seconds_of(pipeline->root, stats), total, out);
  qn_text_puts(out, "Rest\"},\n");
  put_json_time(total, total, out);
  qn_text_puts(out, "Total\"}\n]\n");
}

/* ---- counts ---- */

static void put_counts(const qn_pipeline_node *parent, const qn_pass_stats *stats, int depth,
                       qn_text *out) {
  for (const qn_pipeline_node *node = parent->first; node; node = node->next) {
    qn_text_format(out, "%*s", 2 * depth, "");
    put_name(node, out);
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
                   const qn_pass_stats *stats, double total) {
  qn_text text = {0};
  if (settings->stats) {
    put_banner("... Pass statistics report ...", &text);
    put_counts(pipeline->root, stats, 0, &text);
  }
  if (settings->timing && settings->timing_json)
    report_json_times(pipeline, stats, total, &text);
  else if (settings->timing)
    report_times(pipeline, stats, total, &text);
  if (text.size) qn_run_write(settings, &text);
  qn_text_deinit(&text);
}
