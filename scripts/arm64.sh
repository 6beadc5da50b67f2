# shellcheck shell=bash
# scripts/fresh arm64: the unit tests of the cross build, under qemu. To be sourced, after debian.sh.

# Those of tests/unit, one a line: "PROGRAM", or "PROGRAM REASON" when it stays away.
arm64_units() {
  ninja -C build/arm64 -t targets all | sed -nE 's/^(unit_[a-z_]*): phony$/\1/p' |
    sed -E 's/_mpi$/& is linked with libmpi, and the sysroot has none of the libraries that libmpi asks for/
      s/_campaign$/& is minutes of arithmetic even without qemu/'
}

# arm64_but PROGRAM: the test cases that stay away, one a line.
arm64_but() {
  case "$1" in
    unit_assemble) echo 'whatever bit of a journal is flipped*' ;;  # a minute without qemu
    unit_fleet) echo 'a library that is there says its version*' ;; # libmpi lacks what it asks for
    # Daemons are started without any environment, in which qemu would find where their libraries are.
    unit_warden) printf '%s\n' 'a hundred daemons that fork*' 'daemons are gone when*' 'a warden inside an attempt*' ;;
  esac
}

# arm64_cpus PROGRAM: the processors of qemu that it runs on, one a line. Vectors of SVE have 512 bits on the first.
arm64_cpus() {
  case "$1" in
    unit_align) printf '%s\n' max max,sve512=off,sve384=off max,sve=off ;;
    *) echo max ;;
  esac
}

# arm64_unit PROGRAM: on each of its processors.
arm64_unit() {
  local code=0 cpu
  while read -r cpu; do
    QEMU_CPU=$cpu arm64_unit_once "$1" "$cpu" </dev/null || code=1
  done < <(arm64_cpus "$(basename "$1")")
  return "$code"
}

# arm64_unit_once PROGRAM CPU: all its tests in one process; those of ctest, a process each, would mostly start qemu.
arm64_unit_once() {
  local code=0 began=$SECONDS said but
  mapfile -t but < <(arm64_but "$(basename "$1")")
  said=$(set -o pipefail && cd "$(dirname "$1")" && timeout 1800 "$PWD/$(basename "$1")" "${but[@]/#/\~}" 2>&1 | tr -d '\0') || code=$?
  if [ "$code" -eq 0 ]; then
    echo "  ok      $(basename "$1") ($2), $((SECONDS - began)) s: $(grep -v '^=*$' <<<"$said" | tail -n 1)${but:+, without ${#but[@]} of its cases}"
  else
    echo "  FAILED  $(basename "$1") ($2): exit $code, $((SECONDS - began)) s"
    sed 's/^/          /' <<<"$said" | tail -n 60
    return 1
  fi
}

# Where the kernel gives programs for arm64 to qemu, which takes their libraries from the system that they were built
# with.
arm64_inside() {
  export QEMU_LD_PREFIX=$PWD/build/sysroot/arm64/root
  export -f arm64_unit arm64_unit_once arm64_cpus arm64_but
  find build/arm64/tests -type f -name 'unit_*' -perm -u+x | grep -E "/($(IFS='|'; echo "$*"))\$" |
    xargs -P "$(nproc)" -I '{}' bash -c 'arm64_unit {}'
}

# Every process of the namespaces ends with the one that made them.
# shellcheck disable=SC2317 # called by a trap
stop_arm64() {
  [ -z "${namespaces:-}" ] || kill -KILL "$namespaces" 2>/dev/null || true
}

test_arm64() {
  local code=0 began=$SECONDS units
  scripts/sysroot arm64
  cmake --preset arm64 -D RACKPROOF_TESTS=ON -D RACKPROOF_MPI=ON -D RACKPROOF_BLAS=ON -D RACKPROOF_CUDA=OFF
  mapfile -t units < <(arm64_units | grep -v ' ')
  arm64_units | sed -n 's/ /: /; T; s/^/  left out  /p'
  cmake --build build/arm64 --target "${units[@]}"
  in_namespaces arm64 "$0" --arm64-inside "${units[@]}" || code=1
  echo "fresh: arm64: ${#units[@]} programs, exit $code, $(((SECONDS - began) / 60)) min $(((SECONDS - began) % 60)) s"
  return "$code"
}
