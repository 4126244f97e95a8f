/* Instances of an entry written by hand instead of generated code.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "runtime/model.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "runtime/arena.h"

enum { SIZE = 100 };

/* args: in, out. */
static void negate(void *const *args, int64_t lo, int64_t hi) {
  const int8_t *in = args[0];
  int8_t *out = args[1];
  for (int64_t i = lo; i < hi; i++) out[i] = (int8_t)-in[i];
}

static void run(const qn_abi_call *call, void *const *args) {
  if (call->parallel_for)
    call->parallel_for(call->pool, negate, args, SIZE);
  else
    negate(args, 0, SIZE);
}

/* out = -(-(in)) in two steps that use the arena. */
static int32_t invoke(const qn_abi_call *call) {
  void *first[] = {(void *)(uintptr_t)call->inputs[0], call->arena};
  void *second[] = {call->arena, call->outputs[0]};
  if (call->step) call->step(call->user, 0);
  run(call, first);
  if (call->step) call->step(call->user, 1);
  run(call, second);
  if (call->step) call->step(call->user, 2);
  return 0;
}

static const qn_abi_tensor tensor = {
    .name = "x", .dtype = QN_ABI_I8, .rank = 1, .dims = {SIZE}, .bytes = SIZE, .index = 3};
static const qn_abi_probe probes[] = {
    {.index = 1, .offset = 0, .bytes = SIZE, .output = -1},
    {.index = 2, .offset = UINT64_MAX, .bytes = SIZE, .output = 0}};
static const qn_abi_step steps[] = {{.name = "first"}, {.name = "second", .macs = 7}};
static const qn_abi_model entry = {.version = QN_ABI_VERSION,
                                   .input_count = 1,
                                   .output_count = 1,
                                   .probe_count = 2,
                                   .step_count = 2,
                                   .inputs = &tensor,
                                   .outputs = &tensor,
                                   .probes = probes,
                                   .steps = steps,
                                   .arena_bytes = SIZE,
                                   .invoke = invoke};

static void fill(int8_t *in) {
  for (int i = 0; i < SIZE; i++) in[i] = (int8_t)(i * 7 - 120);
}

static void invokes_with_any_number_of_threads(void **state) {
  (void)state;
  int8_t in[SIZE], out[SIZE];
  qn_instance *instance;
  fill(in);
  assert_int_equal(qn_instance_create(&entry, &instance), QN_OK);
  assert_ptr_equal(qn_instance_entry(instance), &entry);
  for (uint32_t threads = 1; threads <= 3; threads++) {
    assert_int_equal(qn_instance_set_threads(instance, threads), QN_OK);
    assert_in_range(qn_instance_threads(instance), 1, threads);
    memset(out, 0, sizeof out);
    qn_instance_invoke(instance, (const void *[]){in}, (void *[]){out});
    assert_memory_equal(in, out, SIZE);
  }
  assert_int_equal(qn_instance_set_threads(instance, 0), QN_INVALID);
  assert_in_range(qn_instance_threads(instance), 1, 3);
  qn_instance_destroy(instance);
}

static void profiles_every_step(void **state) {
  (void)state;
  int8_t in[SIZE], out[SIZE];
  double seconds[2] = {-1, -1};
  qn_instance *instance;
  fill(in);
  assert_int_equal(qn_instance_create(&entry, &instance), QN_OK);
  qn_instance_profile(instance, (const void *[]){in}, (void *[]){out}, seconds);
  assert_memory_equal(in, out, SIZE);
  assert_true(seconds[0] >= 0 && seconds[1] >= 0);
  qn_instance_destroy(instance);
}

typedef struct seen {
  int64_t index[2];
  int8_t first[2];
  int count;
} seen;

static void note(void *user, int64_t index, const void *data, size_t bytes) {
  seen *s = user;
  assert_int_equal(bytes, SIZE);
  s->index[s->count] = index;
  s->first[s->count++] = *(const int8_t *)data;
}

static void visits_probes_in_order(void **state) {
  (void)state;
  int8_t in[SIZE], out[SIZE];
  seen s = {0};
  qn_instance *instance;
  fill(in);
  assert_int_equal(qn_instance_create(&entry, &instance), QN_OK);
  void *outputs[] = {out};
  qn_instance_invoke(instance, (const void *[]){in}, outputs);
  qn_instance_probes(instance, outputs, note, &s);
  assert_int_equal(s.count, 2);
  assert_int_equal(s.index[0], 1);
  assert_int_equal(s.index[1], 2);
  assert_int_equal(s.first[0], 120);
  assert_int_equal(s.first[1], -120);
  qn_instance_destroy(instance);
}

static int32_t not_here(void) { return 0; }

static void refuses_what_it_cannot_run(void **state) {
  (void)state;
  qn_instance *instance;
  qn_abi_model other = entry;
  other.version = QN_ABI_VERSION_PREPARED + 1;
  assert_int_equal(qn_instance_create(&other, &instance), QN_INVALID);
  assert_null(instance);
  assert_int_equal(qn_instance_create(NULL, &instance), QN_INVALID);
  other = entry;
  other.arena_bytes = UINT64_MAX;
  assert_int_equal(qn_instance_create(&other, &instance), QN_LIMIT);
  assert_null(instance);
  other = entry;
  other.version = 1; /* a version without states and sizes: none of the fields may be read */
  assert_int_equal(qn_instance_create(&other, &instance), QN_INVALID);
  other = entry;
  other.supported = not_here;
  assert_int_equal(qn_instance_create(&other, &instance), QN_UNSUPPORTED);
  assert_null(instance);
  qn_instance_destroy(NULL);
}

/* states[0] counts the calls. Copies as many bytes of the input as the size says. */
static int32_t count_and_copy(const qn_abi_call *call) {
  ++*((uint8_t *)call->states + 64);
  memcpy(call->outputs[0], call->inputs[0], (size_t)call->sizes[0]);
  return 0;
}

static void start_at_five(void *states) { ((uint8_t *)states)[64] = 5; }

static void keeps_states_and_sizes(void **state) {
  (void)state;
  const qn_abi_tensor states[] = {{.dtype = QN_ABI_U8, .bytes = 1, .offset = 64}};
  const qn_abi_size sizes[] = {{"n", SIZE}};
  qn_abi_model other = entry;
  other.state_count = other.size_count = 1;
  other.states = states;
  other.sizes = sizes;
  other.state_bytes = 65;
  other.invoke = count_and_copy;
  other.reset = start_at_five;
  qn_instance *a, *b;
  int8_t in[SIZE], out[SIZE] = {0}, nothing[SIZE] = {0};
  fill(in);
  assert_int_equal(qn_instance_create(&other, &a), QN_OK);
  assert_int_equal(qn_instance_create(&other, &b), QN_OK);
  assert_int_equal(qn_instance_size(a, 0), SIZE);
  assert_int_equal(qn_instance_set_size(a, 0, 0), QN_INVALID);
  assert_int_equal(qn_instance_set_size(a, 0, SIZE + 1), QN_INVALID);
  assert_int_equal(qn_instance_size(a, 0), SIZE);
  assert_int_equal(qn_instance_set_size(a, 0, 3), QN_OK);
  for (int i = 0; i < 4; i++) qn_instance_invoke(a, (const void *[]){in}, (void *[]){out});
  assert_int_equal(*(uint8_t *)qn_instance_state(a, 0), 9);
  assert_int_equal(*(uint8_t *)qn_instance_state(b, 0), 5);
  assert_memory_equal(out, in, 3);
  assert_memory_equal(out + 3, nothing, SIZE - 3);
  assert_int_equal((uintptr_t)qn_instance_state(a, 0) % QN_ABI_ALIGN, 0);
  qn_instance_reset(a);
  assert_int_equal(*(uint8_t *)qn_instance_state(a, 0), 5);
  qn_instance_destroy(a);
  qn_instance_destroy(b);
}

static void arena_is_aligned_and_never_null(void **state) {
  (void)state;
  static const uint64_t sizes[] = {0, 1, 63, 64, 65, 100000};
  for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
    uint8_t *arena = qn_runtime_arena_create(sizes[i]);
    assert_non_null(arena);
    assert_int_equal((uintptr_t)arena % QN_ABI_ALIGN, 0);
    for (uint64_t k = 0; k < sizes[i]; k++) assert_int_equal(arena[k], 0);
    qn_runtime_arena_destroy(arena);
  }
  assert_null(qn_runtime_arena_create(UINT64_MAX));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(invokes_with_any_number_of_threads),
      cmocka_unit_test(profiles_every_step),
      cmocka_unit_test(visits_probes_in_order),
      cmocka_unit_test(refuses_what_it_cannot_run),
      cmocka_unit_test(keeps_states_and_sizes),
      cmocka_unit_test(arena_is_aligned_and_never_null),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
