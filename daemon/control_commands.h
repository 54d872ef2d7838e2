/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * daemon/control_commands.h - the commands of nfstunectl that ask the running nfstuned.
 *
 * Layer:  daemon. argv[0] is the command's name.
 * Return: the exit status: 0 done (a change may be armed), 1 not done: refused, busy, taken back or failed, or not
 *         permitted; 2 wrong usage, no such mount, or nfstuned cannot be reached.
 */
#pragma once

int status_main(int argc, char **argv);
int advice_main(int argc, char **argv);
int probe_main(int argc, char **argv);
int apply_main(int argc, char **argv);
int rollback_main(int argc, char **argv);
int resume_main(int argc, char **argv);
