/* The wire format of .onnx files: reading, and errors in damaged messages.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "import/onnx/protobuf.h"
#include "tests/support/onnx_builder.h"

typedef struct fixture {
  qn_arena arena;
  qn_diag_engine diag;
  qn_text messages, bytes;
  const qn_pb_message *root;
} fixture;

static void collect(void *user, const qn_diag *diag) {
  qn_diag_render(diag, (qn_str){NULL, 0}, false, user);
}

static int set_up(void **state) {
  fixture *f = calloc(1, sizeof *f);
  qn_arena_init(&f->arena);
  qn_diag_init(&f->diag, &f->arena);
  f->diag.handler = collect;
  f->diag.user = &f->messages;
  *state = f;
  return 0;
}

static int tear_down(void **state) {
  fixture *f = *state;
  qn_diag_deinit(&f->diag);
  qn_arena_deinit(&f->arena);
  qn_text_deinit(&f->messages);
  qn_text_deinit(&f->bytes);
  free(f);
  return 0;
}

static qn_status read_all(fixture *f) {
  qn_text_clear(&f->messages);
  f->root = NULL;
  qn_bytes bytes = {(const uint8_t *)f->bytes.data, f->bytes.size};
  qn_status status = qn_pb_read(&f->diag, f->diag.unknown, bytes, &f->arena, &f->root);
  assert_true((status == QN_OK) == (f->root != NULL));
  return status;
}

static void expect(fixture *f, qn_status status, const char *message) {
  qn_status is = read_all(f);
  if (is != status || (message && !strstr(f->messages.data, message)))
    fprintf(stderr, "status %d, messages:\n%s", is, f->messages.data ? f->messages.data : "");
  assert_int_equal(is, status);
  if (message) assert_non_null(strstr(f->messages.data, message));
}

static void test_reads_fields(void **state) {
  fixture *f = *state;
  qn_text node = {0}, graph = {0};
  qn_onb_put_string(&node, 1, "a");
  qn_onb_put_string(&node, 1, "");
  qn_onb_put_string(&node, 4, "First");
  qn_onb_put_string(&node, 4, "Last");     /* of a singular field, the last is used */
  qn_onb_put_string(&node, 1000, "what?"); /* unknown fields are skipped */
  qn_onb_put_message(&graph, 1, &node);
  qn_onb_put_int(&f->bytes, 1, 8);
  qn_onb_put_message(&f->bytes, 7, &graph);
  expect(f, QN_OK, NULL);
  assert_int_equal(qn_pb_int(f->root, QN_PB_MODEL_IR_VERSION), 8);
  const qn_pb_message *g = qn_pb_child(f->root, QN_PB_MODEL_GRAPH), *n;
  qn_pb_walk walk = qn_pb_begin(g, QN_PB_GRAPH_NODE);
  assert_true(qn_pb_next_child(&walk, &n));
  assert_int_equal(qn_pb_count(n, QN_PB_NODE_INPUT), 2);
  assert_true(qn_str_is(qn_pb_string(n, QN_PB_NODE_OP_TYPE), "Last"));
  assert_false(qn_pb_next_child(&walk, &n));
  qn_text_deinit(&node);
  qn_text_deinit(&graph);
}

/* A message that occurs several times is merged to one. */
static void test_merges(void **state) {
  fixture *f = *state;
  qn_text graph = {0}, node = {0};
  for (int i = 0; i < 3; i++) {
    qn_onb_put_string(&node, 4, "Relu");
    qn_onb_put_message(&graph, 1, &node);
    qn_onb_put_message(&f->bytes, 7, &graph);
  }
  expect(f, QN_OK, NULL);
  assert_int_equal(qn_pb_count(qn_pb_child(f->root, QN_PB_MODEL_GRAPH), QN_PB_GRAPH_NODE), 3);
  qn_text_deinit(&node);
  qn_text_deinit(&graph);
}

/* Repeated numbers: packed, not packed, and both. */
static void test_numbers(void **state) {
  fixture *f = *state;
  qn_text packed = {0}, tensor = {0}, graph = {0};
  qn_onb_put_varint(&packed, 1);
  qn_onb_put_varint(&packed, 300);
  qn_onb_put_varint(&packed, (uint64_t)-1);
  qn_onb_put_int(&tensor, 7, INT64_MIN);
  qn_onb_put_message(&tensor, 7, &packed);
  qn_onb_put_int(&tensor, 7, 5);
  qn_onb_put_message(&tensor, 7, &packed); /* empty */
  float values[2] = {1, -2};
  qn_onb_put_bytes(&tensor, 4, values, sizeof values);
  qn_onb_put_message(&graph, 5, &tensor);
  qn_onb_put_message(&f->bytes, 7, &graph);
  expect(f, QN_OK, NULL);
  const qn_pb_message *t;
  qn_pb_walk walk = qn_pb_begin(qn_pb_child(f->root, QN_PB_MODEL_GRAPH), QN_PB_GRAPH_INITIALIZER);
  assert_true(qn_pb_next_child(&walk, &t));
  int64_t numbers[5];
  assert_int_equal(qn_pb_count(t, QN_PB_TENSOR_INT64_DATA), 5);
  qn_pb_numbers(t, QN_PB_TENSOR_INT64_DATA, numbers);
  const int64_t wanted[5] = {INT64_MIN, 1, 300, -1, 5};
  assert_memory_equal(numbers, wanted, sizeof wanted);
  assert_int_equal(qn_pb_packed(t, QN_PB_TENSOR_FLOAT_DATA).size, sizeof values);
  assert_int_equal(qn_pb_count(t, QN_PB_TENSOR_DOUBLE_DATA), 0);
  qn_text_deinit(&packed);
  qn_text_deinit(&tensor);
  qn_text_deinit(&graph);
}

static void put(fixture *f, const char *bytes, size_t size) {
  qn_text_clear(&f->bytes);
  qn_text_put(&f->bytes, (qn_str){bytes, size});
}

static void test_damage(void **state) {
  fixture *f = *state;
  static const struct {
    const char *bytes;
    size_t size;
    const char *message;
  } cases[] = {
      {"\x0b", 1, "byte 0: a field has a wire type that there is not"},
      {"\x00\x01", 2, "byte 0: a field has an impossible number"},
      {"\x08", 1, "byte 0: a number does not end"},
      {"\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 12, "a number does not end"},
      {"\xff\xff", 2, "byte 0: a field has no tag"},
      {"\x08\x08\x3a\x05\x0a", 5, "byte 2: a length reaches beyond the end"},
      {"\x3a\xff", 2, "byte 0: a length does not end"},
      {"\x3a\x02\x0a\x05", 4, "graph: byte 2: a length reaches beyond the end"},
      {"\x3a\x04\x0a\x02\x0a\x05", 6, "graph.node[0]: byte 4: a length reaches beyond the end"},
      {"\x0d\x01\x02", 3, "byte 0: a number reaches beyond the end of its message"},
      {"\x09\x01\x02", 3, "byte 0: a number reaches beyond the end of its message"},
      {"\x0a\x01\x02", 3, "ir_version: byte 3: the field has another wire type"},
      {"\x38\x01", 2, "graph: byte 2: the field has another wire type"},
      {"\x3a\x05\x2a\x03\x22\x01\x00", 7,
       "graph.initializer[0].float_data: byte 6: packed numbers do not end with their bytes"},
      {"\x3a\x05\x2a\x03\x3a\x01\xff", 7, "packed numbers do not end with their bytes"},
  };
  for (size_t i = 0; i < QN_COUNT(cases); i++) {
    put(f, cases[i].bytes, cases[i].size);
    expect(f, QN_INVALID, cases[i].message);
  }
  put(f, "", 0);
  expect(f, QN_INVALID, "the file is empty");
}

/* Several errors are reported in one run, but not thousands. */
static void test_all_damage(void **state) {
  fixture *f = *state;
  qn_text graph = {0};
  for (int i = 0; i < 100; i++) qn_onb_put_bytes(&graph, 1, "\x0a\x05", 2);
  qn_onb_put_message(&f->bytes, 7, &graph);
  expect(f, QN_INVALID, "graph.node[19]");
  assert_non_null(strstr(f->messages.data, "80 more damaged places"));
  assert_null(strstr(f->messages.data, "graph.node[20]"));
  qn_text_deinit(&graph);
}

/* Graphs nested in attributes of nodes. */
static void test_nesting(void **state) {
  fixture *f = *state;
  qn_text inner = {0}, outer = {0};
  for (int i = 0; i < 50; i++) {
    qn_onb_put_message(&outer, 6, &inner); /* attribute.g */
    qn_onb_put_message(&inner, 5, &outer); /* node.attribute */
    qn_onb_put_message(&outer, 1, &inner); /* graph.node */
    qn_text_put(&inner, qn_text_view(&outer));
    qn_text_clear(&outer);
  }
  qn_onb_put_message(&f->bytes, 7, &inner);
  expect(f, QN_OK, NULL);
  qn_text_clear(&f->bytes);
  qn_text_clear(&inner);
  for (int i = 0; i < 100; i++) {
    qn_text_clear(&outer);
    qn_onb_put_message(&outer, 6, &inner);
    qn_onb_put_message(&inner, 5, &outer);
    qn_onb_put_message(&outer, 1, &inner);
    qn_text_put(&inner, qn_text_view(&outer));
  }
  qn_onb_put_message(&f->bytes, 7, &inner);
  expect(f, QN_INVALID, "messages are nested more than 200 deep");
  qn_text_deinit(&inner);
  qn_text_deinit(&outer);
}

/* Each message of 2 bytes becomes a record of 60 bytes in memory. */
static void test_many_empty_messages(void **state) {
  fixture *f = *state;
  enum { COUNT = 5000000 };
  char *nodes = malloc(2 * (size_t)COUNT);
  for (size_t i = 0; i < COUNT; i++) memcpy(nodes + 2 * i, "\x0a\x00", 2);
  qn_onb_put_bytes(&f->bytes, 7, nodes, 2 * (size_t)COUNT);
  free(nodes);
  expect(f, QN_LIMIT, "so many small messages");
  assert_true(f->arena.total < (size_t)400 << 20);
}

/* Hundreds of thousands of parts of one message are merged in linear time. */
static void test_many_parts(void **state) {
  fixture *f = *state;
  for (int i = 0; i < 300000; i++) qn_onb_put_bytes(&f->bytes, 7, NULL, 0);
  expect(f, QN_OK, NULL);
}

static void test_recognizes(void **state) {
  fixture *f = *state;
  qn_onb *b = qn_onb_create();
  qn_onb_node(b, "", "Relu", "x", "y");
  qn_bytes file = qn_onb_finish(b, 8, 17);
  assert_true(qn_pb_is_model(file));
  for (size_t size = 4; size < file.size; size++)
    assert_true(qn_pb_is_model((qn_bytes){file.data, size}));
  qn_onb_destroy(b);
  static const char *const others[] = {"",
                                       "module {}",
                                       "\"builtin.module\"() : ",
                                       "{}",
                                       "\x1c\0\0\0TFL3",
                                       "\x08\x01\x12\x02..",
                                       "func.func @main()",
                                       "\x08\x07\x0b",
                                       "\x08\xff\xff\xff\x07",
                                       "\x0a\x04name"};
  for (size_t i = 0; i < QN_COUNT(others); i++)
    assert_false(qn_pb_is_model((qn_bytes){(const uint8_t *)others[i], strlen(others[i])}));
  (void)f;
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
  const struct CMUnitTest tests[] = {
      TEST(test_reads_fields), TEST(test_merges),     TEST(test_numbers),
      TEST(test_damage),       TEST(test_all_damage), TEST(test_nesting),
      TEST(test_many_parts),   TEST(test_recognizes), TEST(test_many_empty_messages),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
