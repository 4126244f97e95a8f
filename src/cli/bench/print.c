/* Prints the report as text: totals, launches, and sums per type of operator.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "cli/bench/bench.h"
#include "cli/location.h"
#include "cli/table.h"

static double number(const json_t *row, const char *key) {
  return json_number_value(json_object_get(row, key));
}

static const char *text(const json_t *row, const char *key) {
  const char *value = json_string_value(json_object_get(row, key));
  return value ? value : "";
}

/* The unit in which times are printed: microseconds if milliseconds would have too many leading
 * zeros. */
typedef struct unit {
  double per_second;
  const char *name;
  const char *before; /* column headings */
} unit;

static unit unit_of(double seconds) {
  static const unit micro = {1e6, "µs", "µs before"}, milli = {1e3, "ms", "ms before"};
  return seconds < 1e-3 ? micro : milli;
}

static double rate(double amount, double seconds) { return seconds > 0 ? amount / seconds : 0; }

static void print_whole(const json_t *report) {
  double threads = number(report, "threads"), macs = number(report, "macs");
  double speed = rate(macs, number(report, "median_seconds"));
  double peak = number(report, "peak_macs_per_second");
  unit u = unit_of(number(report, "median_seconds"));
  printf("median %.3f %s, p10 %.3f %s, p90 %.3f %s, p99 %.3f %s over %.0f runs after %.0f to warm "
         "up, %.0f thread%s, %s\n",
         u.per_second * number(report, "median_seconds"), u.name,
         u.per_second * number(report, "p10_seconds"), u.name,
         u.per_second * number(report, "p90_seconds"), u.name,
         u.per_second * number(report, "p99_seconds"), u.name, number(report, "runs"),
         number(report, "warm_up_runs"), threads, threads == 1 ? "" : "s", text(report, "level"));
  if (json_array_size(json_object_get(report, "steps")) == 0) return;
  printf("%.3f GMAC, %.1f GMAC/s", 1e-9 * macs, 1e-9 * speed);
  if (peak > 0)
    printf(", %.0f %% of the measured peak of %.0f GMAC/s", 100 * speed / peak, 1e-9 * peak);
  printf("\narena %.0f bytes, compiled in %.3f s\n", number(report, "arena_bytes"),
         number(report, "lower_seconds") + number(report, "codegen_seconds"));
}

static void print_clients(const json_t *clients) {
  if (!clients) return;
  unit u = unit_of(number(clients, "median_seconds"));
  printf("%.0f clients at once: %.1f runs/s, %.2f times one client; median %.3f %s, p90 %.3f %s, "
         "p99 %.3f %s over %.0f runs\n",
         number(clients, "count"), number(clients, "runs_per_second"), number(clients, "scaling"),
         u.per_second * number(clients, "median_seconds"), u.name,
         u.per_second * number(clients, "p90_seconds"), u.name,
         u.per_second * number(clients, "p99_seconds"), u.name, number(clients, "runs"));
}

static void print_machine(const json_t *machine) {
  if (!machine) return;
  printf("%s at %.2f GHz", text(machine, "cpu"), 1e-9 * number(machine, "clock_hertz"));
  size_t i;
  json_t *level;
  json_array_foreach(json_object_get(machine, "memory"), i, level) {
    double bytes = number(level, "bytes");
    printf("; %s ", text(level, "name"));
    if (bytes > 0) printf("of %.0f KiB ", bytes / 1024);
    printf("%.0f GB/s", 1e-9 * number(level, "bytes_per_second"));
  }
  putchar('\n');
}

/* ---- launches ---- */

/* Describes what a launch does if the index of its operator is not enough: the fused operators, or
 * the kernel. */
static void add_work(cli_table *table, const json_t *step) {
  const json_t *followers = json_object_get(step, "followers");
  cli_operator op;
  char line[256];
  cli_location_operator(text(step, "location"), &op);
  size_t used = (size_t)snprintf(line, sizeof line, "%s", op.name), i;
  json_t *follower;
  json_array_foreach(followers, i, follower) {
    const char *location = json_string_value(follower);
    if (location && cli_location_operator(location, &op) && used < sizeof line)
      used += (size_t)snprintf(line + used, sizeof line - used, " + %d %s", op.number, op.name);
  }
  cli_table_cell(table, "%s", line);
}

/* Adds the columns time, share, MMAC, GMAC/s. */
static void add_times(cli_table *table, unit u, double seconds, double sum, double macs) {
  cli_table_cell(table, "%.4f", u.per_second * seconds);
  cli_table_cell(table, "%.1f %%", sum > 0 ? 100 * seconds / sum : 0);
  cli_table_cell_if(table, macs > 0, "%.3f", 1e-6 * macs);
  cli_table_cell_if(table, macs > 0, "%.1f", 1e-9 * rate(macs, seconds));
}

static void print_steps(const json_t *report, unit u, double sum) {
  const cli_column columns[] = {{"#", 'r'},    {"operator", 'l'}, {"kernel", 'l'}, {"shapes", 's'},
                                {u.name, 'r'}, {"share", 'r'},    {"MMAC", 'r'},   {"GMAC/s", 'r'},
                                {"GB/s", 'r'}, {"bound", 'l'},    {"of it", 'r'},  {"tensor", 's'}};
  cli_table table;
  CLI_TABLE_BEGIN(&table, columns);
  size_t i;
  json_t *step;
  json_array_foreach(json_object_get(report, "steps"), i, step) {
    double seconds = number(step, "seconds"), macs = number(step, "macs");
    double bound = number(step, "bound_seconds");
    cli_table_label(&table, text(step, "location"));
    add_work(&table, step);
    cli_table_cell(&table, "%s", text(step, "kernel"));
    cli_table_cell(&table, "%s", text(step, "shapes"));
    add_times(&table, u, seconds, sum, macs);
    cli_table_cell(&table, "%.1f", 1e-9 * rate(number(step, "bytes"), seconds));
    cli_table_cell(&table, "%s", text(step, "bound"));
    cli_table_cell_if(&table, bound > 0, "%.0f %%", 100 * rate(bound, seconds));
    cli_table_tensor(&table, text(step, "location"));
  }
  cli_table_end(&table, stdout);
}

static void print_types(const json_t *report, unit u, double sum) {
  const cli_column columns[] = {{"operator", 'l'}, {"launches", 'r'}, {u.name, 'r'},
                                {"share", 'r'},    {"MMAC", 'r'},     {"GMAC/s", 'r'},
                                {"bound", 'r'},    {"of it", 'r'}};
  cli_table table;
  CLI_TABLE_BEGIN(&table, columns);
  size_t i;
  json_t *type;
  json_array_foreach(json_object_get(report, "types"), i, type) {
    double seconds = number(type, "seconds"), macs = number(type, "macs");
    double bound = number(type, "bound_seconds");
    cli_table_cell(&table, "%s", text(type, "type"));
    cli_table_cell(&table, "%.0f", number(type, "steps"));
    add_times(&table, u, seconds, sum, macs);
    cli_table_cell_if(&table, bound > 0, "%.4f", u.per_second * bound);
    cli_table_cell_if(&table, bound > 0, "%.0f %%", 100 * rate(bound, seconds));
  }
  cli_table_end(&table, stdout);
}

/* ---- comparison with an earlier run ---- */

static void print_against(const json_t *against) {
  unit u = unit_of(number(against, "seconds"));
  const cli_column columns[] = {{"#", 'r'},    {"kernel", 'l'}, {"shapes", 's'}, {u.before, 'r'},
                                {u.name, 'r'}, {"ratio", 'r'},  {"", 'l'},       {"tensor", 's'}};
  printf("\nagainst %s: median %.3f %s before, %.3f %s now, ratio %.3f%s%s\n",
         text(against, "model"), u.per_second * number(against, "before_seconds"), u.name,
         u.per_second * number(against, "seconds"), u.name, number(against, "ratio"),
         *text(against, "verdict") ? ", " : "", text(against, "verdict"));
  const json_t *differences = json_object_get(against, "differences");
  size_t i;
  json_t *note, *row;
  json_array_foreach(differences, i, note) printf("another %s\n", json_string_value(note));
  cli_table table;
  CLI_TABLE_BEGIN(&table, columns);
  json_array_foreach(json_object_get(against, "steps"), i, row) {
    bool before = json_object_get(row, "before_seconds"), now = json_object_get(row, "seconds");
    cli_table_label(&table, text(row, "location"));
    cli_table_cell(&table, "%s", text(row, "kernel"));
    cli_table_cell(&table, "%s", text(row, "shapes"));
    cli_table_cell_if(&table, before, "%.4f", u.per_second * number(row, "before_seconds"));
    cli_table_cell_if(&table, now, "%.4f", u.per_second * number(row, "seconds"));
    cli_table_cell_if(&table, before && now, "%.2f", number(row, "ratio"));
    cli_table_cell(&table, "%s", text(row, "verdict"));
    cli_table_tensor(&table, text(row, "location"));
  }
  cli_table_end(&table, stdout);
}

void bench_print(const json_t *report) {
  print_whole(report);
  print_clients(json_object_get(report, "clients"));
  double sum = 0;
  size_t i;
  json_t *step;
  json_array_foreach(json_object_get(report, "steps"), i, step) sum += number(step, "seconds");
  if (i > 0) {
    print_machine(json_object_get(report, "machine"));
    putchar('\n');
    unit u = unit_of(number(report, "median_seconds"));
    print_steps(report, u, sum);
    putchar('\n');
    print_types(report, u, sum);
  }
  const json_t *against = json_object_get(report, "against");
  if (against) print_against(against);
}
