/* SPDX-License-Identifier: GPL-2.0-only */
/* The words and numbers of the configfs attributes. A newline may follow. */
#ifndef PEERBAR_SIM_PARSE_H
#define PEERBAR_SIM_PARSE_H

#include "sim_desc.h"

#ifdef __cplusplus
extern "C" {
#endif

/* All of these return 0 or -EINVAL and then leave the result alone. */
int sim_parse_u64(const char *text, u64 *value);
int sim_parse_host_name(const char *name, u32 *domain, u8 *bus);
int sim_parse_function_name(const char *name, u32 *domain, u8 *bus, u8 *devfn);
int sim_parse_space(const char *text, enum sim_space *space);
int sim_parse_port(const char *text, enum sim_port *port);
int sim_parse_speed(const char *text, u8 *speed);
int sim_parse_acs(const char *text, u16 *bits);
int sim_parse_sizes(const char *text, u64 *sizes);

const char *sim_space_name(enum sim_space space);
const char *sim_port_name(enum sim_port port);
const char *sim_speed_name(u8 speed);
/* Comma lists; return the length, cut off at @size as snprintf() does. */
size_t sim_print_acs(u16 bits, char *text, size_t size);
size_t sim_print_sizes(u64 sizes, char *text, size_t size);

#ifdef __cplusplus
}
#endif

#endif
