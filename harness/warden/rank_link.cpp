#include "harness/warden/rank_link.hpp"

#include <sys/socket.h>

#include <cerrno>

namespace rackproof::warden {

void RankLink::flush() {
  while (!outgoing_.empty()) {
    const ssize_t n =
        ::send(socket_.get(), outgoing_.data(), outgoing_.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
    if (n <= 0) {
      if (n < 0 && errno == EINTR) continue;
      return;
    }
    outgoing_.erase(0, static_cast<std::size_t>(n));
  }
}

}  // namespace rackproof::warden
