/* quern inspect: reports the contents of a model.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "cli/inspect/inspect.h"

#include <stdlib.h>

#include "cli/document.h"

static size_t count_unsupported(const json_t *report) {
  size_t i, count = 0;
  json_t *row;
  json_array_foreach(json_object_get(report, "operators"), i, row) count +=
      json_object_get(row, "unsupported") != NULL;
  return count;
}

/* The exit code after a report: CLI_UNSUPPORTED if the model can't be compiled. */
static cli_exit judge(const cli *c, const json_t *report) {
  if (json_is_true(json_object_get(report, "compilable"))) return CLI_OK;
  size_t count = count_unsupported(report);
  if (count > 0)
    return cli_fail(c, CLI_UNSUPPORTED, "%zu operator%s can't be compiled", count,
                    count == 1 ? "" : "s");
  return cli_fail(c, CLI_UNSUPPORTED, "%s", inspect_text(report, "problem"));
}

static cli_exit write_svg(cli *c, const json_t *report) {
  size_t size;
  char *svg = inspect_svg(report, &size);
  cli_exit code = cli_write_file(c, c->options.svg, svg, size);
  free(svg);
  return code;
}

cli_exit inspect_report(cli *c, const qn_model *model, const qn_compile_options *options,
                        json_t **out_report) {
  char *text;
  size_t size;
  c->progress = cli_progress_begin("inspecting", c->options.verbose);
  cli_exit code = cli_exit_of(qn_model_inspect_for(model, options, &text, &size));
  cli_progress_end(c->progress);
  c->progress = NULL;
  if (code != CLI_OK) return code;
  *out_report = json_loadb(text, size, 0, NULL);
  qn_free(text);
  return *out_report ? CLI_OK : cli_fail(c, CLI_LIMIT, "out of memory");
}

static cli_exit inspect(cli *c) {
  qn_model *model;
  qn_compile_options options;
  json_t *report = NULL;
  cli_exit code = cli_load(c, &model);
  if (code != CLI_OK) return code;
  code = cli_compile_options(c, model, &options);
  options.engine = QN_ENGINE_INTERPRETER; /* nothing runs, so --cpu may be of any architecture */
  if (code == CLI_OK) code = cli_usage_of(qn_compile_options_check(c->context, &options));
  if (code == CLI_OK) code = inspect_report(c, model, &options, &report);
  qn_model_destroy(model);
  if (code != CLI_OK) return code;
  code = judge(c, report);
  bool compiled = code == CLI_OK;
  if (compiled && c->options.svg) code = write_svg(c, report);
  if (c->options.json) {
    cli_exit printed = cli_print_document(c, report, JSON_INDENT(1));
    return code == CLI_OK ? printed : code;
  }
  inspect_print(report);
  if (compiled && c->options.memory) inspect_print_memory(report);
  json_decref(report);
  return code;
}

static const char *const options[] = {
    "memory",       "svg",      "json",        "cpu",         "features",
    "disable-pass", "optimize", "io-in-arena", "arena-limit", NULL};
static const char *const frequent[] = {"memory", "svg", "json", "numerics", "cpu", "batch", NULL};

const cli_command cli_inspect = {
    .name = "inspect",
    .argument = "MODEL",
    .summary = "print operators, tensors, quantization and memory",
    .groups = CLI_LOADING | CLI_REWRITING,
    .options = options,
    .frequent = frequent,
    .details = "Operators that cannot be compiled are listed with the reason, and the exit code is "
               "4. Shapes\n"
               "have the file's layout: images NHWC, filters OHWI, depthwise filters 1HWC. ROM is "
               "the size of\n"
               "an operator's packed constants; RAM is the size of the live arena while the "
               "operator runs.\n"
               "\n"
               "For operators with per-channel weights, the multiplier and the scale of the first "
               "channel are\n"
               "shown, followed by two dots. The range is what the stored values can represent.\n"
               "\n"
               "With --any-size, dynamic dimensions are shown as ?; sums, memory and image are "
               "those of the\n"
               "upper bound.\n",
    .run = inspect,
    .keeps_unsupported = true,
};
