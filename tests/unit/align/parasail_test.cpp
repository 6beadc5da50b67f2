#include <parasail.h>

#include <catch2/catch.hpp>
#include <cctype>
#include <memory>
#include <string>

#include "benches/align/host_engine.hpp"
#include "benches/align/reference.hpp"
#include "benches/kit/host.hpp"
#include "tests/unit/align/sequences.hpp"

using namespace rackproof;
using namespace rackproof::align;

namespace {

using Result = std::unique_ptr<parasail_result_t, decltype(&parasail_result_free)>;

// Its "open" is what the first residue of a gap costs.
std::int32_t parasail_score(const Workload& work, std::int64_t query, std::int64_t subject,
                            const Gap& gap, const parasail_matrix_t* matrix) {
  const std::string q = work.queries.text(query, Alphabet::kProtein);
  const std::string d = work.database.text(subject, Alphabet::kProtein);
  const Result result(
      parasail_sw_striped_sat(q.data(), static_cast<int>(q.size()), d.data(),
                              static_cast<int>(d.size()), gap.first(), gap.next(), matrix),
      parasail_result_free);
  return result->score;
}

std::string lower(std::string name) {
  for (char& letter : name) letter = static_cast<char>(std::tolower(letter));
  return name;
}

using ItsMatrix = std::unique_ptr<parasail_matrix_t, decltype(&parasail_matrix_free)>;

// Its matrix of a name, with what X is worth for blastp and here. It has the older files' values.
ItsMatrix matrix_of_parasail(const std::string& name) {
  const parasail_matrix_t* const older = parasail_matrix_lookup(lower(name).c_str());
  REQUIRE(older != nullptr);
  ItsMatrix matrix(parasail_matrix_copy(older), parasail_matrix_free);
  const int unknown = matrix->mapper[static_cast<unsigned char>('X')];
  for (const char letter : letters_of(Alphabet::kProtein)) {
    const int other = matrix->mapper[static_cast<unsigned char>(letter)];
    parasail_matrix_set_value(matrix.get(), unknown, other, -1);
    parasail_matrix_set_value(matrix.get(), other, unknown, -1);
  }
  return matrix;
}

}  // namespace

TEST_CASE("each matrix has the scores of parasail's matrix of that name") {
  for (const std::string& name : matrix_names()) {
    // Its BLOSUM80 counts in thirds of a bit; that of blastp in halves.
    if (name == "BLOSUM80") continue;
    CAPTURE(name);
    const Matrix matrix = matrix_named(name);
    const ItsMatrix theirs = matrix_of_parasail(name);
    const std::string_view letters = letters_of(Alphabet::kProtein);
    const auto count = static_cast<Residue>(letters.size());
    for (Residue a = 0; a < count; ++a) {
      for (Residue b = 0; b < count; ++b) {
        const int row = theirs->mapper[static_cast<unsigned char>(letters[a])];
        const int column = theirs->mapper[static_cast<unsigned char>(letters[b])];
        CHECK(matrix.score(a, b) == theirs->matrix[row * theirs->size + column]);
      }
    }
  }
}

TEST_CASE("parasail gives the same scores for a drawn database, saturated ones too") {
  const int cpu = kit::allowed_cpus().front();
  Crew crew({cpu, cpu});
  for (const char* name : {"BLOSUM62", "PAM30"}) {
    for (const Gap gap : {Gap{11, 1}, Gap{2, 2}}) {
      const Scoring scoring{matrix_named(name), gap};
      Workload work = drawn_workload(scoring.matrix, 6, 200, crew);
      // Without the longest queries: it is compared score by score.
      work.queries.offsets.resize(6);
      const ItsMatrix matrix = matrix_of_parasail(name);
      const KernelSets all = kernel_sets();
      HostEngine engine(all.sets[all.count - 1], scoring, Fault::kNone, crew);
      engine.load(work);
      Scores scores(work.queries.size(), work.database.size());
      std::int64_t different = 0;
      for (std::int64_t query = 0; query < work.queries.size(); ++query) {
        engine.align(query, scores.of_query(query));
        for (std::int64_t subject = 0; subject < work.database.size(); ++subject) {
          different +=
              scores.at(query, subject) == parasail_score(work, query, subject, gap, matrix.get())
                  ? 0
                  : 1;
        }
      }
      CHECK(different == 0);
      CHECK(engine.again_in16() > 0);
    }
  }
}
