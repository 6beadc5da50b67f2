# shellcheck shell=bash
# What the trials of packages share. To be sourced; `rackproof` is the program that is tried.

# step TEXT COMMAND...: says what is tried, and what became of it; its output goes to a file.
step() {
  local text=$1 began=$SECONDS
  shift
  if "$@" >/tmp/said 2>&1; then
    echo "  ok      $text, $((SECONDS - began)) s"
  else
    echo "  FAILED  $text: exit $?"
    sed 's/^/          /' /tmp/said | tail -n 40
    exit 1
  fi
}

# expect CODES COMMAND...: ends with one of these exit codes.
expect() {
  local codes=" $1 " code=0
  shift
  "$@" || code=$?
  [[ $codes == *" $code "* ]] || { echo "exit $code instead of$codes"; return 1; }
}

# installed PACKAGE...: with what they need and nothing else.
installed() {
  apt-get -q update && DEBIAN_FRONTEND=noninteractive apt-get -q install -y --no-install-recommends "$@"
}

# Every attempt came to its end; what the numbers are worth on a machine that does other things is not asked.
ran() {
  local out=$1
  shift
  expect "0 3 4 7" "$@" --out "$out" || return 1
  [ -f "$out/report.json" ] || { echo "no report"; return 1; }
  rackproof check "$out/report.json" || return 1
  ! grep -E '"kind": "(signalled|timed-out|cancelled|spawn-failed|leaked|truncated|garbled|wedged|rank-lost)"' "$out/report.json" || return 1
  ! grep -E '"exit_code": [1-9]' "$out/report.json"
}

# What of a report is the same on each machine, into a folder.
made_of() {
  local report=$1 out=$2 form
  mkdir -p "$out"
  # The verdict may be any.
  expect "0 3 4 7" rackproof judge "$report" -o "$out/judged.json" || return 1
  for form in alertmanager csv html junit md openmetrics terminal; do
    rackproof render --format "$form" "$report" -o "$out/report.$form" || return 1
  done
  rackproof show --all "$report" >"$out/shown.txt"
}
