/* Inputs of the tool other than models: its options, and files with labels, recorded tensors (JSON)
 * and expected diagnostics. The first byte selects one. Exit codes must be those for invalid input.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <getopt.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/expect.h"
#include "cli/golden.h"
#include "cli/labels.h"
#include "tests/fuzz/fuzz.h"

static void require_exit(cli_exit code) {
  fuzz_require(code == CLI_OK || code == CLI_USAGE || code == CLI_INVALID || code == CLI_LIMIT);
}

/* Splits the bytes at zeros to an argument vector. */
static void check_options(cli *c, const uint8_t *data, size_t size) {
  enum { MOST = 32 };
  char *words[MOST + 1] = {NULL}, *text = malloc(size + 1);
  int count = 0;
  if (size) memcpy(text, data, size);
  text[size] = 0;
  for (size_t at = 0; at <= size && count < MOST; at += strlen(text + at) + 1)
    words[count++] = text + at;
  optind = 0; /* restarts getopt */
  require_exit(cli_options_parse(c, count, words));
  free(c->options.passes);
  free(text);
}

static void check_labels(cli *c, const char *path) {
  static const int8_t scores[] = {3, -1, 7, 7, -128};
  labels names = {0};
  cli_exit code = labels_read(c, path, &names);
  require_exit(code);
  if (code != CLI_OK) return;
  qn_tensor_info info = {.dtype = QN_DTYPE_I8, .rank = 1, .dims = (const int64_t[]){5}, .bytes = 5};
  size_t count;
  label_rank *ranks = labels_rank(&names, &info, scores, 3, &count);
  for (size_t i = 0; i < count; i++) fuzz_require(strlen(ranks[i].label) < SIZE_MAX);
  free(ranks);
  labels_free(&names);
}

static void check_tensors(cli *c, const char *path) {
  golden_tensors tensors = {0};
  cli_exit code = golden_read_tensors(c, path, &tensors);
  require_exit(code);
  if (code == CLI_OK) golden_tensors_free(&tensors);
}

static void check_expected(cli *c, const uint8_t *data, size_t size) {
  expectations expected = {0};
  char *text = malloc(size + 1);
  if (size) memcpy(text, data, size);
  text[size] = 0;
  if (expect_read(c, "fuzz", text, size, 1, &expected) == CLI_OK) expect_end(&expected);
  free(text);
}

static int file_of(const uint8_t *data, size_t size, char *out_path, size_t path_size) {
  int file = memfd_create("fuzz", 0);
  fuzz_require(file >= 0 && write(file, data, size) == (ssize_t)size);
  snprintf(out_path, path_size, "/proc/self/fd/%d", file);
  return file;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size == 0) return 0;
  static bool quiet; /* messages are not tested, and there are many */
  if (!quiet) quiet = freopen("/dev/null", "w", stderr) != NULL;
  cli c = {.command = &cli_opt, .context = qn_context_create()};
  char path[64];
  int file = file_of(data + 1, size - 1, path, sizeof path);
  switch (data[0] % 4) {
  case 0:
    check_options(&c, data + 1, size - 1);
    break;
  case 1:
    check_labels(&c, path);
    break;
  case 2:
    check_tensors(&c, path);
    break;
  default:
    check_expected(&c, data + 1, size - 1);
  }
  close(file);
  qn_context_destroy(c.context);
  return 0;
}
