/* Arenas, maps, text, files.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/checked.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/map.h"
#include "base/str.h"

#include <cmocka.h>

static void arena_memory_is_zeroed_aligned_and_rewindable(void **state) {
  (void)state;
  qn_arena arena;
  qn_arena_init(&arena);
  qn_arena_alloc(&arena, 3);
  qn_arena_mark mark = qn_arena_get_mark(&arena);
  for (int round = 0; round < 2; round++) {
    for (size_t size = 1; size < 100000; size *= 3) {
      unsigned char *memory = qn_arena_alloc(&arena, size);
      assert_int_equal((uintptr_t)memory % 16, 0);
      for (size_t i = 0; i < size; i++) assert_int_equal(memory[i], 0);
      memset(memory, 0xAB, size);
    }
    qn_arena_rewind(&arena, mark);
  }
  assert_null(qn_arena_copy(&arena, "", 0));
  qn_str text = qn_arena_format(&arena, "%s=%d", "answer", 42);
  assert_string_equal(text.data, "answer=42");
  assert_int_equal(text.size, 9);
  qn_arena_deinit(&arena);
}

static void arrays_grow(void **state) {
  (void)state;
  QN_ARRAY(int) numbers = {0};
  for (int i = 0; i < 1000; i++) qn_array_push(&numbers, i);
  for (int i = 0; i < 1000; i++) assert_int_equal(numbers.data[i], i);
  qn_array_free(&numbers);
  assert_null(numbers.data);
}

static void maps_keep_what_was_set_last(void **state) {
  (void)state;
  enum { COUNT = 5000 };
  static int keys[COUNT];
  qn_map map = {0};
  assert_null(qn_map_get(&map, keys));
  for (int round = 0; round < 2; round++) {
    for (int i = 0; i < COUNT; i++) qn_map_set(&map, &keys[i], &keys[(i + round) % COUNT]);
  }
  assert_int_equal(map.count, COUNT);
  for (int i = 0; i < COUNT; i++) {
    assert_ptr_equal(qn_map_get(&map, &keys[i]), &keys[(i + 1) % COUNT]);
  }
  assert_null(qn_map_get(&map, &map));
  qn_map_deinit(&map);
}

static void string_maps_compare_content(void **state) {
  (void)state;
  qn_arena arena;
  qn_arena_init(&arena);
  qn_str_map map = {0};
  for (int i = 0; i < 3000; i++) {
    qn_str key = qn_arena_format(&arena, "key%d", i);
    qn_str_map_set(&map, key, (void *)key.data);
  }
  char again[16];
  snprintf(again, sizeof again, "key%d", 1234);
  assert_string_equal((const char *)qn_str_map_get(&map, qn_str_of(again)), "key1234");
  assert_null(qn_str_map_get(&map, qn_str_of("key")));
  qn_str_map_set(&map, qn_str_of(""), &arena);
  assert_ptr_equal(qn_str_map_get(&map, (qn_str){NULL, 0}), &arena);
  qn_str_map_deinit(&map);
  qn_arena_deinit(&arena);
}

/* Inputs that differ in length or in one bit have different hashes. */
static void hash_sees_every_bit_and_the_size(void **state) {
  (void)state;
  uint8_t data[80] = {0};
  for (size_t size = 1; size <= sizeof data; size++) {
    uint64_t whole = qn_hash_bytes(7, data, size);
    assert_int_not_equal(whole, qn_hash_bytes(7, data, size - 1));
    assert_int_not_equal(whole, qn_hash_bytes(8, data, size));
    for (size_t bit = 0; bit < 8 * size; bit++) {
      data[bit / 8] ^= (uint8_t)(1 << bit % 8);
      assert_int_not_equal(whole, qn_hash_bytes(7, data, size));
      data[bit / 8] ^= (uint8_t)(1 << bit % 8);
    }
  }
}

static void strings_compare_and_text_grows(void **state) {
  (void)state;
  assert_true(qn_str_compare(qn_str_of("ab"), qn_str_of("abc")) < 0);
  assert_true(qn_str_compare(qn_str_of("b"), qn_str_of("abc")) > 0);
  assert_int_equal(qn_str_compare(qn_str_of("abc"), qn_str_of("abc")), 0);
  qn_str list = qn_str_of("ab,,c"), item;
  assert_true(qn_str_lists(list, qn_str_of("c")) && !qn_str_lists(list, qn_str_of("b")));
  assert_true(qn_str_next(&list, &item) && qn_str_is(item, "ab"));
  assert_true(qn_str_next(&list, &item) && item.size == 0);
  assert_true(qn_str_next(&list, &item) && qn_str_is(item, "c") && !qn_str_next(&list, &item));
  assert_true(qn_str_starts(qn_str_of("abc"), "ab"));
  qn_text text = {0};
  assert_int_equal(qn_text_view(&text).size, 0);
  for (int i = 0; i < 500; i++) qn_text_format(&text, "%d,", i % 10);
  assert_int_equal(text.size, 1000);
  assert_int_equal(strlen(text.data), 1000);
  qn_text_clear(&text);
  assert_string_equal(text.data, "");
  qn_text_deinit(&text);
}

static void checked_arithmetic_reports_overflow(void **state) {
  (void)state;
  int64_t out = 5;
  assert_false(qn_checked_mul(INT64_MAX, 2, &out));
  assert_false(qn_checked_add(INT64_MIN, -1, &out));
  assert_int_equal(out, 5);
  assert_true(qn_checked_mul(-3, 7, &out));
  assert_int_equal(out, -21);
}

static qn_bytes bytes_of(const char *text) {
  return (qn_bytes){(const uint8_t *)text, strlen(text)};
}

/* The content of a file that was read does not change when the file does. */
static void files_are_read_once(void **state) {
  (void)state;
  enum { SIZE = 3 * 4096 };
  char path[] = "/tmp/quern-test-XXXXXX", text[SIZE];
  int fd = mkstemp(path);
  memset(text, 'a', SIZE);
  assert_int_equal(write(fd, text, SIZE), SIZE);
  const char *reason = NULL;
  qn_file *file = NULL;
  assert_int_equal(qn_file_open(path, &file, &reason), QN_OK);
  memset(text, 'b', SIZE);
  assert_int_equal(pwrite(fd, text, 4096, 0), 4096);
  assert_int_equal(ftruncate(fd, 4096), 0);
  memset(text, 'a', SIZE);
  assert_int_equal(qn_file_bytes(file).size, SIZE);
  assert_memory_equal(qn_file_bytes(file).data, text, SIZE);
  qn_file_retain(file);
  qn_file_release(file);
  assert_memory_equal(qn_file_bytes(file).data, text, SIZE);
  qn_file_release(file);
  qn_file_release(NULL);
  close(fd);
  unlink(path);
  assert_int_equal(qn_file_open(path, &file, &reason), QN_IO);
  assert_string_equal(reason, "No such file or directory");
  assert_int_equal(qn_file_open("/tmp", &file, &reason), QN_IO);
  assert_string_equal(reason, "Is a directory");
}

/* The file is larger than any model. Its size is checked before memory is allocated. */
static void huge_files_are_refused(void **state) {
  (void)state;
  char path[] = "/tmp/quern-test-XXXXXX";
  int fd = mkstemp(path);
  const char *reason = NULL;
  qn_file *file = NULL;
  assert_int_equal(ftruncate(fd, (off_t)1 << 40), 0);
  assert_int_equal(qn_file_open(path, &file, &reason), QN_LIMIT);
  assert_string_equal(reason, "File too large");
  close(fd);
  unlink(path);
}

static void memory_files_copy_when_asked(void **state) {
  (void)state;
  char text[] = "abc";
  qn_file *copied = qn_file_from_memory(bytes_of(text), true);
  qn_file *borrowed = qn_file_from_memory(bytes_of(text), false);
  text[0] = 'x';
  assert_memory_equal(qn_file_bytes(copied).data, "abc", 3);
  assert_memory_equal(qn_file_bytes(borrowed).data, "xbc", 3);
  qn_file_release(copied);
  qn_file_release(borrowed);
}

static void sealed_files_are_given_back(void **state) {
  (void)state;
  enum { SIZE = 300000 };
  uint8_t *all = test_malloc(SIZE), page_state;
  memset(all, 7, SIZE);
  qn_file *file = qn_file_sealed((qn_bytes){all, SIZE});
  uint8_t *at = (uint8_t *)(uintptr_t)qn_file_bytes(file).data;
  assert_true(qn_file_is_sealed(file));
  assert_memory_equal(at, all, SIZE);
  assert_int_equal((uintptr_t)at % (uintptr_t)sysconf(_SC_PAGESIZE), 0);
  int null = open("/dev/zero", O_RDONLY);
  assert_int_equal(read(null, at, 1), -1); /* fails: the page is read-only */
  close(null);
  qn_file_release(file);
  assert_int_equal(mincore(at, 1, &page_state), -1); /* fails: the page is unmapped */
  test_free(all);
}

/* The first of two equally near names is returned; none if all differ too much. */
static void nearest_names_are_slips_of_the_pen(void **state) {
  (void)state;
  static const char *const names[] = {"engine", "emit", "edit", "threads"};
  assert_string_equal(qn_nearest_name("emti", names, 4), "emit");
  assert_string_equal(qn_nearest_name("thraeds", names, 4), "threads");
  assert_string_equal(qn_nearest_name("exit", names, 4), "emit");
  assert_null(qn_nearest_name("colour", names, 4));
  assert_null(qn_nearest_name("emit", names, 0));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(nearest_names_are_slips_of_the_pen),
      cmocka_unit_test(arena_memory_is_zeroed_aligned_and_rewindable),
      cmocka_unit_test(arrays_grow),
      cmocka_unit_test(maps_keep_what_was_set_last),
      cmocka_unit_test(string_maps_compare_content),
      cmocka_unit_test(hash_sees_every_bit_and_the_size),
      cmocka_unit_test(strings_compare_and_text_grows),
      cmocka_unit_test(checked_arithmetic_reports_overflow),
      cmocka_unit_test(files_are_read_once),
      cmocka_unit_test(huge_files_are_refused),
      cmocka_unit_test(memory_files_copy_when_asked),
      cmocka_unit_test(sealed_files_are_given_back),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
