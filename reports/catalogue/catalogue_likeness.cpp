#include <array>

#include "reports/catalogue/catalogue_tables.hpp"
#include "reports/model/finding.hpp"
#include "reports/model/finding_id.hpp"

namespace rackproof::catalogue {
namespace {
namespace likeness {

constexpr std::string_view kKind = "finding";

constexpr std::array kEntries = {
    CatalogueEntry{
        model::finding_id::kPeerOutlier, kKind, "outlier among its peers",
        "The number is far from the median of its peers in this run, given their spread and a "
        "possible long tail on the slow side. On average at most the suite's discovery_rate (5 %) "
        "of such findings are false. One that fails a cell is confirmed: the subject was measured "
        "again, alone, and is still worse than its peers by more than the suite's peer_margin.",
        "Repeat the step on that subject. If it stays slow, compare memory, clocks, firmware and "
        "cabling with a peer, and swap parts to see whether the problem moves."},
    CatalogueEntry{
        model::finding_id::kPeerUnconfirmed, kKind, "worse than its peers, but not measured again",
        "The number is worse than the median of its peers by more than the suite's peer_margin. "
        "The suite fails outliers that later measurements confirm, and here there are none: the "
        "run ended before, or they were disturbed. Severity error: the run cannot be accepted.",
        "Run again on a quiet machine, with enough time in the suite's time_budget."},
    CatalogueEntry{
        model::finding_id::kSlowHost, kKind, "every link of a host is too slow",
        "All links of this host to other hosts missed their limit, and most links between the "
        "others did not. The common cause is the host: its adapter, cable, switch port or load.",
        "Check the link rate and error counters of the host, the firmware and slot of its adapter, "
        "the cable and the switch port, before any peer."},
    CatalogueEntry{
        model::finding_id::kLocalised, kKind,
        "the part, or the link, that slow pairs have in common",
        "The values of all pairs were fitted by what their ends, hosts and GPUs, contribute. The "
        "part "
        "named explains the slow pairs with the fewest culprits, by at least the suite's "
        "peer_effect; "
        "the chance of naming a healthy one anywhere in the run is at most the suite's "
        "family_alpha. "
        "Parts that no pair tells apart are named together. Unconfirmed peer-outlier findings of "
        "its links are left out, since they would say the same. In a suite that confirms outliers "
        "the links are measured again: of severity error, and nothing is accepted, where the later "
        "values show a deficit beyond the suite's peer_margin, or where that could not be "
        "measured; an "
        "info where they do not show it. "
        "A link that missed its limit failed, and one that did not passed.",
        "Check the part named: link rate, error counters, cable, slot and firmware. Where several "
        "are named, swap one of them and measure again. Where a link is named, check the path "
        "between its two ends."},
    CatalogueEntry{model::finding_id::kHistoryDrop, kKind, "slower than in its own earlier runs",
                   "The number is lower than the same part measured in earlier accepted runs, by "
                   "more than its run-to-run variation, and its peers did not drop with it. It may "
                   "still be within its limits and close to its peers.",
                   "Compare with the last good report: driver, firmware, clocks, power limit, "
                   "temperature, error counters. A part that slows down is often about to fail."},
    CatalogueEntry{
        model::finding_id::kBimodalPeers, kKind, "peers fall into two groups",
        "The numbers of peers form two groups with a gap between them. The usual reasons are two "
        "kinds of silicon, board, firmware or settings, or a shared part that slows some of them. "
        "If the gap reaches the suite's peer_effect (3 %), the severity is error and the run "
        "cannot be accepted: nobody has said that both are right.",
        "Compare the inventory of the slower group, which is named, with the others: part numbers, "
        "VBIOS and firmware, power limit, rack, switch, cooling. If the groups should differ, give "
        "each its own table, or say why in the table's groups or with --accept-groups REASON."},
};

}  // namespace likeness
}  // namespace

std::span<const CatalogueEntry> likeness_entries() { return likeness::kEntries; }

}  // namespace rackproof::catalogue
