/* Folders of recorded cases, as `quern verify --golden` reads them: which files exist, and their
 * contents. The input is a sequence of pieces (a byte for the name, two for the size, the bytes),
 * which become files of a folder. A model of one operator is verified against it. Exit codes must
 * be those for invalid input, or for equal or different tensors.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/cli.h"
#include "tests/fuzz/fuzz.h"

static const char model[] =
    "!q = !quant.uniform<i8:f32, 0.5:3>\n"
    "module attributes {quern.numerics = \"litert-ref\"} {\n"
    "func.func @main(%x: tensor<1x4x!q> {quern.name = \"x\"}) -> (tensor<1x4x!q> {quern.name = "
    "\"y\"}) {\n"
    "%y = \"ml.relu\"(%x) {quern.tensors = array<i64: 1>} : (tensor<1x4x!q>) -> tensor<1x4x!q>\n"
    "return %y : tensor<1x4x!q>\n}\n}\n";

/* Names that the tool reads, and similar ones. */
static const char *const names[] = {
    "a/in0.npy",      "a/out0.npy",   "a/tensors.json",  "a/record.json", "a/in0.1.npy",
    "a/out0.1.npy",   "a/state0.npy", "a/in1.npy",       "b/in0.npy",     "b/out0.npy",
    "b/tensors.json", "a/in00.npy",   "a/tensors.json/", "in0.npy",       "a/tensors.1.json"};

static char folder[64];

static int remove_one(const char *path, const struct stat *info, int kind, struct FTW *where) {
  (void)info, (void)kind, (void)where;
  return remove(path);
}

static void remove_folder(void) { nftw(folder, remove_one, 8, FTW_DEPTH | FTW_PHYS); }

static void write_file(const char *name, const void *data, size_t size) {
  char path[256];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  if (path[strlen(path) - 1] == '/') { /* a folder in place of a file */
    mkdir(path, 0700);
    return;
  }
  int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (file < 0) return; /* a folder has that name */
  fuzz_require(write(file, data, size) == (ssize_t)size);
  close(file);
}

static void make_folder(const uint8_t *data, size_t size) {
  static const char *const parts[] = {"", "/g", "/g/a", "/g/b"};
  snprintf(folder, sizeof folder, "/tmp/quern-fuzz-%ld", (long)getpid());
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
    char path[128];
    snprintf(path, sizeof path, "%s%s", folder, parts[i]);
    fuzz_require(mkdir(path, 0700) == 0);
  }
  write_file("m.mlir", model, sizeof model - 1);
  while (size >= 3) {
    char name[64];
    size_t bytes = data[1] | (size_t)data[2] << 8;
    snprintf(name, sizeof name, "g/%s", names[data[0] % (sizeof names / sizeof *names)]);
    data += 3, size -= 3;
    if (bytes > size) bytes = size;
    write_file(name, data, bytes);
    data += bytes, size -= bytes;
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static bool quiet; /* messages are not tested, and there are many */
  if (!quiet) quiet = freopen("/dev/null", "w", stderr) && freopen("/dev/null", "w", stdout);
  char source[128], golden[128];
  make_folder(data, size);
  snprintf(source, sizeof source, "%s/m.mlir", folder);
  snprintf(golden, sizeof golden, "%s/g", folder);
  char command[] = "verify", of[] = "--golden", by[] = "--engine", engine[] = "interpreter";
  char *words[] = {command, source, of, golden, by, engine, NULL};
  cli c = {.command = &cli_verify, .context = qn_context_create()};
  fuzz_require(cli_options_parse(&c, 6, words) == CLI_OK);
  cli_exit code = cli_verify.run(&c);
  fuzz_require(code == CLI_OK || code == CLI_MISMATCH || code == CLI_INVALID ||
               code == CLI_UNSUPPORTED || code == CLI_LIMIT || code == CLI_USAGE);
  free(c.options.passes);
  qn_context_destroy(c.context);
  remove_folder();
  return 0;
}
