#include <array>

#include "reports/catalogue/quantity_tables.hpp"
#include "reports/model/column_name.hpp"

namespace rackproof::catalogue {
namespace {

namespace column_name = model::column_name;

constexpr std::array kColumns = {
    Quantity{column_name::kCpuEnergy, "J", "energy of a CPU package (RAPL)"},
    Quantity{column_name::kCpuPower, "W", "power of a Grace socket or a part of it"},
    Quantity{column_name::kCpuTemperature, "degC", "CPU temperature sensor"},
    Quantity{column_name::kCpuIdle, "s", "time that all CPUs together have been idle since boot"},
    Quantity{column_name::kCpuFrequencyMin, "Hz", "clock of the slowest core"},
    Quantity{column_name::kCpuFrequencyMean, "Hz", "mean clock of the cores"},
    Quantity{column_name::kCpuFrequencyMax, "Hz", "clock of the fastest core"},
    Quantity{column_name::kLoad1, "1", "load average over 1 minute"},
    Quantity{column_name::kLoadRunning, "1", "runnable threads"},
    Quantity{column_name::kMemoryFree, "B", "free memory"},
    Quantity{column_name::kMemoryAvailable, "B", "available memory"},
    Quantity{column_name::kMemoryCorrectedErrors, "1", "memory errors corrected (EDAC)"},
    Quantity{column_name::kMemoryUncorrectedErrors, "1", "uncorrected memory errors (EDAC)"},
    Quantity{column_name::kNicReceived, "B", "bytes received"},
    Quantity{column_name::kNicSent, "B", "bytes sent"},
    Quantity{column_name::kNicReceiveErrors, "1", "receive errors"},
    Quantity{column_name::kNicSendErrors, "1", "transmit errors"},
    Quantity{column_name::kNicReceiveDrops, "1", "received packets that were dropped"},
    Quantity{column_name::kNicSendDrops, "1", "packets dropped instead of sent"},
    Quantity{column_name::kNicCarrierChanges, "1", "times that the link went up or down"},
    Quantity{column_name::kInfinibandReceived, "B", "bytes received"},
    Quantity{column_name::kInfinibandSent, "B", "bytes sent"},
    Quantity{column_name::kInfinibandSymbolErrors, "1", "symbol errors"},
    Quantity{column_name::kInfinibandLinkRecoveries, "1", "link error recoveries"},
    Quantity{column_name::kInfinibandLinkDowns, "1", "times that the link went down"},
    Quantity{column_name::kInfinibandReceiveErrors, "1", "packets received with errors"},
    Quantity{column_name::kInfinibandSendDiscards, "1", "packets discarded instead of sent"},
    Quantity{column_name::kInfinibandIntegrityErrors, "1", "local link integrity errors"},
    Quantity{column_name::kInfinibandOverrunErrors, "1", "excessive buffer overruns"},
    Quantity{column_name::kPcieCorrectableErrors, "1", "correctable PCIe errors (AER)"},
    Quantity{column_name::kPcieNonfatalErrors, "1", "nonfatal PCIe errors (AER)"},
    Quantity{column_name::kPcieFatalErrors, "1", "fatal PCIe errors (AER)"},
    Quantity{column_name::kGpuPower, "W", "power now"},
    Quantity{column_name::kGpuEnergy, "J", "energy since the driver was loaded"},
    Quantity{column_name::kGpuTemperature, "degC", "GPU temperature"},
    Quantity{column_name::kGpuMemoryTemperature, "degC", "memory temperature"},
    Quantity{column_name::kGpuSmClock, "Hz", "SM clock"},
    Quantity{column_name::kGpuMemoryClock, "Hz", "memory clock"},
    Quantity{column_name::kGpuUtilization, "1", "share of time in which a kernel ran"},
    Quantity{column_name::kGpuMemoryUtilization, "1",
             "share of time in which memory was read or written"},
    Quantity{column_name::kGpuThrottle, "1", "reasons for which clocks are held down, a bit each"},
    Quantity{column_name::kGpuXids, "1", "Xid errors since the recording began"},
    Quantity{column_name::kGpuLastXid, "1", "last Xid error"},
    Quantity{column_name::kGpuEccCorrected, "1", "corrected ECC errors"},
    Quantity{column_name::kGpuEccUncorrected, "1", "uncorrected ECC errors"},
    Quantity{column_name::kGpuRemappedCorrectable, "1",
             "memory rows remapped after corrected errors"},
    Quantity{column_name::kGpuRemappedUncorrectable, "1",
             "memory rows remapped after uncorrected errors"},
    Quantity{column_name::kGpuRemapPending, "1",
             "1 where a row will be remapped at the next reset"},
    Quantity{column_name::kGpuRemapFailure, "1", "1 where a row could not be remapped"},
    Quantity{column_name::kGpuPcieReplays, "1", "PCIe replays"},
    Quantity{column_name::kGpuNvlinkReplays, "1", "replays, all NVLinks"},
    Quantity{column_name::kGpuNvlinkRecoveries, "1", "recoveries, all NVLinks"},
    Quantity{column_name::kGpuNvlinkFlitCrcErrors, "1", "CRC errors of flits, all NVLinks"},
    Quantity{column_name::kGpuNvlinkDataCrcErrors, "1", "CRC errors of data, all NVLinks"},
    Quantity{column_name::kGpuNvlinkReceiveErrors, "1", "receive errors, all NVLinks"},
    Quantity{column_name::kGpuNvlinkIntegrityErrors, "1", "integrity errors, all NVLinks"},
    Quantity{column_name::kGpuNvlinkRecoveryEvents, "1", "recovery events, all NVLinks"},
    Quantity{column_name::kGpuNvlinkSymbolErrors, "1", "symbol errors, all NVLinks"},
    Quantity{column_name::kGpuGpmSmActive, "1", "share of time in which SMs had a warp (GPM)"},
    Quantity{column_name::kGpuGpmSmOccupancy, "1", "share of warp slots in use (GPM)"},
    Quantity{column_name::kGpuGpmTensorActive, "1",
             "share of time in which tensor cores were busy (GPM)"},
    Quantity{column_name::kGpuGpmMemoryBandwidth, "1", "share of memory bandwidth in use (GPM)"},
    Quantity{column_name::kGpuGpmPcieSent, "B/s", "bytes sent over PCIe (GPM)"},
    Quantity{column_name::kGpuGpmPcieReceived, "B/s", "bytes received over PCIe (GPM)"},
    Quantity{column_name::kGpuGpmNvlinkSent, "B/s", "bytes sent over NVLink (GPM)"},
    Quantity{column_name::kGpuGpmNvlinkReceived, "B/s", "bytes received over NVLink (GPM)"},
    Quantity{column_name::kRecorderCpu, "s", "CPU time of the recorder"},
    Quantity{column_name::kRecorderInterval, "s", "time between two samples"},
    Quantity{column_name::kKernelMessages, "1", "messages of the kernel that were seen"},
};

}  // namespace

std::span<const Quantity> columns() { return kColumns; }

}  // namespace rackproof::catalogue
