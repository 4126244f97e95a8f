/* Finds samples and their classes.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "cli/eval/samples.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "cli/memory.h"

static bool is_folder(const char *path) {
  struct stat status;
  return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

static bool is_array(const char *name) {
  const char *dot = strrchr(name, '.');
  return dot && strcasecmp(dot, ".npy") == 0;
}

static bool is_sample(const char *name) {
  static const char *const images[] = {".png", ".jpg", ".jpeg", ".bmp", ".ppm", ".pgm"};
  const char *dot = strrchr(name, '.');
  for (size_t i = 0; dot && i < CLI_COUNT(images); i++)
    if (strcasecmp(dot, images[i]) == 0) return true;
  return is_array(name);
}

/* ---- classes ---- */

/* The class: a number, or the line number of a label; -1 for other text. */
static int64_t class_of(const labels *names, const char *text) {
  for (size_t i = 0; i < names->count; i++)
    if (strcmp(names->lines[i], text) == 0) return (int64_t)i;
  const char *end;
  int64_t value;
  return cli_read_integer(text, &end, &value) && *end == '\0' && value >= 0 ? value : -1;
}

/* ---- directories ---- */

static void add(samples *all, size_t *capacity, const char *root, const char *folder,
                const char *file, int64_t truth) {
  if (all->count == *capacity) {
    *capacity = *capacity ? 2 * *capacity : 256;
    all->items = cli_need(realloc(all->items, *capacity * sizeof *all->items));
  }
  char *path = folder ? cli_text("%s/%s/%s", root, folder, file) : cli_text("%s/%s", root, file);
  all->items[all->count++] = (sample){path, path + strlen(root) + 1, truth, is_array(file)};
}

static int visible(const struct dirent *entry) { return entry->d_name[0] != '.'; }

static void free_entries(struct dirent **entries, int count) {
  for (int i = 0; i < count; i++) free(entries[i]);
  free(entries);
}

static cli_exit list(cli *c, const char *path, struct dirent ***out_entries, int *out_count) {
  *out_count = scandir(path, out_entries, visible, alphasort);
  if (*out_count >= 0) return CLI_OK;
  return cli_fail(c, CLI_INVALID, "%s: can't be read: %s", path, strerror(errno));
}

/* Adds the samples of a class, which are in a subdirectory. */
static cli_exit read_class(cli *c, samples *all, size_t *capacity, const char *root,
                           const char *folder, int64_t truth) {
  char *path = cli_text("%s/%s", root, folder);
  struct dirent **entries;
  int count;
  cli_exit code = list(c, path, &entries, &count);
  free(path);
  if (code != CLI_OK) return code;
  for (int i = 0; i < count; i++) {
    if (is_sample(entries[i]->d_name))
      add(all, capacity, root, folder, entries[i]->d_name, truth);
    else
      all->skipped++;
  }
  free_entries(entries, count);
  return CLI_OK;
}

static cli_exit read_folder(cli *c, const char *root, const labels *names, samples *all) {
  struct dirent **entries;
  int count;
  size_t capacity = 0;
  cli_exit code = list(c, root, &entries, &count);
  if (code != CLI_OK) return code;
  for (int i = 0; i < count && code == CLI_OK; i++) {
    const char *name = entries[i]->d_name;
    char *path = cli_text("%s/%s", root, name);
    if (is_folder(path))
      code = read_class(c, all, &capacity, root, name, class_of(names, name));
    else if (is_sample(name))
      add(all, &capacity, root, NULL, name, -1);
    else
      all->skipped++;
    free(path);
  }
  free_entries(entries, count);
  return code;
}

/* ---- the table of --truth ---- */

static int by_name(const void *a, const void *b) {
  return strcmp(((const sample *)a)->name, ((const sample *)b)->name);
}

/* Reads a line of the table and sets the class of a sample. All invalid lines are reported. */
static cli_exit read_line(cli *c, const char *path, size_t number, char *line, const labels *names,
                          samples *all) {
  char *comma = strrchr(line, ',');
  if (!comma)
    return cli_fail(c, CLI_INVALID, "%s:%zu: not a name, a comma and a class", path, number);
  *comma = '\0';
  int64_t truth = class_of(names, comma + 1);
  if (truth < 0)
    return cli_fail(c, CLI_INVALID, "%s:%zu: '%s' is no class: neither a number nor in --labels",
                    path, number, comma + 1);
  sample wanted = {.name = line};
  sample *found = bsearch(&wanted, all->items, all->count, sizeof *all->items, by_name);
  if (!found)
    return cli_fail(c, CLI_INVALID, "%s:%zu: there is no '%s' in the folder", path, number, line);
  found->truth = truth;
  return CLI_OK;
}

/* Removes samples that the table does not name. */
static void keep_named(samples *all) {
  size_t kept = 0;
  for (size_t i = 0; i < all->count; i++) {
    if (all->items[i].truth >= 0)
      all->items[kept++] = all->items[i];
    else
      free(all->items[i].path);
  }
  all->skipped += all->count - kept;
  all->count = kept;
}

static cli_exit read_table(cli *c, const char *path, const labels *names, samples *all) {
  labels table = {0};
  cli_exit worst = labels_read(c, path, &table);
  if (worst != CLI_OK) return worst;
  for (size_t i = 0; i < all->count; i++) all->items[i].truth = -1;
  qsort(all->items, all->count, sizeof *all->items, by_name);
  for (size_t i = 0; i < table.count; i++) {
    /* a pointer into table.text, which this function owns */
    char *line = (char *)(uintptr_t)table.lines[i];
    if (line[0] == '\0' || line[0] == '#') continue;
    cli_exit code = read_line(c, path, i + 1, line, names, all);
    if (code != CLI_OK) worst = code;
  }
  labels_free(&table);
  if (worst == CLI_OK) keep_named(all);
  return worst;
}

cli_exit samples_read(cli *c, const char *folder, const char *truth, const labels *names,
                      samples *out_samples) {
  samples all = {0};
  cli_exit code = read_folder(c, folder, names, &all);
  if (code == CLI_OK && all.count && truth) code = read_table(c, truth, names, &all);
  if (code == CLI_OK && !all.count)
    code = cli_fail(c, CLI_INVALID, "%s: there are no images or .npy files to evaluate", folder);
  all.known = all.count > 0;
  for (size_t i = 0; i < all.count; i++) all.known = all.known && all.items[i].truth >= 0;
  if (code != CLI_OK) samples_free(&all);
  *out_samples = all;
  return code;
}

void samples_keep_part(samples *all, size_t number, size_t of) {
  size_t count = all->count, begin = count / of * (number - 1) + count % of * (number - 1) / of;
  size_t end = count / of * number + count % of * number / of;
  for (size_t i = 0; i < count; i++)
    if (i < begin || i >= end) free(all->items[i].path);
  memmove(all->items, all->items + begin, (end - begin) * sizeof *all->items);
  all->count = end - begin;
  all->part = number;
  all->parts = of;
}

void samples_free(samples *all) {
  for (size_t i = 0; i < all->count; i++) free(all->items[i].path);
  free(all->items);
  *all = (samples){0};
}
