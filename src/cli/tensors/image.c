/* Images as inputs; gdk-pixbuf decodes and scales them.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "cli/tensors/image.h"

#include <gdk-pixbuf/gdk-pixbuf.h>
#include <math.h>

enum { MAX_SIDE = 16384 };

/* ---- decoding ---- */

static cli_exit reject(cli *c, const char *path, GError *error) {
  cli_exit code = cli_fail(c, CLI_INVALID, "%s: %s", path, error ? error->message : "not an image");
  g_clear_error(&error);
  return code;
}

/* Decodes an image, applies its orientation, scales it and removes transparency. NULL after a
 * message. */
static cli_exit decode(cli *c, const char *path, int width, int height, GdkPixbuf **out_pixels) {
  int real_width = 0, real_height = 0;
  bool known = gdk_pixbuf_get_file_info(path, &real_width, &real_height) != NULL;
  if (known && (real_width > MAX_SIDE || real_height > MAX_SIDE)) {
    return cli_fail(c, CLI_LIMIT, "%s: an image of %d x %d pixels is too large", path, real_width,
                    real_height);
  }
  GError *error = NULL;
  GdkPixbuf *raw = gdk_pixbuf_new_from_file(path, &error);
  if (!raw) return reject(c, path, error);
  GdkPixbuf *upright = gdk_pixbuf_apply_embedded_orientation(raw);
  g_object_unref(raw);
  GdkPixbuf *opaque = gdk_pixbuf_composite_color_simple(
      upright, gdk_pixbuf_get_width(upright), gdk_pixbuf_get_height(upright), GDK_INTERP_NEAREST,
      255, 8, 0, 0); /* transparent parts become black */
  g_object_unref(upright);
  if (opaque) {
    *out_pixels = gdk_pixbuf_scale_simple(opaque, width, height, GDK_INTERP_BILINEAR);
    g_object_unref(opaque);
  }
  return opaque && *out_pixels ? CLI_OK : cli_fail(c, CLI_LIMIT, "%s: out of memory", path);
}

/* ---- conversion ---- */

typedef struct range {
  double low, high;
} range;

/* The usual range nearest to [low, high], by the larger distance of the two ends. */
static range usual_range(range representable) {
  static const range usual[] = {{-1, 1}, {0, 1}, {0, 255}};
  range best = usual[0];
  double least = INFINITY;
  for (size_t i = 0; i < CLI_COUNT(usual); i++) {
    double distance =
        fmax(fabs(usual[i].low - representable.low), fabs(usual[i].high - representable.high));
    if (distance < least) best = usual[i];
    if (distance < least) least = distance;
  }
  return best;
}

static double clamp(double value, double low, double high) {
  return value < low ? low : value > high ? high : value;
}

/* Fills table[p] with the stored value of byte p. */
static void fill_table(const qn_tensor_info *info, double table[256]) {
  bool is_signed = info->dtype == QN_DTYPE_I8;
  double min = is_signed ? -128 : 0, max = is_signed ? 127 : 255, zero = (double)info->zero_point;
  bool quantized = info->scale > 0;
  range real = {-1, 1};
  if (quantized) {
    real = usual_range((range){info->scale * (min - zero), info->scale * (max - zero)});
  }
  for (int p = 0; p < 256; p++) {
    double value = real.low + (real.high - real.low) * p / 255.0;
    table[p] = quantized ? clamp(round(value / info->scale) + zero, min, max) : value;
    if (!quantized && info->dtype != QN_DTYPE_F32) table[p] = is_signed ? p - 128 : p;
  }
}

static void store(const qn_tensor_info *info, void *data, size_t i, double value) {
  if (info->dtype == QN_DTYPE_F32) ((float *)data)[i] = (float)value;
  if (info->dtype == QN_DTYPE_I8) ((int8_t *)data)[i] = (int8_t)value;
  if (info->dtype == QN_DTYPE_U8) ((uint8_t *)data)[i] = (uint8_t)value;
}

static int gray(const guchar *rgb) {
  return (299 * rgb[0] + 587 * rgb[1] + 114 * rgb[2] + 500) / 1000;
}

cli_exit image_check(const cli *c, const qn_tensor_info *info) {
  bool stored =
      info->dtype == QN_DTYPE_I8 || info->dtype == QN_DTYPE_U8 || info->dtype == QN_DTYPE_F32;
  if (!stored || info->rank != 4 || info->dims[0] != 1 ||
      (info->dims[3] != 1 && info->dims[3] != 3) || info->dims[1] > MAX_SIDE ||
      info->dims[2] > MAX_SIDE) {
    return cli_fail(c, CLI_USAGE,
                    "input '%s' is no image: it is not [1, height, width, 1 or 3] "
                    "of int8, uint8 or float32",
                    info->name);
  }
  return CLI_OK;
}

cli_exit image_read(cli *c, const char *path, const qn_tensor_info *info, void *out_data) {
  cli_exit code = image_check(c, info);
  if (code != CLI_OK) return code;
  int height = (int)info->dims[1], width = (int)info->dims[2], channels = (int)info->dims[3];
  GdkPixbuf *pixels = NULL;
  code = decode(c, path, width, height, &pixels);
  if (code != CLI_OK) return code;
  double table[256];
  fill_table(info, table);
  const guchar *bytes = gdk_pixbuf_read_pixels(pixels);
  int row = gdk_pixbuf_get_rowstride(pixels), step = gdk_pixbuf_get_n_channels(pixels);
  size_t i = 0;
  for (int y = 0; y < height; y++) {
    for (int x = 0; x < width; x++) {
      const guchar *rgb = bytes + (size_t)y * (size_t)row + (size_t)x * (size_t)step;
      for (int k = 0; k < channels; k++) {
        store(info, out_data, i++, table[channels == 1 ? gray(rgb) : rgb[k]]);
      }
    }
  }
  g_object_unref(pixels);
  return CLI_OK;
}
