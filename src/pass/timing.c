/* Reports of times, in the three layouts of upstream: a tree, a list sorted by time in which equal
 * names are one, and JSON.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include "base/array.h"
#include "pass/manager.h"

/* Something that took time: a phase, a pipeline, or a pass. */
typedef struct time_row {
  qn_str name;
  double seconds;
  int depth; /* in the tree */
  bool pipeline;
} time_row;

typedef struct time_rows {
  qn_arena names;
  QN_ARRAY(time_row) rows;
} time_rows;

static double seconds_of(const qn_pipeline_node *node, const qn_pass_stats *stats) {
  if (node->pass) return stats[node->index].seconds;
  double sum = 0.0;
  for (const qn_pipeline_node *child = node->first; child; child = child->next)
    sum += seconds_of(child, stats);
  return sum;
}

static void add_phase(time_rows *r, const char *name, double seconds) {
  time_row row = {.name = qn_str_of(name), .seconds = seconds};
  if (seconds > 0.0) qn_array_push(&r->rows, row);
}

static void add_pipeline(time_rows *r, const qn_pipeline_node *parent, const qn_pass_stats *stats,
                         int depth) {
  qn_text name = {0};
  for (const qn_pipeline_node *node = parent->first; node; node = node->next) {
    qn_text_clear(&name);
    qn_put_node_name(node, &name);
    time_row row = {qn_arena_str(&r->names, qn_text_view(&name)), seconds_of(node, stats), depth,
                    !node->pass};
    qn_array_push(&r->rows, row);
    add_pipeline(r, node, stats, depth + 1);
  }
  qn_text_deinit(&name);
}

static double percent(double part, double total) {
  return total > 0.0 ? 100.0 * part / total : 0.0;
}

/* ---- text ---- */

static void put_row(const time_row *row, double total, qn_text *out) {
  qn_text_format(out, "  %8.4f (%5.1f%%)  %*s%.*s\n", row->seconds, percent(row->seconds, total),
                 2 * row->depth, "", QN_STR_ARG(row->name));
}

static int by_time(const void *a, const void *b) {
  const time_row *x = a, *y = b;
  if (x->seconds != y->seconds) return x->seconds < y->seconds ? 1 : -1;
  return qn_str_compare(x->name, y->name);
}

/* The passes and phases alone, each name once. */
static void make_list(time_rows *r) {
  size_t kept = 0;
  for (size_t i = 0; i < r->rows.count; i++) {
    time_row row = r->rows.data[i];
    size_t same = 0;
    while (same < kept && !qn_str_equal(r->rows.data[same].name, row.name)) same++;
    if (row.pipeline) continue;
    row.depth = 0;
    if (same < kept)
      r->rows.data[same].seconds += row.seconds;
    else
      r->rows.data[kept++] = row;
  }
  r->rows.count = kept;
  if (kept) qsort(r->rows.data, kept, sizeof *r->rows.data, by_time);
}

static void put_text(const time_rows *r, const time_row ends[2], qn_text *out) {
  double total = ends[1].seconds;
  qn_put_banner("... Execution time report ...", out);
  qn_text_format(out, "  Total Execution Time: %.4f seconds\n\n", total);
  qn_text_puts(out, "  ----Wall Time----  ----Name----\n");
  for (size_t i = 0; i < r->rows.count; i++) put_row(&r->rows.data[i], total, out);
  put_row(&ends[0], total, out);
  put_row(&ends[1], total, out);
}

/* ---- JSON ---- */

static void put_json_row(const time_row *row, double total, qn_text *out) {
  qn_text_format(
      out, "%*s{\"wall\": {\"duration\": %8.4f, \"percentage\": %5.1f}, \"name\": \"%.*s\"",
      2 * row->depth, "", row->seconds, percent(row->seconds, total), QN_STR_ARG(row->name));
}

/* The children of a row follow it; its list is closed before the next row that is not a child. */
static void put_json(const time_rows *r, const time_row ends[2], qn_text *out) {
  double total = ends[1].seconds;
  qn_text_puts(out, "[\n");
  for (size_t i = 0; i < r->rows.count; i++) {
    const time_row *row = &r->rows.data[i];
    int next = i + 1 < r->rows.count ? row[1].depth : 0;
    put_json_row(row, total, out);
    qn_text_puts(out, next > row->depth ? ", \"passes\": [\n" : ", \"passes\": []}");
    for (int depth = row->depth; depth > next; depth--)
      qn_text_format(out, "\n%*s]}", 2 * depth - 2, "");
    if (next <= row->depth) qn_text_puts(out, ",\n");
  }
  put_json_row(&ends[0], total, out);
  qn_text_puts(out, "},\n");
  put_json_row(&ends[1], total, out);
  qn_text_puts(out, "}\n]\n");
}

void qn_report_times(qn_timing timing, const qn_pipeline *pipeline, const qn_pass_stats *stats,
                     qn_phases phases, qn_text *out) {
  time_rows r = {0};
  qn_arena_init(&r.names);
  double total = phases.parser + phases.passes + phases.output;
  add_phase(&r, "Parser", phases.parser);
  add_pipeline(&r, pipeline->root, stats, 0);
  add_phase(&r, "Output", phases.output);
  double rest = phases.passes - seconds_of(pipeline->root, stats);
  const time_row ends[2] = {{.name = qn_str_of("Rest"), .seconds = rest},
                            {.name = qn_str_of("Total"), .seconds = total}};
  if (timing == QN_TIMING_LIST) make_list(&r);
  if (timing == QN_TIMING_JSON)
    put_json(&r, ends, out);
  else
    put_text(&r, ends, out);
  qn_array_free(&r.rows);
  qn_arena_deinit(&r.names);
}
