# Sourced by .ci/run and scripts/nightly: stages that are all done, whichever fails.
# shellcheck shell=bash
failed=()
spent=()

# stage NAME COMMAND...: runs it and goes on; `failed` keeps the names of those that failed, build/stages what each
# printed. Needs `set -o pipefail`.
stage() {
  local name=$1 result=ok began=$SECONDS
  shift
  mkdir -p build/stages
  echo "=== $name"
  "$@" 2>&1 | tee "build/stages/$name.log" || { result=FAILED; failed+=("$name"); }
  spent+=("$((SECONDS - began)) s  $name: $result")
  echo "=== $name: $result, $((SECONDS - began)) s"
}

# How long each took, and what failed.
stages_summary() {
  printf '=== %s\n' "${spent[@]}"
  [ ${#failed[@]} -eq 0 ] || echo "=== FAILED so far: ${failed[*]}"
}

# say_failed [NAME]: the end of what each that failed printed, but of that one.
say_failed() {
  local name
  for name in "${failed[@]}"; do
    [ "$name" != "${1:-}" ] || continue
    echo "=== FAILED: $name. The last it said:"
    tail -n 30 "build/stages/$name.log"
  done
}

# say_failed_tests LOG: what each test that failed printed (its last 60 lines), in a log of `ctest --output-on-failure`.
say_failed_tests() {
  awk -v most=60 '
    function show(   i) {
      for (i = count > most ? count - most : 0; i < count; i++) print lines[i]
      count = 0
    }
    /^ *[0-9]+\/[0-9]+ Test +#/ { show(); keeping = /\*\*\*/ && !/\*\*\*Skipped/ }
    /^ +Start +[0-9]+: / || /^[0-9]+% tests passed/ { show(); keeping = 0 }
    keeping { lines[count++] = $0 }
    END { show() }' "$1"
}

# sanitized BUILD PATTERN: the unit tests of the rooms that match, built and run in BUILD. OpenBLAS keeps memory
# until the end of the process, so leaks are not looked for.
sanitized() {
  local targets
  mapfile -t targets < <(ninja -C "$1" -t targets all |
    sed -n 's/^\(unit_[a-z_]*\): phony$/\1/p' | grep -E "^unit_($2)\$")
  if [ ${#targets[@]} -eq 0 ]; then
    echo "no unit test programs in $1"
    return 1
  fi
  cmake --build "$1" --target "${targets[@]}" || return 1
  ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=print_stacktrace=1 \
    ctest --test-dir "$1" -L unit -R "^($2):" --no-tests=error --output-on-failure -j "$(nproc)"
}

# resolved: every name of every set of packages is known to apt, for a machine with nothing installed.
resolved() {
  local set code=0
  for set in build run gpu test package; do scripts/setup --resolve $set || code=1; done
  return $code
}
