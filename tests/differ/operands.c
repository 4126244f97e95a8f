/* One op in every way that its operands can be, and what of that was reached.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include "ir/clone.h"
#include "ir/ops/forms.h"
#include "ir/walk.h"
#include "tests/differ/differ.h"

/* ---- cells ---- */

static const char *const class_names[DIFFER_CLASSES] = {"i8", "ui8", "i16", "f32", "i32", "i1"};

static uint32_t class_of(const qn_type *type) {
  const qn_quant_uniform *q = qn_type_quant(type);
  const qn_type *element = qn_type_element(type);
  if (q && q->storage->integer.width == 16) return DIFFER_WORDS;
  if (q)
    return q->storage->integer.width > 8 ? DIFFER_CLASSES
           : q->is_signed                ? DIFFER_BYTES
                                         : DIFFER_UNSIGNED;
  if (qn_type_is_float(element, QN_F32)) return DIFFER_REALS;
  if (qn_type_is_int(element, 32)) return DIFFER_WHOLES;
  return qn_type_is_int(element, 1) ? DIFFER_BOOLEANS : DIFFER_CLASSES;
}

/* By what it computes with: not by conditions; of casts, by what is quantized. */
static uint32_t class_of_op(const qn_op *op) {
  uint32_t found = class_of(op->results[0].type);
  bool cast = qn_op_has(op, QN_CAST) && qn_type_quant(op->results[0].type);
  for (uint32_t i = op->operand_count; !cast && i-- > 0;) {
    uint32_t is = class_of(qn_op_operand(op, i)->type);
    if (is < DIFFER_BOOLEANS) found = is;
  }
  return found;
}

/* Whether there is an operand beside the one that an op is about. */
static bool is_alone(qn_op_kind kind) {
  return qn_op_infos[kind].operands >= 0 && qn_op_infos[kind].operands < 2;
}

static uint32_t mode_of(const qn_op *op) {
  if (is_alone(op->kind)) return DIFFER_ALONE;
  uint32_t last = op->kind == QN_OP_ML_SELECT ? 2 : 1;
  bool constant = qn_value_constant(qn_op_operand(op, last)) != NULL;
  /* ml.lstm and ml.svdf: states come before the weights. */
  if (op->result_count > 1)
    constant = qn_value_constant(qn_op_operand(op, op->result_count)) != NULL;
  return constant ? DIFFER_CONSTANT : DIFFER_VARIABLE;
}

typedef struct marking {
  differ_coverage *coverage;
  qn_op_kind kind;
  uint32_t profile;
  bool only_asks, missing, reaches;
} marking;

static bool mark(qn_op *op, void *user) {
  marking *k = user;
  if (op->kind != k->kind || op->result_count == 0) return true;
  uint32_t class = class_of_op(op);
  if (class == DIFFER_CLASSES) return true;
  uint8_t *cell = &k->coverage->cells[op->kind][class][k->profile][mode_of(op)];
  k->missing |= *cell < DIFFER_COMPILED;
  if (!k->only_asks && *cell < DIFFER_COMPILED)
    *cell = k->reaches ? DIFFER_COMPILED : DIFFER_REFUSED;
  return true;
}

/* ---- cases ---- */

enum { WAYS = 2 * DIFFER_KERNELS }; /* constant and variable, by each */

/* Case `number` says row, profile, elements, constant or variable operands and sizes, so that all
 * of them meet. What has not been compiled yet is. */
bool differ_operands(qn_choices choices, const differ_options *options, differ_counts *counts) {
  enum { ELEMENTS = DIFFER_BOOLEANS };
  static const qn_random_elements elements[ELEMENTS] = {QN_RANDOM_QUANTIZED, QN_RANDOM_QUANTIZED,
                                                        QN_RANDOM_QUANTIZED, QN_RANDOM_REAL,
                                                        QN_RANDOM_WHOLE};
  qn_op_kind kinds[QN_OP_COUNT];
  uint64_t count = qn_random_kinds(kinds), number = counts->cases++;
  uint32_t profile = (uint32_t)(number % DIFFER_KERNELS);
  uint32_t class = (uint32_t)(number / WAYS % ELEMENTS);
  qn_op_kind kind = kinds[number / WAYS / ELEMENTS % count];
  uint64_t round = number / WAYS / ELEMENTS / count;
  differ d = {.options = options, .counts = counts};
  qn_random_begin_with(&d.m, choices, qn_profile_at(profile)->name);
  d.m.is_unsigned = class == DIFFER_UNSIGNED;
  if (class == DIFFER_WORDS) qn_random_use_words(&d.m);
  d.m.elements = elements[class];
  d.m.variable = number / DIFFER_KERNELS % 2 ? 100 : 0;
  d.m.large = round % 2;
  qn_random_fill_kind(&d.m, kind);
  marking k = {.coverage = counts->coverage, .kind = kind, .profile = profile, .only_asks = true};
  qn_walk_pre(d.m.module->op, mark, &k);
  d.compiles = k.missing;
  uint64_t unsupported = counts->unsupported, jits = counts->jits;
  qn_module *made = qn_module_clone(d.m.module);
  bool ok = differ_check_model(&d, round % 4 != 3);
  k.only_asks = false;
  k.reaches = counts->unsupported == unsupported && counts->jits > jits;
  if (ok) qn_walk_pre(made->op, mark, &k);
  qn_module_destroy(made);
  if (!ok) fprintf(stderr, "case %llu: %s\n", (unsigned long long)number, qn_op_infos[kind].name);
  differ_end(&d);
  return ok;
}

uint64_t differ_operands_round(void) {
  qn_op_kind kinds[QN_OP_COUNT];
  return WAYS * DIFFER_BOOLEANS * qn_random_kinds(kinds);
}

/* ---- coverage ---- */

static void print_row(const differ_coverage *c, qn_op_kind kind) {
  static const char letters[DIFFER_MODES][DIFFER_COMPILED + 2] = {"-xX", "-cC", "-vV"};
  printf("%-30s", qn_op_infos[kind].name);
  for (uint32_t class = 0; class < DIFFER_CLASSES; class ++) {
    printf("  %s ", class_names[class]);
    for (uint32_t p = 0; p < DIFFER_KERNELS; p++)
      for (uint32_t mode = 0; mode < DIFFER_MODES; mode++) {
        bool applies = (mode == DIFFER_ALONE) == is_alone(kind);
        if (applies) printf("%c", letters[mode][c->cells[kind][class][p][mode]]);
      }
  }
  printf("\n");
}

/* "PROFILES CLASSES MODES ROWS reason": what can't be reached. Words with commas between, behind !
 * all but these, * all. */
enum { WORDS = 4, MOST_EXCUSES = 64 };
typedef struct excuse {
  char words[WORDS][1024];
  bool used;
} excuse;

static uint32_t read_excuses(const char *path, excuse *out) {
  char line[2048];
  uint32_t count = 0;
  FILE *file = fopen(path, "r");
  while (file && fgets(line, sizeof line, file)) {
    if (line[0] == '#' || count == MOST_EXCUSES) continue;
    char(*words)[1024] = out[count].words;
    count += sscanf(line, "%1023s %1023s %1023s %1023s", words[0], words[1], words[2], words[3]) ==
             WORDS;
  }
  if (file) fclose(file);
  return count;
}

static bool names(const char *list, const char *word) {
  bool others = list[0] == '!';
  size_t size = strlen(word);
  for (const char *at = list + others; at; at = strchr(at, ',')) {
    at += *at == ',';
    if (strncmp(at, word, size) == 0 && (at[size] == ',' || at[size] == 0)) return !others;
  }
  return others || strcmp(list, "*") == 0;
}

static bool is_excused(excuse *excuses, uint32_t count, const char *const is[WORDS]) {
  bool found = false;
  for (uint32_t i = 0; i < count; i++) {
    excuse *e = &excuses[i];
    bool all = true;
    for (int k = 0; k < WORDS; k++) all &= names(e->words[k], is[k]);
    e->used |= all;
    found |= all;
  }
  return found;
}

typedef struct summary {
  uint32_t expected, reached, wrong;
} summary;

static void check_cell(const differ_coverage *c, excuse *excuses, uint32_t count,
                       const uint32_t at[4], summary *sum) {
  static const char *const modes[DIFFER_MODES] = {"alone", "constant", "variable"};
  const char *const is[WORDS] = {qn_profile_at(at[2])->name, class_names[at[1]], modes[at[3]],
                                 qn_op_infos[at[0]].name};
  bool reached = c->cells[at[0]][at[1]][at[2]][at[3]] == DIFFER_COMPILED;
  bool excused = is_excused(excuses, count, is);
  sum->expected++;
  sum->reached += reached;
  if (reached != excused) return;
  fprintf(stderr, "%s on %s, %s, %s: %s\n", is[3], is[1], is[2], is[0],
          reached ? "is reached, whatever the reasons say"
                  : "is not reached, and nothing says why");
  sum->wrong++;
}

bool differ_coverage_print(const differ_coverage *c, const char *reasons) {
  qn_op_kind kinds[QN_OP_COUNT];
  excuse *excuses = calloc(MOST_EXCUSES, sizeof *excuses);
  uint32_t count = qn_random_kinds(kinds), excused = excuses ? read_excuses(reasons, excuses) : 0;
  summary sum = {0, 0, 0};
  const uint32_t all = DIFFER_PROFILES + DIFFER_COPIES;
  if (!qn_profile_at(all - 1) || qn_profile_at(all)) {
    fprintf(stderr, "there are other than %d profiles: adapt DIFFER_PROFILES\n", DIFFER_PROFILES);
    sum.wrong++;
  }
  printf("by profile, as listed: X the only operand, C constant, V variable others; small: "
         "unsupported; -: not reached\n");
  for (uint32_t i = 0; i < count; i++) {
    print_row(c, kinds[i]);
    for (uint32_t cell = 0; cell < DIFFER_CLASSES * DIFFER_KERNELS * DIFFER_MODES; cell++) {
      uint32_t mode = cell % DIFFER_MODES, profile = cell / DIFFER_MODES % DIFFER_KERNELS;
      const uint32_t at[] = {kinds[i], cell / DIFFER_MODES / DIFFER_KERNELS, profile, mode};
      if ((mode == DIFFER_ALONE) == is_alone(kinds[i])) check_cell(c, excuses, excused, at, &sum);
    }
  }
  for (uint32_t i = 0; i < excused; i++)
    if (!excuses[i].used) {
      fprintf(stderr, "%s %s %s %s: no such cell\n", excuses[i].words[0], excuses[i].words[1],
              excuses[i].words[2], excuses[i].words[3]);
      sum.wrong++;
    }
  printf("%u rows, %u of %u cells compiled, the others have reasons but %u\n", count, sum.reached,
         sum.expected, sum.wrong);
  free(excuses);
  return sum.wrong == 0;
}
