/* The table of importers. A new format, defined in this test, needs only one more row.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "import/importers.h"

#include "quant/profile.h"
#include "tests/unit/import/import_test.h"

static bool matches_planted(qn_bytes bytes) {
  return bytes.size >= 4 && memcmp(bytes.data, "PLNT", 4) == 0;
}

static qn_status read_planted(qn_ir_context *cx, qn_file *file, const qn_import_options *options,
                              qn_module **out_module) {
  *out_module = qn_module_create(cx, qn_loc_file(&cx->diag, options->path, 0, 0));
  qn_module_retain_file(*out_module, file);
  return QN_OK;
}

static const qn_import_operator planted_operators[] = {{"Planted", QN_OP_ML_ADD, 1}};
static const qn_import_catalogue planted_catalogue = {.operators = planted_operators,
                                                      .operator_count = 1};
static const qn_importer planted = {.name = "planted",
                                    .extension = ".plant",
                                    .numerics = "litert-ref",
                                    .matches = matches_planted,
                                    .read = read_planted,
                                    .catalogue = &planted_catalogue};
/* Its name begins with the name of another importer. */
static const qn_importer longer = {.name = "tflite-x",
                                   .extension = ".x",
                                   .numerics = "litert-ref",
                                   .matches = matches_planted,
                                   .read = read_planted,
                                   .catalogue = &planted_catalogue};
static const qn_importer *const rows[] = {&qn_tflite_importer, &longer, &planted};
static const qn_importer_table three = {rows, QN_COUNT(rows)};

static const uint8_t tflite_bytes[] = "\x1c\0\0\0TFL3";
static const uint8_t planted_bytes[] = "PLNT....";

static void test_bytes_select(void **state) {
  (void)state;
  qn_bytes tflite = {tflite_bytes, 8}, plant = {planted_bytes, 8};
  const qn_importer *const own[] = {&qn_tflite_importer, &planted};
  qn_importer_table two = {own, QN_COUNT(own)};
  assert_ptr_equal(qn_importer_of(qn_importers(), tflite), &qn_tflite_importer);
  assert_null(qn_importer_of(qn_importers(), plant));
  assert_ptr_equal(qn_importer_of(two, tflite), &qn_tflite_importer);
  assert_ptr_equal(qn_importer_of(two, plant), &planted);
  assert_null(qn_importer_of(two, (qn_bytes){planted_bytes, 3}));
  assert_null(qn_importer_of(two, (qn_bytes){tflite_bytes, 7}));
  assert_null(qn_importer_of(two, (qn_bytes){NULL, 0}));
}

static void test_reads(void **state) {
  (void)state;
  qn_ir_context cx;
  qn_ir_context_init(&cx);
  qn_file *file = qn_file_from_memory((qn_bytes){planted_bytes, 8}, true);
  qn_import_options options = {.path = qn_str_of("m.plant")};
  qn_module *module = NULL;
  const qn_importer *importer = qn_importer_of(three, qn_file_bytes(file));
  assert_int_equal(importer->read(&cx, file, &options, &module), QN_OK);
  qn_file_release(file);
  assert_int_equal(qn_verify(module), QN_OK);
  qn_module_destroy(module);
  qn_ir_context_deinit(&cx);
}

static void test_lists(void **state) {
  (void)state;
  bool unsupported;
  assert_ptr_equal(qn_importer_listed(three, "tflite", &unsupported), &qn_tflite_importer);
  assert_false(unsupported);
  assert_ptr_equal(qn_importer_listed(three, "tflite-refused", &unsupported), &qn_tflite_importer);
  assert_true(unsupported);
  assert_ptr_equal(qn_importer_listed(three, "tflite-x", &unsupported), &longer);
  assert_false(unsupported);
  assert_ptr_equal(qn_importer_listed(three, "tflite-x-refused", &unsupported), &longer);
  assert_true(unsupported);
  assert_ptr_equal(qn_importer_listed(three, "planted", &unsupported), &planted);
  assert_null(qn_importer_listed(qn_importers(), "planted", &unsupported));
  assert_null(qn_importer_listed(three, "tflit", &unsupported));
  assert_null(qn_importer_listed(three, "tflite-", &unsupported));
  assert_null(qn_importer_listed(three, "", &unsupported));
}

static void test_options_are_checked(void **state) {
  (void)state;
  qn_ir_context cx;
  qn_ir_context_init(&cx);
  qn_import_options options = {.path = qn_str_of("m"), .signature = qn_str_of("s")};
  assert_int_equal(qn_importer_check(&qn_tflite_importer, &cx.diag, &options), QN_OK);
  qn_diag_state quiet = qn_diag_silence(&cx.diag);
  assert_int_equal(qn_importer_check(&planted, &cx.diag, &options), QN_NOT_FOUND);
  options = (qn_import_options){.path = qn_str_of("m"), .any_size = true};
  assert_int_equal(qn_importer_check(&planted, &cx.diag, &options), QN_NOT_FOUND);
  options.batch = 4;
  assert_int_equal(qn_importer_check(&planted, &cx.diag, &options), QN_OK);
  qn_diag_restore(&cx.diag, &quiet);
  qn_ir_context_deinit(&cx);
}

static void assert_extensions(qn_importer_table table, const char *expected) {
  qn_text text = {0};
  qn_importer_extensions(table, NULL, &text);
  assert_string_equal(text.data, expected);
  qn_text_deinit(&text);
}

static void test_messages_name_them(void **state) {
  (void)state;
  assert_extensions(qn_importers(), ".tflite and .onnx");
  assert_extensions((qn_importer_table){rows, 2}, ".tflite and .x");
  assert_extensions(three, ".tflite, .x and .plant");
}

static bool is_profile(const char *name) {
  const qn_profile *profile;
  for (uint32_t i = 0; (profile = qn_profile_at(i)); i++)
    if (strcmp(profile->name, name) == 0) return true;
  return false;
}

/* Properties of each row that callers rely on. */
static void test_rows_are_complete(void **state) {
  (void)state;
  qn_importer_table all = qn_importers();
  for (size_t i = 0; i < all.count; i++) {
    const qn_importer *row = all.rows[i];
    assert_non_null(row->matches);
    assert_non_null(row->read);
    assert_non_null(row->catalogue);
    assert_int_equal(row->extension[0], '.');
    assert_true(is_profile(row->numerics));
    bool unsupported;
    assert_ptr_equal(qn_importer_listed(all, row->name, &unsupported), row);
    for (uint32_t k = 0; k < row->catalogue->refusal_count; k++)
      assert_true(row->catalogue->refusals[k].reason < row->catalogue->reason_count);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_bytes_select),
      cmocka_unit_test(test_reads),
      cmocka_unit_test(test_lists),
      cmocka_unit_test(test_options_are_checked),
      cmocka_unit_test(test_messages_name_them),
      cmocka_unit_test(test_rows_are_complete),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
