/* Samples of sequences, volumes, recurrent layers, products and coordinates.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "tests/support/onnx_samples_parts.h"

void qn_onnx_sample_sequence_unit(qn_onb *b) {
  qn_onnx_part_quantized_input(b, "1,2,5");
  qn_onnx_part_weights(b, "3,2,3", 18, 3);
  qn_onb_node(b, "", "Conv", "d,dw,db", "r");
  qn_onb_attr_ints(b, "pads", "1,1");
  qn_onnx_part_quantized_output(b, "1,3,5");
}

void qn_onnx_sample_volume_unit(qn_onb *b) {
  qn_onnx_part_quantized_input(b, "1,2,2,3,3");
  qn_onnx_part_weights(b, "3,2,2,2,2", 48, 3);
  qn_onb_node(b, "", "Conv", "d,dw,db", "r");
  qn_onnx_part_quantized_output(b, "1,3,1,2,2");
}

void qn_onnx_sample_transposed_unit(qn_onb *b) {
  qn_onnx_part_quantized_input(b, "1,2,3,3");
  qn_onb_tensor(b, "w", QN_ONB_INT8, "2,2,2,2", qn_onnx_part_noise, 16);
  qn_onb_node(b, "", "DequantizeLinear", "w,t,k", "dw");
  qn_onb_node(b, "", "ConvTranspose", "d,dw", "r");
  qn_onb_attr_int(b, "group", 2);
  qn_onb_attr_ints(b, "strides", "2,2");
  qn_onb_attr_ints(b, "output_padding", "1,0");
  qn_onnx_part_quantized_output(b, "1,4,7,6");
}

void qn_onnx_sample_transposed_floats(qn_onb *b) {
  qn_onnx_part_floats(b, "1,2,4", "1,1,9");
  qn_onnx_part_numbers(b, "w", "2,1,3", 6);
  qn_onnx_part_numbers(b, "b", "1", 1);
  qn_onb_node(b, "", "ConvTranspose", "x,w,b", "y");
  qn_onb_attr_ints(b, "strides", "2");
}

void qn_onnx_sample_long_memory(qn_onb *b) {
  static const int32_t lengths[] = {3, 1};
  qn_onnx_part_floats(b, "3,2,2", "3,2,2,1");
  qn_onnx_part_numbers(b, "w", "2,4,2", 16);
  qn_onnx_part_numbers(b, "r", "2,4,1", 8);
  qn_onnx_part_numbers(b, "b", "2,8", 16);
  qn_onnx_part_numbers(b, "h", "2,2,1", 4);
  qn_onnx_part_numbers(b, "p", "2,3", 6);
  qn_onb_tensor(b, "n", QN_ONB_INT32, "2", lengths, sizeof lengths);
  qn_onb_node(b, "", "LSTM", "x,w,r,b,n,h,h,p", "y,,c");
  qn_onb_attr_string(b, "direction", "bidirectional");
  qn_onb_attr_float(b, "clip", 2);
  qn_onb_output(b, "c", QN_ONB_FLOAT, "2,2,1");
}

void qn_onnx_sample_gated(qn_onb *b) {
  qn_onnx_part_floats(b, "2,3,2", "2,1,2");
  qn_onnx_part_numbers(b, "w", "1,6,2", 12);
  qn_onnx_part_numbers(b, "r", "1,6,2", 12);
  qn_onb_node(b, "", "GRU", "x,w,r", ",y");
  qn_onb_attr_int(b, "layout", 1);
  qn_onb_attr_int(b, "linear_before_reset", 1);
}

void qn_onnx_sample_recurrent(qn_onb *b) {
  qn_onnx_part_floats(b, "2,1,2", "2,1,1,2");
  qn_onnx_part_numbers(b, "w", "1,2,2", 4);
  qn_onb_node(b, "", "RNN", "x,w,w", "y");
  qn_onb_attr_string(b, "direction", "reverse");
}

void qn_onnx_sample_einsum(qn_onb *b) {
  qn_onnx_part_floats(b, "2,3,3", "3,2");
  qn_onb_node(b, "", "Einsum", "x,x", "y");
  qn_onb_attr_string(b, "equation", "...ii, ...ij -> j...");
}

void qn_onnx_sample_grid_sample(qn_onb *b) {
  qn_onnx_part_floats(b, "1,1,3,3", "1,1,2,2");
  qn_onb_input(b, "g", QN_ONB_FLOAT, "1,2,2,2");
  qn_onb_node(b, "", "GridSample", "x,g", "y");
  qn_onb_attr_string(b, "padding_mode", "reflection");
}

void qn_onnx_sample_groups(qn_onb *b) {
  static const int64_t lengths[] = {2, 1};
  qn_onnx_part_floats(b, "2,4,3,3", "2,4,3,3");
  qn_onnx_part_numbers(b, "g", "4", 4);
  qn_onb_tensor(b, "n", QN_ONB_INT64, "2", lengths, sizeof lengths);
  qn_onb_node(b, "", "GroupNormalization", "x,g,g", "a");
  qn_onb_attr_int(b, "num_groups", 2);
  qn_onb_node(b, "", "LRN", "a", "c");
  qn_onb_attr_int(b, "size", 3);
  qn_onb_node(b, "", "ReverseSequence", "c,n", "y");
  qn_onb_attr_int(b, "batch_axis", 0);
  qn_onb_attr_int(b, "time_axis", 1);
}

void qn_onnx_sample_rotated(qn_onb *b) {
  qn_onnx_part_floats(b, "1,2,12", "1,2,12");
  QN_ONNX_INTS(b, "places", 1, 0);
  QN_ONNX_INTS(b, "dims", 1, 2);
  qn_onb_node(b, "", "Reshape", "places,dims", "ids");
  qn_onnx_part_numbers(b, "c", "3,2", 6);
  qn_onnx_part_numbers(b, "d", "3,2", 6);
  qn_onb_node(b, "", "RotaryEmbedding", "x,c,d,ids", "y");
  qn_onb_attr_int(b, "num_heads", 2);
  qn_onb_attr_int(b, "rotary_embedding_dim", 4);
  qn_onb_attr_int(b, "interleaved", 1);
}

void qn_onnx_sample_affine_grid(qn_onb *b) {
  qn_onnx_part_floats(b, "1,2,3", "1,2,2,2");
  QN_ONNX_INTS(b, "size", 1, 1, 2, 2);
  qn_onb_node(b, "", "AffineGrid", "x,size", "y");
}

void qn_onnx_sample_shuffled(qn_onb *b) {
  qn_onnx_part_quantized_input(b, "1,4,2,2");
  qn_onb_node(b, "", "DepthToSpace", "d", "r");
  qn_onb_attr_int(b, "blocksize", 2);
  qn_onb_attr_string(b, "mode", "CRD");
  qn_onnx_part_quantized_output(b, "1,1,4,4");
}

void qn_onnx_sample_products(qn_onb *b) {
  qn_onnx_part_floats(b, "2,4", "2");
  qn_onnx_part_numbers(b, "c", "2,1", 2);
  qn_onb_input(b, "v", QN_ONB_FLOAT, "2");
  qn_onb_node(b, "", "Gemm", "x,x,c", "g");
  qn_onb_attr_int(b, "transB", 1);
  qn_onb_attr_float(b, "alpha", 0.5F);
  qn_onb_attr_float(b, "beta", 2);
  qn_onb_node(b, "", "MatMul", "v,g", "y");
}

void qn_onnx_sample_blocks_of_columns(qn_onb *b) {
  qn_onnx_part_floats(b, "1,4,4", "1,1,3,3");
  QN_ONNX_INTS(b, "size", 3, 3);
  QN_ONNX_INTS(b, "block", 2, 2);
  qn_onb_node(b, "", "Col2Im", "x,size,block", "y");
}
