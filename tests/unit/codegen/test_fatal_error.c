/* If LLVM ends the process, the reason is printed before.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "codegen/error.h"

#include <cmocka.h>

/* LLVM fails fatally for a code model that x86 does not have. */
static void fail_in_llvm(void) {
  char *message = NULL;
  LLVMTargetRef x86 = NULL;
  LLVMInitializeX86TargetInfo();
  LLVMInitializeX86Target();
  LLVMInitializeX86TargetMC();
  qn_llvm_install_last_words();
  qn_llvm_working_on("model.tflite");
  if (LLVMGetTargetFromTriple("x86_64-unknown-linux-gnu", &x86, &message)) _exit(99);
  (void)LLVMCreateTargetMachine(x86, "x86_64-unknown-linux-gnu", "x86-64", "",
                                LLVMCodeGenLevelDefault, LLVMRelocPIC, LLVMCodeModelTiny);
  _exit(98);
}

static void the_file_and_the_reason_are_said(void **state) {
  (void)state;
  int ends[2];
  assert_int_equal(pipe(ends), 0);
  fflush(NULL);
  pid_t child = fork();
  if (child == 0) {
    (void)dup2(ends[1], STDERR_FILENO);
    fail_in_llvm();
  }
  close(ends[1]);
  char said[1024] = "";
  size_t size = 0;
  ssize_t got;
  while ((got = read(ends[0], said + size, sizeof said - 1 - size)) > 0) size += (size_t)got;
  close(ends[0]);
  int status;
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_false(WIFEXITED(status) && (WEXITSTATUS(status) == 98 || WEXITSTATUS(status) == 99));
  assert_false(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  assert_non_null(strstr(said, "quern: LLVM failed while compiling model.tflite: "));
  assert_non_null(strstr(said, "CodeModel"));
}

/* A note that is too long is truncated, and each note is one line. */
static void long_notes_are_cut(void **state) {
  (void)state;
  qn_llvm_notes notes = "";
  char text[1500];
  memset(text, 'x', sizeof text - 1);
  text[sizeof text - 1] = '\0';
  for (int i = 0; i < 4; i++) qn_llvm_note(notes, "testing", text);
  assert_true(strlen(notes) < sizeof notes);
  assert_int_equal(notes[strlen(notes) - 1], '\n');
  assert_int_equal(strncmp(notes, "testing: xxx", 12), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(the_file_and_the_reason_are_said),
                                     cmocka_unit_test(long_notes_are_cut)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
