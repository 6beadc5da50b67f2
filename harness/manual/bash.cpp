#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "harness/manual/completion.hpp"

namespace rackproof::manual {
namespace {

// What all verbs share. `word` is what is to be completed: readline breaks a line at '=' too.
constexpr const char* kBashHelpers =
    R"sh(_rackproof_words() { # WORD...: those of them that begin like what is typed
  local each
  while IFS= read -r each; do COMPREPLY+=("$each"); done < <(compgen -W "$*" -- "$word")
}
_rackproof_joined() { # WORD...: the same behind the last comma
  local head="" each
  case "$word" in *,*) head="${word%,*},";; esac
  while IFS= read -r each; do COMPREPLY+=("$head$each"); done < <(compgen -W "$*" -- "${word##*,}")
}
_rackproof_list() { # PART: what is installed
  "$program" list "$1" --names 2>/dev/null
}
_rackproof_paths() { # -f or -d: files or directories
  local each
  compopt -o filenames 2>/dev/null
  while IFS= read -r each; do COMPREPLY+=("$each"); done < <(compgen "$1" -- "$word")
}
_rackproof_command() { # behind "--", which is word number $1
  local each
  if declare -F _command_offset >/dev/null; then
    _command_offset $(($1 + 1))
  elif [ "$COMP_CWORD" -eq $(($1 + 1)) ]; then
    while IFS= read -r each; do COMPREPLY+=("$each"); done < <(compgen -c -- "$word")
  else
    _rackproof_paths -f
  fi
}
_rackproof_given() { # NAME...: whether one of these options is on the line
  local each
  for each in "$@"; do
    case " $given " in *" $each "*) return 0;; esac
  done
  return 1
}
_rackproof_option() { # NAME [OTHER]...: offers NAME unless one of the others is on the line
  local name=$1
  shift
  if [ $# -eq 0 ] || ! _rackproof_given "$@"; then _rackproof_words "$name"; fi
}
)sh";

// Finds the verb, the options that are given and what the word belongs to, and asks the tables.
constexpr const char* kBashMain = R"sh(_rackproof() {
  local program="${1/#\~/$HOME}" word="${COMP_WORDS[COMP_CWORD]}"
  local previous="" verb="" given="" dashes=0 arguments=0 i=1 each
  COMPREPLY=()
  type -P "$program" >/dev/null || program=rackproof
  while [ "$i" -lt "$COMP_CWORD" ]; do
    each="${COMP_WORDS[i]}"
    previous=""
    if [ "$dashes" -eq 0 ]; then
      case "$each" in
        --) dashes=$i ;;
        -*)
          given="$given $each"
          if _rackproof_takes "$verb" "$each"; then
            i=$((i + 1))
            if [ "${COMP_WORDS[i]}" = "=" ] && [ "$i" -lt "$COMP_CWORD" ]; then i=$((i + 1)); fi
            if [ "$i" -ge "$COMP_CWORD" ]; then previous="$each"; fi
          fi
          ;;
        *) if [ -z "$verb" ]; then verb="$each"; else arguments=$((arguments + 1)); fi ;;
      esac
    fi
    i=$((i + 1))
  done
  if [ "$word" = "=" ]; then word=""; fi
  if [ "$dashes" -gt 0 ] && _rackproof_runs "$verb"; then
    _rackproof_command "$dashes"
  elif [ -n "$previous" ]; then
    _rackproof_value "$verb" "$previous"
  elif [ "${word#-}" != "$word" ] && [ "$dashes" -eq 0 ]; then
    _rackproof_options "$verb"
  elif [ -z "$verb" ]; then
    _rackproof_verbs
  else
    _rackproof_argument "$verb"
  fi
}
complete -F _rackproof rackproof
)sh";

// Words of the shell's own, which a reader of the script would take for a part of its grammar.
bool is_of_shell(const std::string& word) {
  constexpr std::array<std::string_view, 8> kOwn = {"case", "do",   "done", "for",
                                                    "if",   "then", "time", "while"};
  return std::find(kOwn.begin(), kOwn.end(), word) != kOwn.end();
}

std::string bash_words(const std::vector<std::string>& words) {
  std::string out;
  for (const std::string& word : words) {
    out += out.empty() ? "" : " ";
    out += is_of_shell(word) ? "'" + word + "'" : word;
  }
  return out;
}

// The commands that offer a value; empty when only its reader knows what it may be.
std::string bash_offers(const Value& value) {
  std::vector<std::string> parts;
  const char* how = value.joined ? "_rackproof_joined" : "_rackproof_words";
  if (!value.words.empty()) parts.push_back(fmt::format("{} {}", how, bash_words(value.words)));
  if (!value.list.empty()) {
    parts.push_back(fmt::format("{} \"$(_rackproof_list {})\"", how, value.list));
  }
  if (value.paths == Paths::kFiles) parts.emplace_back("_rackproof_paths -f");
  if (value.paths == Paths::kDirectories) parts.emplace_back("_rackproof_paths -d");
  std::string out;
  for (const std::string& part : parts) out += (out.empty() ? "" : "; ") + part;
  return out;
}

std::string bash_patterns(const std::string& verb, const Option& option) {
  std::string out;
  for (const std::string& name : option.names) {
    out += (out.empty() ? "" : "|") + fmt::format("{}:{}", verb, name);
  }
  return out;
}

// Calls `line` for each option: those of the program under "*", since they hold for every verb.
template <class Line>
std::string for_options(const Program& program, Line line) {
  std::string out;
  for (const Verb& verb : program.verbs) {
    for (const Option& option : verb.options) out += line(verb.name, option);
  }
  for (const Option& option : program.options) out += line("*", option);
  return out;
}

std::string bash_takes(const Program& program) {
  std::string out =
      "_rackproof_takes() { # VERB OPTION: whether a value follows\n  case \"$1:$2\" in\n";
  out += for_options(program, [](const std::string& verb, const Option& option) {
    if (option.value.name.empty()) return std::string();
    return fmt::format("    {}) return 0 ;;\n", bash_patterns(verb, option));
  });
  return out + "  esac\n  return 1\n}\n";
}

std::string bash_value(const Program& program) {
  std::string out =
      "_rackproof_value() { # VERB OPTION: what its value may be\n  case \"$1:$2\" in\n";
  out += for_options(program, [](const std::string& verb, const Option& option) {
    const std::string offers = bash_offers(option.value);
    if (offers.empty()) return std::string();
    return fmt::format("    {}) {} ;;\n", bash_patterns(verb, option), offers);
  });
  return out + "  esac\n}\n";
}

std::string bash_option_lines(const std::vector<Option>& options) {
  std::string out;
  for (const Option& option : options) {
    std::vector<std::string> others = option.excludes;
    // Given once, an option is offered no more: what is being typed does not count as given.
    if (!option.repeatable) {
      others.insert(others.end(), option.names.begin(), option.names.end());
    }
    for (const std::string& name : option.names) {
      out += fmt::format("      _rackproof_option {}{}{}\n", name, others.empty() ? "" : " ",
                         bash_words(others));
    }
  }
  return out;
}

std::string bash_options(const Program& program) {
  std::string out = "_rackproof_options() { # VERB\n  case \"$1\" in\n";
  for (const Verb& verb : program.verbs) {
    out += fmt::format("    {})\n{}      ;;\n", verb.name, bash_option_lines(verb.options));
  }
  return out + "  esac\n" + bash_option_lines(program.options) + "}\n";
}

std::string bash_argument(const Program& program) {
  std::string runs = "_rackproof_runs() { # VERB: whether a command stands behind \"--\"\n";
  std::string out = "_rackproof_argument() { # VERB\n  case \"$1\" in\n";
  std::string pattern;
  for (const Verb& verb : program.verbs) {
    if (takes_command(verb)) pattern += (pattern.empty() ? "" : "|") + verb.name;
    if (verb.positionals.empty()) continue;
    const Option& first = verb.positionals.front();
    const std::string offers =
        first.value.command ? "_rackproof_words --" : bash_offers(first.value);
    if (offers.empty()) continue;
    const char* once = first.repeatable ? "" : "[ \"$arguments\" -gt 0 ] || { ";
    out += fmt::format("    {}) {}{}{} ;;\n", verb.name, once, offers, *once == 0 ? "" : "; }");
  }
  return runs + "  case \"$1\" in " + (pattern.empty() ? "''" : pattern) +
         ") return 0 ;; esac\n  return 1\n}\n" + out + "  esac\n}\n";
}

}  // namespace

std::string bash_completion(const Program& program) {
  std::string verbs = "_rackproof_verbs() {\n  _rackproof_words";
  for (const Verb& verb : program.verbs) verbs += " " + verb.name;
  return "# Completion of rackproof for bash: made by `rackproof completion bash`.\n" +
         std::string(kBashHelpers) + verbs + "\n}\n" + bash_takes(program) + bash_value(program) +
         bash_options(program) + bash_argument(program) + kBashMain;
}

}  // namespace rackproof::manual
