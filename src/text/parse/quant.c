/* The types of the quant dialect: uniform (per layer, per axis, sub-channel), any, calibrated.
 * Every invariant is checked during parsing. Grammar, messages and their positions are upstream's.
 * Types that upstream accepts but that have no meaning are errors: NaN and zero scales, nested
 * lists per axis, an axis blocked twice, sub-channel zero points that the storage type cannot
 * represent. Zero points per layer and per axis are not limited, because upstream's own test files
 * exceed the storage type.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "text/parser.h"

typedef struct quant_draft {
  qn_quant_uniform type;
  size_t first_block, first_scale, first_zero; /* sizes of p->ints and p->numbers at the start */
} quant_draft;

/* ---- storage and expressed type ---- */

/* Parses iN, siN, uiN or uN. u8 is stored as signless i8, ui8 as ui8; both are unsigned. */
static bool parse_storage_type(qn_parser *p, bool *out_signed, const qn_type **out_storage) {
  enum { MAX_WIDTH = 32, MAX_LITERAL = (1 << 24) - 1 };
  qn_str text = p->token.text;
  if (!qn_at(p, QN_TOK_BARE_ID)) return qn_fail_behind(p, "expected valid keyword");
  size_t prefix =
      text.data[0] == 'i' || (text.data[0] == 'u' && !qn_str_starts(text, "ui")) ? 1 : 2;
  qn_str digits = {text.data + prefix, text.size > prefix ? text.size - prefix : 0};
  bool known = text.data[0] == 'i' || text.data[0] == 'u' || qn_str_starts(text, "si");
  for (size_t i = 0; i < digits.size; i++)
    known = known && digits.data[i] >= '0' && digits.data[i] <= '9';
  if (qn_str_is(text, "u")) return qn_fail(p, "expected storage type width");
  if (!known || digits.size == 0) return qn_fail(p, "illegal storage type prefix");
  uint64_t width;
  if (!qn_number_read_uint(digits, &width) || width > MAX_LITERAL)
    return qn_fail(p, "invalid integer width");
  if (width < 1 || width > MAX_WIDTH)
    return qn_fail(p, "illegal storage type size: %llu", (unsigned long long)width);
  *out_signed = text.data[0] != 'u';
  qn_sign sign = prefix == 1 ? QN_SIGNLESS : *out_signed ? QN_SIGNED : QN_UNSIGNED;
  *out_storage = qn_type_integer(p->cx, (uint32_t)width, sign);
  qn_advance(p);
  return true;
}

/* storage [<min:max>] */
static bool parse_storage(qn_parser *p, bool *out_signed, const qn_type **out_storage,
                          int64_t *out_min, int64_t *out_max) {
  if (!parse_storage_type(p, out_signed, out_storage)) return false;
  int64_t low, high;
  qn_storage_range((*out_storage)->integer.width, *out_signed, &low, &high);
  *out_min = low;
  *out_max = high;
  if (!qn_accept(p, QN_TOK_LESS)) return true;
  qn_pos min_pos = p->token.pos;
  if (!qn_parse_int(p, out_min) || !qn_expect(p, QN_TOK_COLON)) return false;
  qn_pos max_pos = p->token.pos;
  if (!qn_parse_int(p, out_max) || !qn_expect(p, QN_TOK_GREATER)) return false;
  if (*out_min < low)
    return qn_fail_at(p, min_pos, "illegal storage type minimum: %lld", (long long)*out_min);
  if (*out_max > high)
    return qn_fail_at(p, max_pos, "illegal storage type maximum: %lld", (long long)*out_max);
  if (*out_max <= *out_min)
    return qn_fail_at(p, max_pos, "illegal storage min and storage max: (%lld:%lld)",
                      (long long)*out_min, (long long)*out_max);
  return true;
}

static bool parse_expressed(qn_parser *p, const qn_type **out_type) {
  qn_pos pos = p->token.pos;
  if (!qn_parse_type(p, out_type)) return false;
  if ((*out_type)->kind == QN_TYPE_FLOAT) return true;
  return qn_fail_at(p, pos, "invalid kind of type specified");
}

/* ---- scales and zero points ---- */

/* Parses a float literal, or an integer literal as the bits of a double, independent of the
 * expressed type. */
static bool parse_number(qn_parser *p, double *out_value) {
  bool negative = qn_accept(p, QN_TOK_MINUS);
  qn_token literal = p->token;
  if (!qn_at(p, QN_TOK_FLOAT) && !qn_at(p, QN_TOK_INTEGER))
    return qn_fail(p, "expected floating point literal");
  qn_advance(p);
  return qn_float_in_type(p, &literal, negative, qn_type_float(p->cx, QN_F64), out_value);
}

static bool check_scale(qn_parser *p, qn_pos pos, double scale, qn_float_kind expressed) {
  const qn_float_format *format = qn_float_format_of(expressed);
  if (scale >= format->denormal && scale <= format->largest) return true;
  char number[32];
  snprintf(number, sizeof number, "%e", scale);
  return qn_fail_at(p, pos, "scale %s out of expressed type range [%e, %e]",
                    isnan(scale)      ? "nan"
                    : isfinite(scale) ? number
                    : scale < 0       ? "-INF"
                                      : "INF",
                    format->denormal, format->largest);
}

/* scale [: zero point], pushed on p->numbers and p->ints. */
static bool parse_scale(qn_parser *p, const quant_draft *draft) {
  double scale;
  int64_t zero_point = 0;
  qn_pos scale_pos = p->token.pos, pos = scale_pos;
  if (!parse_number(p, &scale)) return false;
  if (qn_accept(p, QN_TOK_COLON)) {
    pos = p->token.pos;
    if (!qn_parse_int(p, &zero_point)) return false;
  }
  if (!check_scale(p, scale_pos, scale, draft->type.expressed->float_kind)) return false;
  if (draft->type.scheme == QN_SUB_CHANNEL) {
    int64_t low, high;
    qn_storage_range(draft->type.storage->integer.width, draft->type.is_signed, &low, &high);
    if (zero_point < low || zero_point > high)
      return qn_fail_at(p, pos, "zero point %lld out of storage type range [%lld, %lld]",
                        (long long)zero_point, (long long)low, (long long)high);
    scale = qn_float_round(draft->type.expressed->float_kind, scale);
  }
  qn_array_push(&p->numbers, scale);
  qn_array_push(&p->ints, zero_point);
  return true;
}

static bool ragged(qn_parser *p) {
  return qn_fail(p, "tensor literal is invalid; ranks are not consistent between elements");
}

/* Parses { elem, elem } at nesting level `level`. All lists of a level must have the same size:
 * grid[level] is -1 until the first list of the level has been closed. *rank is 0 until the first
 * scale. */
static bool parse_grid(qn_parser *p, const quant_draft *draft, int64_t grid[], uint32_t level,
                       uint32_t *rank) {
  enum { MAX_RANK = 32 };
  if (draft->type.scheme == QN_PER_AXIS && level > 0)
    return qn_fail(p, "per-axis scales are a flat list");
  if (level >= MAX_RANK) return qn_fail(p, "scales have more than %d dimensions", MAX_RANK);
  if (!qn_expect(p, QN_TOK_LBRACE)) return false;
  int64_t count = 0;
  do {
    bool nested = qn_at(p, QN_TOK_LBRACE);
    if (*rank == 0 && !nested) *rank = level + 1; /* the first scale determines the rank */
    if (*rank && nested != (level + 1 < *rank)) return ragged(p);
    if (nested ? !parse_grid(p, draft, grid, level + 1, rank) : !parse_scale(p, draft))
      return false;
    count++;
  } while (qn_accept(p, QN_TOK_COMMA));
  if (grid[level] >= 0 && grid[level] != count) return ragged(p);
  grid[level] = count;
  return qn_expect(p, QN_TOK_RBRACE);
}

/* ---- axis or blocks ---- */

static bool parse_axis(qn_parser *p, int32_t *out_axis) {
  qn_pos pos = p->token.pos;
  int64_t axis;
  if (!qn_parse_int(p, &axis)) return false;
  if (axis > INT32_MAX) return qn_fail_at(p, pos, "integer value too large");
  if (axis < 0) return qn_fail_at(p, pos, "illegal quantized dimension: %lld", (long long)axis);
  *out_axis = (int32_t)axis;
  return true;
}

/* Parses axis:size; pushes two ints. */
static bool parse_block(qn_parser *p, void *user) {
  const quant_draft *draft = user;
  qn_pos pos = p->token.pos;
  int32_t axis = 0;
  int64_t size;
  if (!parse_axis(p, &axis)) return false;
  for (size_t i = draft->first_block; i < p->ints.count; i += 2)
    if (p->ints.data[i] == axis) return qn_fail_at(p, pos, "axis %d has two block sizes", axis);
  qn_pos size_pos = p->token.pos;
  if (!qn_expect(p, QN_TOK_COLON)) return false;
  size_pos = p->token.pos;
  if (!qn_parse_int(p, &size)) return false;
  if (size <= 0) return qn_fail_at(p, size_pos, "illegal block size: %lld", (long long)size);
  if (p->ints.count - draft->first_block >= 64)
    return qn_fail_at(p, pos, "more than 32 block sizes");
  qn_array_push(&p->ints, (int64_t)axis);
  qn_array_push(&p->ints, size);
  return true;
}

static bool parse_granularity(qn_parser *p, quant_draft *draft) {
  if (!qn_accept(p, QN_TOK_COLON)) return true;
  if (!qn_at(p, QN_TOK_LBRACE)) {
    draft->type.scheme = QN_PER_AXIS;
    return parse_axis(p, &draft->type.axis);
  }
  draft->type.scheme = QN_SUB_CHANNEL;
  return qn_parse_list(p, QN_TOK_LBRACE, QN_TOK_RBRACE, parse_block, draft);
}

/* ---- the types ---- */

static void finish_uniform(qn_parser *p, quant_draft *draft, const int64_t *grid, uint32_t rank,
                           const qn_type **out_type) {
  int32_t axes[32];
  int64_t sizes[32];
  qn_quant_uniform *type = &draft->type;
  type->block_count = (uint32_t)(draft->first_zero - draft->first_block) / 2;
  for (uint32_t i = 0; i < type->block_count; i++) {
    axes[i] = (int32_t)p->ints.data[draft->first_block + 2 * i];
    sizes[i] = p->ints.data[draft->first_block + 2 * i + 1];
  }
  type->block_axes = axes;
  type->block_sizes = sizes;
  if (type->scheme == QN_SUB_CHANNEL) {
    type->grid_rank = rank;
    type->grid_dims = grid;
  }
  type->count = (uint32_t)(p->numbers.count - draft->first_scale);
  qn_weigh(p, type->count);
  type->scales = p->numbers.data + draft->first_scale;
  type->zero_points = p->ints.data + draft->first_zero;
  *out_type = qn_type_uniform(p->cx, type);
}

static bool parse_uniform(qn_parser *p, qn_pos start, const qn_type **out_type) {
  (void)start;
  quant_draft draft = {.first_block = p->ints.count, .first_scale = p->numbers.count};
  qn_quant_uniform *type = &draft.type;
  int64_t grid[32];
  uint32_t rank = 0;
  for (size_t i = 0; i < QN_COUNT(grid); i++) grid[i] = -1;
  if (!parse_storage(p, &type->is_signed, &type->storage, &type->min, &type->max) ||
      !qn_expect(p, QN_TOK_COLON) || !parse_expressed(p, &type->expressed) ||
      !parse_granularity(p, &draft) || !qn_expect(p, QN_TOK_COMMA))
    return false;
  draft.first_zero = p->ints.count;
  bool ok =
      type->scheme == QN_PER_LAYER ? parse_scale(p, &draft) : parse_grid(p, &draft, grid, 0, &rank);
  if (!ok || !qn_expect(p, QN_TOK_GREATER)) return false;
  finish_uniform(p, &draft, grid, rank, out_type);
  p->ints.count = draft.first_block;
  p->numbers.count = draft.first_scale;
  return true;
}

static bool parse_any(qn_parser *p, qn_pos start, const qn_type **out_type) {
  (void)start;
  bool is_signed;
  const qn_type *storage, *expressed = NULL;
  int64_t min, max;
  if (!parse_storage(p, &is_signed, &storage, &min, &max)) return false;
  if (qn_accept(p, QN_TOK_COLON) && !parse_expressed(p, &expressed)) return false;
  if (!qn_expect(p, QN_TOK_GREATER)) return false;
  *out_type = qn_type_quant_any(p->cx, is_signed, storage, expressed, min, max);
  return true;
}

static bool parse_calibrated(qn_parser *p, qn_pos start, const qn_type **out_type) {
  const qn_type *expressed;
  double min, max;
  qn_pos pos = p->token.pos;
  if (!parse_expressed(p, &expressed)) return qn_fail_at(p, pos, "expecting float expressed type");
  if (!qn_expect(p, QN_TOK_LESS) || !parse_number(p, &min) || !qn_expect(p, QN_TOK_COLON) ||
      !parse_number(p, &max) || !qn_expect(p, QN_TOK_GREATER))
    return qn_fail_at(p, pos, "calibrated values must be present");
  if (!qn_expect(p, QN_TOK_GREATER)) return false;
  if (!(max > min)) return qn_fail_at(p, start, "illegal min and max: (%e:%e)", min, max);
  *out_type = qn_type_calibrated(p->cx, expressed, min, max);
  return true;
}

bool qn_parse_quant_type(qn_parser *p, const qn_type **out_type) {
  static const struct {
    const char *name;
    bool (*parse)(qn_parser *p, qn_pos start, const qn_type **out_type);
  } kinds[] = {{"uniform", parse_uniform}, {"any", parse_any}, {"calibrated", parse_calibrated}};
  static const char prefix[] = "!quant";
  bool old = qn_str_is(p->token.text, prefix); /* the old spelling !quant<uniform<...>> */
  qn_str kind = {NULL, 0};
  if (!old) kind = (qn_str){p->token.text.data + sizeof prefix, p->token.text.size - sizeof prefix};
  qn_pos start = {p->token.pos.line, p->token.pos.column + (uint32_t)sizeof prefix};
  qn_advance(p);
  if (!qn_check_balanced(p)) return false;
  if (old) {
    if (!qn_expect(p, QN_TOK_LESS)) return false;
    if (!qn_at(p, QN_TOK_BARE_ID)) return qn_fail_behind(p, "expected valid keyword");
    kind = p->token.text;
    start = p->token.pos;
    qn_advance(p);
  }
  for (size_t i = 0; i < QN_COUNT(kinds); i++) {
    if (!qn_str_is(kind, kinds[i].name)) continue;
    if (!qn_expect(p, QN_TOK_LESS) || !kinds[i].parse(p, start, out_type)) return false;
    return !old || qn_expect(p, QN_TOK_GREATER);
  }
  if (!qn_is_bare_id(kind)) return qn_fail_at(p, start, "expected valid keyword");
  return qn_fail_at(p, start, "unknown quantized type %.*s", QN_STR_ARG(kind));
}
