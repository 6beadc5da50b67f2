#pragma once

/// What a finding is: every id that one has, each explained in the catalogue.
namespace rackproof::model::finding_id {
inline constexpr const char* kAmbiguousPlatform = "ambiguous-platform";
inline constexpr const char* kInventoryFailed = "inventory-failed";
inline constexpr const char* kGpuMissing = "gpu-missing";
inline constexpr const char* kPartialSelection = "partial-selection";
inline constexpr const char* kNotAllThere = "not-all-there";
inline constexpr const char* kUnwatched = "unwatched";
inline constexpr const char* kOtherPrograms = "other-programs";
inline constexpr const char* kDigestMismatch = "digest-mismatch";
inline constexpr const char* kDigestUndecided = "digest-undecided";
inline constexpr const char* kPeerOutlier = "peer-outlier";
inline constexpr const char* kPeerUnconfirmed = "peer-unconfirmed";
inline constexpr const char* kSlowHost = "slow-host";
inline constexpr const char* kHistoryDrop = "history-drop";
inline constexpr const char* kBimodalPeers = "bimodal-peers";
inline constexpr const char* kRuleFailed = "rule-failed";
inline constexpr const char* kReportPartFailed = "report-part-failed";
inline constexpr const char* kGroupFailed = "group-failed";
inline constexpr const char* kUnexpectedMetric = "unexpected-metric";
inline constexpr const char* kRankLost = "rank-lost";
inline constexpr const char* kHostSetAside = "host-set-aside";
inline constexpr const char* kLateRank = "late-rank";
inline constexpr const char* kDisturbed = "disturbed";
inline constexpr const char* kDisturbanceIgnored = "disturbance-ignored";
inline constexpr const char* kFailedCheck = "failed-check";
inline constexpr const char* kImplausible = "implausible";
inline constexpr const char* kUnsteady = "unsteady";
inline constexpr const char* kTableWarning = "table-warning";
inline constexpr const char* kBusyMachine = "busy-machine";
inline constexpr const char* kLoadUnknown = "load-unknown";
inline constexpr const char* kHardwareEvent = "hardware-event";
inline constexpr const char* kNotRecorded = "not-recorded";
inline constexpr const char* kRecordingEnds = "recording-ends";
inline constexpr const char* kClocksApart = "clocks-apart";
inline constexpr const char* kClockJumped = "clock-jumped";
inline constexpr const char* kMixedPlatforms = "mixed-platforms";
inline constexpr const char* kPlatformForced = "platform-forced";
inline constexpr const char* kExpectationUnmet = "expectation-unmet";
inline constexpr const char* kPlatformContradicted = "platform-contradicted";
inline constexpr const char* kPlatformUnrecognised = "platform-unrecognised";
inline constexpr const char* kVisibleDevices = "visible-devices";
inline constexpr const char* kFlaky = "flaky";
inline constexpr const char* kFloodedOutput = "flooded-output";
inline constexpr const char* kStragglerProcess = "straggler-process";
inline constexpr const char* kConfigMismatch = "config-mismatch";
inline constexpr const char* kIdentityShared = "identity-shared";
inline constexpr const char* kJournalDamaged = "journal-damaged";
inline constexpr const char* kResumed = "resumed";
inline constexpr const char* kHostRestarted = "host-restarted";
inline constexpr const char* kOutOfMemory = "out-of-memory";
inline constexpr const char* kInterrupted = "interrupted";
inline constexpr const char* kFaultInjected = "fault-injected";
inline constexpr const char* kDebugBuild = "debug-build";
}  // namespace rackproof::model::finding_id
