#pragma once

#include <string>
#include <vector>

namespace rackproof::manual {

/// Which paths a shell offers where a value is expected.
enum class Paths { kNone, kFiles, kDirectories };

/// What stands behind an option, or alone: its name for people, and what a shell offers for it. The
/// offers add up: a suite is one of the installed ones, or a file.
struct Value {
  std::string name;                ///< "DIR"; empty: there is none
  std::vector<std::string> words;  ///< these are offered
  bool only_words = false;         ///< and nothing else is taken
  std::string list;                ///< the names that `rackproof list LIST --names` prints
  Paths paths = Paths::kNone;
  bool command = false;  ///< the words behind "--": a program and its arguments
  bool joined = false;   ///< several may stand in one word, with commas between them
};

/// A text that only its reader understands: a number, a time, a glob.
Value text(std::string name);
Value file(std::string name);
Value directory(std::string name);
/// One of these words.
Value choice(std::string name, std::vector<std::string> words);
/// A name that `rackproof list LIST --names` prints.
Value listed(std::string name, std::string list);
/// Such a name, or a file.
Value listed_or_file(std::string name, std::string list);
Value command(std::string name);

/// An option, or, without names, an argument that is recognised by its place.
struct Option {
  std::vector<std::string> names;  ///< "--out", "-o"; the one to show first
  Value value;
  std::string help;
  std::string fallback;  ///< what holds when it is left out; empty: nothing to say
  bool required = false;
  bool repeatable = false;
  std::vector<std::string> excludes;  ///< options that it does not go with
  std::vector<std::string> needs;     ///< options without which it means nothing
};

struct Example {
  std::string what;
  std::string command;
};

/// One row of a table of a page: an exit code, a variable, a file, and its meaning.
struct Row {
  std::string name;
  std::string meaning;
};

/// What is said of a program or a verb beside its options.
struct Prose {
  std::vector<std::string> about;  ///< paragraphs
  std::vector<Example> examples;
  std::vector<Row> exits;
  std::vector<Row> environment;
  std::vector<Row> files;
  std::vector<std::string> see;  ///< "rackproof-show(1)"
};

struct Verb {
  std::string name;
  std::string summary;
  std::vector<Option> options;
  std::vector<Option> positionals;
  Prose prose;
};

/// A command line with all of its verbs, as people, shells and manuals are told of it.
struct Program {
  std::string name;
  std::string version;
  std::string date;  ///< of this version: 2026-01-31; empty: not known
  std::string summary;
  std::vector<std::string> other_names;  ///< programs that are the same for whoever reads a manual
  std::vector<Option> options;
  std::vector<Verb> verbs;
  Prose prose;
};

/// "--suite SUITE", "--out FILE, -o FILE", "[PROGRAM [ARGUMENT]...]": as a table of options shows
/// it.
std::string heading(const Option& option);

/// "[OPTION]... REPORT [FILE]...": what may follow the verb.
std::string synopsis(const Verb& verb);

/// What is to be said of an option beside its help, each a sentence without its full stop.
std::vector<std::string> remarks(const Option& option);

/// Whether a verb's last argument is a command behind "--".
bool takes_command(const Verb& verb);

}  // namespace rackproof::manual
