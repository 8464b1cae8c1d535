/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the kernel will do when a driver resizes a BAR, on numbers.
 */
#ifndef PEERBAR_WIDEN_PLACE_H
#define PEERBAR_WIDEN_PLACE_H

#include "widen_plan.h"

#ifdef __cplusplus
extern "C" {
#endif

s32 widen_landing(const struct widen_tree *tree, s32 device);
bool widen_resize(struct widen_tree *tree, s32 device, enum widen_rule rule);

#ifdef __cplusplus
}
#endif

#endif
