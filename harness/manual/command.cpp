#include "harness/manual/command.hpp"

#include <utility>

namespace rackproof::manual {
namespace {

std::string enumerated(const std::vector<std::string>& words) {
  std::string out;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) out += i + 1 == words.size() ? " or " : ", ";
    out += words[i];
  }
  return out;
}

}  // namespace

Value text(std::string name) {
  Value value;
  value.name = std::move(name);
  return value;
}

Value file(std::string name) {
  Value value = text(std::move(name));
  value.paths = Paths::kFiles;
  return value;
}

Value directory(std::string name) {
  Value value = text(std::move(name));
  value.paths = Paths::kDirectories;
  return value;
}

Value choice(std::string name, std::vector<std::string> words) {
  Value value = text(std::move(name));
  value.words = std::move(words);
  value.only_words = true;
  return value;
}

Value listed(std::string name, std::string list) {
  Value value = text(std::move(name));
  value.list = std::move(list);
  return value;
}

Value listed_or_file(std::string name, std::string list) {
  Value value = listed(std::move(name), std::move(list));
  value.paths = Paths::kFiles;
  return value;
}

Value command(std::string name) {
  Value value = text(std::move(name));
  value.command = true;
  return value;
}

std::string heading(const Option& option) {
  if (option.names.empty()) {
    if (option.value.command) return option.value.name + " [ARGUMENT]...";
    return option.value.name + (option.repeatable ? "..." : "");
  }
  std::string out;
  for (const std::string& name : option.names) {
    out += (out.empty() ? "" : ", ") + name;
    if (!option.value.name.empty()) out += " " + option.value.name;
    if (option.value.joined) out += "[," + option.value.name + "]...";
  }
  return out;
}

std::string synopsis(const Verb& verb) {
  std::string out = "[OPTION]...";
  for (const Option& one : verb.positionals) {
    std::string text = heading(one);
    if (one.value.command) text = "-- " + text;
    out += one.required ? " " + text : " [" + text + "]";
  }
  return out;
}

std::vector<std::string> remarks(const Option& option) {
  std::vector<std::string> out;
  if (!option.value.words.empty() && option.value.only_words) {
    out.push_back("One of " + enumerated(option.value.words));
  }
  if (option.required) out.emplace_back("Required");
  if (option.repeatable && !option.value.command) out.emplace_back("May be repeated");
  if (!option.fallback.empty()) out.push_back("Default: " + option.fallback);
  if (!option.needs.empty()) out.push_back("Only with " + enumerated(option.needs));
  if (!option.excludes.empty()) out.push_back("Not with " + enumerated(option.excludes));
  return out;
}

bool takes_command(const Verb& verb) {
  return !verb.positionals.empty() && verb.positionals.back().value.command;
}

}  // namespace rackproof::manual
