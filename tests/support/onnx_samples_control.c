/* Samples of If, Loop and Scan.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "tests/support/onnx_samples_parts.h"

/* y is x or -x, as a condition at run time and one in the file say. */
void qn_onnx_sample_branches(qn_onb *b) {
  static const uint8_t yes = 1;
  qn_onnx_part_floats(b, "2", "2");
  qn_onb_input(b, "at_run_time", QN_ONB_BOOL, "");
  qn_onb_tensor(b, "yes", QN_ONB_BOOL, "", &yes, sizeof yes);
  for (int i = 0; i < 2; i++) {
    qn_onb *same = qn_onb_create(), *negated = qn_onb_create();
    qn_onb_node(same, "", "Identity", "x", "same");
    qn_onb_output(same, "same", QN_ONB_FLOAT, "2");
    qn_onb_node(negated, "", "Neg", "x", "negated");
    qn_onb_output(negated, "negated", QN_ONB_FLOAT, "2");
    qn_onb_node(b, "", "If", i ? "yes" : "at_run_time", i ? "f" : "e");
    qn_onb_attr_graph(b, "then_branch", same);
    qn_onb_attr_graph(b, "else_branch", negated);
  }
  qn_onb_node(b, "", "Add", "e,f", "y");
}

/* Adds x three times, and lists the sums. */
void qn_onnx_sample_loop(qn_onb *b) {
  static const int64_t count = 3;
  qn_onb *body = qn_onb_create();
  qn_onnx_part_floats(b, "2", "3,2");
  qn_onb_tensor(b, "count", QN_ONB_INT64, "", &count, sizeof count);
  qn_onb_input(body, "i", QN_ONB_INT64, "");
  qn_onb_input(body, "go", QN_ONB_BOOL, "");
  qn_onb_input(body, "sum", QN_ONB_FLOAT, "2");
  qn_onb_node(body, "", "Identity", "go", "on");
  qn_onb_node(body, "", "Add", "sum,x", "more");
  qn_onb_node(body, "", "Identity", "more", "listed");
  qn_onb_output(body, "on", QN_ONB_BOOL, "");
  qn_onb_output(body, "more", QN_ONB_FLOAT, "2");
  qn_onb_output(body, "listed", QN_ONB_FLOAT, "2");
  qn_onb_node(b, "", "Loop", "count,,x", ",y");
  qn_onb_attr_graph(b, "body", body);
}

/* The sums of the first columns, from the last on. */
void qn_onnx_sample_scan(qn_onb *b) {
  qn_onb *body = qn_onb_create();
  qn_onnx_part_floats(b, "2,3", "2,3");
  qn_onnx_part_numbers(b, "zeros", "2", 2);
  qn_onb_input(body, "sum", QN_ONB_FLOAT, "2");
  qn_onb_input(body, "column", QN_ONB_FLOAT, "2");
  qn_onb_node(body, "", "Add", "sum,column", "more");
  qn_onb_node(body, "", "Identity", "more", "listed");
  qn_onb_output(body, "more", QN_ONB_FLOAT, "2");
  qn_onb_output(body, "listed", QN_ONB_FLOAT, "2");
  qn_onb_node(b, "", "Scan", "zeros,x", ",y");
  qn_onb_attr_int(b, "num_scan_inputs", 1);
  qn_onb_attr_ints(b, "scan_input_axes", "1");
  qn_onb_attr_ints(b, "scan_output_axes", "-1");
  qn_onb_attr_ints(b, "scan_output_directions", "1");
  qn_onb_attr_graph(b, "body", body);
}
