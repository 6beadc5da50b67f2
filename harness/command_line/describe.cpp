#include "harness/command_line/describe.hpp"

#include <unistd.h>

#include <algorithm>
#include <set>
#include <stdexcept>

#include "benches/protocol/version.hpp"
#include "harness/cli/screen.hpp"
#include "harness/command_line/command_line.hpp"
#include "harness/command_line/verb_prose.hpp"
#include "harness/fleet/rank_program.hpp"
#include "harness/manual/page.hpp"

namespace rackproof::command_line {
namespace {

constexpr std::size_t kWidestHelp = 100;

std::vector<std::string> names_of(const CLI::Option& option) {
  std::vector<std::string> names;
  for (const std::string& name : option.get_lnames()) names.push_back("--" + name);
  for (const std::string& name : option.get_snames()) names.push_back("-" + name);
  return names;
}

// By the name that is shown first; what is hidden, or known by its place, is not named.
std::vector<std::string> shown_names(const CLI::App& sub, const std::set<CLI::Option*>& options) {
  std::vector<std::string> names;
  // In the order in which they were added: a set of pointers has none that means anything.
  for (const CLI::Option* one : sub.get_options()) {
    if (options.count(const_cast<CLI::Option*>(one)) == 0 || one->get_group().empty()) continue;
    if (one->nonpositional()) names.push_back(names_of(*one).front());
  }
  return names;
}

manual::Option option_of(const CommandLine& line, const CLI::App& sub, const CLI::Option& option) {
  manual::Option out;
  out.names = names_of(option);
  out.help = option.get_description();
  const auto value = line.values.find(&option);
  const bool flag = option.get_items_expected_max() == 0;
  if (value != line.values.end()) out.value = value->second;
  if (flag == (value != line.values.end())) {
    throw std::logic_error(sub.get_name() + ": " + option.get_name() +
                           (flag ? ": a flag has no value" : ": nothing is said of its value"));
  }
  out.fallback = flag ? "" : option.get_default_str();
  out.required = option.get_required();
  out.repeatable = option.get_items_expected_max() > 1;
  out.excludes = shown_names(sub, option.get_excludes());
  out.needs = shown_names(sub, option.get_needs());
  return out;
}

void add_options(const CommandLine& line, const CLI::App& sub, std::vector<manual::Option>& options,
                 std::vector<manual::Option>* positionals) {
  for (const CLI::Option* one : sub.get_options()) {
    if (one->get_group().empty()) continue;
    if (one->nonpositional()) {
      options.push_back(option_of(line, sub, *one));
    } else if (positionals != nullptr) {
      positionals->push_back(option_of(line, sub, *one));
    }
  }
}

manual::Verb verb_of(const CommandLine& line, const CLI::App& sub) {
  manual::Verb verb;
  verb.name = sub.get_name();
  verb.summary = sub.get_description();
  add_options(line, sub, verb.options, &verb.positionals);
  verb.prose = verb_prose(verb.name);
  return verb;
}

class HelpFormatter : public CLI::FormatterBase {
 public:
  explicit HelpFormatter(const CommandLine& line) : line_(line) {}

  std::string make_help(const CLI::App* app, std::string /*name*/,
                        CLI::AppFormatMode /*mode*/) const override {
    const manual::Program program = describe(line_);
    for (const manual::Verb& verb : program.verbs) {
      if (app != &line_.app && verb.name == app->get_name()) {
        return manual::help(program, verb, width());
      }
    }
    return manual::help(program, width());
  }

 private:
  std::size_t width() const {
    return cli::screen_columns(line_.program, STDOUT_FILENO, kWidestHelp);
  }

  const CommandLine& line_;
};

}  // namespace

manual::Program describe(const CommandLine& line) {
  manual::Program program;
  program.name = line.app.get_name();
  program.version = protocol::version();
  program.date = protocol::commit_date();
  program.summary = line.app.get_description();
  if (!fleet::mpi_soname().empty()) program.other_names = {fleet::kRankProgram};
  add_options(line, line.app, program.options, nullptr);
  for (const CLI::App* sub : line.app.get_subcommands([](const CLI::App*) { return true; })) {
    if (!sub->get_group().empty()) program.verbs.push_back(verb_of(line, *sub));
  }
  program.prose = program_prose();
  return program;
}

std::shared_ptr<CLI::FormatterBase> help_formatter(const CommandLine& line) {
  return std::make_shared<HelpFormatter>(line);
}

}  // namespace rackproof::command_line
