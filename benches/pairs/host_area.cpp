#include "benches/pairs/host_area.hpp"

#include "benches/kit/errors.hpp"

namespace rackproof::pairs {

namespace pattern = kit::pattern;

bool HostArea::reserve(std::int64_t span, std::int64_t share) {
  if (span > share / 2) return false;
  try {
    sent_.emplace(static_cast<std::size_t>(span / 8));
    received_.emplace(static_cast<std::size_t>(span / 8));
  } catch (const kit::DeviceError&) {
    return false;
  }
  return true;
}

std::uint64_t* HostArea::sent(std::int64_t slot, const Batch& batch) const {
  return sent_.value().data() + slot * batch.stride() / 8;
}

std::uint64_t* HostArea::received(std::int64_t slot, const Batch& batch) const {
  return received_.value().data() + slot * batch.stride() / 8;
}

void HostArea::write(std::uint64_t key, const Batch& batch) const {
  for (std::int64_t slot = 0; slot < batch.slots; ++slot) {
    pattern::fill(sent(slot, batch), batch.words(),
                  pattern::key_of(key, static_cast<std::uint64_t>(slot)));
  }
}

void HostArea::poison(std::uint64_t key, const Batch& batch) const {
  for (std::int64_t slot = 0; slot < batch.slots; ++slot) {
    pattern::fill(received(slot, batch), batch.words(),
                  pattern::key_of(key, static_cast<std::uint64_t>(slot)), pattern::kPoison);
  }
}

Found HostArea::compare(std::uint64_t key, const Batch& batch) const {
  Found found;
  for (std::int64_t slot = 0; slot < batch.slots; ++slot) {
    const pattern::Difference one =
        pattern::compare(received(slot, batch), batch.words(),
                         pattern::key_of(key, static_cast<std::uint64_t>(slot)));
    const std::int64_t wrong = found.words.wrong + one.wrong;
    const std::int64_t compared = found.words.compared + one.compared;
    if (one.wrong > 0 && found.words.wrong == 0) {
      found.words = one;
      found.slot = slot;
    }
    found.words.wrong = wrong;
    found.words.compared = compared;
  }
  return found;
}

void HostArea::spoil(const kit::Injection& injection, const Batch& batch) const {
  const std::int64_t element = injection.element % (batch.slots * batch.words());
  kit::flip({element % batch.words(), injection.bit}, received(element / batch.words(), batch),
            batch.words(), sizeof(std::uint64_t));
}

}  // namespace rackproof::pairs
