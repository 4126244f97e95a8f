/* Reading files that are not regular: endless devices and pipes without a writer; and checks of the
 * time limit.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <fcntl.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/check.h"
#include "base/file.h"
#include "base/guard.h"

#include <cmocka.h>

static char folder[] = "/tmp/quern-file-XXXXXX";

static int open_folder(void **state) {
  (void)state;
  alarm(60); /* ends tests that wait forever */
  return mkdtemp(folder) && chdir(folder) == 0 ? 0 : -1;
}

static int remove_folder(void **state) {
  char command[64];
  (void)state;
  snprintf(command, sizeof command, "rm -rf %s", folder);
  return system(command);
}

static double ticks; /* of `tick` */
static double tick(void) { return ++ticks; }

/* Reads the file with limits: a number of calls of the clock, and a number of bytes. */
static qn_status read_within(const char *path, double deadline, size_t memory, size_t *out_size) {
  qn_account account;
  qn_guard guard;
  qn_ring nothing;
  qn_ring_init(&nothing);
  qn_account_init(&account);
  account.timed = true;
  account.clock = tick;
  account.deadline = deadline;
  account.max_memory = memory;
  ticks = 0;
  *out_size = 0;
  qn_file *file = NULL;
  const char *reason = NULL;
  qn_guard_open(&guard, &account);
  qn_status status = qn_file_open(path, &file, &reason);
  if (file) *out_size = qn_file_bytes(file).size;
  qn_file_release(file);
  if (status != QN_OK) assert_non_null(reason);
  assert_int_equal(deadline <= ticks, guard.exceeded == QN_EXCEEDED_TIME);
  qn_guard_close(&guard, &nothing);
  return status;
}

static void devices_have_an_end(void **state) {
  (void)state;
  static const char *const endless[] = {"/dev/zero", "/dev/urandom", "/dev/full"};
  size_t size;
  for (size_t i = 0; i < QN_COUNT(endless); i++)
    assert_int_equal(read_within(endless[i], HUGE_VAL, 4 << 20, &size), QN_LIMIT);
  assert_int_equal(read_within("/dev/null", HUGE_VAL, 4 << 20, &size), QN_OK);
  assert_int_equal(size, 0);
}

static void a_pipe_without_a_writer_has_an_end(void **state) {
  (void)state;
  size_t size;
  assert_int_equal(mkfifo("silent", 0600), 0);
  assert_int_equal(read_within("silent", 4, 1 << 20, &size), QN_LIMIT);
  int writer = open("silent", O_RDWR); /* a writer that writes nothing */
  assert_true(writer >= 0);
  assert_int_equal(read_within("silent", 4, 1 << 20, &size), QN_LIMIT);
  close(writer);
}

/* The writer opens the pipe later, and closes it. */
static void a_pipe_is_read_to_its_end(void **state) {
  (void)state;
  enum { PIECE = 50000, PIECES = 10 };
  static uint8_t piece[PIECE];
  size_t size;
  assert_int_equal(mkfifo("pipe", 0600), 0);
  for (int pieces = 0; pieces <= PIECES; pieces += PIECES) {
    pid_t child = fork();
    if (child == 0) {
      int fd = open("pipe", O_WRONLY);
      for (int i = 0; i < pieces; i++)
        if (write(fd, piece, PIECE) != PIECE) _exit(1);
      _exit(0);
    }
    assert_int_equal(read_within("pipe", HUGE_VAL, 4 << 20, &size), QN_OK);
    assert_int_equal(size, pieces * PIECE);
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
  }
}

static void files_take_time(void **state) {
  (void)state;
  size_t size;
  int fd = open("long", O_WRONLY | O_CREAT, 0600);
  assert_int_equal(ftruncate(fd, 100 << 20), 0);
  close(fd);
  assert_int_equal(read_within("long", HUGE_VAL, (size_t)1 << 30, &size), QN_OK);
  assert_int_equal(size, 100 << 20);
  assert_true(ticks >= 5);
  for (double deadline = 1; deadline < 5; deadline++) {
    assert_int_equal(read_within("long", deadline, (size_t)1 << 30, &size), QN_LIMIT);
    assert_int_equal(ticks, deadline);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(devices_have_an_end),
      cmocka_unit_test(a_pipe_without_a_writer_has_an_end),
      cmocka_unit_test(a_pipe_is_read_to_its_end),
      cmocka_unit_test(files_take_time),
  };
  return cmocka_run_group_tests(tests, open_folder, remove_folder);
}
