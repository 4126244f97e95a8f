/* What random graphs for passes on graphs are made of: a step takes a float tensor on to the next.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_TESTS_DIFFER_GRAPH_STEPS_H
#define QN_TESTS_DIFFER_GRAPH_STEPS_H

#include "tests/differ/differ.h"

typedef qn_value *graph_step(qn_random_model *m, qn_value *x);

/* Any tensor. */
graph_step step_relu, step_numbered, step_tanh, step_reshape, step_flatten, step_restore,
    step_same_reshape, step_turn, step_shuffle, step_pad, step_pad_nothing, step_split_one,
    step_add_constant, step_subtract_from_constant, step_multiply_constant, step_one,
    step_through_integers, step_through_low, step_move_quantized, step_quantized_sum,
    step_folded_constant, step_equal_constants, step_compressed_constant, step_dead, step_scalar,
    step_high_rank, step_gelu_exact, step_gelu_tanh, step_greater_part, step_two_relus, step_prelu,
    step_mean, step_divide, step_casts, step_carried, step_picked, step_twice, step_gelu_sigmoid,
    step_dropped_dims, step_restacked;
/* Steps for tensors of rank 1 or more. */
graph_step step_choice, step_stack, step_mirrored, step_interleaved;
/* Steps for tensors of rank 2 or more. */
graph_step step_product_of_transposed;
/* Steps for tensors of rank 4. */
graph_step step_pixels, step_normalized, step_batch_norm, step_scale_and_shift, step_pad_rows,
    step_stored_constant, step_conv, step_numbered_conv, step_depthwise, step_conv_transpose,
    step_linear, step_computed_linear, step_product_and_bias, step_blocks, step_one_dimension;

/* Any of those of rank 4, or of any rank where it is among the others. */
graph_step step_first, step_other;

#endif
