#include "harness/fleet/mpi.hpp"

#include <mpi.h>

#include <list>
#include <set>
#include <utility>

#include "harness/fleet/packet.hpp"

namespace rackproof::fleet {
namespace {

constexpr int kTag = 7001;

void check(int code, const char* call) {
  if (code == MPI_SUCCESS) return;
  char text[MPI_MAX_ERROR_STRING] = {};
  int length = 0;
  MPI_Error_string(code, text, &length);
  throw TeamError(std::string(call) + ": " + std::string(text, static_cast<std::size_t>(length)));
}

class MpiTeam : public Team {
 public:
  MpiTeam() {
    check(MPI_Init(nullptr, nullptr), "MPI_Init");
    // A communicator of our own keeps control messages apart from what benches send.
    check(MPI_Comm_dup(MPI_COMM_WORLD, &comm_), "MPI_Comm_dup");
    MPI_Comm_set_errhandler(comm_, MPI_ERRORS_RETURN);
    MPI_Comm_rank(comm_, &rank_);
    MPI_Comm_size(comm_, &size_);
  }

  int rank() const override { return rank_; }
  int size() const override { return size_; }

  void send(int to, MessageKind kind, const std::string& body) override {
    std::string bytes = pack(kind, body);
    Transfer& out = outgoing_.emplace_back(Transfer{to, std::move(bytes)});
    // A rank that cannot be reached is found by its silence, whichever way the library puts it.
    if (MPI_Isend(out.bytes.data(), static_cast<int>(out.bytes.size()), MPI_BYTE, to, kTag, comm_,
                  &out.request) != MPI_SUCCESS) {
      outgoing_.pop_back();
    }
    retire();
  }

  std::optional<Message> receive() override {
    retire();
    while (accept()) {
    }
    // In order from each rank. One that dies in the middle of a message holds up nobody else.
    std::set<int> waits_for_more;
    for (auto it = incoming_.begin(); it != incoming_.end(); ++it) {
      if (waits_for_more.contains(it->peer)) continue;
      if (!is_over(*it)) {
        waits_for_more.insert(it->peer);
        continue;
      }
      auto message = it->failed ? std::nullopt : unpack(it->peer, it->bytes);
      if (!message) message = Message{it->peer, MessageKind::kDamaged, ""};
      incoming_.erase(it);
      return message;
    }
    return std::nullopt;
  }

  void leave(bool everyone) override {
    if (!everyone) return;
    while (!outgoing_.empty()) retire();
    MPI_Comm_free(&comm_);
    MPI_Finalize();
  }

 private:
  struct Transfer {
    int peer = 0;
    std::string bytes = {};
    MPI_Request request = MPI_REQUEST_NULL;
    bool failed = false;
  };

  // Begins to receive the next message, if one has been announced. Never waits for it: the rank
  // that sends it may stop at any byte.
  bool accept() {
    int here = 0;
    MPI_Message handle = MPI_MESSAGE_NULL;
    MPI_Status status;
    check(MPI_Improbe(MPI_ANY_SOURCE, kTag, comm_, &here, &handle, &status), "MPI_Improbe");
    if (here == 0) return false;
    int count = 0;
    MPI_Get_count(&status, MPI_BYTE, &count);
    // MPI_UNDEFINED is negative. Room for nothing takes an impossible message off the queue.
    const bool fits = count >= 0 && static_cast<std::size_t>(count) <= kMaxMessageBytes;
    Transfer& in = incoming_.emplace_back(Transfer{status.MPI_SOURCE});
    in.bytes.resize(fits ? static_cast<std::size_t>(count) : 0);
    in.failed = MPI_Imrecv(in.bytes.data(), static_cast<int>(in.bytes.size()), MPI_BYTE, &handle,
                           &in.request) != MPI_SUCCESS;
    return true;
  }

  static bool is_over(Transfer& transfer) {
    if (transfer.failed) return true;
    int done = 0;
    transfer.failed = MPI_Test(&transfer.request, &done, MPI_STATUS_IGNORE) != MPI_SUCCESS;
    return transfer.failed || done != 0;
  }

  void retire() { outgoing_.remove_if(is_over); }

  MPI_Comm comm_ = MPI_COMM_NULL;
  int rank_ = 0;
  int size_ = 1;
  std::list<Transfer> outgoing_;
  std::list<Transfer> incoming_;
};

}  // namespace

std::unique_ptr<Team> make_mpi_team(int expected_size) {
  auto team = std::make_unique<MpiTeam>();
  if (expected_size > 0 && team->size() != expected_size) {
    throw TeamError("the launcher started " + std::to_string(expected_size) +
                    " ranks, but MPI sees " + std::to_string(team->size()) +
                    ": this build's MPI library does not belong to that launcher");
  }
  return team;
}

}  // namespace rackproof::fleet
