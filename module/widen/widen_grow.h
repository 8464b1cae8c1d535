/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The room around a window, and growing it into that room.
 */
#ifndef PEERBAR_WIDEN_GROW_H
#define PEERBAR_WIDEN_GROW_H

#include "widen_plan.h"

#ifdef __cplusplus
extern "C" {
#endif

struct widen_edge widen_edge_above(const struct widen_tree *t, s32 w);
struct widen_edge widen_edge_below(const struct widen_tree *t, s32 w);
bool widen_grow(struct widen_tree *t, s32 w, u64 start, u64 end);

#ifdef __cplusplus
}
#endif

#endif
