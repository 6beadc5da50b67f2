#include "harness/job/run.hpp"

#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <future>
#include <optional>
#include <system_error>
#include <utility>

#include "harness/archive/rendering.hpp"
#include "harness/assemble/directory.hpp"
#include "harness/config/bench.hpp"
#include "harness/crew/parting.hpp"
#include "harness/inventory/inventory.hpp"
#include "harness/job/hook.hpp"
#include "harness/job/installation.hpp"
#include "harness/job/planned.hpp"
#include "harness/job/ranks.hpp"
#include "harness/job/report_again.hpp"
#include "harness/job/rescue.hpp"
#include "harness/job/run_lock.hpp"
#include "harness/job/run_request.hpp"
#include "harness/job/signals.hpp"
#include "harness/support/errors.hpp"
#include "harness/support/exit_code.hpp"
#include "harness/support/print.hpp"
#include "harness/warden/process_warden.hpp"
#include "reports/json/report_json.hpp"
#include "reports/model/words.hpp"

namespace rackproof::job {
namespace {

// The report is on disk: a stdout that nobody reads any more changes no verdict.
void tell(const std::string& text) {
  try {
    support::print(text);
  } catch (const std::runtime_error& error) {
    support::write_stderr(std::string("rackproof: ") + error.what() + "\n");
  }
}

// What a run of one rank 0 needs while it lasts.
struct Session {
  const RunOptions& options;
  const Program& program;
  const Screen& screen;
  PreparedRun& prepared;
  fleet::Team& team;
  warden::Warden& warden;
  support::DirectoryStore& store;
  crew::Keepsake& keepsake;
  bool begun = false;                 ///< what is owed is in the journal
  bool lost = false;                  ///< what the journal held is gone
  std::optional<Judged> judged = {};  ///< once there is a report
};

int dry_run(Session& session, run::Coordinator& coordinator) {
  const plan::Plan& plan = coordinator.prepare(false);
  const auto catalogue = config::load_catalogue(session.program.paths.benches);
  const model::Report& report = coordinator.account().report;
  support::print(session.screen.planned(planned_run(plan, report, catalogue)));
  coordinator.dismiss();
  session.warden.close(model::CloseReason::kDryRun);
  return support::kPlanned;
}

// What rank 0's warden does when rank 0 vanishes.
std::vector<std::string> last_act_of(const Session& session) {
  std::vector<std::string> words = {session.program.paths.self, "assemble", "--settle",
                                    "--compress", session.options.compress};
  for (const std::string& format : session.options.render) {
    words.insert(words.end(), {"--render", format});
  }
  words.push_back(session.store.path("."));
  return words;
}

struct Written {
  model::Report report;
  archive::WrittenReport files;
};

// Makes the report out of the journals of a folder. On a large cluster that takes longer than the
// other ranks wait in silence, and the first that leaves may end the job before it is written.
Written make_report(const Session& session, run::Coordinator& coordinator,
                    support::DirectoryStore& store) {
  const auto write = [&] {
    model::Report report = assemble::assemble_directory(store, store.path("."));
    archive::WrittenReport files = archive::write_report(
        store, report, session.options.render, archive::compress_of(session.options.compress));
    return Written{std::move(report), std::move(files)};
  };
  std::future<Written> written;
  try {
    written = std::async(std::launch::async, write);
  } catch (const std::system_error&) {
    return write();  // there is no thread to be had: the others wait in silence
  }
  try {
    coordinator.keep_heard_until(
        [&] { return written.wait_for(std::chrono::seconds(0)) == std::future_status::ready; });
  } catch (const fleet::TeamError& error) {
    support::write_stderr(std::string("rackproof: ") + error.what() + "\n");
  }
  return written.get();
}

int real_run(Session& session, run::Coordinator& coordinator) {
  session.store.write_durably("suite.json", session.prepared.suite_text);
  session.warden.last_act(last_act_of(session));
  coordinator.prepare(true);
  session.begun = true;
  coordinator.perform();
  coordinator.dismiss();
  const auto [report, files] = make_report(session, coordinator, session.store);
  session.warden.close(coordinator.interrupted() ? model::CloseReason::kInterrupted
                                                 : model::CloseReason::kFinished);
  session.judged = judged_of(report, files.file);
  tell(session.screen.closing(report) + files.said +
       fmt::format("every result: rackproof show {}\n", session.prepared.out));
  return coordinator.interrupted() ? support::kInterrupted : model::exit_code_of(report.acceptance);
}

// Another rank waits for its roster: it must be told, or the launcher's job would hang.
void send_home(fleet::Team& team, const model::Reason<model::CloseReason>& why, bool everyone) {
  crew::send_home(team, others_of(team), everyone, why);
}

// With everyone there, the ranks take leave of each other; otherwise that could hang.
void take_leave(fleet::Team& team, const run::Coordinator& coordinator, int code, bool everyone) {
  support::SystemClock clock;
  leave_first(team, clock, coordinator.listeners(),
              everyone ? crew::Parting::kTogether : crew::Parting::kAlone, code);
}

void report_from(Session& session, run::Coordinator& coordinator, support::DirectoryStore& store) {
  const auto [report, files] = make_report(session, coordinator, store);
  session.judged = judged_of(report, files.file);
  tell(session.screen.closing(report) + files.said);
}

// Where the run directory cannot be written any more.
void save_elsewhere(Session& session, run::Coordinator& coordinator) {
  const std::string folder =
      make_rescue_folder(session.options.rescue, session.prepared.request.run_id);
  support::DirectoryStore store(folder);
  store.write_durably("suite.json", session.prepared.suite_text);
  put_back(session.keepsake, store);
  support::write_stderr("rackproof: what rank 0 holds of the run was saved in " + folder + "\n");
  report_from(session, coordinator, store);
}

// The run cannot go on: what its journals hold, or else what rank 0 does, is still reported.
int rescue(Session& session, run::Coordinator& coordinator, const std::string& why) {
  support::write_stderr("rackproof: the run cannot go on: " + why + "\n");
  const std::string own =
      fmt::format("journals/{:04}-rank-00000.jsonl", session.prepared.request.segment);
  try {
    if (session.lost || !session.store.exists(own)) {
      put_back(session.keepsake, session.store);
      session.store.write_durably("suite.json", session.prepared.suite_text);
      support::write_stderr("rackproof: what rank 0 holds of the run was saved again in " +
                            session.prepared.out + "\n");
    }
    report_from(session, coordinator, session.store);
    return support::kIncomplete;
  } catch (const support::StoreError& error) {
    support::write_stderr(std::string("rackproof: it cannot be kept there: ") + error.what() +
                          "\n");
  } catch (const support::UsageError& error) {
    support::write_stderr(std::string("rackproof: nothing can be reported there: ") + error.what() +
                          "\n");
  }
  try {
    save_elsewhere(session, coordinator);
  } catch (const support::StoreError& error) {
    support::write_stderr(std::string("rackproof: the report could not be written: ") +
                          error.what() + "\n");
  } catch (const support::UsageError& error) {
    support::write_stderr(std::string("rackproof: nothing can be reported: ") + error.what() +
                          "\n");
  }
  return support::kIncomplete;
}

// A run that cannot begin leaves nothing behind, so that its folder can be used again.
void clear_away(Session& session) {
  try {
    session.warden.close(model::CloseReason::kRefused);
  } catch (const warden::WardenError&) {
    // What its journal could not take any more is not needed either.
  }
  if (session.options.dry_run || !session.options.resume.empty()) return;
  std::error_code ignored;
  std::filesystem::remove_all(session.store.path("amends"), ignored);
  std::filesystem::remove_all(session.store.path("journals"), ignored);
  std::filesystem::remove(session.store.path("suite.json"), ignored);
  std::filesystem::remove(session.store.path(kLockName), ignored);
  std::filesystem::remove(session.prepared.out, ignored);
}

struct Led {
  int code = support::kUnexpected;
  std::optional<Judged> judged = {};
};

Led lead(const RunOptions& options, const Program& program, const Screen& screen,
         PreparedRun& prepared, fleet::Team& team, warden::Warden& journal_keeper) {
  support::SystemClock clock;
  crew::Keepsake keepsake;
  crew::KeepingWarden warden(journal_keeper, keepsake);
  support::DirectoryStore store(prepared.out);
  crew::Local local(warden, program.paths.programs, program.paths.self, program.in_rank);
  local.allow_programs(allowed_programs(options));
  run::Progress progress(clock, support::write_stderr, screen.columns, options.quiet);
  if (options.dry_run && team.size() == 1) {
    prepared.request.survey_here = [] { return inventory::collect(); };
  }
  run::Surroundings around{team, warden, clock, store, local, progress, interrupts, &keepsake};
  run::Coordinator coordinator(prepared.request, around,
                               arrival_of_first(0, program, prepared.installed_benches));
  Session session{options, program, screen, prepared, team, warden, store, keepsake};
  int code = support::kUnexpected;
  // What ends a run in its middle finds the others anywhere: they cannot be waited for then.
  bool in_order = true;
  const auto part = [&](int with) {
    send_home(team, model::CloseReason::kRefused, coordinator.everyone());
    take_leave(team, coordinator, with, coordinator.everyone());
    clear_away(session);
  };
  const auto refuse = [&](const std::string& why) {
    part(support::kUsage);
    throw support::UsageError(why);
  };
  const auto give_up = [&](const std::string& why) {
    if (!session.begun) refuse(why);
    in_order = false;
    code = rescue(session, coordinator, why);
    send_home(team, {model::CloseReason::kOther, "rank 0 cannot go on"}, false);
  };
  try {
    code = options.dry_run ? dry_run(session, coordinator) : real_run(session, coordinator);
  } catch (const warden::JournalLost& error) {
    session.lost = true;
    give_up(error.what());
  } catch (const warden::WardenError& error) {
    give_up(error.what());
  } catch (const support::StoreError& error) {
    give_up(error.what());
  } catch (const fleet::TeamError& error) {
    give_up(error.what());
  } catch (const support::UsageError& error) {  // the journals are not there any more
    give_up(error.what());
  } catch (const resume::Refused& refused) {
    refuse(refused.what());
  } catch (const resume::NothingOwed& nothing) {
    // Nothing was judged here: the earlier report may be incomplete although no cell failed.
    part(support::kPlanned);
    tell(fmt::format("{}\n", nothing.what()));
    end_last(team, clock);
    return {support::kPlanned};
  }
  take_leave(team, coordinator, code, in_order && coordinator.everyone());
  end_last(team, clock);
  return {code, std::move(session.judged)};
}

int follow(const RunOptions& options, const Program& program, const fleet::Launcher& launcher,
           fleet::Team& team, warden::Warden& warden) {
  support::SystemClock clock;
  crew::Local local(warden, program.paths.programs, program.paths.self, program.in_rank);
  local.allow_programs(allowed_programs(options));
  // Where MPI itself fails nobody can be waited for.
  crew::Parting parting = crew::Parting::kAlone;
  try {
    const int rank = team.rank();
    crew::Follower follower(
        team, warden, clock, open_directory, local,
        launcher.local_rank == 0
            ? arrival_of_first(rank, program, hash_benches(program.paths.programs))
            : arrival_of(rank));
    follower.run();
    parting = crew::await_parting(team, clock, follower.last_heard());
  } catch (const warden::WardenError& error) {
    team.send(0, fleet::MessageKind::kFailed, error.what());
    parting = crew::await_parting(team, clock, clock.now());
  } catch (const fleet::TeamError& error) {
    // Nobody can be told but the reader of the launcher's output; the warden does the rest.
    support::write_stderr(fmt::format("rackproof: rank {}: {}\n", team.rank(), error.what()));
  }
  // Rank 0's code is the one that counts. Where it is lost, a launcher that goes on without it
  // (Open MPI 5 with --enable-recovery) would end with 0, as if the run had been accepted.
  const int code = parting == crew::Parting::kLost ? support::kIncomplete : support::kAccepted;
  leave(team, parting, code);
  return code;
}

}  // namespace

int run(const RunOptions& options, const Program& program, const Screen& screen) {
  const fleet::Launcher launcher = own_launcher(program);
  PreparedRun prepared;
  Hook hook;
  if (launcher.rank == 0) {
    hook = parse_hook(options.hook);
    const double budget = options.time_budget.empty() ? 0 : parse_seconds(options.time_budget);
    prepared = prepare_run(options, program, launcher, budget);
    if (prepared.nothing_left) {
      support::write_stderr("nothing is left to do in " + prepared.out + "\n");
      return launcher.wants_mpi
                 ? support::kUsage
                 : report_again(prepared.out, options.render, options.compress, screen);
    }
  }
  watch_signals();
  // A launcher that ends a lost rank with the job does not need that; it may not do so, though
  // (Open MPI 5 with --enable-recovery, of which a rank sees nothing).
  warden::WardenSettings settings;
  settings.patience_seconds = launcher.wants_mpi ? crew::kPatienceSeconds : 0;
  settings.patient_with_led = !launcher.outlives_ranks;
  const auto warden = warden::fork_warden(settings);
  const auto team = make_team(launcher, program);
  if (team->rank() != 0) return follow(options, program, launcher, *team, *warden);
  const Led led = lead(options, program, screen, prepared, *team, *warden);
  // The other ranks are gone: none of them waits for it, and it may take longer than they would.
  if (led.judged && !hook.program.empty()) {
    before_the_end([&] { run_hook(hook, *led.judged); }, led.code);
  }
  return led.code;
}

}  // namespace rackproof::job
