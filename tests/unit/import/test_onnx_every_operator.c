/* Every operator of .onnx files that the importer supports: a node that it accepts, and one that it
 * rejects with a message (onnx_operators.def). Operands are tensors of a palette.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/import/onnx_test.h"

typedef struct row {
  const char *domain, *op, *results, *good, *good_attributes, *bad, *bad_attributes;
  qn_status status;
  const char *message;
} row;
static const row rows[] = {
#define ROW(domain, op, results, good, good_attributes, bad, bad_attributes, status, message)      \
  {domain, #op, results, good, good_attributes, bad, bad_attributes, status, message},
#include "tests/unit/import/onnx_operators.def"
#undef ROW
};

/* ---- the palette ---- */

enum { MOST_NUMBERS = 64 };

static const struct {
  const char *name;
  int64_t type;
  const char *dims;
} inputs[] = {
    {"f1", QN_ONB_FLOAT, "4"},       {"f2", QN_ONB_FLOAT, "2,4"},
    {"f3", QN_ONB_FLOAT, "1,2,4"},   {"f3x", QN_ONB_FLOAT, "3"},
    {"f4", QN_ONB_FLOAT, "1,4,4,4"}, {"f2k", QN_ONB_FLOAT, "2,32"},
    {"f2t", QN_ONB_FLOAT, "1,2,3"},  {"f3c", QN_ONB_FLOAT, "1,4,1"},
    {"g4", QN_ONB_FLOAT, "1,2,2,2"}, {"b2", QN_ONB_BOOL, "2,4"},
    {"j2", QN_ONB_INT32, "2,4"},     {"i0", QN_ONB_INT64, ""},
    {"i1", QN_ONB_INT64, "2"},       {"i2", QN_ONB_INT64, "1,1"},
    {"u2", QN_ONB_UINT8, "2,4"},     {"u4", QN_ONB_UINT8, "1,4,4,4"},
};

/* Constants with one number in all elements. */
static const struct {
  const char *name;
  int64_t type;
  const char *dims;
  uint32_t count;
  float number;
} constants[] = {
    {"c0", QN_ONB_FLOAT, "", 1, 0.5F},
    {"c1", QN_ONB_FLOAT, "4", 4, 0.5F},
    {"c2", QN_ONB_FLOAT, "4,4", 16, 0.5F},
    {"c2v", QN_ONB_FLOAT, "2", 2, 0.5F},
    {"c22", QN_ONB_FLOAT, "1,2,2", 4, 0.5F},
    {"c3", QN_ONB_FLOAT, "3", 3, 0.5F},
    {"c4", QN_ONB_FLOAT, "4,4,1,1", 16, 0.5F},
    {"c12", QN_ONB_FLOAT, "1,12,4", 48, 0.5F},
    {"c16", QN_ONB_FLOAT, "1,16,4", 64, 0.5F},
    {"c44", QN_ONB_FLOAT, "1,4,4", 16, 0.5F},
    {"nbs", QN_ONB_FLOAT, "1", 1, 0.5F},
    {"s", QN_ONB_FLOAT, "", 1, 0.5F},
    {"zero", QN_ONB_FLOAT, "", 1, 0},
    {"z", QN_ONB_UINT8, "", 1, 0},
    {"k", QN_ONB_INT8, "", 1, 0},
    {"w2", QN_ONB_INT8, "4,4", 16, 1},
    {"w3", QN_ONB_INT8, "3,3", 9, 1},
    {"w4", QN_ONB_INT8, "4,4,1,1", 16, 1},
    {"nb", QN_ONB_UINT8, "1,1,16", 16, 1},
    {"yes", QN_ONB_BOOL, "", 1, 1},
};

/* Integers: sizes, axes, indices. */
static const struct {
  const char *name, *dims;
  uint32_t count;
  int64_t numbers[4];
} whole[] = {
    {"n0", "1", 1, {0}},          {"n1", "1", 1, {1}},           {"n9", "1", 1, {9}},
    {"nv8", "1", 1, {8}},         {"nv22", "2", 2, {2, 2}},      {"nv24", "2", 2, {2, 4}},
    {"n4", "4", 4, {0, 1, 0, 1}}, {"nv4", "4", 4, {1, 1, 2, 2}}, {"ns0", "", 1, {0}},
    {"ns1", "", 1, {1}},          {"ns4", "", 1, {4}},           {"ns9", "", 1, {9}},
};

static void add_constant(qn_onb *b, size_t i) {
  float floats[MOST_NUMBERS];
  uint8_t bytes[MOST_NUMBERS];
  const uint32_t count = constants[i].count;
  const bool real = constants[i].type == QN_ONB_FLOAT;
  for (uint32_t k = 0; k < count; k++)
    floats[k] = constants[i].number, bytes[k] = (uint8_t)constants[i].number;
  qn_onb_tensor(b, constants[i].name, constants[i].type, constants[i].dims,
                real ? (const void *)floats : bytes, count * (real ? sizeof *floats : 1));
}

static void add_operand(qn_onb *b, qn_str name) {
  static const float factors[] = {1, 1, 2, 2};
  for (size_t i = 0; i < QN_COUNT(inputs); i++)
    if (qn_str_is(name, inputs[i].name))
      qn_onb_input(b, inputs[i].name, inputs[i].type, inputs[i].dims);
  for (size_t i = 0; i < QN_COUNT(constants); i++)
    if (qn_str_is(name, constants[i].name)) add_constant(b, i);
  for (size_t i = 0; i < QN_COUNT(whole); i++)
    if (qn_str_is(name, whole[i].name))
      qn_onb_tensor(b, whole[i].name, QN_ONB_INT64, whole[i].dims, whole[i].numbers,
                    whole[i].count * sizeof *whole[i].numbers);
  if (qn_str_is(name, "c4s")) qn_onb_tensor(b, "c4s", QN_ONB_FLOAT, "4", factors, sizeof factors);
}

/* ---- nodes ---- */

/* "axis=1 mode='x' alpha=0.5f perm=[0,1]"; opset=N is that of the file. */
static void add_attributes(qn_onb *b, const char *text, int64_t *out_opset) {
  char copy[160], *rest = copy;
  snprintf(copy, sizeof copy, "%s", text);
  for (char *item; (item = strtok_r(rest, " ", &rest));) {
    char *value = strchr(item, '=');
    assert_non_null(value);
    *value++ = 0;
    const size_t size = strlen(value);
    if (strcmp(item, "opset") == 0)
      *out_opset = atoi(value);
    else if (*value == '[' || *value == '\'') {
      const bool list = *value == '[';
      value[size - 1] = 0;
      (list ? qn_onb_attr_ints : qn_onb_attr_string)(b, item, value + 1);
    } else if (value[size - 1] == 'f')
      qn_onb_attr_float(b, item, strtof(value, NULL));
    else
      qn_onb_attr_int(b, item, atoi(value));
  }
}

static void expect(const row *r, const char *operands, const char *attributes, qn_status status,
                   const char *message) {
  qn_onb *b = qn_onb_create();
  qn_str rest = qn_str_of(operands), seen[8], name;
  uint32_t count = 0;
  int64_t opset = 24;
  import_run run;
  while (qn_str_next(&rest, &name)) {
    bool again = name.size == 0;
    for (uint32_t i = 0; i < count; i++) again |= qn_str_equal(seen[i], name);
    if (again) continue;
    assert_true(count < QN_COUNT(seen));
    seen[count++] = name;
    add_operand(b, name);
  }
  qn_onb_node(b, r->domain, r->op, operands, r->results);
  add_attributes(b, attributes, &opset);
  for (rest = qn_str_of(r->results); qn_str_next(&rest, &name);) {
    char result[8];
    snprintf(result, sizeof result, "%.*s", QN_STR_ARG(name));
    qn_onb_output(b, result, QN_ONB_FLOAT, NULL);
  }
  qn_onb_import(b, "com.microsoft", 1);
  import_onnx(&run, qn_onb_finish(b, 10, opset), NULL);
  const bool good = run.status == status && (!message || has_message(&run, message));
  if (!good)
    fprintf(stderr, "%s of %s with %s: status %d, wanted %d with: %s\n%s", r->op, operands,
            attributes, run.status, status, message ? message : "nothing",
            run.messages.data ? run.messages.data : "");
  assert_true(good);
  if (run.module) assert_valid(&run);
  import_end(&run);
  qn_onb_destroy(b);
}

static void test_accepts(void **state) {
  (void)state;
  for (size_t i = 0; i < QN_COUNT(rows); i++)
    expect(&rows[i], rows[i].good, rows[i].good_attributes, QN_OK, NULL);
}

static void test_rejects(void **state) {
  (void)state;
  for (size_t i = 0; i < QN_COUNT(rows); i++)
    expect(&rows[i], rows[i].bad, rows[i].bad_attributes, rows[i].status, rows[i].message);
}

/* Operators with bodies are in test_onnx_control.c. */
static void test_has_all(void **state) {
  (void)state;
  static const char *const supported[] = {
#define SUPPORTED(domains, name, ...) #name,
#define NAMED(domains, name, why)
#include "import/onnx/ops.def"
#undef SUPPORTED
#undef NAMED
      "If", "Loop", "Scan"};
  for (size_t i = 0; i < QN_COUNT(supported); i++) {
    bool found = i + 3 >= QN_COUNT(supported);
    for (size_t k = 0; k < 3; k++)
      found |= strcmp(supported[i], supported[QN_COUNT(supported) - 1 - k]) == 0;
    for (size_t k = 0; k < QN_COUNT(rows); k++) found |= strcmp(supported[i], rows[k].op) == 0;
    if (!found) fprintf(stderr, "%s has no row\n", supported[i]);
    assert_true(found);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_accepts), cmocka_unit_test(test_rejects),
                                     cmocka_unit_test(test_has_all)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
