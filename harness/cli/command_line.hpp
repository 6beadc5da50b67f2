#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>
#include <vector>

#include "harness/cli/verbs.hpp"

namespace rackproof::cli {

/// The command line as CLI11 sees it, with the verb that it chose.
struct CommandLine {
  explicit CommandLine(Program& program_in_use);

  void add_run();
  void add_prove();
  void add_launch();
  void add_reading_verbs();
  void add_redact();
  void add_signoff();
  void add_render();
  void add_compare();
  void add_trend();
  void add_render_option(CLI::App* sub, std::vector<std::string>& formats);
  void add_diagnose();
  void add_learn();
  void add_telling_verbs();
  void add_record();
  CLI::App* verb(const char* name, const char* text, const char* example);

  Program& program;
  CLI::App app{
      "Cluster benchmark and acceptance tests. rackproof finds out what a machine is, measures "
      "it, verifies every answer and judges it.",
      "rackproof"};
  std::function<int()> chosen;
  RunOptions run;
  ProveOptions prove;
  LaunchOptions launch;
  ListOptions list;
  InventoryOptions inventory;
  AssembleOptions assemble;
  JudgeOptions judge;
  DiagnoseOptions diagnose;
  LearnOptions learn;
  RedactOptions redact;
  SignOptions sign;
  VerifyOptions verify;
  RenderOptions render;
  CompareOptions compare;
  TrendOptions trend;
  ShowOptions show;
  RecordOptions record;
  std::vector<std::string> files;
  std::string word;
};

}  // namespace rackproof::cli
