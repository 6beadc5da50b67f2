#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "harness/manual/page.hpp"

namespace rackproof::manual {
namespace {

constexpr std::size_t kIndent = 2;
// Headings that are longer stand on a line of their own.
constexpr std::size_t kWidestHeading = 24;
constexpr std::size_t kNarrowestText = 24;

struct Entry {
  std::string heading;
  std::string text;
};

// Words in lines of at most `width` characters, each but the first behind `indent` blanks.
std::string folded(std::string_view text, std::size_t width, std::size_t indent) {
  const std::size_t room = std::max(width, indent + kNarrowestText) - indent;
  std::string out;
  std::size_t used = 0;
  while (!text.empty()) {
    const std::size_t blank = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, blank);
    text.remove_prefix(std::min(blank + 1, text.size()));
    if (used > 0 && used + 1 + word.size() > room) {
      out += "\n" + std::string(indent, ' ');
      used = 0;
    } else if (used > 0) {
      out += ' ';
      ++used;
    }
    out += word;
    used += word.size();
  }
  return out;
}

std::string with_remarks(const Option& option) {
  std::string text = option.help;
  for (const std::string& remark : remarks(option)) {
    text += (text.empty() ? "" : ". ") + remark;
  }
  return text;
}

std::string table(const char* title, const std::vector<Entry>& entries, std::size_t width) {
  if (entries.empty()) return "";
  std::size_t widest = 0;
  for (const Entry& one : entries) {
    if (one.heading.size() <= kWidestHeading) widest = std::max(widest, one.heading.size());
  }
  const std::size_t column = kIndent + widest + 2;
  std::string out = fmt::format("\n{}:\n", title);
  for (const Entry& one : entries) {
    out += std::string(kIndent, ' ') + one.heading;
    if (!one.text.empty()) {
      out += one.heading.size() <= widest ? std::string(column - kIndent - one.heading.size(), ' ')
                                          : "\n" + std::string(column, ' ');
      out += folded(one.text, width, column);
    }
    out += "\n";
  }
  return out;
}

std::string options_table(const char* title, const std::vector<Option>& options,
                          std::size_t width) {
  std::vector<Entry> entries;
  for (const Option& one : options) entries.push_back({heading(one), with_remarks(one)});
  return table(title, entries, width);
}

std::string closing(const Prose& prose, const std::string& page, std::size_t width) {
  std::string out;
  for (const Example& one : prose.examples) {
    // A command is not folded: it is there to be copied.
    out += "  " + folded(one.what + ":", width, kIndent) + "\n    " + one.command + "\n";
  }
  if (!out.empty()) out = "\nExamples:\n" + out;
  std::vector<Entry> exits;
  for (const Row& row : prose.exits) exits.push_back({row.name, row.meaning});
  return out + table("Exit codes", exits, width) + "\nManual: man " + page + "\n";
}

}  // namespace

std::string help(const Program& program, std::size_t width) {
  std::string out = program.name + ": " + folded(program.summary, width, 0) + "\n";
  for (const std::string& one : program.prose.about) out += "\n" + folded(one, width, 0) + "\n";
  out += "\nUsage: " + program.name + " [OPTION]... VERB [ARGUMENT]...\n";
  std::vector<Entry> verbs;
  for (const Verb& verb : program.verbs) verbs.push_back({verb.name, verb.summary});
  out += table("Verbs", verbs, width) + options_table("Options", program.options, width);
  return out + closing(program.prose, program.name, width);
}

std::string help(const Program& program, const Verb& verb, std::size_t width) {
  const std::string name = program.name + " " + verb.name;
  std::string out = folded(verb.summary, width, 0) +
                    "\n\nUsage: " + folded(name + " " + synopsis(verb), width, kIndent) + "\n";
  out += options_table("Arguments", verb.positionals, width) +
         options_table("Options", verb.options, width);
  return out + closing(verb.prose, program.name + "-" + verb.name, width);
}

}  // namespace rackproof::manual
