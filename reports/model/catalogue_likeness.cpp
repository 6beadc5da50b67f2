#include <array>

#include "reports/model/catalogue_tables.hpp"
#include "reports/model/finding.hpp"
#include "reports/model/finding_id.hpp"

namespace rackproof::model {
namespace {
namespace likeness {

constexpr std::string_view kKind = "finding";

constexpr std::array kEntries = {
    CatalogueEntry{
        finding_id::kPeerOutlier, kKind, "a subject is far from its like",
        "Among like subjects of this run one number lies far from the median of its group, "
        "counting how far the others spread and whether they have a long tail on the slow "
        "side. Of such findings at most the suite's discovery_rate (5 %) are false on "
        "average. One that fails a cell says more: the subject was measured again, alone, and by "
        "those later numbers it is worse than its peers by more than the suite's peer_margin.",
        "Repeat the step on that subject. If it stays slow compare memory, clocks, firmware "
        "and cabling with a peer, and swap parts to see whether it moves."},
    CatalogueEntry{
        finding_id::kPeerUnconfirmed, kKind,
        "a subject is worse than its peers, and was not measured again",
        "A number is worse than the median of its peers by more than the suite's peer_margin, and "
        "the suite fails outliers once later measurements confirm them. There are none: the run "
        "ended before, or others disturbed them. Of severity error: it keeps the run from being "
        "accepted.",
        "Run again, on a quiet machine and with time enough in the suite's time_budget."},
    CatalogueEntry{
        finding_id::kSlowHost, kKind, "every link of a host is too slow",
        "All links of this host to other hosts missed their limit, and most of the links between "
        "the others did not. What they have in common is the host: its adapter, its cable, its "
        "port, or what keeps it busy.",
        "Look at the host's link rate and error counters, its adapter's firmware and slot, the "
        "cable and the port of the switch, before any of the peers."},
    CatalogueEntry{
        finding_id::kLocalised, kKind, "a part, or a link, that slow pairs have in common",
        "What all pairs measured was taken apart into what their ends, hosts and GPUs, contribute. "
        "Who is named explains the slow pairs with the fewest culprits, by at least the suite's "
        "peer_effect; the chance of naming a healthy one anywhere in the run is the suite's "
        "family_alpha at most. "
        "Parts that no pair tells apart are named together. Findings peer-outlier of its links "
        "are left out: they would say the same. It is of severity warning and decides nothing: "
        "a link that missed its limit failed, and one that did not passed.",
        "Look at the part that is named: link rate, error counters, cable, slot and firmware. "
        "Where several are named, swap one of them and measure again. Where a link is named, "
        "look at the way between its two ends."},
    CatalogueEntry{
        finding_id::kHistoryDrop, kKind, "a subject is slower than it was in earlier runs",
        "The number is lower than this very part measured in earlier accepted runs, by more "
        "than it varies from run to run, and its peers did not drop with it. The number may "
        "still be inside its limits and like its peers.",
        "Compare with the last good report: driver, firmware, clocks, power limit, "
        "temperature, error counters. A part that gets slower is often about to fail."},
    CatalogueEntry{
        finding_id::kBimodalPeers, kKind, "like subjects fall into two groups",
        "The numbers of like subjects form two groups with a gap between them instead of one. "
        "Two kinds of silicon or board, firmware or settings are the usual reasons, or a "
        "shared part that slows some of them. Of severity error, when the gap reaches the "
        "suite's peer_effect (3 %), it keeps the run from being accepted: nobody said that both "
        "are right.",
        "Compare the inventory of the slower group, whose subjects are named, with the "
        "others: part numbers, VBIOS and firmware, power limit, rack, switch, cooling. If "
        "the groups are meant to differ, give them tables of their own, or say why in the "
        "table's groups or with --accept-groups REASON."},
};

}  // namespace likeness
}  // namespace

std::span<const CatalogueEntry> likeness_entries() { return likeness::kEntries; }

}  // namespace rackproof::model
