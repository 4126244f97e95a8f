/* Dominator trees by iteration over the reverse post-order (Cooper, Harvey, Kennedy). Each node has
 * an interval of numbers, so that a query takes constant time. There is no recursion, because
 * hostile text can have any number of blocks.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "ir/verify/dominance.h"

#include "base/array.h"

enum { UNREACHED = 0 };

typedef struct node {
  const qn_block *block;
  uint32_t order;     /* position in reverse post-order from 1, or UNREACHED */
  uint32_t successor; /* next successor to visit, during the depth-first search */
  bool entered;
  struct node *idom;   /* immediate dominator; the entry's is itself */
  uint32_t size;       /* number of nodes in its subtree of the dominator tree */
  uint32_t begin;      /* the subtree is [begin, begin + size) */
  uint32_t next_begin; /* start of the next child's interval while intervals are assigned */
} node;

void qn_dominance_init(qn_dominance *dominance) {
  *dominance = (qn_dominance){0};
  qn_arena_init(&dominance->arena);
}

void qn_dominance_deinit(qn_dominance *dominance) {
  qn_map_deinit(&dominance->blocks);
  qn_arena_deinit(&dominance->arena);
}

static uint32_t successor_count(const node *n) {
  return n->block->last ? n->block->last->successor_count : 0;
}

/* A successor's node; NULL if it is in another region, which the verifier reports elsewhere. */
static node *successor(const qn_dominance *dominance, const node *n, uint32_t i) {
  const qn_block *to = n->block->last->successors[i];
  return to && to->region == n->block->region ? qn_map_get(&dominance->blocks, to) : NULL;
}

static node *add_nodes(qn_dominance *dominance, const qn_region *region, uint32_t *out_count) {
  uint32_t count = 0;
  for (const qn_block *block = region->first; block; block = block->next) count++;
  node *nodes = QN_NEW_ARRAY(&dominance->arena, count, node);
  uint32_t i = 0;
  for (const qn_block *block = region->first; block; block = block->next, i++) {
    nodes[i].block = block;
    qn_map_set(&dominance->blocks, block, &nodes[i]);
  }
  *out_count = count;
  return nodes;
}

/* Fills order[] with the reached nodes in reverse post-order and returns the index of the first
 * one. */
static uint32_t number_reached(qn_dominance *dominance, node *entry, node **order, uint32_t count) {
  QN_ARRAY(node *) stack = {0};
  qn_array_push(&stack, entry);
  entry->entered = true;
  uint32_t first = count;
  while (stack.count) {
    node *n = stack.data[stack.count - 1];
    if (n->successor < successor_count(n)) {
      node *to = successor(dominance, n, n->successor++);
      if (to && !to->entered) {
        to->entered = true;
        qn_array_push(&stack, to);
      }
    } else {
      order[--first] = n;
      stack.count--;
    }
  }
  qn_array_free(&stack);
  for (uint32_t i = first; i < count; i++) order[i]->order = i - first + 1;
  return first;
}

static node *common(node *a, node *b) {
  while (a != b) {
    while (a->order > b->order) a = a->idom;
    while (b->order > a->order) b = b->idom;
  }
  return a;
}

static void find_idoms(const qn_dominance *dominance, node **order, uint32_t count) {
  order[0]->idom = order[0];
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t i = 0; i < count; i++) {
      for (uint32_t j = 0; j < successor_count(order[i]); j++) {
        node *to = successor(dominance, order[i], j);
        if (!to) continue;
        node *idom = to->idom ? common(to->idom, order[i]) : order[i];
        changed |= idom != to->idom;
        to->idom = idom;
      }
    }
  }
}

/* Assigns an interval to each subtree. A node comes after its dominator in `order`, so two passes
 * suffice. */
static void number_subtrees(node **order, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) order[i]->size = 1;
  for (uint32_t i = count; i-- > 1;) order[i]->idom->size += order[i]->size;
  order[0]->next_begin = 1;
  for (uint32_t i = 1; i < count; i++) {
    node *n = order[i];
    n->begin = n->idom->next_begin;
    n->idom->next_begin += n->size;
    n->next_begin = n->begin + 1;
  }
}

static void analyse(qn_dominance *dominance, const qn_region *region) {
  uint32_t count;
  node *nodes = add_nodes(dominance, region, &count);
  node **order = QN_NEW_ARRAY(&dominance->arena, count, node *);
  uint32_t first = number_reached(dominance, &nodes[0], order, count);
  find_idoms(dominance, order + first, count - first);
  number_subtrees(order + first, count - first);
}

bool qn_block_dominates(qn_dominance *dominance, const qn_block *a, const qn_block *b) {
  if (a == b) return true;
  if (!qn_map_get(&dominance->blocks, a)) analyse(dominance, a->region);
  const node *x = qn_map_get(&dominance->blocks, a), *y = qn_map_get(&dominance->blocks, b);
  if (y->order == UNREACHED) return true;
  return x->order != UNREACHED && x->begin <= y->begin && y->begin - x->begin < x->size;
}
