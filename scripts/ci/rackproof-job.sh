#!/usr/bin/env bash
# What a job of a CI server runs on a login node of a Slurm cluster: rackproof as a batch job that is waited for, with
# what the server reads beside its report.
#
#   rackproof-job.sh OUT NODES [ARGUMENT of rackproof run ...]
#   rackproof-job.sh nightly 18 --suite acceptance --require gpu
#
# Leaves OUT/report.json (of many devices report.json.zst), .html, .md and .junit.xml, and what the job said in OUT.log,
# which are printed too.
# From the environment:
#   RACKPROOF_SBATCH    further options of sbatch: --partition=gpu --gpus-per-node=8 --time=6:00:00
#   RACKPROOF_BATCH     the batch script (default: ../slurm/rackproof.sbatch, seen from here)
# and what that script takes. Exit code: that of the verdict (0 accepted, 3 rejected, 4 incomplete, 7 verified); 2 usage;
# another one of sbatch when the job could not run.
set -uo pipefail

usage() { echo "Usage: rackproof-job.sh OUT NODES [ARGUMENT of rackproof run ...]" >&2; exit 2; }
[[ $# -ge 2 && $2 =~ ^[1-9][0-9]*$ ]] || usage
out=$1 nodes=$2
shift 2
batch=${RACKPROOF_BATCH:-$(dirname "$(readlink -f "$0")")/../slurm/rackproof.sbatch}
[ -e "$batch" ] || { echo "rackproof-job.sh: there is no $batch; RACKPROOF_BATCH names the batch script" >&2; exit 2; }
# A run directory that holds a run would be resumed.
[ ! -e "$out" ] || { echo "rackproof-job.sh: $out exists; each job needs a folder of its own" >&2; exit 2; }
read -r -a options <<<"${RACKPROOF_SBATCH:-}"

RACKPROOF_OUT=$out sbatch --wait --nodes "$nodes" --output "$out.log" "${options[@]}" "$batch" \
  --render html,junit,md "$@"
code=$?
[ ! -e "$out.log" ] || cat "$out.log"
# A job that ended with 0 and left no report has not accepted anything.
if [ ! -e "$out/report.json" ] && [ ! -e "$out/report.json.zst" ]; then
  echo "rackproof-job.sh: the job left no report (sbatch ended with $code)" >&2
  [ "$code" -ne 0 ] || code=4
fi
exit "$code"
