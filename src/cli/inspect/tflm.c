/* The RAM of TensorFlow Lite Micro beside that of an object. Its figure is measured, by
 * benchmarks/tflm_arena.sh, because no formula gives it: two models with the same operators,
 * tensors and channels differ by 9 kB beyond their tensors (tests/targets/README.md). A table has a
 * line per model: name, bytes, SHA-256 of the file. Only the digest decides, since a name says
 * nothing about the bytes that were measured.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "cli/inspect/inspect.h"
#include "cli/tensors/digest.h"

/* Reads a line "name bytes digest"; blank lines and those that begin with # have no digest (""). */
static cli_exit read_line(cli *c, size_t number, char *line, uint64_t *out_bytes,
                          const char **out_digest) {
  static const char blank[] = " \t\r";
  *out_digest = "";
  char *rest = line, *words[3] = {0};
  size_t count = 0;
  for (char *word; (word = strsep(&rest, blank));) {
    if (!*word) continue;
    if (count < CLI_COUNT(words)) words[count] = word;
    count++;
  }
  if (count == 0 || *words[0] == '#') return CLI_OK;
  const char *end = "";
  bool good = count == CLI_COUNT(words) && strlen(words[2]) == DIGEST_HEX - 1 &&
              strspn(words[2], "0123456789abcdef") == DIGEST_HEX - 1 &&
              cli_read_unsigned(words[1], &end, out_bytes) && !*end && *out_bytes <= INT64_MAX;
  if (!good)
    return cli_fail(c, CLI_INVALID, "%s:%zu: not a name, a number of bytes and a SHA-256",
                    c->options.tflm_arena, number);
  *out_digest = words[2];
  return CLI_OK;
}

/* Finds the line of the digest; *out_bytes stays if there is none. Reads all lines, so that an
 * error in the table does not depend on the model. */
static cli_exit find(cli *c, const char *digest, int64_t *out_bytes) {
  char *text = NULL;
  size_t size, number = 1;
  cli_exit code = cli_read_text(c, c->options.tflm_arena, &text, &size);
  for (char *line = text, *next; line && code == CLI_OK; line = next, number++) {
    uint64_t bytes = 0;
    const char *is;
    next = strchr(line, '\n');
    if (next) *next++ = '\0';
    code = read_line(c, number, line, &bytes, &is);
    if (code == CLI_OK && strcmp(is, digest) == 0) *out_bytes = (int64_t)bytes;
  }
  qn_free(text);
  return code;
}

static cli_exit digest_of_model(cli *c, char out_digest[DIGEST_HEX]) {
  const char *path = c->options.argument;
  char *data;
  size_t size;
  if (!path || strcmp(path, "-") == 0)
    return cli_fail(c, CLI_USAGE, "--tflm-arena needs the file of the model");
  cli_exit code = cli_read_file(c, path, &data, &size);
  if (code != CLI_OK) return code;
  digest_sha256(data, size, out_digest);
  qn_free(data);
  return CLI_OK;
}

static long long bytes_of(const json_t *tensors) {
  long long bytes = 0;
  size_t i;
  json_t *row;
  json_array_foreach(tensors, i, row) bytes += inspect_number(row, "bytes");
  return bytes;
}

/* What the arena of TensorFlow Lite Micro contains: arena, states, prepared constants, and inputs
 * and outputs, which --io-in-arena places in the arena. */
static long long comparable_bytes(const cli *c, const json_t *report) {
  const json_t *totals = json_object_get(report, "totals");
  long long bytes = inspect_number(totals, "arena_bytes") + inspect_number(totals, "state_bytes") +
                    inspect_number(totals, "prepared_bytes");
  if (c->options.io_in_arena) return bytes;
  return bytes + bytes_of(json_object_get(report, "inputs")) +
         bytes_of(json_object_get(report, "outputs"));
}

cli_exit inspect_add_tflm(cli *c, json_t *report) {
  char digest[DIGEST_HEX];
  int64_t bytes = -1;
  cli_exit code = digest_of_model(c, digest);
  if (code == CLI_OK) code = find(c, digest, &bytes);
  if (code != CLI_OK) return code;
  char *table = cli_need(strdup(c->options.tflm_arena));
  qn_make_printable(table);
  json_t *row = cli_need(json_pack("{s:s, s:o, s:I}", "table", table, "arena_bytes",
                                   bytes < 0 ? json_null() : json_integer(bytes), "quern_bytes",
                                   (json_int_t)comparable_bytes(c, report)));
  free(table);
  return json_object_set_new(report, "tflm", row) == 0 ? CLI_OK
                                                       : cli_fail(c, CLI_LIMIT, "out of memory");
}

void inspect_print_tflm(const json_t *report) {
  const json_t *row = json_object_get(report, "tflm"), *bytes = json_object_get(row, "arena_bytes");
  if (!row) return;
  printf("RAM with inputs, outputs and states: %lld bytes; ", inspect_number(row, "quern_bytes"));
  if (json_is_integer(bytes))
    printf("arena of TensorFlow Lite Micro, measured: %lld bytes (%s)\n",
           inspect_number(row, "arena_bytes"), inspect_text(row, "table"));
  else
    printf("%s has no figure of TensorFlow Lite Micro for this file\n", inspect_text(row, "table"));
}
