#pragma once

#include <map>
#include <string>
#include <vector>

#include "harness/plan/plan.hpp"
#include "harness/run/order.hpp"
#include "harness/warden/clock.hpp"
#include "harness/warden/store.hpp"
#include "harness/warden/warden.hpp"
#include "reports/model/report.hpp"
#include "reports/model/states.hpp"

namespace rackproof::run {

/// Rank 0's entries in its journal: everything of the report that is not an attempt. The reader of
/// these lines is assemble.
class Logbook {
 public:
  Logbook(warden::Warden& warden, warden::Clock& clock, double began);

  void run(const model::ToolInfo& tool, const model::RunInfo& run, const model::SuiteInfo& suite);
  void causes(const model::CauseTable& table);
  void bound(const model::MetricBound& bound);
  void ranks(const std::vector<Arrival>& arrivals, const std::vector<Roster>& rosters, int size);
  void node(const model::NodeInventory& node);
  void platform(const model::PlatformTable& table);
  void host_platform(const std::string& host, const std::string& platform);
  void plan(const plan::Plan& plan);
  void history(const model::History& history);
  void step(const std::string& id, model::StepState state,
            const model::Reason<model::StepReason>& reason);
  void finding(const model::Finding& finding);
  void roll_call(const std::string& step, const std::vector<int>& missing);
  void rank_lost(int rank, const std::string& host, const std::string& why,
                 const std::string& reached);
  /// The run was asked to stop. Written at once: the launcher may grant one second.
  void stopping(const std::string& reason);
  void ended(bool completed, bool interrupted);

 private:
  double now() const;
  void write(const std::string& line, bool durable = false);

  warden::Warden& warden_;
  warden::Clock& clock_;
  double began_;
};

}  // namespace rackproof::run
