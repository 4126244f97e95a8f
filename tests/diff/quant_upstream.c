/* Writes a module for upstream's tools. It checks that upstream's lowering of casts has the results
 * of ours where both are right (quant/agree.c). Our results are computed here, interpreted and
 * compiled, and must be those of the definition.
 *
 * For case 7, the module has @q7 and @d7 with one cast each, and @c7, which calls them with the
 * inputs and counts elements whose bits differ. @main prints, for every case with differences, its
 * number and the number of differences; and at the end their sum.
 *
 *   diff_quant_upstream cases [first seed [spoil]]    spoil: one expected element is wrong
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>

#include "ir/types/float_format.h"
#include "lower/target.h"
#include "quant/batch.h"

enum { BATCH = 32 };

/* ---- constants ---- */

/* Input or output of a cast: a tensor of floats or of stored integers. */
typedef struct side {
  const quant_case *c;
  const char *alias;        /* alias of its type */
  char element[8], bits[8]; /* type of its elements; integer type of the same width */
  uint32_t width;
} side;

static side make_side(const quant_case *c, bool floats) {
  side s = {.c = c, .alias = floats ? "real" : "integer"};
  s.width = floats ? qn_float_format_of(c->expressed)->width : (uint32_t)c->width;
  snprintf(s.bits, sizeof s.bits, "i%u", s.width);
  snprintf(s.element, sizeof s.element, "%s", floats ? quant_float_names[c->expressed] : s.bits);
  return s;
}

static bool is_scalar(const side *s) { return s->c->kind == QUANT_SCALAR; }

/* Writes the type with that element and the shape at run time. */
static void put_static(const side *s, const char *element, qn_text *text) {
  if (!is_scalar(s)) qn_text_puts(text, "tensor<");
  for (int d = 0; d < s->c->rank; d++) qn_text_format(text, "%lldx", (long long)s->c->dims[d]);
  qn_text_format(text, is_scalar(s) ? "%s" : "%s>", element);
}

static void put_constant(const side *s, const char *name, const char *element, const uint64_t *bits,
                         qn_text *text) {
  qn_text_format(text, "  %%%s = arith.constant ", name);
  if (is_scalar(s)) {
    bool is_float = element[0] != 'i';
    int64_t value = (int64_t)(bits[0] << (64 - s->width)) >> (64 - s->width);
    if (is_float)
      qn_text_format(text, "0x%0*llX", (int)s->width / 4, (unsigned long long)bits[0]);
    else
      qn_text_format(text, "%lld", (long long)value);
  } else {
    qn_text_puts(text, "dense<\"0x");
    for (int64_t i = 0; i < s->c->count; i++)
      for (uint32_t byte = 0; byte < (s->width + 7) / 8; byte++) /* little endian */
        qn_text_format(text, "%02X", (unsigned)(bits[i] >> (8 * byte)) & 0xFF);
    qn_text_puts(text, "\">");
  }
  qn_text_puts(text, " : ");
  put_static(s, element, text);
  qn_text_puts(text, "\n");
}

static void stored_bits(const side *s, const int64_t *stored, uint64_t *out_bits) {
  for (int64_t i = 0; i < s->c->count; i++)
    out_bits[i] = (uint64_t)stored[i] & ((UINT64_C(1) << s->width) - 1);
}

static void float_bits(const side *s, const double *values, uint64_t *out_bits) {
  for (int64_t i = 0; i < s->c->count; i++)
    out_bits[i] = qn_float_encode(s->c->expressed, values[i]);
}

/* ---- one cast ---- */

static void put_argument(const side *s, const char *from, const char *to, unsigned number,
                         qn_text *text) {
  qn_text_format(text, "  %%%s = tensor.cast %%%s : ", to, from);
  put_static(s, s->element, text);
  qn_text_format(text, " to !%s%u\n", s->alias, number);
}

static void put_result(const side *s, const char *from, const char *to, unsigned number,
                       qn_text *text) {
  qn_text_format(text, "  %%%s = tensor.cast %%%s : !%s%u to ", to, from, s->alias, number);
  put_static(s, s->element, text);
  qn_text_puts(text, "\n");
}

/* %<prefix>n: how many elements of %<prefix>c (i1) are true. */
static void put_count(const side *s, char prefix, qn_text *text) {
  if (is_scalar(s)) {
    qn_text_format(text, "  %%%cn = arith.extui %%%cc : i1 to i64\n", prefix, prefix);
    return;
  }
  if (s->c->rank == 0) {
    qn_text_format(text, "  %%%cb = tensor.extract %%%cc[] : tensor<i1>\n", prefix, prefix);
    qn_text_format(text, "  %%%cn = arith.extui %%%cb : i1 to i64\n", prefix, prefix);
    return;
  }
  qn_text_format(text, "  %%%cf = tensor.collapse_shape %%%cc [[0", prefix, prefix);
  for (int d = 1; d < s->c->rank; d++) qn_text_format(text, ", %d", d);
  qn_text_puts(text, "]] : ");
  put_static(s, "i1", text);
  qn_text_format(text, " into tensor<%lldxi1>\n", (long long)s->c->count);
  qn_text_format(text, "  %%%cg = tensor.cast %%%cf : tensor<%lldxi1> to tensor<?xi1>\n", prefix,
                 prefix, (long long)s->c->count);
  qn_text_format(text, "  %%%cn = func.call @count(%%%cg) : (tensor<?xi1>) -> i64\n", prefix,
                 prefix);
}

/* Calls @q7 or @d7 with an input and counts differences from the expected result. */
static void put_check(const side *from, const side *to, char prefix, unsigned number,
                      const uint64_t *input, const uint64_t *expected, qn_text *text) {
  char names[6][4]; /* input, as parameter; result, with shape, as bits; expected bits */
  for (int i = 0; i < 6; i++) snprintf(names[i], sizeof names[i], "%c%d", prefix, i);
  bool scalar = is_scalar(from), is_float = to->element[0] != 'i';
  const char *argument = names[scalar ? 0 : 1], *result = names[scalar ? 2 : 3];
  put_constant(from, names[0], from->element, input, text);
  if (!scalar) put_argument(from, names[0], names[1], number, text);
  qn_text_format(text, "  %%%s = func.call @%c%u(%%%s) : (!%s%u) -> !%s%u\n", names[2], prefix,
                 number, argument, from->alias, number, to->alias, number);
  if (!scalar) put_result(to, names[2], names[3], number, text);
  if (is_float) {
    qn_text_format(text, "  %%%s = arith.bitcast %%%s : ", names[4], result);
    put_static(to, to->element, text);
    qn_text_puts(text, " to ");
    put_static(to, to->bits, text);
    qn_text_puts(text, "\n");
    result = names[4];
  }
  put_constant(to, names[5], to->bits, expected, text);
  qn_text_format(text, "  %%%cc = arith.cmpi ne, %%%s, %%%s : ", prefix, result, names[5]);
  put_static(to, to->bits, text);
  qn_text_puts(text, "\n");
  put_count(to, prefix, text);
}

/* ---- the module ---- */

static void put_case(const quant_case *c, const quant_elements *e, unsigned number, bool spoil,
                     qn_text *text) {
  side real = make_side(c, true), integer = make_side(c, false);
  uint64_t x[QUANT_MAX_COUNT], q[QUANT_MAX_COUNT], s[QUANT_MAX_COUNT], d[QUANT_MAX_COUNT];
  float_bits(&real, e->x, x);
  stored_bits(&integer, e->quantized, q);
  stored_bits(&integer, e->s, s);
  float_bits(&real, e->dequantized, d);
  if (spoil) d[c->count - 1] ^= 1;
  quant_case_put_types(c, number, text);
  /* Otherwise upstream's bufferization lets the functions write to their arguments, which then
   * can't be constants. */
  const char *keep = is_scalar(&real) ? "" : " {bufferization.writable = false}";
  qn_text_format(text,
                 "func.func @q%u(%%x: !real%u%s) -> !integer%u {\n"
                 "  %%0 = quant.qcast %%x : !real%u to !stored%u\n"
                 "  %%1 = quant.scast %%0 : !stored%u to !integer%u\n"
                 "  return %%1 : !integer%u\n}\n"
                 "func.func @d%u(%%x: !integer%u%s) -> !real%u {\n"
                 "  %%0 = quant.scast %%x : !integer%u to !stored%u\n"
                 "  %%1 = quant.dcast %%0 : !stored%u to !real%u\n"
                 "  return %%1 : !real%u\n}\n"
                 "func.func @c%u() -> i64 {\n",
                 number, number, keep, number, number, number, number, number, number, number,
                 number, keep, number, number, number, number, number, number, number);
  put_check(&real, &integer, 'q', number, x, q, text);
  put_check(&integer, &real, 'd', number, s, d, text);
  qn_text_puts(text, "  %sum = arith.addi %qn, %dn : i64\n  return %sum : i64\n}\n");
}

static const char helpers[] =
    "func.func private @printI64(i64)\n"
    "func.func private @printNewline()\n"
    "func.func @count(%x: tensor<?xi1>) -> i64 {\n"
    "  %zero = arith.constant 0 : index\n  %one = arith.constant 1 : index\n"
    "  %none = arith.constant 0 : i64\n"
    "  %size = tensor.dim %x, %zero : tensor<?xi1>\n"
    "  %sum = scf.for %i = %zero to %size step %one iter_args(%before = %none) -> i64 {\n"
    "    %bit = tensor.extract %x[%i] : tensor<?xi1>\n"
    "    %number = arith.extui %bit : i1 to i64\n"
    "    %after = arith.addi %before, %number : i64\n"
    "    scf.yield %after : i64\n  }\n"
    "  return %sum : i64\n}\n"
    "func.func @tell(%case: i64, %differences: i64) {\n"
    "  %none = arith.constant 0 : i64\n"
    "  %any = arith.cmpi ne, %differences, %none : i64\n"
    "  scf.if %any {\n"
    "    func.call @printI64(%case) : (i64) -> ()\n"
    "    func.call @printNewline() : () -> ()\n"
    "    func.call @printI64(%differences) : (i64) -> ()\n"
    "    func.call @printNewline() : () -> ()\n  }\n"
    "  return\n}\n";

static void put_main(unsigned cases, qn_text *text) {
  qn_text_puts(text, "func.func @main() {\n  %t0 = arith.constant 0 : i64\n");
  for (unsigned i = 0; i < cases; i++)
    qn_text_format(text,
                   "  %%k%u = arith.constant %u : i64\n"
                   "  %%n%u = func.call @c%u() : () -> i64\n"
                   "  func.call @tell(%%k%u, %%n%u) : (i64, i64) -> ()\n"
                   "  %%t%u = arith.addi %%t%u, %%n%u : i64\n",
                   i, i, i, i, i, i, i + 1, i, i);
  qn_text_format(text,
                 "  func.call @printI64(%%t%u) : (i64) -> ()\n"
                 "  func.call @printNewline() : () -> ()\n  return\n}\n",
                 cases);
}

/* ---- ours ---- */

static const char *best_level(void) {
  uint32_t count;
  const qn_target *targets = qn_targets(&count);
  while (count > 0 && !qn_host_runs(targets[count - 1].name)) count--;
  return count > 0 ? targets[count - 1].name : NULL;
}

static bool put_batch(uint64_t first_seed, unsigned first, unsigned count, unsigned spoiled,
                      uint64_t *elements, qn_text *text) {
  static quant_case cases[BATCH];
  quant_batch batch;
  quant_tally tally = {0};
  quant_ideal ideal = {0};
  const char *level = best_level();
  for (unsigned i = 0; i < count; i++) cases[i] = quant_case_agreeing(first_seed + first + i);
  bool runs = quant_batch_open(&batch, cases, count, &ideal) && quant_batch_lower(&batch) &&
              quant_batch_check(&batch, NULL, &tally) &&
              (!level || quant_batch_check(&batch, level, &tally)) && tally.differences == 0;
  for (unsigned i = 0; runs && i < count; i++)
    put_case(&cases[i], &batch.elements[i], first + i, first + i == spoiled, text);
  *elements += ideal.qcasts + ideal.dcasts;
  quant_batch_close(&batch);
  return runs;
}

int main(int argc, char **argv) {
  unsigned cases = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : 1;
  uint64_t first_seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1, elements = 0;
  unsigned spoiled = argc > 3 ? cases / 2 : cases;
  bool runs = cases > 0;
  qn_text text = {0};
  qn_text_puts(&text, helpers);
  for (unsigned done = 0; runs && done < cases; done += BATCH)
    runs = put_batch(first_seed, done, cases - done < BATCH ? cases - done : BATCH, spoiled,
                     &elements, &text);
  put_main(cases, &text);
  if (runs) fwrite(text.data, 1, text.size, stdout);
  fprintf(stderr, "%u cases, %llu elements\n", cases, (unsigned long long)elements);
  qn_text_deinit(&text);
  return !runs;
}
