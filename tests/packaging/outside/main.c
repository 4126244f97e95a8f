/* A program of somebody else's: runs a model with an installed Quern. Usage: outside MODEL
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <quern/quern.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if !QN_VERSION_AT_LEAST(QN_VERSION_MAJOR, QN_VERSION_MINOR, QN_VERSION_PATCH) ||                  \
    QN_VERSION_AT_LEAST(QN_VERSION_MAJOR, QN_VERSION_MINOR, QN_VERSION_PATCH + 1)
#error "QN_VERSION_AT_LEAST does not compare versions"
#endif

/* A name that Quern uses inside: it is free for others. */
int qn_name_distance(void);
int qn_name_distance(void) { return 7; }

/* Inputs of zeros give outputs without a status to complain of. */
static int run(qn_executable *executable) {
  void *data[2][8] = {{NULL}};
  const void *inputs[8] = {NULL};
  uint32_t counts[2] = {qn_executable_input_count(executable),
                        qn_executable_output_count(executable)};
  if (counts[0] > 8 || counts[1] > 8) return 1;
  for (uint32_t i = 0; i < counts[0]; i++)
    inputs[i] = data[0][i] = calloc(qn_executable_input(executable, i).bytes, 1);
  for (uint32_t i = 0; i < counts[1]; i++)
    data[1][i] = calloc(qn_executable_output(executable, i).bytes, 1);
  qn_status status = qn_executable_invoke(executable, inputs, data[1]);
  for (int side = 0; side < 2; side++)
    for (uint32_t i = 0; i < counts[side]; i++) free(data[side][i]);
  return status != QN_OK;
}

int main(int argc, char **argv) {
  qn_context *context = qn_context_create();
  qn_model *model;
  qn_executable *executable;
  if (argc != 2 || !context || strcmp(qn_version(), QN_VERSION) != 0 || qn_name_distance() != 7)
    return 1;
  if (qn_model_load(context, argv[1], NULL, &model) != QN_OK) return 1;
  if (qn_compile(model, NULL, &executable) != QN_OK) return 1;
  int failed = run(executable);
  qn_executable_destroy(executable);
  qn_model_destroy(model);
  qn_context_destroy(context);
  if (!failed) printf("quern %s\n", QN_VERSION);
  return failed;
}
