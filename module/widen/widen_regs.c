// SPDX-License-Identifier: GPL-2.0-only
/*
 * Register writes that grow a bridge's 64-bit prefetchable window while the
 * devices behind it are in use.
 *
 * Each end of the window is kept in two registers, and one configuration
 * write changes one of them.  So between two writes the bridge decodes a
 * window made of one new and one old half.  That window must hold the old
 * window, or a live device loses its address, and lie inside the new one, or
 * the bridge claims what belongs to a neighbour.
 *
 * For a limit that grows from (H,l) to (H',l'), upper and lower half:
 *
 *	H' == H			l := l'
 *	H' > H, l' >= l		l := l', H := H'
 *	H' > H + 1, l' < l	H := H + 1, l := l', H := H'
 *	H' == H + 1, l' < l	no order works: the write that changes the
 *				upper half needs a lower half that is neither
 *				below l nor above l'
 *
 * The last case cannot arise for a growth of 4 GiB or more; widen_limit_reach()
 * says how far the limit must go instead.  The base is the mirror image.
 */
#include "widen_regs.h"

#define TYPE_NIBBLE	0x000fu
#define ADDR_BITS	0xfff0u

static u32 upper(u64 addr)
{
	return (u32)(addr >> 32);
}

/* Address bits 31:20 in the place that the 16-bit registers have them. */
static u16 lower(u64 addr)
{
	return (u16)((addr >> 16) & ADDR_BITS);
}

/**
 * widen_regs_start() - first address that the registers decode
 * @regs: registers of the window
 *
 * Return: the address.
 */
u64 widen_regs_start(const struct widen_regs *regs)
{
	return (u64)regs->base_upper << 32 | (u64)(regs->base & ADDR_BITS) << 16;
}

/**
 * widen_regs_end() - last address that the registers decode
 * @regs: registers of the window
 *
 * Return: the address.
 */
u64 widen_regs_end(const struct widen_regs *regs)
{
	return (u64)regs->limit_upper << 32 |
	       (u64)(regs->limit & ADDR_BITS) << 16 | (WIDEN_GRAIN - 1);
}

/**
 * widen_limit_reachable() - whether a live limit can be raised
 * @from: last address of the window now
 * @to: last address wanted
 *
 * Return: true if there is a safe order of writes.
 */
bool widen_limit_reachable(u64 from, u64 to)
{
	return to >= from &&
	       !(upper(to) - upper(from) == 1 && lower(to) < lower(from));
}

/**
 * widen_base_reachable() - whether a live base can be lowered
 * @from: first address of the window now
 * @to: first address wanted
 *
 * Return: true if there is a safe order of writes.
 */
bool widen_base_reachable(u64 from, u64 to)
{
	return to <= from &&
	       !(upper(from) - upper(to) == 1 && lower(to) > lower(from));
}

/**
 * widen_limit_reach() - lowest limit at or above the wanted one that is safe
 * @from: last address of the window now
 * @to: last address wanted, not below @from
 *
 * Return: last address to use.
 */
u64 widen_limit_reach(u64 from, u64 to)
{
	if (widen_limit_reachable(from, to))
		return to;
	return from + (1ULL << 32);
}

/**
 * widen_base_reach() - highest base at or below the wanted one that is safe
 * @from: first address of the window now
 * @to: first address wanted, not above @from
 *
 * Return: first address to use.
 */
u64 widen_base_reach(u64 from, u64 to)
{
	if (widen_base_reachable(from, to))
		return to;
	return from - (1ULL << 32);
}

/*
 * One end of the window: the two registers that hold it, what they hold now,
 * and the list the writes go to.
 */
struct window_end {
	u8 low_reg;
	u8 high_reg;
	u16 low;
	u32 high;
	struct widen_write *writes;
	int count;
};

static void write_low(struct window_end *e, u64 addr)
{
	u16 value = lower(addr) | (e->low & TYPE_NIBBLE);

	if (value == e->low)
		return;
	e->writes[e->count++] = (struct widen_write){ e->low_reg, 2, e->low, value };
	e->low = value;
}

static void write_high(struct window_end *e, u32 value)
{
	if (value == e->high)
		return;
	e->writes[e->count++] = (struct widen_write){ e->high_reg, 4, e->high, value };
	e->high = value;
}

static void raise_limit(struct window_end *e, u64 to)
{
	if (upper(to) > e->high && lower(to) < (e->low & ADDR_BITS))
		write_high(e, e->high + 1);
	write_low(e, to);
	write_high(e, upper(to));
}

static void lower_base(struct window_end *e, u64 to)
{
	if (upper(to) < e->high && lower(to) > (e->low & ADDR_BITS))
		write_high(e, e->high - 1);
	write_low(e, to);
	write_high(e, upper(to));
}

/**
 * widen_regs_writes() - list the writes that grow a live window
 * @regs: registers now
 * @start: first address wanted
 * @end: last address wanted
 * @writes: list to fill, in the order in which to write
 *
 * After every single write the decoded window holds the old one and lies
 * inside the wanted one.  Taking the writes back in reverse order passes
 * through the same windows, so that is safe as well.
 *
 * Return: number of writes, 0 when the window is as wanted, or -1 when it
 * would shrink, is not on a multiple of 1 MiB, is closed, or no order is safe.
 */
int widen_regs_writes(const struct widen_regs *regs, u64 start, u64 end,
		      struct widen_write writes[WIDEN_MAX_WRITES])
{
	u64 old_start = widen_regs_start(regs), old_end = widen_regs_end(regs);
	struct window_end limit = { WIDEN_REG_LIMIT, WIDEN_REG_LIMIT_UPPER,
				    regs->limit, regs->limit_upper, writes, 0 };
	struct window_end base = { WIDEN_REG_BASE, WIDEN_REG_BASE_UPPER,
				   regs->base, regs->base_upper, writes, 0 };

	if (old_start > old_end)
		return -1;
	if (start & (WIDEN_GRAIN - 1) || (end + 1) & (WIDEN_GRAIN - 1))
		return -1;
	if (!widen_limit_reachable(old_end, end) ||
	    !widen_base_reachable(old_start, start))
		return -1;

	raise_limit(&limit, end);
	base.count = limit.count;
	lower_base(&base, start);
	return base.count;
}
