#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include "harness/wire/rows.hpp"

namespace rackproof::cli {

/// Reads a file of rows, "-" for stdin, a block at a time on all cores: only the numbers stay in
/// memory. Throws UsageError, with the name of the file and the first line that is wrong.
wire::RowTable load_rows(const std::string& path);

/// Has the allocator keep what is freed for what is asked for next: large columns and pieces come
/// and go by the thousand, and to get each from the kernel takes a quarter of the time.
void keep_freed_memory();

/// Calls `work(i)` for each i under `count`, on all cores. Throws what the first of them throws.
void on_all_cores(std::size_t count, const std::function<void(std::size_t)>& work);

}  // namespace rackproof::cli
