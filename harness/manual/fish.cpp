#include <fmt/format.h>

#include <set>
#include <string_view>

#include "harness/manual/completion.hpp"

namespace rackproof::manual {
namespace {

// Words before the one to complete, without the program.
constexpr const char* kFishHelpers =
    R"sh(function __rackproof_list --description 'What is installed'
    set -l words (commandline -opc)
    $words[1] list $argv[1] --names 2>/dev/null
end
function __rackproof_verb --description 'The verb on the line'
    set -l words (commandline -opc)
    set -e words[1]
    set -l skip 0
    for word in $words
        if test $skip = 1
            set skip 0
        else if contains -- $word $__rackproof_with_value
            set skip 1
        else if not string match -q -- '-*' $word
            echo $word
            return 0
        end
    end
    return 1
end
function __rackproof_no_verb
    not __rackproof_verb >/dev/null
end
function __rackproof_is --description 'Whether this verb is on the line, and no "--" yet'
    set -l verb (__rackproof_verb)
    test "$verb" = $argv[1]; and not contains -- -- (commandline -opc)
end
function __rackproof_given --description 'Whether one of these options is on the line'
    for word in (commandline -opc)
        contains -- (string split -m 1 = -- $word)[1] $argv; and return 0
    end
    return 1
end
function __rackproof_repeated --description 'The same, leaving out the word before the one that is typed'
    set -l words (commandline -opc)
    for word in $words[1..-2]
        contains -- (string split -m 1 = -- $word)[1] $argv; and return 0
    end
    return 1
end
function __rackproof_runs --description 'Whether this verb is on the line, and a command behind "--"'
    set -l verb (__rackproof_verb)
    test "$verb" = $argv[1]; and contains -- -- (commandline -opc)
end
function __rackproof_command --description 'Completion of the command behind "--"'
    set -l words (commandline -opc)
    set -l from (math (contains -i -- -- $words) + 1)
    set -l line
    if test $from -le (count $words)
        set line (string escape -- $words[$from..-1])
    end
    complete -C (string join ' ' -- $line (commandline -ct))
end
function __rackproof_joined --description 'Words behind the last comma of the one that is typed'
    set -l head (string match -r '^(?:--[^=]*=)?(.*,)' -- (commandline -ct))[2]
    for word in $argv
        echo $head$word
    end
end
)sh";

std::string fish_quoted(std::string_view text) {
  std::string out = "'";
  for (const char letter : text) {
    if (letter == '\'' || letter == '\\') out += '\\';
    out += letter;
  }
  return out + "'";
}

// " -r -F -a '...'": what a value may be.
std::string fish_offers(const Value& value) {
  std::string words;
  for (const std::string& word : value.words) words += (words.empty() ? "" : " ") + word;
  if (value.joined) words = "(__rackproof_joined " + words + ")";
  if (!value.list.empty()) {
    words += (words.empty() ? "" : " ") + fmt::format("(__rackproof_list {})", value.list);
  }
  if (value.paths == Paths::kDirectories) {
    words +=
        (words.empty() ? "" : " ") + std::string("(__fish_complete_directories (commandline -ct))");
  }
  const std::string files = value.paths == Paths::kFiles ? " -F" : " -f";
  return files + (words.empty() ? "" : " -a " + fish_quoted(words));
}

std::string fish_option(const std::string& condition, const Option& option) {
  std::string when = condition;
  const auto unless = [&when](const char* test, const std::vector<std::string>& names) {
    if (names.empty()) return;
    when += (when.empty() ? "" : "; and ") + fmt::format("not {}", test);
    for (const std::string& name : names) when += " " + name;
  };
  unless("__rackproof_given", option.excludes);
  // Its value is completed while the option stands before it.
  const bool takes = !option.value.name.empty();
  if (!option.repeatable)
    unless(takes ? "__rackproof_repeated" : "__rackproof_given", option.names);
  std::string out = "complete -c rackproof";
  if (!when.empty()) out += " -n " + fish_quoted(when);
  for (const std::string& name : option.names) {
    out += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
  }
  if (takes) out += " -r" + fish_offers(option.value);
  return out + " -d " + fish_quoted(option.help) + "\n";
}

std::string fish_positional(const Verb& verb, const Option& option) {
  if (option.value.command) {
    return fmt::format(
        "complete -c rackproof -n '__rackproof_runs {}' -a '(__rackproof_command)'\n", verb.name);
  }
  return fmt::format("complete -c rackproof -n '__rackproof_is {}'{}\n", verb.name,
                     fish_offers(option.value));
}

std::string fish_with_value(const Program& program) {
  std::set<std::string> names;
  for (const Option& option : program.options) {
    if (!option.value.name.empty()) names.insert(option.names.begin(), option.names.end());
  }
  std::string out = "set -g __rackproof_with_value";
  for (const std::string& name : names) out += " " + name;
  return out + "\n";
}

}  // namespace

std::string fish_completion(const Program& program) {
  std::string out = "# Completion of rackproof for fish: made by `rackproof completion fish`.\n";
  out += fish_with_value(program) + kFishHelpers + "complete -c rackproof -f\n";
  for (const Verb& verb : program.verbs) {
    out += fmt::format("complete -c rackproof -n __rackproof_no_verb -a {} -d {}\n", verb.name,
                       fish_quoted(verb.summary));
  }
  for (const Option& option : program.options) out += fish_option("", option);
  for (const Verb& verb : program.verbs) {
    for (const Option& option : verb.options) {
      out += fish_option("__rackproof_is " + verb.name, option);
    }
    for (const Option& option : verb.positionals) out += fish_positional(verb, option);
  }
  return out;
}

}  // namespace rackproof::manual
