#pragma once

#include "harness/manual/command.hpp"

namespace rackproof::manual_test {

/// A program with a verb of each kind: one that measures, one that starts a command.
inline manual::Program sample() {
  using namespace manual;
  Program program;
  program.name = "rackproof";
  program.version = "1.2.3";
  program.date = "2026-01-31";
  program.summary = "A program for tests";
  Option color;
  color.names = {"--color"};
  color.value = choice("WHEN", {"auto", "never"});
  color.help = "when to colour";
  program.options = {color};

  Verb run;
  run.name = "run";
  run.summary = "Run a suite";
  Option suite;
  suite.names = {"--suite"};
  suite.value = listed_or_file("SUITE", "suites");
  suite.help = "it's a [suite]: name or file";
  suite.fallback = "acceptance";
  Option out;
  out.names = {"--out", "-o"};
  out.value = directory("DIR");
  out.help = "where to";
  out.excludes = {"--suite"};
  Option label;
  label.names = {"--label"};
  label.value = text("KEY=VALUE");
  label.help = "a pair";
  label.repeatable = true;
  Option form;
  form.names = {"--form"};
  form.value = choice("FORM", {"csv", "html"});
  form.value.joined = true;
  form.help = "other forms";
  form.repeatable = true;
  run.options = {suite, out, label, form};
  Option report;
  report.value = file("REPORT");
  report.help = "a report";
  report.required = true;
  run.positionals = {report};
  run.prose.about = {"First of all.", ".A line that begins with a full stop."};
  run.prose.examples = {{"A run", "rackproof run --suite 'a\\b'"}};
  run.prose.exits = {{"0", "accepted"}, {"3", "rejected"}};
  run.prose.environment = {{"HOME", "where it looks"}};
  run.prose.see = {"rackproof-watch(1)", "mpirun(1)"};

  Verb watch;
  watch.name = "watch";
  watch.summary = "Watch a program";
  Option words;
  words.value = command("PROGRAM");
  words.help = "the program";
  words.repeatable = true;
  watch.positionals = {words};
  program.verbs = {run, watch};
  return program;
}

inline bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace rackproof::manual_test
