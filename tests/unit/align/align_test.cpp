#include "benches/align/align.hpp"

#include <algorithm>
#include <catch2/catch.hpp>

#include "benches/kit/errors.hpp"
#include "benches/kit/host.hpp"
#include "tests/unit/align/listener.hpp"

using namespace rackproof;
using namespace rackproof::align;

TEST_CASE("proteins are scored as BLAST does it, and DNA by match and mismatch") {
  Settings settings;
  const Scoring proteins = scoring_of(settings);
  CHECK(proteins.matrix.name == "BLOSUM62");
  CHECK(proteins.gap == Gap{11, 1});
  settings.alphabet = "dna";
  const Scoring dna = scoring_of(settings);
  CHECK(dna.matrix.alphabet == Alphabet::kDna);
  CHECK(dna.matrix.score(0, 0) == 2);
  CHECK(dna.gap == Gap{5, 2});
  settings.gap = "0,1";
  CHECK_THROWS_AS(scoring_of(settings), kit::UsageError);
}

TEST_CASE("a wrong entry of the table is the engine's, not the reference's") {
  Settings settings;
  const Scoring scoring = scoring_of(settings);
  CHECK(engine_scoring(scoring, Fault::kNone).matrix.scores == scoring.matrix.scores);
  CHECK(engine_scoring(scoring, Fault::kTile).matrix.scores == scoring.matrix.scores);
  const Scoring wrong = engine_scoring(scoring, Fault::kTable);
  int others = 0;
  for (std::size_t i = 0; i < scoring.matrix.scores.size(); ++i) {
    others += scoring.matrix.scores[i] == wrong.matrix.scores[i] ? 0 : 1;
  }
  CHECK(others == 1);
}

TEST_CASE("faults are named as hello has them") {
  Settings settings;
  CHECK(fault_name(settings).empty());
  settings.fault = "tile";
  CHECK(fault_name(settings) == "fault:tile");
  CHECK(fault_of(settings) == Fault::kTile);
}

TEST_CASE("the letter that a fault changes is in the middle of a copy") {
  Workload work;
  Crew crew({kit::allowed_cpus().front()});
  const Scoring scoring = scoring_of({});
  work = workload_of({}, scoring, 64, 1, crew);
  const ResiduePlace place = place_to_change(work);
  const Copy& copy = work.copies.front();
  CHECK(place.subject == copy.subject);
  const auto query = work.queries.at(copy.query);
  const auto subject = work.database.at(place.subject);
  const auto half = static_cast<std::int64_t>(query.size()) / 2;
  REQUIRE(place.residue >= half);
  CHECK(std::equal(query.begin(), query.end(), subject.begin() + (place.residue - half)));
  work.copies.clear();
  CHECK(place_to_change(work).subject == 0);
  CHECK(place_to_change(work).residue == 0);
  for (const Alphabet alphabet : {Alphabet::kProtein, Alphabet::kDna}) {
    for (Residue letter = 0; letter <= unknown_of(alphabet); ++letter) {
      CHECK(other_letter(alphabet, letter) != letter);
      CHECK(other_letter(alphabet, letter) < unknown_of(alphabet));
    }
  }
}

TEST_CASE("workloads that cannot be are refused") {
  Settings settings;
  const Scoring scoring = scoring_of(settings);
  Crew crew({kit::allowed_cpus().front()});
  settings.subjects = kLeastSubjects - 1;
  CHECK_THROWS_AS(workload_of(settings, scoring, 1000, 1, crew), kit::UsageError);
  settings.subjects = std::int64_t{1} << 30;
  if (kit::available_memory_bytes() < settings.subjects * 370) {
    CHECK_THROWS_AS(workload_of(settings, scoring, 1000, 1, crew), kit::Unavailable);
  }
  settings.query = "q.fasta";
  CHECK_THROWS_AS(workload_of(settings, scoring, 1000, 1, crew), kit::UsageError);
  settings.database = "/no/such/file";
  CHECK_THROWS_AS(workload_of(settings, scoring, 1000, 1, crew), kit::UsageError);
}

TEST_CASE("0 subjects are as many as the program says, else as many as were asked for") {
  Settings settings;
  const Scoring scoring = scoring_of(settings);
  Crew crew({kit::allowed_cpus().front()});
  CHECK(workload_of(settings, scoring, 100, 1, crew).database.size() == 100);
  settings.subjects = 70;
  CHECK(workload_of(settings, scoring, 100, 1, crew).database.size() == 70);
}

TEST_CASE("drawn queries have a rate each, and all of them one together") {
  Settings settings;
  const Scoring scoring = scoring_of(settings);
  Crew crew({kit::allowed_cpus().front()});
  const Workload work = workload_of(settings, scoring, 64, 1, crew);
  Listener listener;
  protocol::Metric like;
  like.check = "align.scores";
  say_rates(settings, scoring, work, {std::vector<double>(8, 0.5), std::vector<double>(8, 1.0)},
            like, listener);
  REQUIRE(listener.metrics.size() == 9);
  CHECK(listener.metrics[0].samples == std::vector<double>{work.cells() / 4, work.cells() / 8});
  CHECK(listener.metrics[8].samples == std::vector<double>{work.cells(7) / 0.5, work.cells(7)});
  CHECK(std::get<std::string>(listener.metrics[8].parameters.at("query")) == "5478");
  CHECK(listener.metrics[8].unit == "cells/s");
}
