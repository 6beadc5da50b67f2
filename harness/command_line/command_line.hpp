#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "harness/cli/verbs.hpp"
#include "harness/manual/command.hpp"

namespace rackproof::command_line {

/// What was given to each verb.
struct VerbOptions {
  job::RunOptions run;
  cli::ProveOptions prove;
  cli::LaunchOptions launch;
  cli::ListOptions list;
  cli::InventoryOptions inventory;
  cli::GateOptions gate;
  cli::DoctorOptions doctor;
  cli::AssembleOptions assemble;
  cli::JudgeOptions judge;
  cli::DiagnoseOptions diagnose;
  cli::LearnOptions learn;
  cli::RedactOptions redact;
  cli::SignOptions sign;
  cli::VerifyOptions verify;
  cli::RenderOptions render;
  cli::CompareOptions compare;
  cli::TrendOptions trend;
  cli::FleetOptions fleet;
  cli::PlanOptions plan;
  cli::ShowOptions show;
  cli::RecordOptions record;
  cli::CheckOptions check;
  cli::ExplainOptions explain;
};

/// The command line as CLI11 sees it, with the verb that it chose. It is the one description: help,
/// manual pages and completion are made of it (describe.hpp).
struct CommandLine {
  explicit CommandLine(cli::Program& program_in_use);

  void add_prove();
  void add_launch();
  void add_reading_verbs();
  void add_redact();
  void add_signoff();
  void add_render();
  void add_compare();
  void add_trend();
  void add_fleet();
  void add_plan();
  void add_diagnose();
  void add_learn();
  void add_telling_verbs();
  void add_inventory();
  void add_gate();
  void add_manual_verbs();
  void add_record();
  void add_render_option(CLI::App* sub, std::vector<std::string>& formats);
  CLI::App* verb(const char* name, const char* text);
  /// Says what stands behind an option, or at a place: every one that is no flag goes through here.
  CLI::Option* takes(CLI::Option* option, manual::Value value);
  void takes_report(CLI::App* sub, std::string& target);
  static manual::Value platform_value();
  static manual::Value format_value();

  cli::Program& program;
  CLI::App app{"Benchmark and acceptance tests for GPU clusters", "rackproof"};
  std::map<const CLI::Option*, manual::Value> values;
  std::function<int()> chosen;
  VerbOptions options;
  std::string word;
};

}  // namespace rackproof::command_line
