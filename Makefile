# SPDX-License-Identifier: GPL-2.0-only
#
# The front door. Everything it makes goes below build/ and ~/.cache/peerbar.

VERSION := $(shell cat VERSION)
KERNEL  ?= 6.12
KERNELS ?= $(KERNEL)
SERIES  ?= stock
DRIVER  ?= amdgpu
BUILD   := build
# What modules are built against and installed for.
KDIR    ?= /lib/modules/$(shell uname -r)/build
SUDO    := $(if $(filter 0,$(shell id -u)),,sudo)
CMAKE_FLAGS ?= -DCMAKE_BUILD_TYPE=Release

# A pipeline fails when any part of it does.
SHELL := /bin/bash
.SHELLFLAGS := -o pipefail -ec

.DEFAULT_GOAL := help
.PHONY: help setup setup-demo setup-build demo demo-patched check check-all lab bench tools module guest \
	apply unapply dkms-install dkms-remove install deb clean distclean

help: ## this list
	@sed -nE 's/^([a-z-]+):.*## (.*)/  make \1\t\2/p' Makefile | expand -t 24

setup: ## install every package that demo, demo-patched and check need (apt)
	@selftests/setup demo build check deb

setup-demo:
	@selftests/setup demo

setup-build:
	@selftests/setup demo build

demo: setup-demo guest ## two cards behind one switch on Debian's kernel: stock, then with peerbar-widen
	@selftests/qemu/boot --kernel debian-6.12 selftests/scenarios/demo.scn | selftests/lib/results

demo-patched: setup-build guest ## the same and P2P, on a stock and a patched build [KERNEL=6.12]
	@selftests/qemu/boot --kernel $(KERNEL) --series stock selftests/scenarios/demo-stock.scn | selftests/lib/results
	@selftests/qemu/boot --kernel $(KERNEL) --series peerbar selftests/scenarios/demo-patched.scn | selftests/lib/results

check: setup ## all tests on the default kernel; ends with N passed, N failed, N skipped
	@selftests/run $(KERNELS)

check-all: setup ## the tests on every kernel of patches/kernels.conf
	@selftests/run $$(awk '!/^#/ && NF { print $$1 }' patches/kernels.conf)

lab: setup-build guest ## boot MACHINE=file.json [KERNEL= SERIES= MODULES= CMDLINE= DRIVER=] and print the report
	@KERNEL='$(KERNEL)' SERIES='$(SERIES)' MODULES='$(MODULES)' CMDLINE='$(CMDLINE)' DRIVER='$(DRIVER)' \
		selftests/lab '$(MACHINE)'

bench: setup-demo guest ## count the config reads and writes of each step, on Debian's kernel
	@selftests/qemu/boot --kernel debian-6.12 selftests/scenarios/bench.scn | selftests/lib/results

tools: $(BUILD)/peerbar ## build the program build/peerbar

# build-program FOLDER CMAKE-FLAGS: the program, quietly unless that fails.
define build-program
@mkdir -p $(@D) $(BUILD)
@{ cmake -S tools -B $(1) $(CMAKE_FLAGS) -DBUILD_TESTING=OFF $(2) && cmake --build $(1) -j2 --target peerbar; } \
	> $(1).log 2>&1 || { cat $(1).log; exit 1; }
@cmp -s $(1)/peerbar $@ || cp $(1)/peerbar $@
endef

$(BUILD)/peerbar: FORCE
	$(call build-program,$(BUILD)/tools)

# What runs inside the lab's guest, all static: init, the tool, a stress program.
guest: $(BUILD)/guest/init $(BUILD)/guest/bin/peerbar $(BUILD)/guest/bin/storm

$(BUILD)/guest/init: $(wildcard selftests/qemu/*.[ch])
	@mkdir -p $(@D)
	@$(CC) -std=gnu11 -O2 -Wall -Wextra -Werror -D_GNU_SOURCE -static -o $@ $(filter %.c,$^)

$(BUILD)/guest/bin/storm: selftests/module/storm.c
	@mkdir -p $(@D)
	@$(CC) -std=gnu11 -O2 -Wall -Wextra -Werror -D_GNU_SOURCE -static -pthread -o $@ $<

$(BUILD)/guest/bin/peerbar: FORCE
	$(call build-program,$(BUILD)/tools-static,-DPEERBAR_STATIC=ON)

module: ## build the modules against KDIR=
	@$(MAKE) -C module KDIR=$(KDIR) modules

apply: ## apply the patch series that fits the kernel tree KDIR=
	@patches/scripts/apply $(KDIR)

unapply: ## take the series out of the kernel tree KDIR= again
	@patches/scripts/apply --reverse $(KDIR)

dkms-install: ## install peerbar.ko and peerbar-widen.ko for the running kernel by DKMS
	@$(SUDO) selftests/setup dkms
	@$(SUDO) module/dkms install $(VERSION)

dkms-remove: ## take them out again
	@$(SUDO) module/dkms remove $(VERSION)

install: tools ## install the program, its man pages, completion and schema [DESTDIR= PREFIX=]
	@cmake --install $(BUILD)/tools $(if $(PREFIX),--prefix $(PREFIX))

deb: ## build the Debian packages peerbar and peerbar-dkms into build/deb/
	@selftests/setup deb
	@debian/make-packages $(BUILD)/deb

clean: ## remove build/
	rm -rf $(BUILD)

distclean: clean ## remove build/ and the cached kernels in ~/.cache/peerbar
	rm -rf $${PEERBAR_CACHE:-$$HOME/.cache/peerbar}

FORCE:
