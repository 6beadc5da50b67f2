#pragma once

#include <array>
#include <optional>
#include <string>

namespace rackproof::kit::cuda {

/// What the runtime does not tell, asked of the driver's own library, which is loaded at run time:
/// a machine without one starts the program too.
bool driver_is_here();

/// 13000 for CUDA 13.0; nothing where there is no driver. Does not start it, as the runtime's call
/// of that name does: the driver reads CUDA_VISIBLE_DEVICES then and never again.
std::optional<int> driver_version();

/// A UUID as the driver gives it.
using UuidBytes = std::array<unsigned char, 16>;

/// "GPU-..." or "MIG-...": of the UUID of the board and that of what this process was given of it,
/// which are two where it is an instance of MIG.
std::string uuid_text(const UuidBytes& board, const UuidBytes& given);

/// That of the device at this place among those of this process, once the driver was started;
/// nothing when it does not tell.
std::optional<std::string> uuid_of(int index);

}  // namespace rackproof::kit::cuda
