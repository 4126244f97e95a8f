/* quern opt: parse, verify, print.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "cli/cli.h"

static cli_exit opt(cli *c) {
  qn_model *model;
  cli_exit code = cli_load(c, &model);
  if (code != CLI_OK) return code;
  qn_text_options options = QN_TEXT_OPTIONS_INIT;
  options.generic = c->options.generic;
  char *text;
  size_t size;
  qn_status status = qn_model_print(model, &options, &text, &size);
  qn_model_destroy(model);
  if (status != QN_OK) return cli_fail(c, cli_exit_of(status), "%s", qn_status_name(status));
  code = cli_write_file(c, c->options.output ? c->options.output : "-", text, size);
  qn_free(text);
  return code;
}

static const char *const options[] = {"output", "generic", "allow-unregistered-dialect", "numerics",
                                      "dim", NULL};

const cli_command cli_opt = {
    .name = "opt",
    .argument = "FILE.mlir",
    .argument_optional = true,
    .summary = "read a module (standard input without FILE), verify it, print it",
    .options = options,
    .details = "Reads MLIR text of any stage, or a .tflite model. Every error is reported with its\n"
               "place; nothing is printed when there was one.\n",
    .run = opt,
};
