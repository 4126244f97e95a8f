/* The time limit is checked while LLVM generates machine code: about once per long kernel, just in
 * time and ahead of time. The checks leave no trace in the object.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "fixture.h"

#include <math.h>

#include "base/guard.h"

enum { KERNELS = 12 };

/* A kernel that needs more vector registers than there are. */
static void put_kernel(qn_text *out, int k) {
  qn_text_format(out,
                 "\"func.func\"() <{function_type = (memref<4096xi8>, memref<4096xi8>, index, "
                 "index) -> (), sym_name = \"k%d\", sym_visibility = \"private\"}> ({\n"
                 "^bb0(%%in: memref<4096xi8>, %%out: memref<4096xi8>, %%lo: index, %%hi: index):\n"
                 "  %%c0 = \"arith.constant\"() <{value = %d : index}> : () -> index\n"
                 "  %%c1 = \"arith.constant\"() <{value = 2048 : index}> : () -> index\n"
                 "  %%a = \"vector.load\"(%%in, %%c0) : (memref<4096xi8>, index) -> "
                 "vector<512xi8>\n"
                 "  %%b = \"vector.load\"(%%in, %%c1) : (memref<4096xi8>, index) -> "
                 "vector<512xi8>\n"
                 "  \"vector.store\"(%%a, %%out, %%c1) : (vector<512xi8>, memref<4096xi8>, index) "
                 "-> ()\n"
                 "  \"vector.store\"(%%b, %%out, %%c0) : (vector<512xi8>, memref<4096xi8>, index) "
                 "-> ()\n"
                 "  \"func.return\"() : () -> ()\n}) : () -> ()\n",
                 k, k);
}

static void put_module(qn_text *out) {
  qn_text_puts(out, "\"builtin.module\"() ({\n");
  for (int k = 0; k < KERNELS; k++) put_kernel(out, k);
  qn_text_puts(out,
               "\"func.func\"() <{arg_attrs = [\n"
               "  {quern.role = \"input\", quern.dtype = \"i8\", quern.shape = array<i64: 4096>},\n"
               "  {quern.role = \"output\", quern.dtype = \"i8\", quern.shape = array<i64: 4096>}, "
               "{quern.role = \"arena\"}],\n"
               "  function_type = (memref<4096xi8>, memref<4096xi8>, memref<64xi8>) -> (), "
               "sym_name = \"main\"}> ({\n"
               "^bb0(%in: memref<4096xi8>, %out: memref<4096xi8>, %arena: memref<64xi8>):\n"
               "  %n = \"arith.constant\"() <{value = 1 : index}> : () -> index\n");
  for (int k = 0; k < KERNELS; k++)
    qn_text_format(out,
                   "  \"quern.launch\"(%%in, %%out, %%n) {kernel = @k%d} : (memref<4096xi8>, "
                   "memref<4096xi8>, index) -> ()\n",
                   k);
  qn_text_puts(out, "  \"func.return\"() : () -> ()\n}) : () -> ()\n"
                    "}) {quern.arena_bytes = 64 : i64} : () -> ()\n");
}

static double ticks; /* of `tick` */
static double tick(void) { return ++ticks; }

typedef struct session {
  fixture f;
  qn_module *module;
  qn_codegen_options options;
  qn_text object;
} session;

static void open_session(session *s) {
  qn_text text = {0};
  put_module(&text);
  *s = (session){0};
  fixture_init(&s->f);
  s->module = fixture_parse(&s->f, text.data);
  s->options = fixture_options(&s->f, "baseline");
  s->options.threads = 1;
  qn_text_deinit(&text);
}

static void close_session(session *s) {
  qn_text_deinit(&s->object);
  qn_module_destroy(s->module);
  fixture_deinit(&s->f);
}

static uint8_t *kept; /* the object of the last call, freed by the next one */
static uint8_t *keep_room(void *user, size_t size) {
  size_t *bytes = user;
  free(kept);
  *bytes = size;
  return kept = malloc(size + 1);
}

static qn_status emit(session *s) {
  size_t size = 0;
  qn_status status = qn_codegen_emit(s->module, &s->options, QN_EMIT_OBJECT, keep_room, &size);
  if (status == QN_OK && !s->object.size) qn_text_put(&s->object, (qn_str){(char *)kept, size});
  if (status == QN_OK) {
    assert_int_equal(size, s->object.size);
    assert_memory_equal(kept, s->object.data, size);
  }
  return status;
}

static qn_status make_jit(session *s) {
  qn_jit *jit = NULL;
  qn_status status = qn_jit_create(s->module, &s->options, &jit);
  qn_jit_destroy(jit);
  return status;
}

/* Runs `make` with a deadline. Returns true if the deadline ended it. */
static bool is_ended(session *s, qn_status (*make)(session *s), double deadline) {
  qn_account account;
  qn_guard guard;
  qn_ring nothing;
  qn_ring_init(&nothing);
  qn_account_init(&account);
  account.timed = true;
  account.clock = tick;
  account.deadline = deadline;
  ticks = 0;
  qn_guard_open(&guard, &account);
  if (setjmp(guard.jump) == 0) {
    fixture_expect(&s->f, make(s), QN_OK);
    qn_guard_close(&guard, &nothing);
    qn_ring_free(&nothing);
    return false;
  }
  assert_int_equal(guard.exceeded, QN_EXCEEDED_TIME);
  qn_guard_discard(&guard);
  return true;
}

/* The call ends at any deadline, with few checks after it; later calls have the usual result. */
static void check(qn_status (*make)(session *s)) {
  session s;
  open_session(&s);
  fixture_expect(&s.f, make(&s), QN_OK);
  assert_false(is_ended(&s, make, HUGE_VAL));
  const double looks = ticks;
  if (looks < (double)KERNELS) fail_msg("looked %g times at %d kernels", looks, KERNELS);
  for (double deadline = 1; deadline <= looks; deadline += 7) {
    assert_true(is_ended(&s, make, deadline));
    assert_true(ticks <= deadline + 16); /* one check per part and step */
  }
  assert_false(is_ended(&s, make, HUGE_VAL));
  close_session(&s);
}

static void an_object_ends_at_a_kernel(void **state) {
  (void)state;
  check(emit);
  free(kept);
  kept = NULL;
}

static void a_jit_ends_at_a_kernel(void **state) {
  (void)state;
  check(make_jit);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(an_object_ends_at_a_kernel),
                                     cmocka_unit_test(a_jit_ends_at_a_kernel)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
