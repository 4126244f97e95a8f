/* Cache entries are written from the memory that holds the code, completely or not at all. An entry
 * is used only if no other user can have written it. Files of killed writers are removed.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <dirent.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "api/cache/cache.h"

#include <cmocka.h>

enum { FIRST = 5000, SECOND = 300000, BOUND = 1 << 20 };

typedef struct fixture {
  char folder[64];
  uint8_t memory[FIRST + SECOND];
  qn_cache_key key;
} fixture;

static int open_fixture(void **state) {
  static fixture f;
  f = (fixture){.folder = "/tmp/quern-entry-XXXXXX", .key.bytes = {1, 2, 3}};
  for (size_t i = 0; i < sizeof f.memory; i++) f.memory[i] = (uint8_t)(i * 7 + i / 251);
  *state = &f;
  return mkdtemp(f.folder) ? 0 : 1;
}

static int entries(const fixture *f) {
  DIR *dir = opendir(f->folder);
  int count = -2; /* . and .. */
  assert_non_null(dir);
  while (readdir(dir)) count++;
  closedir(dir);
  return count;
}

static int close_fixture(void **state) {
  const fixture *f = *state;
  char command[128];
  snprintf(command, sizeof command, "rm -rf '%s'", f->folder);
  return system(command);
}

static qn_code code_of(const fixture *f) {
  return (qn_code){.count = 2, .parts = {{f->memory, FIRST}, {f->memory + FIRST, SECOND}}};
}

static void parts_are_found_as_they_were(void **state) {
  const fixture *f = *state;
  qn_code code = code_of(f), found;
  qn_file *file;
  assert_null(qn_cache_keep(f->folder, BOUND, &f->key, &code));
  assert_int_equal(entries(f), 1);
  assert_true(qn_cache_find(f->folder, &f->key, &file, &found));
  assert_int_equal(found.count, 2);
  for (uint32_t i = 0; i < found.count; i++) {
    assert_int_equal(found.parts[i].size, code.parts[i].size);
    assert_memory_equal(found.parts[i].data, code.parts[i].data, code.parts[i].size);
  }
  qn_file_release(file);
}

/* The limit applies to the sum of all parts. */
static void the_bound_is_of_all_parts(void **state) {
  const fixture *f = *state;
  const qn_code code = code_of(f);
  assert_non_null(qn_cache_keep(f->folder, FIRST + SECOND, &f->key, &code));
  assert_int_equal(entries(f), 0);
}

/* If writing fails at any byte, there is no entry and no other file. */
static void a_failure_leaves_nothing(void **state) {
  const fixture *f = *state;
  for (rlim_t most = 0; most < FIRST + SECOND; most += 30000) {
    pid_t child = fork();
    if (child == 0) {
      const qn_code code = code_of(f);
      if (setrlimit(RLIMIT_FSIZE, &(struct rlimit){most, most}) != 0) _exit(9);
      const char *why = qn_cache_keep(f->folder, BOUND, &f->key, &code);
      _exit(why && strcmp(why, "File too large") == 0 ? 0 : 1);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    assert_int_equal(entries(f), 0);
  }
}

/* ---- files that another user could have written ---- */

enum { SOMEBODY = 65534 };

typedef struct place {
  char entry[160], other[160];
} place;

static place place_of(const fixture *f) {
  place p;
  DIR *dir = opendir(f->folder);
  assert_non_null(dir);
  p.entry[0] = '\0';
  for (const struct dirent *d; (d = readdir(dir));)
    if (strstr(d->d_name, ".code"))
      snprintf(p.entry, sizeof p.entry, "%s/%.80s", f->folder, d->d_name);
  closedir(dir);
  assert_true(p.entry[0]);
  snprintf(p.other, sizeof p.other, "%s/other", f->folder);
  return p;
}

static void keep(const fixture *f) {
  const qn_code code = code_of(f);
  assert_null(qn_cache_keep(f->folder, BOUND, &f->key, &code));
}

static bool is_found(const fixture *f) {
  qn_code code;
  qn_file *file;
  bool found = qn_cache_find(f->folder, &f->key, &file, &code);
  if (found) qn_file_release(file);
  return found;
}

static mode_t mode_of(const char *path) {
  struct stat info;
  assert_int_equal(lstat(path, &info), 0);
  return info.st_mode;
}

static void open_to_all(const place *p) { assert_int_equal(chmod(p->entry, 0666), 0); }
static void open_to_the_group(const place *p) { assert_int_equal(chmod(p->entry, 0620), 0); }
static void give_away(const place *p) { assert_int_equal(chown(p->entry, SOMEBODY, SOMEBODY), 0); }

static void cut_off(const place *p) { assert_int_equal(truncate(p->entry, FIRST), 0); }

static void make_link(const place *p) { /* to a valid entry */
  assert_int_equal(rename(p->entry, p->other), 0);
  assert_int_equal(symlink(p->other, p->entry), 0);
}

static void make_pipe(const place *p) {
  assert_int_equal(unlink(p->entry), 0);
  assert_int_equal(mkfifo(p->entry, 0600), 0);
}

static void make_device_link(const place *p) {
  assert_int_equal(unlink(p->entry), 0);
  assert_int_equal(symlink("/dev/zero", p->entry), 0);
}

static const struct {
  const char *what;
  void (*attack)(const place *p);
  bool by_root;
} attacks[] = {
    {"mode 0666", open_to_all, false},
    {"mode 0620", open_to_the_group, false},
    {"another owner", give_away, true},
    {"an end too soon", cut_off, false},
    {"a link to an entry", make_link, false},
    {"a pipe", make_pipe, false},
    {"a link to a device", make_device_link, false},
};

/* Such a file is not used, it is removed, and the next entry, which only this user can write,
 * replaces it. */
static void what_others_could_have_written_is_removed(void **state) {
  const fixture *f = *state;
  mode_t before = umask(0);
  alarm(60); /* in case a pipe is waited for */
  for (size_t i = 0; i < sizeof attacks / sizeof *attacks; i++) {
    if (attacks[i].by_root && geteuid() != 0) {
      print_message("%s: only root can try\n", attacks[i].what);
      continue;
    }
    keep(f);
    place p = place_of(f);
    assert_int_equal(mode_of(p.entry), S_IFREG | 0600);
    assert_true(is_found(f));
    attacks[i].attack(&p);
    if (is_found(f)) fail_msg("%s: used", attacks[i].what);
    assert_int_equal(access(p.entry, F_OK), -1);
    keep(f);
    assert_true(is_found(f));
    attacks[i].attack(&p); /* the entry is not looked up before the next one is written */
    keep(f);
    assert_int_equal(mode_of(p.entry), S_IFREG | 0600);
    assert_true(is_found(f));
    unlink(p.other);
  }
  alarm(0);
  umask(before);
}

static void folders_of_others_are_left_alone(void **state) {
  const fixture *f = *state;
  const qn_code code = code_of(f);
  static const mode_t open_modes[] = {0777, 0770, 0702, 01777};
  keep(f);
  for (size_t i = 0; i < sizeof open_modes / sizeof *open_modes; i++) {
    assert_int_equal(chmod(f->folder, open_modes[i]), 0);
    assert_false(is_found(f));
    assert_string_equal(qn_cache_keep(f->folder, BOUND, &f->key, &code), "others can write in it");
  }
  assert_int_equal(chmod(f->folder, 0755), 0);
  assert_true(is_found(f));
  if (geteuid() != 0) return;
  assert_int_equal(chown(f->folder, SOMEBODY, SOMEBODY), 0);
  assert_false(is_found(f));
  assert_string_equal(qn_cache_keep(f->folder, BOUND, &f->key, &code),
                      "it belongs to somebody else");
}

/* ---- files of killed writers ---- */

static void put_file(const fixture *f, const char *name, off_t size, time_t age) {
  char path[160];
  snprintf(path, sizeof path, "%s/%s", f->folder, name);
  int fd = open(path, O_WRONLY | O_CREAT, 0600);
  assert_int_equal(ftruncate(fd, size), 0);
  const struct timespec then = {.tv_sec = time(NULL) - age};
  assert_int_equal(futimens(fd, (const struct timespec[]){then, then}), 0);
  close(fd);
}

static bool has_file(const fixture *f, const char *name) {
  char path[160];
  snprintf(path, sizeof path, "%s/%s", f->folder, name);
  return access(path, F_OK) == 0;
}

static void what_is_left_goes(void **state) {
  const fixture *f = *state;
  enum { HOUR = 3600 };
  put_file(f, ".quern-0123456789abcdef", 100, HOUR);
  put_file(f, ".quern-0123456789abcdee", 100, -HOUR);
  put_file(f, ".quern-0123456789abcde0", 100, 10); /* may still be in use */
  put_file(f, ".quern-notes", 100, HOUR);          /* not ours */
  keep(f);
  assert_false(has_file(f, ".quern-0123456789abcdef"));
  assert_false(has_file(f, ".quern-0123456789abcdee"));
  assert_true(has_file(f, ".quern-0123456789abcde0"));
  assert_true(has_file(f, ".quern-notes"));
  put_file(f, ".quern-0123456789abcde1", BOUND - FIRST, 5); /* counts */
  keep(f);
  assert_false(has_file(f, ".quern-0123456789abcde0"));
  assert_false(has_file(f, ".quern-0123456789abcde1"));
  assert_true(is_found(f));
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, open_fixture, close_fixture)
  const struct CMUnitTest tests[] = {
      TEST(parts_are_found_as_they_were),     TEST(the_bound_is_of_all_parts),
      TEST(a_failure_leaves_nothing),         TEST(what_others_could_have_written_is_removed),
      TEST(folders_of_others_are_left_alone), TEST(what_is_left_goes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
