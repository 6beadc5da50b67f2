# shellcheck shell=bash
# What each part runs, in the order of worth: first what tells most in least time. To be sourced by gpu-parts, which has
# `step NAME LIMIT CODES COMMAND...`, `without NAME SENTENCE`, `here`, `about`, `benches`, `rackproof`, `devices`,
# `capability`, `seconds`, `work` and `results`.
# shellcheck disable=SC2154

tests=$here/tests
export RACKPROOF_BUILD=$here/product
python_here() { command -v python3 >/dev/null; }

# Programs of this machine that say what it is. None of them decides anything.
say_machine() {
  local program
  echo "bundle: version ${about[version]}, commit ${about[commit]}, architectures ${about[architectures]}, CUDA ${about[cuda]}"
  echo "CUDA_VISIBLE_DEVICES=${CUDA_VISIBLE_DEVICES-(not set)}; LD_LIBRARY_PATH=$LD_LIBRARY_PATH"
  ls -l "$work/found"
  uname -a
  for program in 'nvidia-smi -L' 'nvidia-smi topo -m' 'nvidia-smi -q' 'ldd --version' lscpu 'free -h'; do
    echo "--- $program"
    # shellcheck disable=SC2086 # a command and its words
    timeout 20 $program 2>&1 || true
  done
  cat /proc/driver/nvidia/version 2>/dev/null || true
}
say_libraries() {
  local program
  for program in "$benches"/*-cuda "$benches"/*-nccl; do "$program" --describe || return; done
}
# `timeout` starts programs alone.
export -f say_machine say_libraries
machine() { step machine 60 0 bash -c "$(declare -p about); say_machine"; }

# Benches with their words for a short run, as the device tests have them, one a line: here/short.
short_runs() {
  local suffix=$1 limit=$2 codes=$3 line words
  shift 3
  while IFS= read -r line; do
    read -ra words <<<"$line"
    step "$suffix-${words[0]}" "$limit" "$codes" "$benches/${words[0]}" --json "${words[@]:1}" "$@"
  done <"$here/short"
}

# Shortest first, by what they took where a CPU played the devices; then those that nobody has timed.
device_tests() {
  local name test names=(layer align pairs steps nccl copy burn stream gemm collectives)
  for test in "$tests"/gpu_*; do
    name=${test##*/gpu_}
    [ ! -x "$test" ] || [[ " ${names[*]} " == *" $name "* ]] || names+=("$name")
  done
  for name in "${names[@]}"; do
    step "test-$name" 150 0 "$tests/gpu_$name"
    [ "$name" != nccl ] || members
  done
}
members() {
  if ! python_here; then
    without test-members "no python3 here"
    return
  fi
  if [ "$devices" -lt 2 ]; then
    without test-members-pairs "one GPU has nobody to play against"
    without test-members-steps "one GPU sends no message"
  else
    step test-members-pairs 100 0 python3 "$tests/pairs/members_test.py" "$benches/pairs-nccl"
    step test-members-steps 100 0 python3 "$tests/steps/members_test.py" "$benches/steps-nccl"
  fi
  step test-members-nccl 100 0 python3 "$tests/nccl/members_test.py"
}

part_first() {
  machine
  step libraries 60 0 bash -c "benches='$benches'; say_libraries"
  short_runs short 60 0
  short_runs wrong-bit 60 4 --inject bitflip:12345:3
  device_tests
}

# Of the goals in docs/performance.md: G1 stream, G2 gemm, G3 burn, G5 collectives, G6 align. Each goal's first number comes before
# the second of any.
part_rates() {
  local dtype dtypes=(bf16 fp64 fp8_e4m3 fp32 tf32 fp16 int8)
  local stream=(--type 'double,float' --variant both) gemm=() copy=(--samples 3) burn=(--dtype bf16 --seconds 60)
  local align=() nccl=(--ops 'all_reduce,all_gather,reduce_scatter,alltoall') pairs=(--sizes '8,16M,256M') steps=()
  if [ "${about[layer]}" = yes ]; then
    dtypes=(bf16 fp64)
    stream=(--size 256K --iterations 2 --type double --variant plain)
    gemm=(--shape 128 --seconds 0.1 --settle 0 --burst 0.05 --search-seconds 0.05)
    copy=(--size 1M --copies 2 --samples 2 --tests 'h2d,d2h,local')
    burn=(--dtype bf16 --seconds 1 --window 0.2 --size 128 --depth 128 --memory-fraction 0.14 --search-seconds 0.05)
    align=(--queries 1 --subjects 64 --seconds 0 --tile 8x20-bytes --verify sampled --sample-cells 100000)
    nccl=(--ops all_reduce --begin 64 --end 64K --factor 1024 --min-seconds 0.01)
    pairs=(--sizes '8,16K' --samples 3)
    steps=(--scale 64 --sequence 64 --messages gradients --rounds 6)
  fi
  [ "$capability" -lt 100 ] || dtypes+=(mxfp8 nvfp4)
  machine
  step stream-1 60 0 "$benches/stream-cuda" "${stream[@]}"
  step "gemm-${dtypes[0]}" 60 0 "$benches/gemm-cuda" --dtype "${dtypes[0]}" "${gemm[@]}"
  step collectives 90 0 "$benches/collectives-nccl" "${nccl[@]}"
  step copy 90 0 "$benches/copy-cuda" "${copy[@]}"
  step align 90 0 "$benches/align-cuda" "${align[@]}"
  step burn-bf16 100 0 "$benches/burn-cuda" "${burn[@]}"
  for dtype in "${dtypes[@]:1}"; do step "gemm-$dtype" 60 0 "$benches/gemm-cuda" --dtype "$dtype" "${gemm[@]}"; done
  if [ "$devices" -gt 1 ]; then
    step pairs 90 0 "$benches/pairs-nccl" "${pairs[@]}"
    step steps 60 0 "$benches/steps-nccl" "${steps[@]}"
  else
    without pairs "one GPU has nobody to play against"
    without steps "one GPU sends no message"
  fi
  # How far two starts of one program lie apart.
  step stream-2 60 0 "$benches/stream-cuda" "${stream[@]}"
}

# Whether each required cell of a report is right: a selection of a suite is never accepted, so its exit code cannot say.
counts_are_right() {
  local counts
  counts=$(tr -d ' \n' <"$1/report.json" | sed -n 's/.*"required_counts":{\([^}]*\)}.*/\1/p')
  echo "required: $counts"
  [[ ,$counts, == *,\"fail\":0,* && ,$counts, == *,\"untested\":0,* && ,$counts, == *,\"unjudged\":0,* &&
    ,$counts, =~ ,\"(pass|verified)\":[1-9] ]]
}
export -f counts_are_right

# run NAME LIMIT WORDS...: of a suite on this host alone, whose report is kept. 0 and 7 are right; 4 is for a selection that
# is right as far as it goes.
run() {
  local name=$1 limit=$2
  shift 2
  # shellcheck disable=SC2016 # expanded by the shell that is started
  step "$name" "$limit" 0,7 bash -c '
    run=$1 code=0
    shift
    trap : TERM # at the limit it waits until the report is written
    "$@" --out "$run" || code=$?
    case $code in
      3) code=1 ;; # rejected: to `step` it would say that something is not here
      4) ! counts_are_right "$run" || code=0 ;;
    esac
    exit "$code"' bash "$results/$name" "$rackproof" run "$@"
}

part_suite() {
  local budget=$((seconds - SECONDS - 180))
  machine
  [ "${about[layer]}" = no ] || export FAKE_NVML_FILE=$here/layer-nvml.json
  step inventory 60 0 "$rackproof" inventory
  if [ "${about[layer]}" = yes ]; then
    run layer 200 --suite "$here/layer-suite.json" --require gpu
    return
  fi
  # The host's steps of acceptance need no GPU, and none of its time. Smoke has steps of the host alone.
  run acceptance "$((budget > 30 ? budget + 20 : 30))" --suite acceptance --filter '*-cuda' --filter '*-nccl' \
    --require gpu --time-budget "$((budget > 30 ? budget : 30)) s"
  run recorded 40 --suite node --filter stream-cuda --require gpu
  run unrecorded 40 --suite node --filter stream-cuda --require gpu --no-record
  run smoke 90 --suite smoke
}

beside() {
  local name=$1
  if ! python_here; then
    without "$name" "no python3 here"
  elif ! timeout 60 python3 -c 'import torch; assert torch.cuda.is_available()' 2>/dev/null; then
    without "$name" "no PyTorch here that sees a GPU"
  else
    step "$name" 90 0 python3 "$here/beside.py" "$name"
  fi
}

part_tools() {
  local tool words line gemm=(--shape 8192 --search-seconds 1)
  [ "${about[layer]}" = no ] || gemm=(--shape 128 --seconds 0.1 --settle 0 --burst 0.05 --search-seconds 0.05)
  machine
  step first-heuristic 60 0 "$benches/gemm-cuda" --dtype bf16 --candidates 1 "${gemm[@]}"
  beside torch-matmul
  beside torch-copy
  beside torch-nccl
  if command -v all_reduce_perf >/dev/null; then
    step nccl-tests 90 0 all_reduce_perf -b 8 -e 1G -f 8 -g "$devices"
  else
    without nccl-tests "no all_reduce_perf here"
  fi
  for tool in memcheck racecheck; do
    if ! command -v compute-sanitizer >/dev/null; then
      without "$tool" "no compute-sanitizer here"
      continue
    fi
    while IFS= read -r line; do
      read -ra words <<<"$line"
      if [ "$tool-${words[0]}" = racecheck-burn-cuda ]; then
        without racecheck-burn-cuda "racecheck finds hazards in a kernel of cuBLAS, and ours cannot be checked apart"
        continue
      fi
      # NCCL asks for kernels that are not there.
      step "$tool-${words[0]}" 60 0 compute-sanitizer --tool "$tool" --report-api-errors no --error-exitcode 9 \
        "$benches/${words[0]}" "${words[@]:1}"
    done <"$here/short"
  done
  if command -v ncu >/dev/null; then
    step ncu-stream 90 0 ncu --launch-count 40 --section MemoryWorkloadAnalysis --section Occupancy \
      --section SpeedOfLight "$benches/stream-cuda" "${smallest[@]}" --iterations 2
  else
    without ncu-stream "no Nsight Compute (ncu) here"
  fi
}
