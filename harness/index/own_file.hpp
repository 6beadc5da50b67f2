#pragma once

#include <cstdint>
#include <string>

namespace rackproof::index {

/// The path with its folder in full. Throws IndexError where that is not there, or everybody may
/// write to it.
std::string full_path(const std::string& path);

/// False: there is nothing. Throws IndexError for what is no regular file, and for one that others
/// than its user and root own or may write.
bool require_own_file(const std::string& path);

/// Makes an empty file for its user alone, where there is none. Throws IndexError.
void create_own_file(const std::string& path);

/// Whether the first bytes of the file say that it is an SQLite database with this mark (PRAGMA
/// application_id), whatever state it is in.
bool is_database_of(const std::string& path, std::uint32_t application);

/// Deletes such a file, and what SQLite keeps beside it. False: it is none.
bool discard_database(const std::string& path, std::uint32_t application);

}  // namespace rackproof::index
