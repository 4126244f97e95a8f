/* The cache of compiled code in a folder: entries are found by all that determines the code,
 * checked, limited in size, and shared by processes.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <dirent.h>
#include <fcntl.h>
#include <quern/quern.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static const char model_text[] =
    "!q = !quant.uniform<i8:f32, 0.5:0>\nmodule attributes {quern.numerics = \"litert-ref\"} {\n"
    "func.func @main(%x: tensor<4x!q>) -> tensor<4x!q> {\n"
    "  %y = \"ml.add\"(%x, %x) : (tensor<4x!q>, tensor<4x!q>) -> tensor<4x!q>\n"
    "  return %y : tensor<4x!q>\n}\n}\n";

typedef struct fixture {
  qn_context *context;
  qn_model *model;
  qn_compile_options options;
  char root[64], folder[96];
} fixture;

static void load(fixture *f, const char *text) {
  qn_bytes bytes = {(const uint8_t *)text, strlen(text)};
  assert_int_equal(qn_model_load_memory(f->context, bytes, "net.mlir", NULL, &f->model), QN_OK);
}

static int open_fixture(void **state) {
  static fixture f;
  f = (fixture){.context = qn_context_create(),
                .options = QN_COMPILE_OPTIONS_INIT,
                .root = "/tmp/quern-cache-XXXXXX"};
  assert_non_null(mkdtemp(f.root));
  snprintf(f.folder, sizeof f.folder, "%s/deep/er", f.root);
  f.options.cache = f.folder;
  load(&f, model_text);
  *state = &f;
  return 0;
}

static int close_fixture(void **state) {
  fixture *f = *state;
  char command[128];
  qn_model_destroy(f->model);
  qn_context_destroy(f->context);
  snprintf(command, sizeof command, "rm -rf '%s'", f->root);
  return system(command);
}

/* Compiles, checks the results of the code, and returns whether the cache had it. */
static int found(fixture *f) {
  qn_executable *executable;
  const int8_t x[4] = {1, -2, 3, 100};
  int8_t y[4];
  assert_int_equal(qn_compile(f->model, &f->options, &executable), QN_OK);
  assert_int_equal(qn_executable_invoke(executable, (const void *const[]){x}, (void *const[]){y}),
                   QN_OK);
  for (int i = 0; i < 4; i++) assert_int_equal(y[i], i == 3 ? 127 : 2 * x[i]);
  int cached = qn_executable_get_stats(executable).cached;
  qn_executable_destroy(executable);
  return cached;
}

/* Returns the number of entries, and writes the path of one of them. */
static int entries(const fixture *f, char *out_path, size_t size) {
  DIR *dir = opendir(f->folder);
  int count = 0;
  for (const struct dirent *d; dir && (d = readdir(dir));) {
    if (d->d_name[0] == '.') continue;
    count++;
    if (out_path) snprintf(out_path, size, "%s/%s", f->folder, d->d_name);
  }
  if (dir) closedir(dir);
  return count;
}

static void second_time(void **state) {
  fixture *f = *state;
  struct stat info;
  assert_false(found(f));
  assert_true(found(f));
  assert_int_equal(entries(f, NULL, 0), 1);
  assert_int_equal(stat(f->folder, &info), 0);
  assert_int_equal(info.st_mode & 0777, 0700);
  f->options.cache = NULL;
  assert_false(found(f));
}

static void key_has_everything(void **state) {
  fixture *f = *state;
  assert_false(found(f));
  qn_compile_options plain = f->options;
  f->options.cpu = "baseline";
  assert_false(found(f));
  f->options = plain;
  f->options.symbol = "other";
  assert_false(found(f));
  f->options = plain;
  f->options.keep_tensors = 1;
  assert_false(found(f));
  f->options = plain;
  f->options.disabled = "graph-exact";
  assert_false(found(f));
  f->options = plain;
  qn_model_destroy(f->model);
  char other[sizeof model_text];
  memcpy(other, model_text, sizeof other);
  *strstr(other, "0.5:0") = '1'; /* another scale; results are the same */
  load(f, other);
  assert_false(found(f));
  assert_int_equal(entries(f, NULL, 0), 6);
}

/* Passes that run on a loaded model change the module, so the file no longer identifies it. */
static void changed_models_have_no_key(void **state) {
  fixture *f = *state;
  qn_pipeline *pipeline;
  assert_int_equal(qn_pipeline_parse(f->context, "cse", &pipeline), QN_OK);
  assert_int_equal(qn_model_run(f->model, pipeline, NULL), QN_OK);
  qn_pipeline_destroy(pipeline);
  assert_false(found(f));
  assert_false(found(f));
  assert_int_equal(entries(f, NULL, 0), 0);
}

static void put_byte(const char *path, off_t at, int flip) {
  int fd = open(path, O_RDWR);
  uint8_t byte = 0;
  assert_true(fd >= 0 && pread(fd, &byte, 1, at) == 1);
  byte ^= (uint8_t)flip;
  assert_int_equal(pwrite(fd, &byte, 1, at), 1);
  close(fd);
}

/* An entry with one damaged byte or a truncated one is not used: the model is compiled again and
 * the new entry is kept. */
static void damage_is_seen(void **state) {
  fixture *f = *state;
  char path[512];
  struct stat info;
  assert_false(found(f));
  assert_int_equal(entries(f, path, sizeof path), 1);
  assert_int_equal(stat(path, &info), 0);
  for (off_t at = 0; at < info.st_size; at += at < 160 ? 1 : info.st_size / 16) {
    put_byte(path, at, 0x40);
    assert_false(found(f));
    assert_true(found(f));
  }
  for (int part = 0; part < 4; part++) {
    assert_int_equal(truncate(path, info.st_size * part / 4), 0);
    assert_false(found(f));
    assert_true(found(f));
  }
}

static void size_is_bounded(void **state) {
  fixture *f = *state;
  char path[512];
  struct stat info;
  assert_false(found(f));
  assert_int_equal(entries(f, path, sizeof path), 1);
  assert_int_equal(stat(path, &info), 0);
  f->options.cache_bytes = 2 * (size_t)info.st_size + 512; /* all symbols have the same length */
  static const char *const symbols[] = {"net_a", "net_b", "net_c", "net_d"};
  for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++) {
    f->options.symbol = symbols[i];
    assert_false(found(f));
    assert_true(found(f));
    assert_true(entries(f, NULL, 0) <= 2);
  }
  f->options.cache_bytes = 64; /* smaller than an entry */
  f->options.symbol = "net_e";
  assert_false(found(f));
  assert_false(found(f));
}

/* Code in a folder that others can write to is not executed. */
static void folder_is_ours_alone(void **state) {
  fixture *f = *state;
  assert_false(found(f));
  assert_int_equal(chmod(f->folder, 0777), 0);
  assert_false(found(f));
  assert_int_equal(chmod(f->folder, 0700), 0);
  assert_true(found(f));
  f->options.cache = "/dev/null";
  assert_false(found(f));
}

static void processes_share_it(void **state) {
  fixture *f = *state;
  pid_t children[6];
  for (int i = 0; i < 6; i++) {
    children[i] = fork();
    if (children[i] != 0) continue;
    for (int k = 0; k < 8; k++) {
      f->options.symbol = k % 2 ? "net_a" : "net_b";
      found(f);
    }
    _exit(0);
  }
  for (int i = 0; i < 6; i++) {
    int status;
    assert_int_equal(waitpid(children[i], &status, 0), children[i]);
    assert_int_equal(status, 0);
  }
  assert_int_equal(entries(f, NULL, 0), 2);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, open_fixture, close_fixture)
  const struct CMUnitTest tests[] = {TEST(second_time),       TEST(key_has_everything),
                                     TEST(damage_is_seen),    TEST(changed_models_have_no_key),
                                     TEST(size_is_bounded),   TEST(folder_is_ours_alone),
                                     TEST(processes_share_it)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
