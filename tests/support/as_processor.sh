#!/bin/sh
# Runs a command as if this machine had another processor, whose clock, model or memory is another: no result of a
# test may depend on those.
#   as_processor.sh KIND COMMAND...
# KIND:
#   unknown   one that is in no table of ours, so that its peak is not known
#   slow      one that is known, at a tenth of the clock
#   fast      one that is known, at ten times the clock
#   cloud     one that a shipped platform table is about (azure-hbv5)
#   domains   the same with its memory in two NUMA domains
# Flags stay as they are: programs choose their instructions by them. Needs root, or a kernel that lets users make
# namespaces.
set -eu
if [ -z "${AS_PROCESSOR_FOLDER:-}" ]; then
  own=
  [ "$(id -u)" = 0 ] || own="--user --map-root-user"
  # What lies in it is mounted inside alone, so that nothing is removed across a mount.
  folder=$(mktemp -d)
  trap 'rm -r "$folder"' EXIT
  # shellcheck disable=SC2086
  AS_PROCESSOR_FOLDER=$folder unshare $own --mount -- "$0" "$@"
  exit
fi
folder=$AS_PROCESSOR_FOLDER
unset AS_PROCESSOR_FOLDER
kind=$1
shift

# Shows a text in place of a file that is there.
show() {
  [ -f "$2" ] || return 0
  mount --bind "$1" "$2"
}

# cpuinfo with other values: KEY=VALUE...; a key that a line begins with and that nobody changes stays.
cpuinfo() {
  for change in "$@"; do
    printf 's|^\\(%s[[:space:]]*:\\).*|\\1 %s|\n' "${change%%=*}" "${change#*=}"
  done >"$folder/changes"
  sed -f "$folder/changes" /proc/cpuinfo >"$folder/cpuinfo"
  show "$folder/cpuinfo" /proc/cpuinfo
}

# The highest clock in kHz, where the kernel tells it, times $1 / 10.
clock() {
  for file in /sys/devices/system/cpu/cpu*/cpufreq/cpuinfo_max_freq; do
    [ -f "$file" ] || continue
    printf '%s\n' $(($(cat "$file") * $1 / 10)) >"$folder/clock"
    # Another file for each: a mount shows one inode.
    name=$(printf '%s' "$file" | tr / _)
    mv "$folder/clock" "$folder/$name"
    mount --bind "$folder/$name" "$file"
  done
}

# Emerald Rapids on x86, Neoverse V2 on Arm: what the inventory knows of each is its operations a cycle.
known='vendor_id=GenuineIntel cpu[[:space:]]family=6 model=207 CPU[[:space:]]implementer=0x41 CPU[[:space:]]part=0xd4f'
case $kind in
unknown) cpuinfo vendor_id=Nobody "CPU implementer=0x00" ;;
slow)
  # shellcheck disable=SC2086
  cpuinfo $known "cpu MHz=230.000"
  clock 1
  ;;
fast)
  # shellcheck disable=SC2086
  cpuinfo $known "cpu MHz=23000.000"
  clock 100
  ;;
cloud) cpuinfo vendor_id=AuthenticAMD "cpu family=25" model=17 "model name=AMD EPYC 9V64H 96-Core Processor" ;;
domains)
  mkdir "$folder/node0" "$folder/node1"
  echo 0-1 >"$folder/online"
  for node in node0 node1; do
    echo 0 >"$folder/$node/cpulist"
    echo 10 20 >"$folder/$node/distance"
    printf 'Node %s %s\n' "${node#node}" "MemTotal:        8388608 kB" "${node#node}" "MemFree:         4194304 kB" \
      >"$folder/$node/meminfo"
  done
  mount -t tmpfs none /sys/devices/system/node
  cp -r "$folder/online" "$folder/node0" "$folder/node1" /sys/devices/system/node
  ;;
*)
  echo "as_processor.sh: there is no processor '$kind'" >&2
  exit 2
  ;;
esac
exec "$@"
