#!/bin/sh
# A GPU program on a machine without a driver: exit code 3, one line, in under a second. Skipped (77)
# where there is a driver.
ldconfig -p 2>/dev/null | grep -q 'libcuda\.so\.1' && exit 77
[ -e /proc/driver/nvidia/version ] && exit 77
start=$(date +%s%N)
said=$("$1" 2>&1 >/dev/null)
code=$?
took=$((($(date +%s%N) - start) / 1000000))
echo "exit code $code after $took ms: $said"
[ "$code" -eq 3 ] || exit 1
[ "$(printf '%s\n' "$said" | wc -l)" -eq 1 ] || exit 1
[ "$took" -lt 1000 ] || exit 1
