#!/bin/sh
# rackproof gate as Prolog, Epilog and HealthCheckProgram of a Slurm: one file for all three (docs/gate.md).
#
#   Prolog=/usr/share/rackproof/slurm/gate.sh
#   Epilog=/usr/share/rackproof/slurm/gate.sh
#   HealthCheckProgram=/usr/share/rackproof/slurm/gate.sh
#   HealthCheckInterval=300
#   SchedulerParameters=nohold_on_prolog_fail
#
# From /etc/default/rackproof-gate, or the file that RACKPROOF_GATE_CONF names, read by this shell:
#   RACKPROOF               the program (default: the one of this installation, else of PATH)
#   RACKPROOF_GATE          options for all three, split at blanks: --platform NAME --golden FILE --limit 40
#   RACKPROOF_GATE_PROLOG, RACKPROOF_GATE_EPILOG, RACKPROOF_GATE_HEALTH   further ones for each
#   PATH, SLURM_CONF        where scontrol is and what it reads
#
# Slurm starts these programs with hardly any environment, and kills HealthCheckProgram after 60 s.
PATH=${PATH:-/usr/sbin:/usr/bin:/sbin:/bin}
config=${RACKPROOF_GATE_CONF:-/etc/default/rackproof-gate}
# shellcheck source=/dev/null
[ -r "$config" ] && . "$config"
export PATH
[ -n "${SLURM_CONF:-}" ] && export SLURM_CONF
here=$(dirname -- "$0")/../../../bin/rackproof
[ -x "$here" ] || here=rackproof
case ${SLURM_SCRIPT_CONTEXT:-} in
prolog_slurmd) mode=prolog own=${RACKPROOF_GATE_PROLOG:-} ;;
epilog_slurmd) mode=epilog own=${RACKPROOF_GATE_EPILOG:-} ;;
*) mode=health own=${RACKPROOF_GATE_HEALTH:-} ;;
esac
# With the reason before the exit code, of which Slurm makes "Prolog error" and "Epilog error": the first reason stays.
# shellcheck disable=SC2086
exec "${RACKPROOF:-$here}" gate --mode "$mode" --drain "do" ${RACKPROOF_GATE:-} $own
