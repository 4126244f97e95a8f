/* quern opt: the parts of an input, one after the other.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include "cli/opt.h"

static cli_exit run_part(cli *c, const opt_job *job, const char *data, size_t size, FILE *out) {
  qn_load_options load = cli_load_options(c);
  qn_model *model;
  qn_status status =
      qn_model_load_memory(c->context, (qn_bytes){(const uint8_t *)data, size}, job->name, &load, &model);
  if (status != QN_OK) return cli_exit_of(status);
  status = qn_model_run(model, job->pipeline, &job->run);
  char *text = NULL;
  size_t text_size;
  if (status == QN_OK) status = qn_model_print(model, &job->text, &text, &text_size);
  if (status == QN_OK) fwrite(text, 1, text_size, out);
  qn_free(text);
  qn_model_destroy(model);
  return cli_exit_of(status);
}

cli_exit opt_run(cli *c, const opt_job *job) {
  char *text = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&text, &size);
  if (!out) return cli_fail(c, CLI_LIMIT, "out of memory");
  cli_exit code = run_part(c, job, job->input, job->input_size, out);
  fclose(out);
  if (code == CLI_OK) code = cli_write_file(c, c->options.output ? c->options.output : "-", text, size);
  free(text);
  return code;
}
