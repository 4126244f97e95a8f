/* Rules that follow the grammar: each byte chooses one of the functions that the table allows at
 * that place. So most rules have no syntax error, and later checks are reached. Some bytes choose a
 * wrong function on purpose.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "rules/functions.h"
#include "tests/fuzz/read_rules.h"

typedef struct maker {
  const uint8_t *data;
  size_t size;
  qn_text text;
} maker;

enum { DEEPEST = 12 };

/* Returns 0 if there are no more bytes. The first choice is always a leaf. */
static uint32_t choose(maker *m, uint32_t count) {
  if (m->size == 0) return 0;
  m->size--;
  return *m->data++ % count;
}

static void put_choice(maker *m, const char *const *words, uint32_t count) {
  qn_text_puts(&m->text, words[choose(m, count)]);
}

static bool is_one_of(qn_rule_result result, const char *letters) {
  static const char names[] = {[QN_RULE_RESULT_NONE] = ' ',     [QN_RULE_RESULT_BOOL] = 'b',
                               [QN_RULE_RESULT_I32] = 'i',      [QN_RULE_RESULT_SIZE] = 'i',
                               [QN_RULE_RESULT_F32] = 'f',      [QN_RULE_RESULT_DTYPE_TAG] = 'd',
                               [QN_RULE_RESULT_PROMOTED] = 'i', [QN_RULE_RESULT_NEGATED] = 'i'};
  return strchr(letters, names[result]) != NULL;
}

static void make_call(maker *m, const qn_rule_function *function, int depth);

/* Writes a function of one of these sorts; a scalar function also has one of these result types. */
static void make_some(maker *m, uint32_t sorts, const char *results, int depth) {
  uint32_t start = choose(m, 256);
  for (uint32_t i = 0; i < QN_RULE_FN_COUNT; i++) {
    const qn_rule_function *function = &qn_rule_functions[(start + i) % QN_RULE_FN_COUNT];
    bool scalar = function->sorts == QN_RULE_SORT_SCALAR;
    if (!(function->sorts & sorts) || !function->operands) continue;
    if (scalar && !is_one_of(function->result, results)) continue;
    make_call(m, function, depth);
    return;
  }
}

/* What the table allows for a letter: leaves, and sorts and result types of calls. */
typedef struct kind {
  const char *letters;
  const char *leaves[6];
  uint32_t leaf_count;
  uint32_t sorts;
  const char *results;
} kind;

static const kind kinds[] = {
    {"b", {"OK", "false", "true"}, 3, QN_RULE_SORT_SCALAR, "b"},
    {"i", {"1", "2u", "0x10", "-3"}, 4, QN_RULE_SORT_SCALAR, "i"},
    {"n", {"1", "2.5f", "-1e-3", "INF"}, 4, QN_RULE_SORT_SCALAR, "if"},
    {"ec", {"1", "0.5f", "7u"}, 3, QN_RULE_SORT_SCALAR, "if"},
    {"d", {"DType::QInt8", "DType::Float32", "DType::Float"}, 3, QN_RULE_SORT_SCALAR, "d"},
    {"D2Kk", {"1", "2", "3", "0", "8"}, 4, 0, ""},
    {"P", {"1", "2", "3", "8"}, 4, QN_RULE_SORT_CHUNK, ""},
    {"tXRHh", {"\"a\"", "\"b\"", "\"*\""}, 3, QN_RULE_SORT_REF, ""},
    {"r", {"\"a\"", "\"b\"", "\"*\""}, 3, QN_RULE_SORT_REF, ""},
    {"gp",
     {"\"a\"", "\"b\"", "\"*\""},
     3,
     QN_RULE_SORT_REF | QN_RULE_SORT_SHAPE | QN_RULE_SORT_CONST | QN_RULE_SORT_BUILD,
     ""},
    {"wB", {"Op(\"Relu\", \"a\")", "Op(\"Add\", \"a\", \"b\")"}, 2, QN_RULE_SORT_BUILD, ""},
    {"O", {"\"Relu\"", "\"Add\"", "\"q::x\""}, 3, QN_RULE_SORT_OPNAME, ""},
    {"saS", {"\"I\"", "\"J\""}, 2, 0, ""},
    {"o", {"\"fc_tile\"", "\"signed_kernels\"", "\"none\""}, 3, 0, ""},
    {"f", {"fits_budget", "add_pads", "simple_split_size", "fold_batchnorm"}, 4, 0, ""},
    {"L", {"Flat", "Blocked32"}, 2, 0, ""},
    {"m", {"\"a\"", "\"b\"", "\"c\""}, 3, QN_RULE_SORT_MATCH | QN_RULE_SORT_LETTING, ""},
    {"T", {"\"l\"", "\"m\""}, 2, 0, ""},
    {".", {"\"a\"", "1", "OK"}, 3, QN_RULE_SORT_ANY, "bifd"}, /* also the wrong choice */
};

static void make_operand(maker *m, char letter, int depth) {
  const kind *k = kinds;
  if (choose(m, 64) == 63) letter = '.';
  while (!strchr(k->letters, letter) && k->letters[0] != '.') k++;
  uint32_t choice = choose(m, 4);
  if (choice == 3) qn_text_puts(&m->text, "/* c */ ");
  if (k->sorts && choice > 0 && depth < DEEPEST)
    make_some(m, k->sorts, k->results, depth + 1);
  else
    put_choice(m, k->leaves, k->leaf_count);
  if (choice == 3) qn_text_puts(&m->text, "\n// d\n");
}

static void make_call(maker *m, const qn_rule_function *function, int depth) {
  uint32_t least, most;
  qn_rule_function_arity(function, &least, &most);
  uint32_t count = least + (most > least ? choose(m, 4) : 0);
  if (count > most) count = most;
  bool pattern = depth < 0; /* in the match: the arguments of Op are patterns */
  qn_text_format(&m->text, "%s(", function->name);
  for (uint32_t i = 0; i < count; i++) {
    char letter = qn_rule_function_letter(function, count, i);
    if (i > 0) qn_text_puts(&m->text, ", ");
    make_operand(m, (char)(pattern && letter == 'g' ? 'm' : letter), depth);
  }
  qn_text_putc(&m->text, ')');
}

static void make_rule(maker *m) {
  static const char *const passes[] = {"EARLY", "MIDDLE + 3", "TILING + 1000", "GRAPH_CLEANUP"};
  static const char *const patterns[] = {"Op(\"Relu\", \"a\", \"b\")",
                                         "OpVarIn(\"Add\", \"a\", \"b\")",
                                         "Op(\"Add\", LET(\"b\", Op(\"Relu\", \"a\")), \"b\")"};
  static const char *const ends[] = {"\n", "// e\n", "\n\n\n/* f\n*/\n"};
  qn_text_puts(&m->text, "DEF_PACKAGE_OPTIMIZATION(");
  put_choice(m, passes, QN_COUNT(passes));
  qn_text_puts(&m->text, ",\n");
  if (choose(m, 4) == 3)
    make_call(m, &qn_rule_functions[QN_RULE_FN_Op], -DEEPEST);
  else
    put_choice(m, patterns, QN_COUNT(patterns));
  qn_text_puts(&m->text, ",\n");
  make_operand(m, 'b', 0);
  qn_text_puts(&m->text, ", ");
  if (choose(m, 4) == 3)
    make_some(m, QN_RULE_SORT_ROOT, "", 0);
  else
    make_operand(m, 'w', 0);
  qn_text_putc(&m->text, ')');
  put_choice(m, ends, QN_COUNT(ends));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  enum { MOST_RULES = 8, LONGEST = 1 << 16 };
  maker m = {.data = data, .size = size};
  for (int i = 0; i < MOST_RULES && (i == 0 || m.size > 0) && m.text.size < LONGEST; i++)
    make_rule(&m);
  fuzz_read_rules(qn_text_view(&m.text), "fuzz.rr", false);
  qn_text_deinit(&m.text);
  return 0;
}
