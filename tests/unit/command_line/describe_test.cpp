#include "harness/command_line/describe.hpp"

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <set>

#include "harness/command_line/command_line.hpp"
#include "harness/manual/completion.hpp"
#include "harness/manual/page.hpp"
#include "tests/unit/folder.hpp"

using namespace rackproof;
using namespace rackproof::command_line;
using test::Folder;

namespace {

bool is_in(const std::string& part, const std::string& text) {
  return text.find(part) != std::string::npos;
}

// As a page shows it.
std::string in_roff(std::string text) {
  for (std::size_t at = 0; (at = text.find('-', at)) != std::string::npos; at += 2) {
    text.replace(at, 1, "\\-");
  }
  return text;
}

// Names of the options that the parser itself has and does not hide.
std::vector<std::string> parsed_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_group().empty()) continue;
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    for (const std::string& name : option->get_snames()) names.push_back("-" + name);
  }
  return names;
}

// The part of a script that is about a verb, by what begins it and what begins the next.
std::string part_of(const std::string& script, const std::string& begin, const std::string& end) {
  const std::size_t from = script.find(begin);
  REQUIRE(from != std::string::npos);
  return script.substr(from, script.find(end, from) - from);
}

struct Described {
  cli::Program program;
  command_line::CommandLine line{program};
  manual::Program model = command_line::describe(line);
};

}  // namespace

TEST_CASE("every verb and option of the parser is in help, page and completion") {
  const Described made;
  const std::string bash = manual::bash_completion(made.model);
  const std::string zsh = manual::zsh_completion(made.model);
  const std::string fish = manual::fish_completion(made.model);
  const std::string help = manual::help(made.model, 100);
  const std::string page = manual::page(made.model);
  std::size_t verbs = 0;
  for (const CLI::App* sub : made.line.app.get_subcommands({})) {
    const std::string name = sub->get_name();
    INFO(name);
    const bool hidden = sub->get_group().empty();
    CHECK(is_in("\n  " + name + " ", help) != hidden);
    CHECK(is_in(".BR rackproof\\-" + name + " (1)", page) != hidden);
    CHECK(is_in(" " + name + " ", part_of(bash, "  _rackproof_words run", "\n") + " ") != hidden);
    CHECK(is_in("    '" + name + ":", zsh) != hidden);
    CHECK(is_in("-a " + name + " -d ", fish) != hidden);
    if (hidden) continue;
    const manual::Verb& verb = made.model.verbs.at(verbs++);
    REQUIRE(verb.name == name);
    const std::string verb_help = manual::help(made.model, verb, 100);
    const std::string verb_page = manual::page(made.model, verb);
    const std::string options = part_of(bash, "_rackproof_options() {", "\n}\n");
    const std::string in_bash = part_of(options, "    " + name + ")\n", "      ;;\n");
    const std::string in_zsh = part_of(zsh, "    (" + name + ")\n", "      ;;\n");
    for (const std::string& option : parsed_names(*sub)) {
      INFO(option);
      CHECK(is_in(option, verb_help));
      CHECK(is_in("\\fB" + in_roff(option) + "\\fR", verb_page));
      CHECK(is_in("_rackproof_option " + option, in_bash));
      CHECK(is_in(option, in_zsh));
      const bool is_long = option.starts_with("--");
      const std::string fished = (is_long ? " -l " : " -s ") + option.substr(is_long ? 2 : 1) + " ";
      const std::string of_verb = "complete -c rackproof -n '__rackproof_is " + name;
      bool found = false;
      for (std::size_t at = 0; (at = fish.find(of_verb, at)) != std::string::npos; ++at) {
        found = found || is_in(fished, fish.substr(at, fish.find('\n', at) - at));
      }
      CHECK(found);
    }
  }
  CHECK(verbs == made.model.verbs.size());
  CHECK(verbs > 20);
  for (const std::string& option : parsed_names(made.line.app)) {
    INFO(option);
    CHECK(is_in(option, help));
    CHECK(is_in(in_roff(option), page));
  }
}

TEST_CASE("every page says what the verb is for, an example and each exit code") {
  const Described made;
  for (const manual::Verb& verb : made.model.verbs) {
    INFO(verb.name);
    CHECK_FALSE(verb.prose.about.empty());
    CHECK_FALSE(verb.prose.examples.empty());
    std::set<std::string> exits;
    for (const manual::Row& row : verb.prose.exits) CHECK(exits.insert(row.name).second);
    CHECK(exits.count("1") + exits.count("2") == 2);
    for (const manual::Option& option : verb.options) {
      INFO(option.names.front());
      CHECK_FALSE(option.help.empty());
      CHECK(option.value.name != "TEXT:");
    }
  }
}

TEST_CASE("every page that another one names is there") {
  const Described made;
  std::set<std::string> pages = {"rackproof(1)", "mpirun(1)", "srun(1)", "ssh-keygen(1)"};
  for (const manual::Verb& verb : made.model.verbs) pages.insert("rackproof-" + verb.name + "(1)");
  for (const manual::Verb& verb : made.model.verbs) {
    for (const std::string& page : verb.prose.see) {
      INFO(verb.name << ": " << page);
      CHECK(pages.count(page) == 1);
    }
  }
}

// What an example shows is taken: it is parsed, up to a command of somebody else.
TEST_CASE("every example is a command line that is understood") {
  const Described made;
  for (const manual::Verb& verb : made.model.verbs) {
    for (const manual::Example& example : verb.prose.examples) {
      INFO(example.command);
      const std::size_t at = example.command.find("rackproof " + verb.name);
      REQUIRE(at != std::string::npos);
      std::string words = example.command.substr(at + std::string("rackproof ").size());
      words = words.substr(0, words.find_first_of(">)"));
      cli::Program program;
      command_line::CommandLine line(program);
      CHECK_NOTHROW(line.app.parse(words));
      CHECK(line.chosen);
    }
  }
}

TEST_CASE("a value of which nothing is said is a mistake of ours") {
  cli::Program program;
  command_line::CommandLine line(program);
  std::string target;
  line.app.get_subcommand("show")->add_option("--silent", target, "a value without a name");
  CHECK_THROWS_AS(command_line::describe(line), std::logic_error);
}

TEST_CASE("pages and completion are written where shells and man look for them") {
  const Folder folder;
  const Described made;
  command_line::write_manual(folder.path("share"), made.model);
  for (const char* file :
       {"man/man1/rackproof.1", "man/man1/rackproof-run.1", "bash-completion/completions/rackproof",
        "zsh/site-functions/_rackproof", "fish/vendor_completions.d/rackproof.fish"}) {
    INFO(file);
    CHECK(std::filesystem::file_size(folder.path("share") + "/" + file) > 500);
  }
  CHECK_FALSE(std::filesystem::exists(folder.path("share") + "/man/man1/rackproof-manual.1"));
  for (const std::string& name : made.model.other_names) {
    std::ifstream page(folder.path("share") + "/man/man1/" + name + ".1");
    std::string line;
    CHECK(std::getline(page, line));
    CHECK(line == ".so man1/rackproof.1");
  }
  std::ofstream(folder.path("file")) << "x";
  CHECK_THROWS_AS(command_line::write_manual(folder.path("file"), made.model), support::UsageError);
}
