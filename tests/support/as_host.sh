#!/bin/sh
# Runs a rank of a launcher as if it were on a host of its own: with a host name by its rank, and with the
# processor that a folder describes.
#   as_host.sh NAME RANKS_PER_HOST FOLDER COMMAND...
# NAME is a printf format of the number of the host ("rack-%02d"). Files in FOLDER (cpuinfo, arch; "-" for no
# folder) are shown in place of those of /proc, folders there (cpu, node) in place of those in
# /sys/devices/system, FOLDER/firmware is what the firmware tells, and FOLDER/infiniband/HOST the RDMA adapters of that host. Needs root, or a kernel that lets users make namespaces.
set -eu
if [ "${AS_HOST_INSIDE:-}" != 1 ]; then
  own=
  [ "$(id -u)" = 0 ] || own="--user --map-root-user"
  # shellcheck disable=SC2086
  AS_HOST_INSIDE=1 exec unshare $own --uts --mount -- "$0" "$@"
fi
unset AS_HOST_INSIDE
name=$1 per_host=$2 folder=$3
shift 3
# shellcheck disable=SC2059
host=$(printf "$name" $((${OMPI_COMM_WORLD_RANK:-0} / per_host)))
hostname "$host"
if [ "$folder" != - ]; then
  [ ! -f "$folder/cpuinfo" ] || mount --bind "$folder/cpuinfo" /proc/cpuinfo
  # Kernels before 6.1 tell it by the layout of cpuinfo alone.
  if [ -f "$folder/arch" ] && [ -f /proc/sys/kernel/arch ]; then
    mount --bind "$folder/arch" /proc/sys/kernel/arch
  fi
  for part in cpu node; do
    [ ! -d "$folder/$part" ] || mount --bind "$folder/$part" "/sys/devices/system/$part"
  done
  if [ -d "$folder/firmware" ]; then mount --bind "$folder/firmware" /sys/firmware; fi
  if [ -d "$folder/infiniband/$host" ]; then
    # Nobody can add a folder to /sys: its classes are shown from a second look at it.
    mount --rbind /sys "$folder/sys"
    mount -t tmpfs tmpfs /sys/class
    for class in "$folder"/sys/class/*; do
      [ "${class##*/}" = infiniband ] || ln -s "$class" /sys/class/
    done
    ln -s "$folder/infiniband/$host" /sys/class/infiniband
  fi
fi
exec "$@"
