/* Writing files: all files are replaced or none, permissions are kept, and after any failure there
 * is no new file in the folder.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "base/output.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

static qn_bytes bytes_of(const char *text) {
  return (qn_bytes){(const uint8_t *)text, strlen(text)};
}

/* Each test runs in its own folder. */
static int enter(void **state) {
  char folder[] = "/tmp/quern-output-XXXXXX";
  if (!mkdtemp(folder) || chdir(folder) != 0) return -1;
  *state = strdup(folder);
  return 0;
}

static int leave(void **state) {
  char command[128];
  snprintf(command, sizeof command, "rm -rf '%s'", (const char *)*state);
  free(*state);
  return chdir("/") == 0 ? system(command) : -1;
}

static int entries(void) {
  int count = 0;
  DIR *dir = opendir(".");
  assert_non_null(dir);
  while (readdir(dir)) count++;
  closedir(dir);
  return count - 2;
}

static void put(const char *path, const char *text) {
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  fputs(text, file);
  fclose(file);
}

static void expect_text(const char *path, const char *text) {
  char is[256] = "";
  FILE *file = fopen(path, "r");
  assert_non_null(file);
  is[fread(is, 1, sizeof is - 1, file)] = '\0';
  fclose(file);
  assert_string_equal(is, text);
}

static struct stat info_of(const char *path) {
  struct stat info;
  assert_int_equal(lstat(path, &info), 0);
  return info;
}

static qn_status write_two(const char *first, const char *second, size_t *out_failed) {
  const qn_bytes one = bytes_of("one"), two = bytes_of("two");
  const qn_output outputs[] = {{first, &one, 1, false}, {second, &two, 1, false}};
  const char *reason = NULL;
  qn_status status = qn_outputs_write(outputs, 2, out_failed, &reason);
  assert_non_null(reason);
  return status;
}

static qn_status write_one(const char *path, const char *text, const char **out_reason) {
  const qn_bytes bytes = bytes_of(text);
  const qn_output output = {path, &bytes, 1, false};
  size_t failed;
  return qn_outputs_write(&output, 1, &failed, out_reason);
}

/* A private output replaces a symbolic link or a file with other hard links, and only this user can
 * read it. */
static void private_files_replace_all(void **state) {
  (void)state;
  const qn_bytes bytes = bytes_of("secret");
  const qn_output output = {"private", &bytes, 1, true};
  size_t failed;
  const char *reason;
  mode_t before = umask(0);
  put("target", "old");
  assert_int_equal(symlink("target", "private"), 0);
  for (int round = 0; round < 2; round++) {
    assert_int_equal(qn_outputs_write(&output, 1, &failed, &reason), QN_OK);
    assert_int_equal(info_of("private").st_mode, S_IFREG | 0600);
    expect_text("private", "secret");
    expect_text("target", "old");
    assert_int_equal(unlink("private"), 0);
    assert_int_equal(link("target", "private"), 0);
    assert_int_equal(chmod("private", 0666), 0);
  }
  assert_int_equal(unlink("private"), 0);
  assert_int_equal(unlink("target"), 0);
  umask(before);
}

static void both_files_or_none(void **state) {
  (void)state;
  size_t failed;
  assert_int_equal(write_two("a", "b", &failed), QN_OK);
  expect_text("a", "one");
  expect_text("b", "two");
  put("a", "old");
  assert_int_equal(mkdir("folder", 0777), 0);
  const char *const bad[] = {"folder", "missing/b", "b/c", "new/", ""};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    assert_int_equal(write_two("a", bad[i], &failed), QN_IO);
    assert_int_equal(failed, 1);
    assert_int_equal(write_two(bad[i], "c", &failed), QN_IO);
    assert_int_equal(failed, 0);
    expect_text("a", "old");
    assert_int_equal(entries(), 3);
  }
}

/* Files are written one after the other, at any path; some are empty. */
static void files_are_written_in_pieces(void **state) {
  (void)state;
  const qn_bytes pieces[] = {bytes_of("one "), bytes_of(""), bytes_of("and "), bytes_of("two")};
  put("old", "a longer text than the new one");
  put("h", "a longer text than the new one");
  assert_int_equal(link("h", "hard"), 0);
  const char *const names[] = {"fresh", "old", "hard"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    const qn_output output = {names[i], pieces, sizeof pieces / sizeof *pieces, false};
    size_t failed;
    const char *reason = NULL;
    assert_int_equal(qn_outputs_write(&output, 1, &failed, &reason), QN_OK);
    expect_text(names[i], "one and two");
  }
  expect_text("h", "one and two");
  const qn_output nothing = {"old", NULL, 0, false};
  size_t failed;
  const char *reason = NULL;
  assert_int_equal(qn_outputs_write(&nothing, 1, &failed, &reason), QN_OK);
  expect_text("old", "");
  assert_int_equal(entries(), 4);
}

static void one_file_is_not_two_outputs(void **state) {
  (void)state;
  size_t failed;
  put("a", "old");
  assert_int_equal(link("a", "hard"), 0);
  assert_int_equal(symlink("a", "soft"), 0);
  assert_int_equal(symlink("new", "dangling"), 0);
  const char *const pairs[][2] = {{"a", "a"},    {"a", "./a"},     {"a", "hard"},
                                  {"a", "soft"}, {"new", "./new"}, {"new", "dangling"}};
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
    assert_int_equal(write_two(pairs[i][0], pairs[i][1], &failed), QN_INVALID);
    expect_text("a", "old");
    assert_int_equal(entries(), 4);
  }
  assert_int_equal(write_two("/dev/null", "/dev/null", &failed), QN_OK);
}

static void files_keep_mode_and_links(void **state) {
  (void)state;
  const char *reason = NULL;
  put("a", "a longer text than the new one");
  assert_int_equal(chmod("a", 04751), 0);
  assert_int_equal(write_one("a", "new", &reason), QN_OK);
  assert_int_equal(info_of("a").st_mode & 07777, 04751);
  mode_t mask = umask(027);
  assert_int_equal(write_one("fresh", "new", &reason), QN_OK);
  umask(mask);
  assert_int_equal(info_of("fresh").st_mode & 07777, 0640);
  put("h", "a longer text than the new one");
  assert_int_equal(link("h", "hard"), 0);
  assert_int_equal(write_one("h", "new", &reason), QN_OK);
  expect_text("hard", "new");
  assert_int_equal(info_of("h").st_nlink, 2);
  assert_int_equal(mkdir("folder", 0777), 0);
  assert_int_equal(symlink("folder/target", "first"), 0);
  assert_int_equal(symlink("first", "second"), 0);
  for (int i = 0; i < 2; i++) { /* 0: without a target; 1: with one */
    assert_int_equal(write_one("second", i ? "again" : "new", &reason), QN_OK);
    assert_true(S_ISLNK(info_of("second").st_mode) && S_ISLNK(info_of("first").st_mode));
    expect_text("folder/target", i ? "again" : "new");
  }
  assert_int_equal(symlink("loop", "loop"), 0);
  assert_int_equal(write_one("loop", "new", &reason), QN_IO);
}

static void names_may_be_as_long_as_files_have_them(void **state) {
  (void)state;
  char name[256];
  const char *reason = NULL;
  memset(name, 'n', sizeof name);
  name[255] = '\0';
  assert_int_equal(write_one(name, "new", &reason), QN_OK);
  assert_int_equal(write_one(name, "newer", &reason), QN_OK);
  expect_text(name, "newer");
  assert_int_equal(entries(), 1);
}

static void stale_files_are_in_nobodys_way(void **state) {
  (void)state;
  char stale[64];
  const char *reason = NULL;
  snprintf(stale, sizeof stale, "a.tmp-%ld", (long)getpid());
  put(stale, "left behind");
  assert_int_equal(write_one("a", "new", &reason), QN_OK);
  expect_text("a", "new");
}

static void what_is_open_is_written_not_replaced(void **state) {
  (void)state;
  const char *reason = NULL;
  int fd = open("log", O_RDWR | O_CREAT | O_TRUNC, 0666);
  char path[64], text[16] = "";
  snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
  put("log", "before ");
  assert_int_equal(write_one(path, "new", &reason), QN_OK);
  assert_int_equal(pread(fd, text, sizeof text - 1, 0), 10);
  assert_string_equal(text, "before new");
  close(fd);
  assert_int_equal(write_one("/dev/full", "new", &reason), QN_IO);
  assert_string_equal(reason, "No space left on device");
}

/* ---- processes: limits and signals ---- */

static int status_of(pid_t child) {
  int status;
  assert_int_equal(waitpid(child, &status, 0), child);
  return status;
}

static void a_size_limit_is_an_error(void **state) {
  (void)state;
  put("a", "old");
  put("h", "old");
  assert_int_equal(link("h", "hard"), 0);
  const char *const names[] = {"a", "fresh", "hard"};
  for (size_t i = 0; i < 3; i++) {
    pid_t child = fork();
    if (child == 0) {
      const char *reason = NULL;
      struct rlimit limit = {2, 2};
      if (setrlimit(RLIMIT_FSIZE, &limit) != 0) _exit(9);
      bool rejected = write_one(names[i], "new text", &reason) == QN_IO;
      _exit(rejected && strcmp(reason, "File too large") == 0 ? 0 : 1);
    }
    int status = status_of(child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
    expect_text("a", "old");
    expect_text("h", "old");
    assert_int_equal(entries(), 3);
  }
}

static void a_waiting_pipe_can_be_interrupted(void **state) {
  (void)state;
  static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
  assert_int_equal(mkfifo("pipe", 0666), 0);
  for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
    pid_t child = fork();
    if (child == 0) {
      const qn_bytes one = bytes_of("one"), two = bytes_of("two");
      const qn_output outputs[] = {{"pipe", &one, 1, false}, {"a", &two, 1, false}};
      size_t failed;
      const char *reason = NULL;
      for (size_t k = 0; k < 3; k++) signal(signals[k], SIG_DFL);
      alarm(20);
      _exit(qn_outputs_write(outputs, 2, &failed, &reason) == QN_OK ? 0 : 1);
    }
    nanosleep(&(struct timespec){.tv_nsec = 100000000}, NULL);
    kill(child, signals[i]);
    int status = status_of(child);
    assert_true(WIFSIGNALED(status));
    assert_int_equal(WTERMSIG(status), signals[i]);
    assert_int_equal(entries(), 1);
  }
}

/* If the process is killed at any moment, the file has the old or the new text, and there is no
 * other file. */
static void signals_leave_nothing_behind(void **state) {
  (void)state;
  enum { SIZE = 1 << 20, ROUNDS = 40 };
  char *text = malloc(SIZE + 1);
  memset(text, 'x', SIZE);
  text[SIZE] = '\0';
  put("a", "old");
  for (int i = 0; i < ROUNDS; i++) {
    pid_t child = fork();
    if (child == 0) {
      const char *reason = NULL;
      signal(SIGTERM, SIG_DFL);
      alarm(20);
      while (write_one("a", text, &reason) == QN_OK) {
      }
      _exit(1);
    }
    nanosleep(&(struct timespec){.tv_nsec = 1000000 + i * 300000}, NULL);
    kill(child, SIGTERM);
    int status = status_of(child);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
    assert_int_equal(entries(), 1);
    off_t size = info_of("a").st_size;
    assert_true(size == 3 || size == SIZE);
  }
  free(text);
}

#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, enter, leave)

int main(void) {
  const struct CMUnitTest tests[] = {
      IN_FOLDER(both_files_or_none),
      IN_FOLDER(private_files_replace_all),
      IN_FOLDER(files_are_written_in_pieces),
      IN_FOLDER(one_file_is_not_two_outputs),
      IN_FOLDER(files_keep_mode_and_links),
      IN_FOLDER(names_may_be_as_long_as_files_have_them),
      IN_FOLDER(stale_files_are_in_nobodys_way),
      IN_FOLDER(what_is_open_is_written_not_replaced),
      IN_FOLDER(a_size_limit_is_an_error),
      IN_FOLDER(a_waiting_pipe_can_be_interrupted),
      IN_FOLDER(signals_leave_nothing_behind),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
