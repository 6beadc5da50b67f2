#include "harness/command_line/app.hpp"

#include <sys/stat.h>

#include <CLI/CLI.hpp>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <optional>

#include "harness/cli/verbs.hpp"
#include "harness/command_line/command_line.hpp"
#include "harness/document/located_json.hpp"
#include "harness/document/nearest.hpp"
#include "harness/fleet/launcher.hpp"
#include "harness/fleet/team.hpp"
#include "harness/inventory/inventory.hpp"
#include "harness/job/become_rank.hpp"
#include "harness/job/run_request.hpp"
#include "harness/support/store.hpp"
#include "harness/warden/warden.hpp"

namespace rackproof::command_line {
namespace {

int complain(const std::string& text, int code) {
  if (!text.empty()) std::fprintf(stderr, "rackproof: %s\n", text.c_str());
  return code;
}

// A word that is not known, or stands where a verb should: one that is near it may be meant. Any
// other mistake is told by CLI11 with the option that it is about.
bool about_a_word(const CLI::ParseError& error) {
  return dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr ||
         dynamic_cast<const CLI::RequiredError*>(&error) != nullptr;
}

// CLI11 2.1 has no suggestions: the word that it stumbled over is compared with what it knows.
std::optional<std::string> explain_parse_error(const CLI::App& app,
                                               const std::vector<std::string>& arguments) {
  if (arguments.empty()) return "expected a verb, such as run or show; rackproof --help lists them";
  std::vector<std::string> known;
  const CLI::App* scope = &app;
  for (const CLI::App* sub : app.get_subcommands({})) {
    if (!arguments.empty() && sub->get_name() == arguments.front()) scope = sub;
  }
  for (const CLI::App* sub : scope->get_subcommands({})) {
    if (!sub->get_group().empty()) known.push_back(sub->get_name());
  }
  for (const CLI::Option* option : scope->get_options()) {
    if (option->get_group().empty()) continue;
    for (const std::string& name : option->get_lnames()) known.push_back("--" + name);
  }
  const std::vector<std::string_view> views(known.begin(), known.end());
  for (const std::string& argument : arguments) {
    const std::string name = argument.substr(0, argument.find('='));
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    const bool verb_expected = scope == &app && !argument.starts_with('-');
    if (!verb_expected && !argument.starts_with("--")) continue;
    if (scope != &app && app.get_option_no_throw(name) != nullptr) continue;
    return "'" + argument + "' is not known" + document::suggestion(name, views);
  }
  return std::nullopt;
}

// A value that is no number. CLI11 says "...: --option = value".
std::string no_number(const std::string& text) {
  const std::size_t option = text.find("--");
  const std::size_t sign = text.find(" = ");
  if (option == std::string::npos || sign == std::string::npos || sign < option) return text;
  return text.substr(option, sign - option) + ": '" + text.substr(sign + 3) + "' is not a number";
}

// A word too many. CLI11 says "...: word".
std::string not_expected(const CLI::App& app, const std::string& text, const std::string& verb) {
  const std::size_t colon = text.find(": ");
  if (colon == std::string::npos) return text;
  std::string told = "'" + text.substr(colon + 2) + "' is not expected";
  for (const CLI::App* sub : app.get_subcommands({})) {
    if (sub->get_name() != verb) continue;
    // As other tools take a suite.
    if (sub->get_option_no_throw("--suite") != nullptr) told += "; a suite is named with --suite";
    told += "; rackproof " + verb + " --help says what is";
  }
  return told;
}

std::string told_of(const CLI::ParseError& error, const CLI::App& app,
                    const std::vector<std::string>& words) {
  if (dynamic_cast<const CLI::ConversionError*>(&error) != nullptr) return no_number(error.what());
  if (!about_a_word(error)) return error.what();
  const auto known = explain_parse_error(app, words);
  if (known) return *known;
  const bool too_many = dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr;
  return too_many ? not_expected(app, error.what(), words.front()) : error.what();
}

int run_chosen(const CommandLine& line) {
  try {
    job::refuse_other_build(line.program);
    line.program.paths.sites = config::site_folders(line.program.environment);
    return line.chosen();
  } catch (const job::NothingSelected& error) {
    return complain(error.what(), support::kNothingSelected);
  } catch (const support::UsageError& error) {
    return complain(error.what(), support::kUsage);
  } catch (const support::IntegrityError& error) {
    return complain(error.what(), support::kIntegrity);
  } catch (const document::ConfigError& error) {
    return complain(error.what(), support::kUsage);
  } catch (const fleet::TeamError& error) {
    return complain(error.what(), support::kUsage);
  } catch (const support::StoreError& error) {
    return complain(error.what(), support::kUsage);
  } catch (const std::exception& error) {
    return complain(std::string("internal error: ") + error.what(), support::kUnexpected);
  }
}

// "help run" is "run --help"; a verb that is not known is told as where it stands first.
std::vector<std::string> words_of(int argc, char** argv, const CLI::App& app) {
  std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);
  if (words.empty() || words.front() != "help") return words;
  words.erase(words.begin());
  const auto verbs = app.get_subcommands({});
  const bool known =
      words.empty() || std::any_of(verbs.begin(), verbs.end(), [&](const auto* verb) {
        return verb->get_name() == words.front();
      });
  if (known) words.emplace_back("--help");
  return words;
}

int run_command_line(int argc, char** argv, RankSide ranks) {
  // What is written here names hosts and parts, and is read again later: it is the user's alone.
  umask(S_IRWXG | S_IRWXO);
  cli::Program program;
  program.paths = cli::find_paths();
  // A file that may not grow is a write that fails, with its reason, and not a death.
  std::signal(SIGXFSZ, SIG_IGN);
  program.environment = fleet::own_environment();
  program.command.assign(argv, argv + argc);
  program.make_mpi_team = std::move(ranks.make_mpi_team);
  program.in_rank = std::move(ranks.benches);
  CommandLine line(program);
  const std::vector<std::string> words = words_of(argc, argv, line.app);
  try {
    // It takes them from behind.
    line.app.parse(std::vector<std::string>(words.rbegin(), words.rend()));
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return line.app.exit(error);
    return complain(told_of(error, line.app, words), support::kUsage);
  }
  const int code = run_chosen(line);
  if (inventory::left_waiting()) {
    std::fflush(nullptr);
    std::_Exit(code);
  }
  return code;
}

}  // namespace

int run_app(int argc, char** argv, RankSide ranks) {
  try {
    return run_command_line(argc, argv, std::move(ranks));
  } catch (const std::exception& error) {
    return complain(error.what(), support::kUnexpected);
  }
}

}  // namespace rackproof::command_line
