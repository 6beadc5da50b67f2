#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <string_view>

#include "harness/manual/page.hpp"

namespace rackproof::manual {
namespace {

// A hyphen is one that can be copied into a shell; a backslash is itself; a line never begins with
// what roff takes for a request.
std::string plain(std::string_view text) {
  std::string out;
  for (const char letter : text) {
    const bool begins = out.empty() || out.back() == '\n';
    if (begins && (letter == '.' || letter == '\'')) out += "\\&";
    switch (letter) {
      case '\\':
        out += "\\e";
        break;
      case '-':
        out += "\\-";
        break;
      case '\'':
        out += "\\(aq";
        break;
      case '`':
        out += "\\(ga";
        break;
      case '^':
        out += "\\(ha";
        break;
      case '~':
        out += "\\(ti";
        break;
      default:
        out += letter;
    }
  }
  return out;
}

// Words in lines that an editor shows whole.
std::string prose(std::string_view text) {
  constexpr std::size_t kWidth = 78;
  std::string out;
  std::size_t used = 0;
  while (!text.empty()) {
    const std::size_t blank = std::min(text.find(' '), text.size());
    // At the beginning of a line only, but it may come to stand there.
    const std::string word = plain(text.substr(0, blank));
    text.remove_prefix(std::min(blank + 1, text.size()));
    if (used > 0) out += used + 1 + word.size() > kWidth ? "\n" : " ";
    used = out.size() - std::min(out.rfind('\n') + 1, out.size());
    out += word;
    used += word.size();
  }
  return out + "\n";
}

std::string bold(std::string_view text) { return "\\fB" + plain(text) + "\\fR"; }
std::string italic(std::string_view text) { return "\\fI" + plain(text) + "\\fR"; }

std::string upper(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char letter) { return static_cast<char>(std::toupper(letter)); });
  return text;
}

// What is typed as it stands in bold, what stands for something else in italics.
std::string roff_heading(const Option& option) {
  std::string out;
  for (const std::string& name : option.names) {
    out += (out.empty() ? "" : ", ") + bold(name);
    if (!option.value.name.empty()) out += " " + italic(option.value.name);
    if (option.value.joined) out += "[," + italic(option.value.name) + "]...";
  }
  if (!option.names.empty()) return out;
  out = italic(option.value.name);
  if (option.value.command) return out + " [" + italic("ARGUMENT") + "]...";
  return out + (option.repeatable ? "..." : "");
}

std::string sentence(std::string text) {
  if (text.empty()) return text;
  text.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(text.front())));
  if (text.back() != '.') text += '.';
  return text;
}

std::string options_section(const char* title, const std::vector<Option>& options) {
  if (options.empty()) return "";
  std::string out = fmt::format(".SH {}\n", title);
  for (const Option& one : options) {
    out += ".TP\n" + roff_heading(one) + "\n";
    // A first word may be one that is typed: "auto, or a name" stays as it is.
    out += prose(one.help.ends_with('.') ? one.help : one.help + ".");
    for (const std::string& remark : remarks(one)) out += prose(sentence(remark));
  }
  return out;
}

std::string rows_section(const char* title, const std::vector<Row>& rows) {
  if (rows.empty()) return "";
  std::string out = fmt::format(".SH {}\n", title);
  for (const Row& row : rows) {
    out += ".TP\n" + bold(row.name) + "\n" + prose(sentence(row.meaning));
  }
  return out;
}

std::string about_section(const std::string& summary, const std::vector<std::string>& about) {
  std::string out = ".SH DESCRIPTION\n";
  if (about.empty()) return out + prose(sentence(summary));
  for (std::size_t i = 0; i < about.size(); ++i) {
    out += (i > 0 ? ".PP\n" : "") + prose(about[i]);
  }
  return out;
}

std::string examples_section(const std::vector<Example>& examples) {
  if (examples.empty()) return "";
  std::string out = ".SH EXAMPLES\n";
  for (std::size_t i = 0; i < examples.size(); ++i) {
    out += fmt::format("{}{}.PP\n.in +4n\n.EX\n{}\n.EE\n.in\n", i > 0 ? ".PP\n" : "",
                       prose(sentence(examples[i].what)), plain(examples[i].command));
  }
  return out;
}

// "rackproof-run(1)": the name in bold, the section plain, and a comma but for the last.
std::string see_section(const std::vector<std::string>& pages) {
  if (pages.empty()) return "";
  std::string out = ".SH SEE ALSO\n";
  for (std::size_t i = 0; i < pages.size(); ++i) {
    const std::size_t bracket = pages[i].find('(');
    out += fmt::format(".BR {} {}{}\n", plain(pages[i].substr(0, bracket)),
                       pages[i].substr(bracket), i + 1 < pages.size() ? " ," : "");
  }
  return out;
}

std::string title_of(const Program& program, const std::string& name) {
  return fmt::format(
      ".\\\" Made by {} out of its command line.\n.TH {} 1 \"{}\" \"{} {}\" \"User Commands\"\n",
      program.name, upper(plain(name)), program.date, program.name, plain(program.version));
}

std::string name_section(const std::string& name, const std::string& summary) {
  // No line is filled with blanks and no word is broken: names of options are to be found.
  return ".nh\n.ad l\n.SH NAME\n" + plain(name) + " \\-\n" + prose(summary);
}

}  // namespace

std::string page(const Program& program) {
  std::string out = title_of(program, program.name);
  out += name_section(program.name, program.summary);
  out += fmt::format(".SH SYNOPSIS\n{} [{}]... {} [{}]...\n", bold(program.name), italic("OPTION"),
                     italic("VERB"), italic("ARGUMENT"));
  out += about_section(program.summary, program.prose.about);
  out += ".SH VERBS\n";
  for (const Verb& verb : program.verbs) {
    out += fmt::format(".TP\n.BR {} (1)\n{}", plain(program.name + "-" + verb.name),
                       prose(sentence(verb.summary)));
  }
  out += options_section("OPTIONS", program.options);
  out += rows_section("EXIT STATUS", program.prose.exits);
  out += rows_section("ENVIRONMENT", program.prose.environment);
  out += rows_section("FILES", program.prose.files);
  return out + examples_section(program.prose.examples) + see_section(program.prose.see);
}

std::string page(const Program& program, const Verb& verb) {
  const std::string name = program.name + "-" + verb.name;
  std::string out = title_of(program, name) + name_section(name, verb.summary);
  out += ".SH SYNOPSIS\n" + bold(program.name + " " + verb.name) + " [" + italic("OPTION") + "]...";
  for (const Option& one : verb.positionals) {
    const std::string text = (one.value.command ? bold("--") + " " : "") + roff_heading(one);
    out += one.required ? " " + text : " [" + text + "]";
  }
  out += "\n" + about_section(verb.summary, verb.prose.about);
  out += options_section("ARGUMENTS", verb.positionals);
  out += options_section("OPTIONS", verb.options);
  out += rows_section("EXIT STATUS", verb.prose.exits);
  out += rows_section("ENVIRONMENT", verb.prose.environment);
  out += rows_section("FILES", verb.prose.files);
  out += examples_section(verb.prose.examples);
  std::vector<std::string> see = {program.name + "(1)"};
  see.insert(see.end(), verb.prose.see.begin(), verb.prose.see.end());
  return out + see_section(see);
}

}  // namespace rackproof::manual
