/* Steps that are any of the others.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "tests/differ/graph_steps.h"

static graph_step *const first[] = {
    step_conv,         step_conv_transpose,  step_depthwise,        step_linear,
    step_batch_norm,   step_scale_and_shift, step_pad_rows,         step_pixels,
    step_normalized,   step_computed_linear, step_product_and_bias, step_choice,
    step_stack,        step_mirrored,        step_interleaved,      step_blocks,
    step_one_dimension};
static graph_step *const others[] = {step_relu,
                                     step_tanh,
                                     step_reshape,
                                     step_flatten,
                                     step_same_reshape,
                                     step_turn,
                                     step_shuffle,
                                     step_pad,
                                     step_pad_nothing,
                                     step_split_one,
                                     step_add_constant,
                                     step_subtract_from_constant,
                                     step_multiply_constant,
                                     step_one,
                                     step_through_integers,
                                     step_through_low,
                                     step_move_quantized,
                                     step_quantized_sum,
                                     step_folded_constant,
                                     step_equal_constants,
                                     step_compressed_constant,
                                     step_dead,
                                     step_scalar,
                                     step_gelu_exact,
                                     step_gelu_tanh,
                                     step_greater_part,
                                     step_two_relus,
                                     step_prelu,
                                     step_mean,
                                     step_divide,
                                     step_casts,
                                     step_carried,
                                     step_picked,
                                     step_twice,
                                     step_gelu_sigmoid,
                                     step_dropped_dims,
                                     step_restacked};

qn_value *step_first(qn_random_model *m, qn_value *x) {
  return first[qn_random_between(m, 0, QN_COUNT(first) - 1)](m, x);
}
qn_value *step_other(qn_random_model *m, qn_value *x) {
  return others[qn_random_between(m, 0, QN_COUNT(others) - 1)](m, x);
}
