#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace rackproof::steps {

/// What a model is made of, as far as work and messages depend on it.
struct Card {
  std::string name;
  std::int64_t hidden = 0;        ///< h: length of a token's vector
  std::int64_t layers = 0;        ///< L
  std::int64_t heads = 0;         ///< a: of queries
  std::int64_t kv_heads = 0;      ///< of keys and values; divides heads
  std::int64_t feed_forward = 0;  ///< d_ff, of one expert
  std::int64_t experts = 1;       ///< 1: a dense model
  std::int64_t experts_per_token = 1;
  std::string precision;  ///< of weights and activations: "fp32", "bf16", "fp16" or "fp8"

  std::int64_t head_size() const { return hidden / heads; }
  /// Columns of the products that make queries, keys and values: h + 2 h kv/a.
  std::int64_t qkv_columns() const { return hidden + 2 * head_size() * kv_heads; }
};

/// Bytes of one element in a precision.
std::int64_t bytes_of_precision(std::string_view precision);

/// A card out of the text of its file. Throws kit::UsageError, "NAME:LINE: \"field\": expected
/// ...", for a field that is missing, unknown, out of range, or does not divide what it has to.
Card parse_card(std::string_view text, std::string_view name);

/// The folders of shipped cards that belong to this program, nearest first.
std::vector<std::filesystem::path> card_folders();

/// The card of that name in `folders` ("llama-8b"), or the file at that path where the word has a
/// slash or ends with .json. Throws kit::UsageError; an unknown name is answered with the known.
Card load_card(const std::string& word, const std::vector<std::filesystem::path>& folders);

/// The same model with `layers` layers (0: as it is), and with vectors and feed-forward `scale`
/// times shorter; heads stay. Throws kit::UsageError where they cannot be divided.
Card scaled(Card card, std::int64_t layers, std::int64_t scale);

}  // namespace rackproof::steps
