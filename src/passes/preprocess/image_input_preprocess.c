/* image-input-preprocess: changes image inputs to channels first, and inserts transposes back to
 * channels last.
 *
 *   func.func @main(%x: tensor<1x8x6x3xf32> {quern.name = "image"})      with inputs=image
 *   ->
 *   func.func @main(%x: tensor<1x3x8x6xf32> {quern.name = "image"})
 *     %0 = "ml.transpose"(%x) {perm = array<i64: 0, 2, 3, 1>}            and uses of %x become %0
 *
 * inputs: names or indices of arguments whose last three dimensions are rows, columns and channels.
 * Model files do not declare which inputs are images, so this is an option. graph-default can then
 * remove the transpose against others. An argument that is read only by such a transpose is
 * channels first already, and stays. Errors: unknown arguments, less than three dimensions, a scale
 * per channel, a state, a named dynamic size among the three dimensions, a function that is called
 * by others.
 *
 * Needs: nothing.  Keeps: the stage.  Numerics: exact, if the input is transposed accordingly.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "passes/support/border.h"

static bool is_number(qn_str word, uint32_t *out_number) {
  *out_number = 0;
  for (size_t i = 0; i < word.size; i++) {
    if (word.data[i] < '0' || word.data[i] > '9' || *out_number > UINT16_MAX) return false;
    *out_number = *out_number * 10 + (uint32_t)(word.data[i] - '0');
  }
  return word.size > 0;
}

/* Finds an argument by name, else by index. Returns false if there is none. */
static bool find(const qn_border *border, qn_str word, uint32_t *out_index) {
  for (uint32_t i = 0; i < border->count[QN_SIDE_ARGUMENTS]; i++)
    if (qn_str_equal(border->ports[QN_SIDE_ARGUMENTS][i].name, word)) {
      *out_index = i;
      return true;
    }
  return is_number(word, out_index) && *out_index < border->count[QN_SIDE_ARGUMENTS];
}

/* The permutation that moves the channels after rows and columns. */
static qn_i64s to_last(qn_pass_context *pc, uint32_t rank) {
  QN_ASSERT(rank >= 3);
  int64_t *perm = QN_NEW_ARRAY(pc->scratch, rank, int64_t);
  for (uint32_t i = 0; i < rank; i++) perm[i] = i;
  perm[rank - 3] = rank - 2, perm[rank - 2] = rank - 1, perm[rank - 1] = rank - 3;
  return (qn_i64s){perm, rank};
}

static bool is_first_already(const qn_value *argument, qn_i64s perm) {
  const qn_op *reader = qn_value_has_one_use(argument) ? argument->first_use->owner : NULL;
  if (!reader || reader->kind != QN_OP_ML_TRANSPOSE) return false;
  qn_i64s has = qn_op_perm(reader);
  return has.count == perm.count &&
         memcmp(has.data, perm.data, perm.count * sizeof *perm.data) == 0;
}

static const char *problem(const qn_border *border, uint32_t i) {
  const qn_type *type = qn_op_body(border->func)->args[i]->type;
  const qn_port *port = &border->ports[QN_SIDE_ARGUMENTS][i];
  if (border->is_called || !border->end) return "the function is called or has several blocks";
  if (port->role == QN_ROLE_STATE) return "it is a state";
  if (!qn_ml_holds(type) || type->shaped.rank < 3) return "it has no rows, columns and channels";
  if (!qn_is_position_free(type)) return "its scales depend on the place";
  for (uint32_t d = type->shaped.rank - 3; d < type->shaped.rank; d++)
    if (qn_port_size_name(port, d).size) return "one of its last dimensions has any size";
  return NULL;
}

static void turn(qn_pass_context *pc, const qn_border *border, uint32_t i) {
  qn_block *body = qn_op_body(border->func);
  qn_value *argument = body->args[i];
  const qn_type *last = argument->type;
  uint32_t rank = last->shaped.rank;
  qn_i64s perm = to_last(pc, rank);
  if (is_first_already(argument, perm)) return;
  int64_t dims[QN_ML_MAX_RANK];
  for (uint32_t d = 0; d < rank; d++) dims[perm.data[d]] = last->shaped.dims[d];
  qn_builder b = qn_builder_before(pc->module, body->first);
  qn_value *turned = qn_build_1(&b, QN_OP_ML_TRANSPOSE, last, QN_VALUES(argument),
                                QN_ATTRS({"perm", qn_attr_i64s(pc->cx, perm.data, rank)}));
  qn_value_replace_all_uses(argument, turned);
  qn_op_set_operand(turned->op, 0, argument);
  qn_value_set_type(argument, qn_type_with_dims(pc->cx, last, rank, dims));
  qn_border_write(pc, border);
}

static qn_status run(qn_pass_context *pc) {
  qn_border border;
  qn_str list = qn_str_of(qn_pass_string(pc, "inputs")), word;
  QN_TRY(qn_border_read(pc, &border));
  while (border.func && qn_str_next(&list, &word)) {
    uint32_t i;
    if (!find(&border, word, &i))
      return qn_error(&pc->cx->diag, border.func->loc, QN_INVALID, "there is no argument '%.*s'",
                      QN_STR_ARG(word));
    const char *why = problem(&border, i);
    if (why)
      return qn_error(&pc->cx->diag, border.func->loc, QN_UNSUPPORTED,
                      "argument '%.*s' can't get its channels first: %s", QN_STR_ARG(word), why);
    turn(pc, &border, i);
  }
  return QN_OK;
}

static const qn_option_spec options[] = {
    {"inputs", QN_OPTION_STRING, "", "names or numbers of the arguments that are images"},
    {NULL, 0, NULL, NULL},
};

const qn_pass qn_pass_image_input_preprocess = {
    .name = "image-input-preprocess",
    .summary = "take images with their channels first",
    .anchor = QN_ON_MODULE,
    .numerics = QN_EXACT,
    .keeps = "the stage",
    .options = options,
    .bare = "inputs",
    .run = run,
};
