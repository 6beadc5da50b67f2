#!/bin/sh
# Runs a command as if the kernel told of its processors what a folder says: nothing that really runs here is seen.
#   as_quiet.sh FOLDER COMMAND...
# FOLDER/stat stands in place of /proc/stat, and nobody tells how long programs waited. Whoever writes to the file
# plays other programs. Needs root, or a kernel that lets users make namespaces.
set -eu
if [ "${AS_QUIET_INSIDE:-}" != 1 ]; then
  own=
  [ "$(id -u)" = 0 ] || own="--user --map-root-user"
  # shellcheck disable=SC2086
  AS_QUIET_INSIDE=1 exec unshare $own --mount -- "$0" "$@"
fi
unset AS_QUIET_INSIDE
folder=$1
shift
mount --bind "$folder/stat" /proc/stat
own=/sys/fs/cgroup$(sed -n 's/^0:://p' /proc/self/cgroup)/cpu.pressure
for pressure in /proc/pressure/cpu "$own"; do
  [ ! -f "$pressure" ] || mount --bind /dev/null "$pressure"
done
exec "$@"
