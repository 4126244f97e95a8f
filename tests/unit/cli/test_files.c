/* .npy files, literals and tables of the command-line tool.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <poll.h>
#include <pty.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include "cli/tensors/literal.h"
#include "cli/tensors/npy.h"
#include "cli/table.h"

#include <cmocka.h>

static void arrays_survive_a_round_trip(void **state) {
  (void)state;
  static const int64_t dims[] = {2, 3, 1};
  static const uint8_t numbers[48] = {1, 2, 3, 4, 5}, bools[48] = {1, 0, 1};
  for (int dtype = QN_DTYPE_I8; dtype <= QN_DTYPE_BOOL; dtype++) {
    const uint8_t *data = dtype == QN_DTYPE_BOOL ? bools : numbers;
    for (uint32_t rank = 0; rank <= 3; rank++) {
      size_t count = rank == 0 ? 1 : rank == 1 ? 2 : 6, size;
      size_t bytes = count * npy_dtype_size((qn_dtype)dtype);
      void *file = npy_encode((qn_dtype)dtype, rank, dims, data, bytes, &size);
      npy array;
      assert_null(npy_decode(file, size, &array));
      assert_int_equal(array.dtype, dtype);
      assert_int_equal(array.rank, rank);
      assert_memory_equal(array.dims, dims, rank * sizeof *dims);
      assert_int_equal(array.bytes, bytes);
      assert_memory_equal(array.data, data, bytes);
      assert_int_equal((size - bytes) % 64, 0);
      free(file);
    }
  }
}

/* The bytes that numpy 1.x wrote for np.array([[1, -2]], dtype=np.int16). */
static void files_of_numpy_are_read(void **state) {
  (void)state;
  static const char file[] =
      "\x93NUMPY\x01\x00v\x00{'descr': '<i2', 'fortran_order': False, 'shape': (1, 2), }"
      "                                                          \n\x01\x00\xfe\xff";
  npy array;
  assert_null(npy_decode(file, sizeof file - 1, &array));
  assert_int_equal(array.dtype, QN_DTYPE_I16);
  assert_int_equal(array.rank, 2);
  assert_int_equal(array.dims[1], 2);
  assert_int_equal(array.bytes, 4);
}

/* Puts a header into a version 1 file with `bytes` bytes of data and tries to read it. */
static const char *decode(const char *header, size_t bytes) {
  static char file[1024];
  size_t size = strlen(header);
  memcpy(file, "\x93NUMPY\x01\x00", 8);
  file[8] = (char)size;
  file[9] = 0;
  memcpy(file + 10, header, size);
  memset(file + 10 + size, 0, bytes);
  npy array;
  return npy_decode(file, 10 + size + bytes, &array);
}

static void malformed_headers_are_refused(void **state) {
  (void)state;
  assert_null(decode("{'shape': (3,), 'fortran_order': False, 'descr': '|i1'}", 3));
  assert_null(decode("{'descr': '|b1', 'fortran_order': False, 'shape': ()}", 1));
  static const char *const bad[] = {
      "",
      "{",
      "{}",
      "{'descr': '|i1', 'fortran_order': False}",
      "{'descr': '|i1', 'fortran_order': False, 'shape': (3}",
      "{'descr': '|i1', 'fortran_order': False, 'shape': (3,) ",
      "{'descr': '>i2', 'fortran_order': False, 'shape': (3,)}",
      "{'descr': '|i1', 'fortran_order': True, 'shape': (3,)}",
      "{'descr': '|i1', 'fortran_order': False, 'shape': (-3,)}",
      "{'descr': '|i1', 'fortran_order': False, 'shape': (4,)}",
      "{'descr': '|i1', 'fortran_order': False, 'shape': (3,), 'shape': (3,)}",
      "{'descr': '|i1', 'fortran_order': False, 'shape': (99999999999999999999,)}",
      "{'descr': '|i1', 'fortran_order': False, 'shape': (4294967296, 4294967296, 3)}",
  };
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) assert_non_null(decode(bad[i], 3));
}

/* Files of every rank up to numpy's limit can be written and read again. */
static void every_rank_survives_a_round_trip(void **state) {
  (void)state;
  int64_t dims[400];
  static const uint8_t data[1] = {7};
  for (uint32_t rank = 0; rank <= 400; rank++) {
    for (uint32_t i = 0; i < rank; i++) dims[i] = 1;
    if (rank) dims[0] = 0;
    if (rank > 1) dims[rank - 1] = INT64_MAX; /* the largest size */
    size_t size, bytes = rank ? 0 : 1;
    void *file = npy_encode(QN_DTYPE_U8, rank, dims, data, bytes, &size);
    npy array;
    if (rank <= NPY_MAX_RANK) {
      assert_null(npy_decode(file, size, &array));
      assert_int_equal(array.rank, rank);
      assert_memory_equal(array.dims, dims, rank * sizeof *dims);
    } else {
      assert_null(file);
    }
    free(file);
  }
  char header[512] = "{'descr': '|i1', 'fortran_order': False, 'shape': (";
  for (int i = 0; i <= NPY_MAX_RANK; i++) strcat(header, "1,");
  strcat(header, ")}");
  assert_non_null(strstr(decode(header, 1), "dimensions"));
}

static void bools_are_zero_or_one(void **state) {
  (void)state;
  for (int value = 0; value < 256; value++) {
    uint8_t data[3] = {1, (uint8_t)value, 0};
    const int64_t dims[] = {3};
    size_t size;
    void *file = npy_encode(QN_DTYPE_BOOL, 1, dims, data, sizeof data, &size);
    npy array;
    const char *problem = npy_decode(file, size, &array);
    assert_int_equal(problem == NULL, value <= 1);
    free(file);
  }
}

static void every_truncation_is_refused(void **state) {
  (void)state;
  const int64_t dims[] = {3};
  size_t size;
  char *file = npy_encode(QN_DTYPE_I32, 1, dims, "abcdefghijkl", 12, &size);
  for (size_t i = 0; i < size; i++) {
    char *copy = malloc(i + 1); /* of exact size, so that a sanitizer detects reads beyond it */
    memcpy(copy, file, i);
    npy array;
    assert_non_null(npy_decode(copy, i, &array));
    free(copy);
  }
  free(file);
}

static void literals_have_type_shape_and_values(void **state) {
  (void)state;
  literal value;
  assert_null(literal_parse("2x2xi8=1,-2,3,-128", &value));
  assert_int_equal(value.dtype, QN_DTYPE_I8);
  assert_int_equal(value.rank, 2);
  assert_memory_equal(value.data, "\x01\xfe\x03\x80", 4);
  literal_free(&value);
  assert_null(literal_parse("3xf32=0.5", &value));
  for (int i = 0; i < 3; i++) assert_true(((const float *)value.data)[i] == 0.5f);
  literal_free(&value);
  assert_null(literal_parse("i64=-9223372036854775808", &value));
  assert_int_equal(*(const int64_t *)value.data, INT64_MIN);
  literal_free(&value);
  static const char *const bad[] = {"",
                                    "4x",
                                    "i8",
                                    "i9=1",
                                    "2xi8=1,2,3",
                                    "3xi8=1,2",
                                    "i8=128",
                                    "u8=-1",
                                    "i8=",
                                    "i8=1,",
                                    "i8=1x",
                                    "0xi8=1",
                                    "xi8=1",
                                    "bool=2",
                                    "f32=a",
                                    "i8=1 2",
                                    "-1xi8=1",
                                    "99999999999x99999999999xi8=1",
                                    "i64=9223372036854775808"};
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
    assert_non_null(literal_parse(bad[i], &value));
  }
}

static void tables_align_and_clean(void **state) {
  (void)state;
  static const cli_column columns[] = {{"name", 'l'}, {NULL, 's'}, {"n", 'r'}};
  static const char long_name[] =
      "m.tflite: operator 12 (CONV_2D), tensor "
      "'model/batch_normalization/FusedBatchNormV3;model/conv2d/BiasAdd'";
  char *text = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&text, &size);
  cli_table table;
  CLI_TABLE_BEGIN(&table, columns);
  cli_table_cell(&table, "%s", "\xC3\xA4\xC3\xB6"); /* two letters, four bytes */
  cli_table_cell(&table, "%d", 12345);
  cli_table_tensor(&table, "/tmp/m.tflite: operator 3 (ADD), tensor 'it's \033[1m'");
  cli_table_label(&table, long_name);
  cli_table_tensor(&table, "x.mlir:3:10");
  cli_table_label(&table, "x.mlir:3:10");
  cli_table_tensor(&table, "elsewhere");
  cli_table_label(&table, "elsewhere");
  cli_table_end(&table, out);
  fclose(out);
  assert_string_equal(text, "name             n\n"
                            "\xC3\xA4\xC3\xB6           12345\n"
                            "it's ?[1m       12\n"
                            "x.mlir:3:10   3:10\n"
                            "elsewhere         \n");
  free(text);
}

static void print_names(FILE *out) {
  static const cli_column columns[] = {{"#", 'r'}, {"tensor", 's'}, {"n", 'l'}};
  static const char long_name[] = "m: operator 12 (CONV_2D), tensor "
                                  "'model/batch_norm/\xC3\xA4\xC3\xB6\xC3\xBC/conv2d/BiasAdd'";
  cli_table table;
  CLI_TABLE_BEGIN(&table, columns);
  cli_table_label(&table, long_name);
  cli_table_tensor(&table, long_name);
  cli_table_cell(&table, "%d", 7);
  cli_table_end(&table, out);
  fclose(out);
}

/* What is printed on a terminal with `columns` columns. The other end stays open until all is read.
 */
static void print_on_terminal(unsigned short columns, char *out, size_t size) {
  struct winsize window = {.ws_row = 24, .ws_col = columns};
  int terminal, file;
  if (openpty(&terminal, &file, NULL, NULL, &window) != 0) {
    print_message("no terminals can be had here\n");
    skip();
  }
  int kept = dup(file);
  print_names(fdopen(file, "w"));
  assert_int_equal(tcdrain(kept), 0);
  struct pollfd ready = {.fd = terminal, .events = POLLIN};
  size_t used = 0;
  while (used + 1 < size && poll(&ready, 1, used > 0 ? 100 : 5000) > 0) {
    ssize_t got = read(terminal, out + used, size - 1 - used);
    if (got <= 0) break;
    used += (size_t)got;
  }
  assert_true(used > 0);
  out[used] = '\0';
  close(kept);
  close(terminal);
}

static void names_are_shortened_on_terminals_only(void **state) {
  (void)state;
  char *text = NULL;
  size_t size = 0;
  print_names(open_memstream(&text, &size));
  assert_string_equal(text, " #  tensor                               n\n"
                            "12  model/batch_norm/\xC3\xA4\xC3\xB6\xC3\xBC/conv2d/BiasAdd  7\n");
  free(text);
  char seen[512];
  print_on_terminal(200, seen, sizeof seen);
  assert_non_null(strstr(seen, "/\xC3\xA4\xC3\xB6\xC3\xBC/conv2d/"));
  print_on_terminal(41, seen, sizeof seen);
  assert_string_equal(seen, " #  tensor                              n\r\n"
                            "12  model/batch_nor...\xC3\xBC/conv2d/BiasAdd  7\r\n");
  print_on_terminal(5, seen, sizeof seen); /* so narrow that names are cut */
  assert_non_null(strstr(seen, "mode...asAdd"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(arrays_survive_a_round_trip),
      cmocka_unit_test(files_of_numpy_are_read),
      cmocka_unit_test(malformed_headers_are_refused),
      cmocka_unit_test(every_truncation_is_refused),
      cmocka_unit_test(every_rank_survives_a_round_trip),
      cmocka_unit_test(bools_are_zero_or_one),
      cmocka_unit_test(literals_have_type_shape_and_values),
      cmocka_unit_test(tables_align_and_clean),
      cmocka_unit_test(names_are_shortened_on_terminals_only),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
