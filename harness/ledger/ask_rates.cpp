#include "harness/ledger/ask.hpp"
#include "harness/ledger/rows.hpp"

namespace rackproof::ledger {
namespace {

// A part that failed when it was first seen was not good before, so that it says nothing of how
// often good parts fail.
constexpr const char* kRates =
    "WITH seen AS (SELECT s.part AS part, r.began_s AS at, s.failed AS failed, "
    "lag(s.failed) OVER (PARTITION BY s.part ORDER BY r.began_s, r.digest) AS before "
    "FROM stay s JOIN report r ON r.id = s.report WHERE r.counts = 1 AND s.pass + s.verified + "
    "s.fail + s.unjudged + s.untested + s.waived + s.isolating > 0) "
    "SELECT p.kind, total(one.failures), total(one.days) FROM (SELECT part, "
    "total(failed = 1 AND before = 0) AS failures, (max(at) - min(at)) / 86400.0 AS days "
    "FROM seen GROUP BY part) one JOIN part p ON p.id = one.part GROUP BY p.kind ORDER BY p.kind";

}  // namespace

std::vector<PartRate> ask_rates(LedgerFile& ledger) {
  return ledger.use([&](index::Database& database) {
    const index::Transaction reading(database, "BEGIN");
    std::vector<PartRate> rates;
    index::Statement row(database, kRates);
    while (row.next()) {
      rates.push_back({word_at<PartKind>(row, 0), static_cast<std::size_t>(row.real(1).value_or(0)),
                       row.real(2).value_or(0)});
    }
    return rates;
  });
}

}  // namespace rackproof::ledger
