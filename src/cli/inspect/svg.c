/* The memory map as an SVG image without external resources, for light and dark backgrounds.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include "cli/inspect/inspect.h"
#include "cli/location.h"

enum { LEAST_WIDTH = 640, STEP = 14 };
static const int LEFT = 70, TOP = 30, HEIGHT = 420, BOTTOM = 40;

/* Writes text from a file, escaped for XML. */
static void put_safe(const char *text, FILE *out) {
  for (; *text; text++) {
    if (*text == '<' || *text == '>' || *text == '&')
      fprintf(out, "&#%d;", *text);
    else if ((unsigned char)*text >= 32)
      fputc(*text, out);
  }
}

typedef struct scale {
  double x, y; /* pixels per launch and per byte */
} scale;

static void put_buffer(const json_t *buffer, size_t number, scale s, FILE *out) {
  long long first = inspect_number(buffer, "first"), last = inspect_number(buffer, "last");
  long long offset = inspect_number(buffer, "offset"), bytes = inspect_number(buffer, "bytes");
  double height = s.y * (double)bytes;
  fprintf(out,
          "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"hsl(%zu 60%% 55%%)\" "
          "stroke=\"#888\" stroke-width=\"0.5\"><title>",
          LEFT + s.x * (double)first, TOP + s.y * (double)offset, s.x * (double)(last - first + 1),
          height < 1 ? 1 : height, number * 47 % 360);
  put_safe(inspect_text(buffer, "location"), out);
  fprintf(out, ": %lld bytes at %lld, launches %lld to %lld</title></rect>\n", bytes, offset, first,
          last);
}

static void put_axes(const json_t *report, const json_t *steps, long long arena, scale s,
                     FILE *out) {
  size_t i, count = json_array_size(steps), every = count / 40 + 1;
  json_t *step;
  fprintf(out, "<text x=\"%d\" y=\"%d\">", LEFT, TOP - 12);
  put_safe(inspect_text(report, "model"), out);
  fprintf(out, ": arena of %lld bytes over time</text>\n", arena);
  for (int k = 0; k <= 4; k++)
    fprintf(out, "<text x=\"%d\" y=\"%.0f\" text-anchor=\"end\">%lld</text>\n", LEFT - 6,
            TOP + HEIGHT * k / 4.0 + 4, arena * k / 4);
  json_array_foreach(steps, i, step) {
    char label[CLI_LABEL];
    cli_location_label(inspect_text(step, "location"), label);
    if (i % every == 0)
      fprintf(out, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%s</text>\n",
              LEFT + s.x * ((double)i + 0.5), TOP + HEIGHT + 16, label);
  }
  fprintf(out, "<text x=\"%d\" y=\"%d\">operators, in order of execution</text>\n", LEFT,
          TOP + HEIGHT + 34);
}

char *inspect_svg(const json_t *report, size_t *out_size) {
  const json_t *memory = json_object_get(report, "memory");
  const json_t *steps = json_object_get(memory, "steps");
  long long arena = inspect_number(json_object_get(report, "totals"), "arena_bytes");
  size_t count = json_array_size(steps), i;
  double width = (double)(count * STEP > LEAST_WIDTH ? count * STEP : LEAST_WIDTH);
  scale s = {width / (double)(count ? count : 1), (double)HEIGHT / (double)(arena ? arena : 1)};
  char *text = NULL;
  FILE *out = cli_need(open_memstream(&text, out_size));
  fprintf(out,
          "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%d\" "
          "viewBox=\"0 0 %.0f %d\" font-family=\"sans-serif\" font-size=\"11\">\n"
          "<style>text{fill:#222}rect.back{fill:#fff}@media(prefers-color-scheme:dark)"
          "{text{fill:#ddd}rect.back{fill:#181818}}</style>\n"
          "<rect class=\"back\" width=\"100%%\" height=\"100%%\"/>\n"
          "<rect x=\"%d\" y=\"%d\" width=\"%.0f\" height=\"%d\" fill=\"none\" stroke=\"#888\"/>\n",
          width + LEFT + 20, TOP + HEIGHT + BOTTOM, width + LEFT + 20, TOP + HEIGHT + BOTTOM, LEFT,
          TOP, width, HEIGHT);
  json_t *buffer;
  json_array_foreach(json_object_get(memory, "buffers"), i, buffer) put_buffer(buffer, i, s, out);
  put_axes(report, steps, arena, s, out);
  fputs("</svg>\n", out);
  fclose(out);
  return text;
}
