#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "harness/journal/entry.hpp"

namespace rackproof::journal {

/// An entry as one line without a newline. Its kind, "j", is the first key.
std::string to_json(const Entry& entry);
/// The head of a begin line.
std::string to_json(const Head& head);
/// The begin line of a head that is JSON already: the warden passes on what its rank gave it.
std::string begin_line(const std::string& attempt, double t, std::string_view head,
                       double deadline_s, std::int64_t pid);

/// A line as JSON, without the seal that it has in a file; nothing when it is no object with a text
/// "j".
std::optional<nlohmann::json> parse_line(std::string_view line);
/// What such a line says. Lines of every version are read: what one of them does not have, and what
/// is of another type where nothing hangs on it, is as if it were not told. Throws model::BadReport
/// for a line that cannot mean anything.
Entry entry_from_json(const nlohmann::json& line);
/// Both, for a line alone.
std::optional<Entry> read_entry(std::string_view line);
/// The head of a begin line, as to_json wrote it.
Head head_from_json(const nlohmann::json& head);

/// Whether a line of a journal is a close line, with or without its seal.
bool is_close_line(std::string_view line);
/// Whether that is the last whole line of a journal.
bool ends_closed(std::string_view journal);

}  // namespace rackproof::journal
