/* Runs a fuzz target on files: the arguments, and the files in arguments that are folders. A folder
 * that does not exist counts as empty. Each input is in memory of its exact size.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/fuzz/fuzz.h"

static int replay_file(const char *path, unsigned *count) {
  FILE *in = fopen(path, "rb");
  if (!in || fseek(in, 0, SEEK_END) != 0) {
    perror(path);
    return 1;
  }
  long size = ftell(in);
  rewind(in);
  uint8_t *data = malloc(size > 0 ? (size_t)size : 1);
  int failed = size < 0 || !data || fread(data, 1, (size_t)size, in) != (size_t)size;
  fclose(in);
  if (failed) {
    fprintf(stderr, "%s: cannot be read\n", path);
  } else {
    LLVMFuzzerTestOneInput(data, (size_t)size);
    ++*count;
  }
  free(data);
  return failed;
}

static int replay(const char *path, unsigned *count) {
  DIR *folder = opendir(path);
  if (!folder) {
    FILE *file = fopen(path, "rb");
    if (!file) return 0;
    fclose(file);
    return replay_file(path, count);
  }
  int failed = 0;
  for (struct dirent *entry = readdir(folder); entry; entry = readdir(folder)) {
    char name[4096];
    if (entry->d_name[0] == '.') continue;
    snprintf(name, sizeof name, "%s/%s", path, entry->d_name);
    failed |= replay_file(name, count);
  }
  closedir(folder);
  return failed;
}

int main(int argc, char **argv) {
  int failed = 0;
  unsigned count = 0;
  for (int i = 1; i < argc; i++) failed |= replay(argv[i], &count);
  printf("%u inputs\n", count);
  return failed || count == 0;
}
