#pragma once

#include <vector>

#include "harness/journal/entry.hpp"

namespace rackproof::journal_test {

/// An ending with everything that it may say.
inline journal::End example_of_end() {
  journal::End end;
  end.attempt = "n";
  end.t = 2.5;
  end.seconds = 1;
  end.signal = 9;
  end.cancelled_by = {model::CancelReason::kBringUp, "it gave no token"};
  end.timed_out = true;
  end.killed = true;
  end.state = model::ProcessState::kSleeping;
  end.leaked = true;
  end.leftovers = 1;
  end.oom_kills = 2;
  end.dropped_lines = 3;
  end.out_bytes = 4;
  end.err_bytes = 5;
  end.err = "said\n";
  end.load = {8, 1, 2, 1.5, 0.25, 0.5, ""};
  return end;
}

inline journal::Repair example_of_repair() {
  model::Amends amends;
  amends.sha256 = "5e";
  amends.repairs = {{"node1", "GPU-1", "replaced", "4711"}};
  return {amends};
}

/// An entry of each kind, with everything that it may say.
inline std::vector<journal::Entry> examples() {
  using namespace rackproof::journal;
  model::ToolInfo tool;
  tool.version = "1";
  model::RunInfo run;
  run.id = "r";
  model::SuiteInfo suite;
  suite.id = "smoke";
  model::NodeInventory node;
  node.host = "node\"1";
  node.facts["cpu.model"] = {contract::Scalar(std::string("x\ny")), "test", ""};
  model::PlatformTable table;
  table.id = "box";
  model::MetricBound bound;
  bound.metric = "fake.rate";
  model::StepInfo step;
  step.id = "a";
  model::Cell cell;
  cell.id = "c";
  cell.subject.host = "node1";
  model::History history;
  history.metric = "fake.rate";
  history.subject = "node1";
  model::Finding finding;
  finding.id = "late-rank";
  finding.evidence["rank"] = std::int64_t{3};
  model::Subject group;
  group.kind = contract::SubjectKind::kGroup;
  group.group = "world";
  group.members = {"node0", "node1"};
  const Head head{"a",     2,
                  true,    true,
                  1,       0,
                  2,       "node1",
                  group,   "fake",
                  "host",  {"--x", "\xc3\xa4\n"},
                  "GPU-0", {{"node0", "GPU-0"}, {"node1", "GPU-1"}}};
  return {example_of_repair(),
          Kept{"a", true, {"node1/GPU-0", "world (2 hosts)"}},
          Open{"r", 1, 2, 4, 1, "node1", 7, "1", "c", "boot", 12.5, "2030-01-01T00:00:00.000Z"},
          Run{tool, run, suite},
          Causes{{"digest", {}}},
          Rank{1, true, "node1", 11, 1, "journals/x.jsonl"},
          Node{node},
          Platform{table},
          HostPlatform{"node1", "box"},
          Bound{bound},
          PlanStep{step},
          Cell{cell},
          Planned{1, 2},
          History{history},
          Finding{finding},
          Step{"a", model::StepState::kStopped, {model::StepReason::kRankLost, "rank 1"}, 1.5},
          RollCall{"a", {1, 3}, 2},
          RankLost{3, "node3", "silent", "a", 4},
          Stopping{"interrupted", 5, "2030-01-01T00:00:05.000Z"},
          Ended{true, true, 6, "2030-01-01T00:00:06.000Z"},
          Begin{"n", 1, head, 30, 42},
          Out{"n", "{\"kind\":\"end\"}", false, false},
          example_of_end(),
          Close{7, "2030-01-01T00:00:07.000Z", {model::CloseReason::kFinished}}};
}

}  // namespace rackproof::journal_test
