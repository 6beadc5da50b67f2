#include <fmt/format.h>

#include <string_view>

#include "harness/manual/completion.hpp"

namespace rackproof::manual {
namespace {

constexpr const char* kZshHelpers =
    R"sh(# What is installed is asked of the program that stands on the line.
_rackproof_list() {
  local -a names
  names=(${(f)"$($rackproof_program list $1 --names 2>/dev/null)"})
  compadd "${@:2}" -a names
}
# words=..., list=..., files, directories: each of them is offered.
_rackproof_offer() {
  local each ret=1
  local -a words
  for each in "$@"; do
    case $each in
      (words=*) words=(${(s: :)each#words=}); compadd -a words && ret=0 ;;
      (list=*) _rackproof_list ${each#list=} && ret=0 ;;
      (files) _files && ret=0 ;;
      (directories) _files -/ && ret=0 ;;
    esac
  done
  return ret
}
# The same behind the last comma, words only.
_rackproof_offer_joined() {
  compset -P '*,'
  _rackproof_offer "$@"
}
)sh";

// What stands in single quotes, in a description or a message of _arguments.
std::string zsh_quoted(std::string_view text) {
  std::string out;
  for (const char letter : text) {
    if (letter == '\'') {
      out += "'\\''";
    } else {
      if (letter == '[' || letter == ']' || letter == ':' || letter == '\\') out += '\\';
      out += letter;
    }
  }
  return out;
}

// The part of a specification that offers a value; a leading blank keeps _arguments from adding
// words.
std::string zsh_action(const Value& value) {
  if (value.command) return ":_normal";
  std::string offers;
  if (!value.words.empty()) {
    offers += " \"words=";
    for (const std::string& word : value.words) {
      offers += (&word == &value.words.front() ? "" : " ") + word;
    }
    offers += "\"";
  }
  if (!value.list.empty()) offers += " list=" + value.list;
  if (value.paths == Paths::kFiles) offers += " files";
  if (value.paths == Paths::kDirectories) offers += " directories";
  if (offers.empty()) return ": ";
  return std::string(": _rackproof_offer") + (value.joined ? "_joined" : "") + offers;
}

std::string zsh_option_lines(const std::vector<Option>& options, const std::string& indent) {
  std::string out;
  for (const Option& option : options) {
    std::string others;
    for (const std::string& name : option.excludes) others += (others.empty() ? "" : " ") + name;
    if (!option.repeatable) {
      for (const std::string& name : option.names) others += (others.empty() ? "" : " ") + name;
    }
    for (const std::string& name : option.names) {
      std::string line = others.empty() ? "" : "(" + others + ")";
      if (option.repeatable) line += "*";
      line += name;
      const bool takes = !option.value.name.empty();
      if (takes) line += name.starts_with("--") ? "=" : "+";
      line += "[" + zsh_quoted(option.help) + "]";
      if (takes) line += ":" + zsh_quoted(option.value.name) + zsh_action(option.value);
      out += fmt::format("{}'{}' \\\n", indent, line);
    }
  }
  return out;
}

std::string zsh_positional_lines(const Verb& verb) {
  std::string out;
  for (const Option& one : verb.positionals) {
    std::string line = one.value.command ? "*:::" : one.repeatable ? "*:" : ":";
    if (!one.value.command && !one.repeatable && !one.required) line = "::";
    line += zsh_quoted(one.value.name) + zsh_action(one.value);
    out += fmt::format("        '{}' \\\n", line);
  }
  return out;
}

// The last line of a command goes on with a backslash that nothing follows.
std::string ended(std::string lines) {
  if (lines.ends_with(" \\\n")) lines.replace(lines.size() - 3, 3, "\n");
  return lines;
}

}  // namespace

std::string zsh_completion(const Program& program) {
  std::string out =
      "#compdef rackproof\n# Completion of rackproof for zsh: made by `rackproof completion "
      "zsh`.\n";
  out += kZshHelpers;
  out += "_rackproof_verbs() {\n  local -a verbs\n  verbs=(\n";
  for (const Verb& verb : program.verbs) {
    out += fmt::format("    '{}:{}'\n", verb.name, zsh_quoted(verb.summary));
  }
  out += "  )\n  _describe -t verbs verb verbs\n}\n_rackproof_verb() {\n  case $words[1] in\n";
  for (const Verb& verb : program.verbs) {
    out += fmt::format(
        "    ({})\n      _arguments -S \\\n{}      ;;\n", verb.name,
        ended(zsh_option_lines(verb.options, "        ") +
              zsh_option_lines(program.options, "        ") + zsh_positional_lines(verb)));
  }
  out += "  esac\n}\n_rackproof() {\n  local rackproof_program=$words[1]\n  _arguments -S \\\n";
  out += zsh_option_lines(program.options, "    ");
  out += "    ':verb:_rackproof_verbs' '*::argument:_rackproof_verb'\n}\n";
  // Found in a folder of fpath it is called at once; read by `source` it is only made known.
  out += "if [[ $funcstack[1] == _rackproof ]]; then\n  _rackproof \"$@\"\nelse\n";
  return out + "  compdef _rackproof rackproof\nfi\n";
}

}  // namespace rackproof::manual
