# shellcheck shell=bash
# What this machine is, before a part begins. To be sourced by gpu-parts: `here`, `about`, `benches`, `work` are its own,
# and so is what becomes of `capability` and `devices`.
# shellcheck disable=SC2154,SC2034

# last_line FILE CHARACTERS: that is not empty, without what a terminal or a table would stumble over.
# shellcheck disable=SC2016 # sed expands it
last_line() { sed -n '/[^[:space:]]/{s/[^[:print:]]//g;h};${x;p}' "$1" | cut -c "1-$2"; }

# The folder of a library that the loader does not find by itself: the toolkit's, or that of a Python package.
folder_of() {
  local name=$1 file
  for file in /usr/local/cuda/{lib64,lib}/"$name" /usr/local/cuda-*/{lib64,lib}/"$name" \
    /usr/lib/python3*/dist-packages/nvidia/*/lib/"$name" /usr/local/lib/python3*/{dist,site}-packages/nvidia/*/lib/"$name" \
    /opt/*/lib/python3*/site-packages/nvidia/*/lib/"$name" "${HOME:-/root}"/.local/lib/python3*/site-packages/nvidia/*/lib/"$name"; do
    if [ -e "$file" ]; then
      echo "$file"
      return
    fi
  done
  command -v python3 >/dev/null || return 0
  python3 - "$name" <<'PYTHON' 2>/dev/null || true
import pathlib, sys
found = (file for folder in sys.path if folder for file in pathlib.Path(folder).glob("nvidia/*/lib/" + sys.argv[1]))
print(next(found, ""))
PYTHON
}

known_to_loader() {
  local name=$1 folder
  PATH=$PATH:/sbin:/usr/sbin ldconfig -p 2>/dev/null | grep -qF "$name " && return 0
  local IFS=:
  for folder in ${LD_LIBRARY_PATH:-}; do [ ! -e "$folder/$name" ] || return 0; done
  return 1
}

# cuBLASLt and NCCL are the machine's. They alone come into the search path, not what lies beside them.
look_for_libraries() {
  local name file
  export LD_LIBRARY_PATH=$here/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
  mkdir "$work/found"
  for name in "libcublasLt.so.${about[cuda]%%.*}" libnccl.so.2; do
    known_to_loader "$name" && continue
    file=$(folder_of "$name")
    [ -z "$file" ] || ln -s "$file" "$work/found/$name"
  done
  LD_LIBRARY_PATH+=:$work/found
}

# sizes of what follows: a host that plays GPUs takes tens of nanoseconds for each access.
if [ "${about[layer]}" = yes ]; then
  export RACKPROOF_SIZES=host
  least_memory=(--size 2M) smallest=(--size 256K)
else
  least_memory=(--size 2G) smallest=(--size 64M)
fi

# Records of a program, in `records`; its exit code.
records=
ask() {
  local program=$1 code=0
  shift
  records=$(timeout --kill-after=5 90 "$benches/$program" --json "$@" 2>"$work/said") || code=$?
  return $code
}
said() { last_line "$work/said" 300; }

hidden() {
  local code=0
  [ -n "${CUDA_VISIBLE_DEVICES+set}" ] || return 1
  (
    unset CUDA_VISIBLE_DEVICES
    ask stream-cuda "${look[@]}" "${smallest[@]}"
  ) || code=$?
  [ "$code" -eq 0 ]
}

# Sets `devices` (how many) and `capability` (of the first, 90 for 9.0), or ends with one sentence: 3 where the machine
# is what cannot, 2 where the caller hides its GPUs. Each bench tells the same with the same exit codes.
look=(--iterations 2 --variant plain --type double)
devices=0
capability=0
troubled=()
look_at_devices() {
  local code=0
  ask stream-cuda "${look[@]}" "${smallest[@]}" || code=$?
  case $code in
    0) ;;
    3)
      if hidden; then
        complain "CUDA_VISIBLE_DEVICES='$CUDA_VISIBLE_DEVICES' hides every GPU of this machine: unset it, or name one" 2
      fi
      complain "no part can run here: $(said)" 3
      ;;
    2) complain "too little memory on the GPU for the smallest run: $(said)" 3 ;;
    124 | 137) complain "the first kernel did not end within 90 s: the GPU or its driver hangs" 3 ;;
    *) complain "the first kernel failed with exit code $code: $(said)" 1 ;;
  esac
  if [[ $records == *'"id":"MIG-'* ]]; then
    complain "MIG is on, and what is said of an instance says nothing of a GPU: nvidia-smi -mig 0, or another machine" 3
  fi
  [[ $records =~ \"compute_capability\":\"([0-9]+)\.([0-9]+)\" ]] && capability=${BASH_REMATCH[1]}${BASH_REMATCH[2]}
  code=0
  ask stream-cuda --iterations 2 --variant plain --type double "${least_memory[@]}" || code=$?
  [ "$code" -ne 2 ] || complain "too little memory is free on the GPU: $(said)" 3
  [ "$code" -eq 0 ] || complain "the first large run failed with exit code $code: $(said)" 1
  # One GPU after another: a number that is none of theirs is bad usage, and anything else is a GPU in trouble.
  devices=1
  while [ "$devices" -lt 64 ]; do
    code=0
    ask stream-cuda --device "$devices" "${look[@]}" "${smallest[@]}" || code=$?
    [ "$code" -ne 2 ] || break
    [ "$code" -eq 0 ] || troubled+=("$devices $code $(said)")
    devices=$((devices + 1))
  done
}
