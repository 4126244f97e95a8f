/* Shared by importers of all formats: lists of numbers, and windows in any layout.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "import/graph/window.h"
#include "tests/unit/import/import_test.h"

static void test_lists_read_any_width(void **state) {
  (void)state;
  static const uint8_t bytes[] = {0xAA, 0xFE, 0xFF, 0xFF, 0xFF, 0x7F, 0x80, 0x01, 0x02};
  const uint8_t *odd = bytes + 1; /* not aligned */
  assert_int_equal(qn_graph_int_at((qn_graph_list){odd, 1, QN_GRAPH_INT8}, 0), -2);
  assert_int_equal(qn_graph_int_at((qn_graph_list){odd, 1, QN_GRAPH_UINT8}, 0), 254);
  assert_int_equal(qn_graph_int_at((qn_graph_list){odd, 1, QN_GRAPH_INT16}, 0), -2);
  assert_int_equal(qn_graph_int_at((qn_graph_list){odd, 2, QN_GRAPH_UINT16}, 1), 0xFFFF);
  assert_int_equal(qn_graph_int_at((qn_graph_list){odd, 2, QN_GRAPH_INT32}, 0), -2);
  assert_int_equal(qn_graph_int_at((qn_graph_list){odd, 2, QN_GRAPH_INT32}, 1), 0x0201807F);
  assert_true(qn_graph_int_at((qn_graph_list){odd, 1, QN_GRAPH_INT64}, 0) ==
              INT64_C(0x0201807FFFFFFFFE));
  const qn_graph_list all = {odd, 8, QN_GRAPH_INT8};
  const qn_graph_list part = qn_graph_part_of(all, 4, 3);
  assert_int_equal(part.count, 3);
  assert_int_equal(qn_graph_int_at(part, 1), -128);
}

static void test_lists_read_floats(void **state) {
  (void)state;
  static const float narrow[] = {0.1F, -3.0F};
  static const double wide[] = {0.1};
  const qn_graph_list floats = {(const uint8_t *)narrow, 2, QN_GRAPH_FLOAT32};
  assert_true(qn_graph_real_at(floats, 0) == (double)0.1F);
  assert_true(qn_graph_real_at(floats, 1) == -3);
  assert_true(qn_graph_real_at((qn_graph_list){(const uint8_t *)wide, 1, QN_GRAPH_FLOAT64}, 0) ==
              0.1);
}

/* ---- windows ---- */

typedef struct bench {
  qn_ir_context cx;
  qn_import_options options;
  qn_graph graph;
  qn_graph_op op;
} bench;

static void set_up(bench *b) {
  *b = (bench){0};
  qn_ir_context_init(&b->cx);
  b->graph = (qn_graph){
      .cx = &b->cx, .options = &b->options, .loc = qn_loc_file(&b->cx.diag, qn_str_of("m"), 0, 0)};
  qn_arena_init(&b->graph.arena);
  b->op = (qn_graph_op){.graph = &b->graph, .name = qn_str_of("Conv")};
}

static void tear_down(bench *b) {
  qn_arena_deinit(&b->graph.arena);
  qn_ir_context_deinit(&b->cx);
}

static void assert_pads(const qn_graph_window *w, int64_t top, int64_t bottom, int64_t left,
                        int64_t right) {
  assert_int_equal(w->pad[0], top);
  assert_int_equal(w->pad[1], bottom);
  assert_int_equal(w->pad[2], left);
  assert_int_equal(w->pad[3], right);
}

/* A kernel of 3 x 2 on an image of 5 x 4 with strides of 2. */
static const qn_graph_window plain = {.kernel = {3, 2}, .dilation = {1, 1}, .stride = {2, 2}};

static void test_padding_by_rules(void **state) {
  (void)state;
  bench b;
  set_up(&b);
  const qn_graph_tensor nhwc = {.dtype = QN_GRAPH_FLOAT32, .shape = {4, {1, 5, 3, 8}}};
  qn_graph_window w = plain;
  assert_true(qn_graph_place_window(&b.op, &nhwc, 1, QN_GRAPH_PAD_SAME, &w));
  assert_int_equal(w.out[0], 3);
  assert_int_equal(w.out[1], 2);
  assert_pads(&w, 1, 1, 0, 1);
  w = plain;
  assert_true(qn_graph_place_window(&b.op, &nhwc, 1, QN_GRAPH_PAD_SAME_LOWER, &w));
  assert_pads(&w, 1, 1, 1, 0);
  w = plain;
  assert_true(qn_graph_place_window(&b.op, &nhwc, 1, QN_GRAPH_PAD_VALID, &w));
  assert_int_equal(w.out[0], 2);
  assert_int_equal(w.out[1], 1);
  assert_pads(&w, 0, 0, 0, 0);
  tear_down(&b);
}

static void test_given_padding_of_channels_first(void **state) {
  (void)state;
  bench b;
  set_up(&b);
  const qn_graph_tensor nchw = {.dtype = QN_GRAPH_FLOAT32, .shape = {4, {1, 8, 5, 4}}};
  qn_graph_window w = plain;
  w.pad[0] = 2, w.pad[3] = 1;
  assert_true(qn_graph_place_window(&b.op, &nchw, 2, QN_GRAPH_PAD_GIVEN, &w));
  assert_int_equal(w.out[0], 3); /* (5 + 2 - 3) / 2 + 1 */
  assert_int_equal(w.out[1], 2); /* (4 + 1 - 2) / 2 + 1 */
  assert_pads(&w, 2, 0, 0, 1);
  tear_down(&b);
}

static void test_windows_that_do_not_fit(void **state) {
  (void)state;
  bench b;
  set_up(&b);
  const qn_graph_tensor small = {.dtype = QN_GRAPH_FLOAT32, .shape = {4, {1, 2, 2, 8}}};
  qn_diag_state quiet = qn_diag_silence(&b.cx.diag);
  qn_graph_window w = plain;
  assert_false(qn_graph_place_window(&b.op, &small, 1, QN_GRAPH_PAD_VALID, &w));
  w = plain;
  w.stride[1] = 0;
  assert_false(qn_graph_place_window(&b.op, &small, 1, QN_GRAPH_PAD_SAME, &w));
  assert_true(b.op.failed);
  assert_int_equal(b.graph.status, QN_INVALID);
  qn_diag_restore(&b.cx.diag, &quiet);
  tear_down(&b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_lists_read_any_width),
      cmocka_unit_test(test_lists_read_floats),
      cmocka_unit_test(test_padding_by_rules),
      cmocka_unit_test(test_given_padding_of_channels_first),
      cmocka_unit_test(test_windows_that_do_not_fit),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
