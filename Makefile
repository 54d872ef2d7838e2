# nfstuned - GNU make. Nothing is built outside build/.
#
#   make                builds build/nfstuned and its helpers
#   make run            what does it say about this host? (or about a lab host)
#   make check          everything that guards main; make check-lab: full matrices
#   make install        DESTDIR=, PREFIX=, SYSCONFDIR=, UNITDIR=
#   make SAN=address,undefined check-unit check-fuzz
#   make help           all targets

NAME    := nfstuned
VERSION ?= 0.1.0

CC         ?= cc
AR         ?= ar
INSTALL    ?= install
PKG_CONFIG ?= pkg-config
RPCGEN     ?= rpcgen

PREFIX     ?= /usr/local
BINDIR     ?= $(PREFIX)/bin
SBINDIR    ?= $(PREFIX)/sbin
LIBEXECDIR ?= $(PREFIX)/lib/$(NAME)
MANDIR     ?= $(PREFIX)/share/man
DOCDIR     ?= $(PREFIX)/share/doc/$(NAME)
SYSCONFDIR ?= /etc
# systemd reads units of /usr/local/lib too; catalogs only of /usr/lib.
UNITDIR    ?= $(PREFIX)/lib/systemd/system
CATALOGDIR ?= /usr/lib/systemd/catalog
BASHCOMPDIR ?= $(PREFIX)/share/bash-completion/completions
# dbus-daemon reads policies and services of /usr/share whatever the prefix is.
DBUSCONFDIR    ?= /usr/share/dbus-1/system.d
DBUSSERVICEDIR ?= /usr/share/dbus-1/system-services

comma := ,
B := build
ifneq ($(SAN),)
B   := build/$(subst $(comma),-,$(SAN))
san := -fsanitize=$(SAN) -fno-omit-frame-pointer -fno-sanitize-recover=all
else
san := -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2
endif
ifneq ($(findstring clang,$(CC)),)
B := $(if $(SAN),$(B)-clang,build/clang)
endif
ifneq ($(FUZZING),)
B   := build/fuzz
san := -fsanitize=fuzzer-no-link,address,undefined -fno-omit-frame-pointer -fno-sanitize-recover=all
endif

# clang's -Wconversion would also say -Wsign-conversion, which gcc's does not.
warn := -Wall -Wextra -Wformat=2 -Wshadow -Wconversion -Wno-sign-conversion -Wstrict-prototypes \
        -Wmissing-prototypes -Wvla -Wundef -Wwrite-strings
ifneq ($(WERROR)$(CI),)
warn += -Werror
endif

CFLAGS ?= -O2 -g
PKGS   := libsystemd mount libtirpc inih jansson

# Only asked for when something is compiled: make setup and make clean work without the packages.
pkg_found  = $(if $(filter-out 0,$(.SHELLSTATUS)),$(error Packages are missing: make setup installs them))
pkg_cflags = $(eval pkg_cflags := $(shell $(PKG_CONFIG) --cflags $(PKGS)))$(pkg_found)$(pkg_cflags)
pkg_libs   = $(eval pkg_libs := $(shell $(PKG_CONFIG) --libs $(PKGS)))$(pkg_found)$(pkg_libs)
check_libs = $(eval check_libs := $(shell $(PKG_CONFIG) --libs check))$(check_libs)

defines := -DNFSTUNED_VERSION='"$(VERSION)"' -DNFSTUNED_LIBEXECDIR='"$(LIBEXECDIR)"' \
           -DNFSTUNED_SYSCONFDIR='"$(SYSCONFDIR)"'
own_cf = -std=gnu17 -D_GNU_SOURCE -I. -I$(B)/gen -MMD -MP -fPIE -fstack-protector-strong \
         $(warn) $(san) $(defines) $(pkg_cflags)
own_ld := -pie -Wl,-z,relro,-z,now -Wl,--as-needed $(san)

src = $(sort $(wildcard $(1)/*.c))
obj = $(patsubst %.c,$(B)/%.o,$(call src,$(1)))

mains      := nfstuned nfstunectl nfstuned-probe nfstuned-mount
lib_policy := $(B)/libpolicy.a
lib_probe  := $(B)/libprobe.a
lib_daemon := $(B)/libdaemon.a
programs   := $(addprefix $(B)/,$(mains))

.DEFAULT_GOAL := all
all: $(programs)  ## build everything

$(B)/nfstuned: $(B)/daemon/nfstuned.o $(lib_daemon) $(lib_probe) $(lib_policy)
$(B)/nfstunectl: $(B)/daemon/nfstunectl.o $(lib_daemon) $(lib_probe) $(lib_policy)
$(B)/nfstuned-probe: $(B)/probe/nfstuned-probe.o $(lib_probe) $(lib_policy)
$(B)/nfstuned-mount: $(B)/daemon/nfstuned-mount.o $(lib_daemon) $(lib_probe) $(lib_policy)
$(programs):
	$(CC) $(CFLAGS) $(own_ld) $(LDFLAGS) -o $@ $^ $(pkg_libs)

main_objs := $(B)/daemon/nfstuned.o $(B)/daemon/nfstunectl.o $(B)/probe/nfstuned-probe.o $(B)/daemon/nfstuned-mount.o
$(lib_policy): $(call obj,policy)
$(lib_probe):  $(filter-out $(main_objs),$(call obj,probe)) $(B)/gen/nfs_xdr.o
$(lib_daemon): $(filter-out $(main_objs),$(call obj,daemon))
$(B)/%.a:
	@rm -f $@
	$(AR) rcs $@ $^

$(B)/%.o: %.c $(B)/.flags
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(own_cf) $(CFLAGS) -c -o $@ $<

# rpcgen's output is not ours to warn about.
$(B)/gen/%.h: probe/%.x
	@mkdir -p $(@D)
	@rm -f $@ && cd $(@D) && cp $(CURDIR)/$< . && $(RPCGEN) -C -N -M -h $(<F) > $(@F)
$(B)/gen/%_xdr.c: probe/%.x $(B)/gen/%.h
	@rm -f $@ && cd $(@D) && $(RPCGEN) -C -N -M -c $(<F) > $(@F)
$(B)/gen/%.o: $(B)/gen/%.c $(B)/.flags
	$(CC) $(CPPFLAGS) -std=gnu17 -D_GNU_SOURCE -I$(B)/gen -MMD -MP -fPIE -w $(san) $(pkg_cflags) $(CFLAGS) -c -o $@ $<
$(call obj,probe): | $(B)/gen/nfs.h

$(B)/.flags: FORCE
	@mkdir -p $(B); echo '$(CC) $(subst ','\'',$(own_cf)) $(CFLAGS)' | cmp -s - $@ || echo '$(CC) $(subst ','\'',$(own_cf)) $(CFLAGS)' > $@

# ---- tests ------------------------------------------------------------------

# A policy test links libpolicy.a and nothing else of ours: purity is a link-time fact.
tests := $(patsubst %.c,$(B)/%,$(sort $(wildcard tests/unit/test_*.c)))
test_defs := -DTEST_DATA='"$(CURDIR)/tests/data"' -DTEST_BUILD='"$(CURDIR)/$(B)"'
$(B)/tests/unit/%.o $(B)/tests/fuzz/%.o: own_cf += $(test_defs)
$(B)/tests/unit/test_policy_%: $(B)/tests/unit/test_policy_%.o $(lib_policy)
	$(CC) $(CFLAGS) $(own_ld) $(LDFLAGS) -o $@ $^ $(check_libs)
$(B)/tests/unit/test_probe_%: $(B)/tests/unit/test_probe_%.o $(lib_probe) $(lib_policy)
	$(CC) $(CFLAGS) $(own_ld) $(LDFLAGS) -o $@ $^ $(pkg_libs) $(check_libs)
$(B)/tests/unit/test_daemon_%: $(B)/tests/unit/test_daemon_%.o $(lib_daemon) $(lib_probe) $(lib_policy)
	$(CC) $(CFLAGS) $(own_ld) $(LDFLAGS) -o $@ $^ $(pkg_libs) $(check_libs)

check-unit: $(programs) $(tests)  ## unit tests (with SAN=address,undefined: under the sanitizers)
	@printf '%s\n' $(tests) | xargs -n 1 -P 2 sh -c 'out=$$("$$0" 2>&1); status=$$?; printf "%s\n" "$$out"; exit $$status'

fuzzers := $(patsubst %.c,$(B)/%,$(sort $(wildcard tests/fuzz/fuzz_*.c)))
$(B)/tests/fuzz/fuzz_%: $(B)/tests/fuzz/fuzz_%.o $(B)/tests/fuzz/replay.o $(lib_daemon) $(lib_probe) $(lib_policy)
	$(CC) $(CFLAGS) $(own_ld) $(LDFLAGS) -o $@ $^ $(pkg_libs)
check-fuzz: $(fuzzers)  ## replay the fuzz corpora
	@for f in $(fuzzers); do n=$${f##*/fuzz_}; echo "corpus $$n"; $$f tests/fuzz/corpus/$$n || exit 1; done

# Real fuzzing: what is found new grows in build/fuzz, what breaks lands there too.
FUZZ         ?= $(patsubst tests/fuzz/fuzz_%.c,%,$(sort $(wildcard tests/fuzz/fuzz_*.c)))
FUZZ_SECONDS ?= 600
$(B)/bin/%: $(B)/tests/fuzz/fuzz_%.o $(lib_daemon) $(lib_probe) $(lib_policy)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(own_ld) -fsanitize=fuzzer $(LDFLAGS) -o $@ $^ $(pkg_libs)
fuzz:  ## fuzz for real with clang: FUZZ="options fstab" FUZZ_SECONDS=600 each
	@$(MAKE) -s CC=clang FUZZING=1 $(addprefix build/fuzz/bin/,$(FUZZ))
	@for f in $(FUZZ); do mkdir -p build/fuzz/found/$$f; echo "== fuzz $$f"; \
	  build/fuzz/bin/$$f -max_total_time=$(FUZZ_SECONDS) -rss_limit_mb=1024 -timeout=10 -verbosity=0 -print_final_stats=1 -max_len=4096 \
	    -artifact_prefix=build/fuzz/found/$$f- build/fuzz/found/$$f tests/fuzz/corpus/$$f || exit 1; done

check-layers: $(lib_policy)  ## includes go one way, policy is pure
	@tests/lint/layers $(lib_policy) '$(PKG_CONFIG)'

check-cli: $(B)/nfstunectl  ## nfstunectl from the outside, its JSON against etc/check.schema.json
	@tests/cli/check $(B)/nfstunectl

check-lint:  ## scripts, man pages, units, configuration against its documents
	@tests/lint/shell
	@tests/lint/man
	@tests/lint/drift
	@tests/lint/units

# One stage of make check: says what it is and how long it took.
define stage
@start=$$(date +%s); echo "== $(1)"; $(2) && echo "== $(1): ok, $$(( $$(date +%s) - start )) s"
endef

check:  ## everything that guards main, below 25 minutes on 2 cores
	@tests/setup check
	@tests/setup lab
	$(call stage,build with gcc,$(MAKE) -s -j2 WERROR=1 all)
	$(call stage,layers,$(MAKE) -s WERROR=1 check-layers)
	$(call stage,lint,$(MAKE) -s check-lint)
	$(call stage,unit tests,$(MAKE) -s -j2 WERROR=1 check-unit)
	$(call stage,command line,$(MAKE) -s WERROR=1 check-cli)
	$(call stage,unit tests and corpora under ASan and UBSan,$(MAKE) -s -j2 WERROR=1 SAN=address$(comma)undefined check-unit check-fuzz)
	$(call stage,build with clang,$(MAKE) -s -j2 WERROR=1 CC=clang all)
	$(call stage,lab (smoke scenarios),tests/lab/check smoke)

check-lab: all  ## the full lab matrices; writes tests/lab/RESULTS.md
	@tests/setup lab
	tests/lab/check full --resume

lab: all  ## one lab scenario: make lab SCENARIO=name [KERNEL=6.1]
	@tests/setup lab
	tests/lab/run $(if $(KERNEL),--kernel $(KERNEL)) tests/lab/scenarios/$(SCENARIO).sh

setup:  ## install what building needs (apt), or print the packages' names
	@tests/setup build

run:  ## judge this host's NFS mounts, or show the first story in the lab
	@tests/setup build
	@$(MAKE) -s -j2 all
	@tests/run

# ---- installing ----------------------------------------------------------------

# The manual pages name the paths of a plain "make install".
real_paths = sed -e 's|/usr/local/lib/nfstuned|$(LIBEXECDIR)|g' -e 's|/etc/nfstuned|$(SYSCONFDIR)/nfstuned|g'
substitute = sed -e 's|@SBINDIR@|$(SBINDIR)|g' -e 's|@LIBEXECDIR@|$(LIBEXECDIR)|g'
$(B)/systemd/%: systemd/%.in FORCE
	@mkdir -p $(@D)
	@$(substitute) $< > $@

units_made := nfstuned.service nfstuned-mount@.service
units      := nfstuned-mount.socket

install: all $(addprefix $(B)/systemd/,$(units_made))  ## DESTDIR=, PREFIX=
	$(INSTALL) -D -m 0755 $(B)/nfstuned $(DESTDIR)$(SBINDIR)/nfstuned
	$(INSTALL) -D -m 0755 $(B)/nfstunectl $(DESTDIR)$(BINDIR)/nfstunectl
	$(INSTALL) -D -m 0755 $(B)/nfstuned-probe $(DESTDIR)$(LIBEXECDIR)/nfstuned-probe
	$(INSTALL) -D -m 0755 $(B)/nfstuned-mount $(DESTDIR)$(LIBEXECDIR)/nfstuned-mount
	for p in $(notdir $(wildcard etc/servers.d/*.conf)); do \
	  $(INSTALL) -D -m 0644 etc/servers.d/$$p $(DESTDIR)$(LIBEXECDIR)/servers.d/$$p || exit 1; done
	for u in $(units_made); do $(INSTALL) -D -m 0644 $(B)/systemd/$$u $(DESTDIR)$(UNITDIR)/$$u; done
	for u in $(units); do $(INSTALL) -D -m 0644 systemd/$$u $(DESTDIR)$(UNITDIR)/$$u; done
	$(INSTALL) -D -m 0644 systemd/nfstuned.catalog $(DESTDIR)$(CATALOGDIR)/nfstuned.catalog
	$(INSTALL) -D -m 0644 etc/dbus/org.nfstuned1.conf $(DESTDIR)$(DBUSCONFDIR)/org.nfstuned1.conf
	$(INSTALL) -D -m 0644 etc/dbus/org.nfstuned1.service $(DESTDIR)$(DBUSSERVICEDIR)/org.nfstuned1.service
	for s in check control; do \
	  $(INSTALL) -D -m 0644 etc/$$s.schema.json $(DESTDIR)$(LIBEXECDIR)/$$s.schema.json || exit 1; done
	for m in nfstunectl.1 nfstuned.8 nfstuned.conf.5; do \
	  $(INSTALL) -d $(DESTDIR)$(MANDIR)/man$${m##*.} && \
	  $(real_paths) etc/man/$$m >$(DESTDIR)$(MANDIR)/man$${m##*.}/$$m && \
	  chmod 0644 $(DESTDIR)$(MANDIR)/man$${m##*.}/$$m || exit 1; done
	$(INSTALL) -D -m 0644 etc/completion/nfstuned.bash $(DESTDIR)$(BASHCOMPDIR)/nfstuned
	$(INSTALL) -D -m 0644 etc/completion/nfstunectl.bash $(DESTDIR)$(BASHCOMPDIR)/nfstunectl
	$(INSTALL) -D -m 0644 README.md $(DESTDIR)$(DOCDIR)/README.md
	test -e $(DESTDIR)$(SYSCONFDIR)/nfstuned/nfstuned.conf || \
	  $(INSTALL) -D -m 0644 etc/nfstuned.conf $(DESTDIR)$(SYSCONFDIR)/nfstuned/nfstuned.conf

uninstall:  ## removes all but the configuration
	rm -f $(DESTDIR)$(SBINDIR)/nfstuned $(DESTDIR)$(BINDIR)/nfstunectl $(addprefix $(DESTDIR)$(UNITDIR)/,$(units_made) $(units)) \
	  $(DESTDIR)$(CATALOGDIR)/nfstuned.catalog $(DESTDIR)$(DBUSCONFDIR)/org.nfstuned1.conf \
	  $(DESTDIR)$(DBUSSERVICEDIR)/org.nfstuned1.service $(DESTDIR)$(MANDIR)/man8/nfstuned.8 \
	  $(DESTDIR)$(MANDIR)/man1/nfstunectl.1 $(DESTDIR)$(MANDIR)/man5/nfstuned.conf.5 \
	  $(addprefix $(DESTDIR)$(BASHCOMPDIR)/,nfstuned nfstunectl)
	rm -rf $(DESTDIR)$(LIBEXECDIR) $(DESTDIR)$(DOCDIR)

help:  ## this list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  \1\t\2/p' $(MAKEFILE_LIST) | expand -t 20

clean:  ## remove what was built, keep the lab's cache
	rm -rf $(filter-out build/lab,$(wildcard build/*)) build/.flags

FORCE:
.PHONY: fuzz all setup check check-unit check-fuzz check-layers check-cli check-lint check-lab lab run install uninstall help clean FORCE
.SECONDARY:
-include $(shell find build -path build/lab -prune -o -name '*.d' -print 2>/dev/null)
