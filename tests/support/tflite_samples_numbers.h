/* The samples of tflite_samples_numbers.c, one S(name, ops to which it is imported) each.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_TESTS_TFLITE_SAMPLES_NUMBERS_H
#define QN_TESTS_TFLITE_SAMPLES_NUMBERS_H

#include "tests/support/tflite_samples.h"

/* clang-format off */
#define QN_SAMPLES_OF_NUMBERS(S) \
  S(leaky_relu, "ml.leaky_relu alpha=0.25 [2,3]") \
  S(elu, "ml.elu [2,3]") \
  S(abs8, "ml.abs [2,3]") \
  S(reduce_max, "ml.reduce_max axes=0,2 keep_dims=false [3]") \
  S(one_hot, "ml.one_hot axis=1 depth=4 [3,4]") \
  S(top, "ml.top_indices k=2 [2,2]; ml.gather axis=1 batch_dims=1 [2,2]") \
  S(detections, "ml.reshape [5,4]; ml.reshape [5,3]; ml.cast [5,4]; ml.cast [5,4]; ml.slice_by_index begin=0,2 end=5,4 stride=1,1 [5,2]; ml.slice_by_index begin=0,0 end=5,2 stride=1,1 [5,2]; ml.real_div [5,2]; ml.mul [5,2]; ml.slice_by_index begin=0,0 end=5,2 stride=1,1 [5,2]; ml.add [5,2]; ml.slice_by_index begin=0,2 end=5,4 stride=1,1 [5,2]; ml.real_div [5,2]; ml.exp [5,2]; ml.mul [5,2]; ml.mul [5,2]; ml.cast [5,2]; ml.cast [5,2]; ml.sub [5,2]; ml.add [5,2]; ml.concat axis=1 [5,4]; ml.slice_by_index begin=0,1 end=5,3 stride=1,1 [5,2]; ml.reduce_max axes=1 keep_dims=false [5]; ml.reshape [1,5]; ml.non_maximum_suppression iou_threshold=0.5 k=3 score_threshold=0.25 [1,3]; ml.reshape [3]; ml.reshape [3,1]; ml.gather axis=0 batch_dims=0 [3,2]; ml.top_indices k=1 [3,1]; ml.gather axis=1 batch_dims=1 [3,1]; ml.gather axis=0 batch_dims=0 [3,4]; ml.greater_equal [3,1]; ml.select [3,4]; ml.reshape [3,1,4]; ml.reshape [1,3,4]; ml.cast [3,1]; ml.greater_equal [3,1]; ml.select [3,1]; ml.reshape [3,1,1]; ml.reshape [1,3]; ml.greater_equal [3,1]; ml.select [3,1]; ml.reshape [3,1,1]; ml.reshape [1,3]; ml.greater_equal [3,1]; ml.select [3,1]; ml.reduce_sum axes=0 keep_dims=true [1,1]; ml.reshape [1]") \
  S(diagonals, "ml.reshape [2,1,3]; ml.select [2,3,3]; ml.reshape [2,1,3]; ml.select [2,3,3]") \
  S(reverse_sequence, "ml.reshape [3,1]; ml.less [3,4]; ml.sub [3,1]; ml.sub [3,4]; ml.select [3,4]; ml.transpose perm=1,0 [3,4]; ml.gather axis=1 batch_dims=1 [3,4]; ml.transpose perm=1,0 [4,3]") \
  S(segments, "ml.reshape [1,4,1]; ml.equal [2,4,1]; ml.reshape [1,4,3]; ml.select [2,4,3]; ml.reduce_max axes=1 keep_dims=false [2,3]; ml.maximum [2,3]; ml.reshape [2,3]") \
  S(root_of_squares, "ml.square [1,4,4,2]; ml.avg_pool kernel_sizes=2,2 pad=0,0,0,0 strides=2,2 [1,2,2,2]; ml.sqrt [1,2,2,2]; ml.mul activation=finite [1,2,2,2]; ml.sign [1,2,2,2]") \
  S(scatter, "ml.scatter_nd [4,3]") \
  S(update_slice, "ml.slice_by_index begin=0 end=1 stride=1 [1]; ml.maximum [1]; ml.minimum [1]; ml.sub [4]; ml.greater_equal [4]; ml.less [4]; ml.logical_and [4]; ml.gather axis=0 [4,3]; ml.reshape [4,1]; ml.select [4,3]") \
  S(cumsum, "ml.reverse axes=1 [2,3]; ml.cumsum axis=1 exclusive=true [2,3]; ml.reverse axes=1 [2,3]") \
  S(rows, "ml.l2_norm [1,1,2,3]; ml.log_softmax [1,1,2,3]; ml.local_response_norm alpha=0.5 beta=0.5 offset=1 radius=5 [1,1,2,3]") \
  S(range, "ml.gather axis=0 [2,2]") \
  S(matmul, "ml.matmul transpose_y=true [2,3,4]") \
  S(matmul_sums, "quant.scast [3,5]; quant.scast [5,4]; ml.matmul [3,4]") \
  S(matmul_hybrid, "ml.linear asymmetric_inputs=true kernel=batch_matmul [2,2]") \
  S(reduce_prod, "ml.reduce_prod axes=1 keep_dims=false [2]") \
  S(prelu16, "ml.prelu [2,3]") \
  S(sum, "ml.reduce_sum axes=1 keep_dims=true [2,1]") \
  S(resize_bilinear, "ml.resize_bilinear sampling_mode=half_pixel [1,5,6,4]") \
  S(resize_nearest, "ml.resize_nearest_neighbor sampling_mode=asymmetric [1,5,6,4]") \
  S(gather, "ml.gather axis=1 [4,2]") \
  S(gather_nd, "ml.gather_nd [3]") \
  S(tile, "ml.tile reps=1,2 [2,6]") \
  S(reverse, "ml.reverse axes=1 [2,3]") \
  S(space_to_depth, "ml.space_to_depth block_shape=2 [1,1,2,12]") \
  S(depth_to_space, "ml.depth_to_space block_shape=2 [1,2,4,3]") \
  S(slice, "ml.slice_by_index begin=1,0 end=3,3 stride=1,1 [2,3]") \
  S(broadcast_to, "ml.reshape [1,3]; ml.tile reps=2,1 [2,3]") \
  S(mirror_pad, "ml.mirror_pad mode=reflect pad=1,0,0,2 [3,5]") \
  S(space_to_batch, "ml.space_to_batch block_shape=2,1 pad=0,1,0,0 [2,2,2,2]") \
  S(batch_to_space, "ml.batch_to_space block_shape=2,1 crops=1,0,0,0 [1,3,2,2]") \
  S(split_v, "ml.split axis=1 [2,2] [2,4]") \
  S(pack, "ml.slice_by_index begin=0,0 end=1,3 stride=1,1 [1,3]; ml.reshape [3]; ml.slice_by_index begin=1,0 end=2,3 stride=1,1 [1,3]; ml.reshape [3]; ml.stack axis=1 [3,2]") \
  S(whole, "ml.floor_div [2,3]; ml.less [2,3]; ml.select [2,3]; ml.cast [2,3]; ml.reduce_argmax axis=1 keep_dims=false [2]") \
  S(transpose_conv, "ml.conv_transpose dilations=1,1 groups=1 pad=0,0,0,0 strides=2,2 [1,5,5,2]") \
  S(conv_3d, "ml.transpose perm=4,0,1,2,3 [1,2,1,2,1]; ml.conv activation=finite dilations=1,1,1 groups=1 pad=0,0,0,0,0,0 strides=2,1,1 [1,2,2,1,1]") \
  S(conv_3d_transpose, "ml.transpose perm=3,0,1,2,4 [1,2,1,2,1]; ml.conv_transpose activation=finite dilations=1,1,1 groups=1 output_shape=5,2,3 pad=0,0,0,0,0,0 strides=2,1,1 [1,5,2,3,1]") \
  S(filled, "ml.gather axis=0 [3,2]; ml.add [3,2]; ml.add [3,2]") \
  S(bits, "ml.bitwise_xor [2,3]; ml.right_shift [2,3]; ml.pow [2,3]") \
  S(bitcast, "ml.atan2 [3]; ml.bitcast [3]; ml.cast [3]; ml.shift [3]; ml.cast [3]; ml.stack axis=1 [3,2]; ml.reshape [3,2]; ml.slice_by_index begin=0,0 end=3,1 stride=1,1 [3,1]; ml.reshape [3]; ml.cast [3]; ml.bitwise_and [3]; ml.slice_by_index begin=0,1 end=3,2 stride=1,1 [3,1]; ml.reshape [3]; ml.cast [3]; ml.shift [3]; ml.add [3]; ml.reshape [3]") \
  S(unit_range, "ml.relu [2,3]; ml.minimum [2,3]") \
  S(buckets, "ml.reshape [2,3,1]; ml.greater_equal [2,3,3]; ml.cast [2,3,3]; ml.reduce_sum axes=2 keep_dims=false [2,3]") \
  S(where, "ml.gather_nd [2]") \
  S(reals, "quant.dcast [2,3]; ml.gather axis=0 [2,3]; ml.reshape [1,1]; ml.tile reps=2,3 [2,3]; ml.add activation=finite [2,3]; ml.add activation=finite [2,3]") \
  S(own_shape, "ml.slice_by_index begin=0 end=1 stride=1 [1]; ml.reshape []; ml.stack axis=0 [2]; ml.reshape [2,12]") \
  S(shape_of, "ml.reshape [2,3]")
/* clang-format on */

#define S(name, ops) void qn_sample_##name(qn_tfb *b);
QN_SAMPLES_OF_NUMBERS(S)
#undef S

#endif
