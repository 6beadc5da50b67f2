#!/usr/bin/env bash
# rackproof.sbatch with the program in a container.
set -euo pipefail

usage() {
  cat <<'TEXT'
Usage: rackproof-container.sh pyxis|apptainer IMAGE [OPTION of sbatch]... [-- ARGUMENT of rackproof run...]

Submits rackproof.sbatch, which lies beside this script, with rackproof out of IMAGE.

  pyxis       IMAGE is what srun --container-image takes: a squashfs file or an address of a registry. The nodes
              need enroot with its hook for PMIx (50-slurm-pmi.sh)
  apptainer   IMAGE is a .sif file on a disk that all nodes share

The directory in which this is called is mounted under its own name; run directories are made there. Slurm's PMIx
must be one that the Open MPI in the image understands.

Example: rackproof-container.sh pyxis rackproof.sqsh -N 4 -t 4:00:00 --gpus-per-node=8 -- --suite acceptance
TEXT
}

case "${1:-}" in
  pyxis | apptainer) ;;
  -h | --help)
    usage
    exit 0
    ;;
  *)
    echo "rackproof-container.sh: expected pyxis or apptainer, and an image; see --help" >&2
    exit 2
    ;;
esac
kind=$1
image=${2:-}
if [ -z "$image" ] || [[ $image == -* ]]; then
  echo "rackproof-container.sh: expected an image behind $kind; see --help" >&2
  exit 2
fi
shift 2
# rackproof.sbatch takes them apart at blanks.
if [[ "$image$PWD" == *[[:space:]]* ]]; then
  echo "rackproof-container.sh: an image or directory with a blank in its name: '$image' in '$PWD'" >&2
  exit 2
fi

options=()
while [ $# -gt 0 ] && [ "$1" != -- ]; do
  options+=("$1")
  shift
done
if [ $# -gt 0 ]; then shift; fi

if [ "$kind" = pyxis ]; then
  export RACKPROOF_SRUN="--container-image=$image --container-mounts=$PWD:$PWD --container-workdir=$PWD"
else
  export RACKPROOF_WRAPPER="apptainer exec --nv --bind $PWD --pwd $PWD $image"
fi
exec sbatch "${options[@]}" "$(dirname "$(realpath "$0")")/rackproof.sbatch" "$@"
