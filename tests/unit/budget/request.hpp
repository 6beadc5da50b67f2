#pragma once

#include <string>

#include "harness/budget/planner.hpp"

namespace rackproof::budget_test {

inline config::Step step_of(const std::string& id, const std::string& bench,
                            const std::string& backend, double takes) {
  config::Step step;
  step.id = id;
  step.bench = bench;
  step.backend = backend;
  step.takes_seconds = takes;
  step.deadline_seconds = 300;
  return step;
}

/// A host step, two steps of one GPU program, a group over all GPUs, and a program that finds
/// nothing; faults of GPUs, the network, hosts and disks, which nobody finds.
inline budget::Request request_of(double seconds) {
  budget::Request request;
  request.suite.info.id = "four";
  request.suite.info.title = "Four";
  request.suite.info.digest = std::string(64, 'a');
  auto& steps = request.suite.steps;
  steps = {step_of("memory", "stream", "host", 30), step_of("burn", "burn", "cuda", 60),
           step_of("burn-64", "burn", "cuda", 60), step_of("rings", "collectives", "nccl", 100),
           step_of("odd", "odd", "host", 1)};
  steps[1].placement = steps[2].placement = config::Placement::kDevice;
  steps[3].placement = config::Placement::kWorld;
  request.faults.title = "somewhere";
  request.faults.days = 100;
  request.faults.parts = {{"gpu", 1000.0}, {"host", 100.0}, {"nic", 1000.0}};
  request.faults.again = {0, 0.5, 1};
  const budget::Chance likely{0.5, 0.8, 1};
  request.faults.faults = {{"gpu", "GPU", "gpu", 100, {{"burn-*", likely}}},
                           {"cable", "cable", "nic", 20, {{"collectives-nccl", likely}}},
                           {"memory", "memory", "host", 5, {{"stream-host", likely}}},
                           {"disk", "disk", "host", 5, {}}};
  request.machine = {2, 4, 4, 30};
  request.seconds = seconds;
  return request;
}

}  // namespace rackproof::budget_test
