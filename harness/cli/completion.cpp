#include "harness/cli/verbs.hpp"

namespace rackproof::cli {
namespace {

// Names are asked of the installed program, so that the script never goes stale.
constexpr const char* kBash = R"BASH(_rackproof() {
  local word="${COMP_WORDS[COMP_CWORD]}" previous="${COMP_WORDS[COMP_CWORD-1]}"
  local verb="${COMP_WORDS[1]}"
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "run launch prove list inventory record check assemble judge redact sign verify render compare trend learn diagnose show doctor explain completion --help --version --color" -- "$word"))
    return
  fi
  case "$previous" in
    --suite) COMPREPLY=($(compgen -W "$("$1" completion names-suites 2>/dev/null)" -- "$word")); return;;
    --platform) COMPREPLY=($(compgen -W "auto $("$1" completion names-platforms 2>/dev/null)" -- "$word")); return;;
    --color) COMPREPLY=($(compgen -W "auto always never" -- "$word")); return;;
    --out|--resume) COMPREPLY=($(compgen -d -- "$word")); return;;
  esac
  case "$verb" in
    run) COMPREPLY=($(compgen -W "--suite --platform --out --filter --exclude --dry-run --label --require --resume --without --allow-programs --time-budget --no-record --render --help" -- "$word"));;
    launch) COMPREPLY=($(compgen -W "--attempts --help --" -- "$word") $(compgen -c -- "$word"));;
    list) COMPREPLY=($(compgen -W "benches suites platforms features --json --markdown --help" -- "$word"));;
    inventory) COMPREPLY=($(compgen -W "--json --sysroot --help" -- "$word"));;
    record) COMPREPLY=($(compgen -W "--out --interval --size --sysroot --quiet --dump --format --help" -- "$word") $(compgen -f -- "$word"));;
    judge) COMPREPLY=($(compgen -W "--platform --causes --out --help" -- "$word") $(compgen -f -- "$word"));;
    redact) COMPREPLY=($(compgen -W "--out --map --help" -- "$word") $(compgen -f -- "$word"));;
    render) COMPREPLY=($(compgen -W "--format --out --help" -- "$word") $(compgen -f -- "$word"));;
    trend) COMPREPLY=($(compgen -W "--json --skip-unfit --fail-on --help" -- "$word") $(compgen -f -- "$word"));;
    compare) COMPREPLY=($(compgen -W "--a --b --margin --confidence --json --fail-on --help" -- "$word") $(compgen -f -- "$word"));;
    sign) COMPREPLY=($(compgen -W "--key --role --signer --statement --replace --help" -- "$word") $(compgen -f -- "$word"));;
    verify) COMPREPLY=($(compgen -W "--signers --at --unsigned --json --help" -- "$word") $(compgen -f -- "$word"));;
    diagnose) COMPREPLY=($(compgen -W "--more-is-better --less-is-better --out --json --help" -- "$word") $(compgen -f -- "$word"));;
    show) COMPREPLY=($(compgen -W "--all --exit-code --help" -- "$word") $(compgen -f -- "$word"));;
    explain) COMPREPLY=($(compgen -W "$("$1" completion names-ids 2>/dev/null)" -- "$word"));;
    completion) COMPREPLY=($(compgen -W "bash" -- "$word"));;
    *) COMPREPLY=($(compgen -f -- "$word"));;
  esac
}
complete -F _rackproof rackproof
)BASH";

std::string lines(const std::vector<std::string>& names) {
  std::string out;
  for (const std::string& name : names) out += name + "\n";
  return out;
}

}  // namespace

int completion_verb(const std::string& what, const Program& program) {
  if (what == "bash") {
    print(kBash);
  } else if (what == "names-suites") {
    print(lines(names_in(program.paths.suites, ".json")));
  } else if (what == "names-platforms") {
    print(lines(names_in(program.paths.platforms, ".json")));
  } else if (what == "names-ids") {
    print(lines(catalogue_ids()));
  } else {
    throw UsageError("completion for '" + what + "' is not known: expected bash");
  }
  return 0;
}

}  // namespace rackproof::cli
