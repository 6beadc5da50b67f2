#include "benches/steps/network.hpp"

#include <fmt/format.h>
#include <mpi.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <climits>
#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>

#include "benches/kit/clock.hpp"
#include "benches/kit/errors.hpp"
#include "benches/kit/mpi/mpi.hpp"

namespace rackproof::steps {
namespace {

using kit::mpi::require;

// Tests in a row before a rank leaves its core, and for how long it does.
constexpr int kEagerTests = 16;
constexpr auto kPause = std::chrono::microseconds(10);

int counted(std::int64_t count) {
  if (count > INT_MAX) {
    throw kit::UsageError(fmt::format(
        "MPI counts to {} elements, a message of this layout has {}: cut the model over "
        "more ranks",
        INT_MAX, count));
  }
  return static_cast<int>(count);
}

}  // namespace

class Pending {
 public:
  MPI_Request request = MPI_REQUEST_NULL;
  std::atomic<bool> over{false};
  double seen = 0;  ///< written before `over`
};

struct Group::Communicator {
  MPI_Comm handle = MPI_COMM_NULL;
  explicit Communicator(MPI_Comm made) : handle(made) {}
  ~Communicator() { MPI_Comm_free(&handle); }
  Communicator(const Communicator&) = delete;
  Communicator& operator=(const Communicator&) = delete;
};

struct Network::Engine {
  std::mutex library;  ///< held by whoever calls MPI
  std::condition_variable changed;
  std::vector<Message> under_way;
  std::exception_ptr failure;
  bool stop = false;
  bool polite = false;
  std::thread thread;

  ~Engine() {
    {
      const std::lock_guard lock(library);
      stop = true;
    }
    changed.notify_all();
    if (thread.joinable()) thread.join();
  }

  Message start(const std::function<void(MPI_Request*)>& call) {
    auto message = std::make_shared<Pending>();
    const std::lock_guard lock(library);
    call(&message->request);
    if (thread.joinable()) {
      under_way.push_back(message);
      changed.notify_all();
    }
    return message;
  }

  // With the lock held.
  static bool test(Pending& message) {
    int over = 0;
    require(MPI_Test(&message.request, &over, MPI_STATUS_IGNORE), "MPI_Test");
    if (over == 0) return false;
    message.seen = kit::now_seconds();
    message.over.store(true, std::memory_order_release);
    return true;
  }

  void pause(int tests) const {
    if (!polite || tests < kEagerTests) return;
    std::this_thread::sleep_for(kPause);
  }

  void drive() {
    // A pause of 10 us is one of 60 us with the slack that timers have by default.
    (void)prctl(PR_SET_TIMERSLACK, 1000UL);
    std::unique_lock lock(library);
    int idle = 0;
    while (!stop) {
      if (under_way.empty() || failure) {
        changed.wait(lock);
        continue;
      }
      const std::size_t before = under_way.size();
      try {
        std::erase_if(under_way, [](const Message& message) { return test(*message); });
      } catch (...) {
        failure = std::current_exception();
      }
      idle = under_way.size() < before ? 0 : idle + 1;
      if (idle == 0 || failure) changed.notify_all();
      lock.unlock();
      pause(idle);
      lock.lock();
    }
  }

  double wait(const Message& message) {
    if (thread.joinable()) {
      std::unique_lock lock(library);
      changed.wait(lock, [&] { return failure || message->over.load(std::memory_order_acquire); });
      if (failure) std::rethrow_exception(failure);
      return message->seen;
    }
    for (int tests = 0; !test(*message); ++tests) pause(tests);
    return message->seen;
  }
};

Network::Network(Progress progress) : engine_(std::make_unique<Engine>()) {
  int granted = 0;
  require(MPI_Query_thread(&granted), "MPI_Query_thread");
  if (progress == Progress::kThread && granted < MPI_THREAD_SERIALIZED) {
    throw kit::Unavailable(
        "--progress thread: MPI was started for one thread alone in this process; measure without");
  }
  (void)prctl(PR_SET_TIMERSLACK, 1000UL);
  MPI_Comm all = MPI_COMM_NULL;
  require(MPI_Comm_dup(MPI_COMM_WORLD, &all), "MPI_Comm_dup");
  world_.network_ = this;
  world_.communicator_ = std::make_shared<Group::Communicator>(all);
  require(MPI_Comm_set_errhandler(all, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
  require(MPI_Comm_rank(all, &world_.rank_), "MPI_Comm_rank");
  require(MPI_Comm_size(all, &world_.size_), "MPI_Comm_size");
  MPI_Comm node = MPI_COMM_NULL;
  require(MPI_Comm_split_type(all, MPI_COMM_TYPE_SHARED, world_.rank_, MPI_INFO_NULL, &node),
          "MPI_Comm_split_type");
  require(MPI_Comm_size(node, &local_size_), "MPI_Comm_size");
  // The first rank of this one's host, which all of them know of each other.
  int first = world_.rank_;
  require(MPI_Bcast(&first, 1, MPI_INT, 0, node), "MPI_Bcast");
  hosts_.resize(static_cast<std::size_t>(world_.size_));
  require(MPI_Allgather(&first, 1, MPI_INT, hosts_.data(), 1, MPI_INT, all), "MPI_Allgather");
  MPI_Comm_free(&node);
  const int threads = progress == Progress::kThread ? 2 * local_size_ : local_size_;
  engine_->polite = threads > sysconf(_SC_NPROCESSORS_ONLN);
  if (progress == Progress::kThread) engine_->thread = std::thread([this] { engine_->drive(); });
}

Network::~Network() = default;

bool Network::crowded() const { return engine_->polite; }

Group Network::split(int color, int key) {
  const std::lock_guard lock(engine_->library);
  MPI_Comm made = MPI_COMM_NULL;
  require(MPI_Comm_split(world_.communicator_->handle, color, key, &made), "MPI_Comm_split");
  Group group;
  group.network_ = this;
  group.communicator_ = std::make_shared<Group::Communicator>(made);
  require(MPI_Comm_rank(made, &group.rank_), "MPI_Comm_rank");
  require(MPI_Comm_size(made, &group.size_), "MPI_Comm_size");
  return group;
}

double Network::wait(const Message& message) { return engine_->wait(message); }

Message Group::all_reduce(float* data, std::int64_t count) const {
  return network_->engine_->start([&](MPI_Request* request) {
    require(MPI_Iallreduce(MPI_IN_PLACE, data, counted(count), MPI_FLOAT, MPI_SUM,
                           communicator_->handle, request),
            "MPI_Iallreduce");
  });
}

Message Group::all_gather(const float* in, float* out, std::int64_t count) const {
  return network_->engine_->start([&](MPI_Request* request) {
    require(MPI_Iallgather(in, counted(count), MPI_FLOAT, out, counted(count), MPI_FLOAT,
                           communicator_->handle, request),
            "MPI_Iallgather");
  });
}

Message Group::reduce_scatter(const float* in, float* out, std::int64_t count) const {
  return network_->engine_->start([&](MPI_Request* request) {
    require(MPI_Ireduce_scatter_block(in, out, counted(count), MPI_FLOAT, MPI_SUM,
                                      communicator_->handle, request),
            "MPI_Ireduce_scatter_block");
  });
}

Message Group::all_to_all(const float* in, float* out, std::int64_t count) const {
  return network_->engine_->start([&](MPI_Request* request) {
    require(MPI_Ialltoall(in, counted(count), MPI_FLOAT, out, counted(count), MPI_FLOAT,
                          communicator_->handle, request),
            "MPI_Ialltoall");
  });
}

Message Group::send(const float* data, std::int64_t count, int to, int tag) const {
  return network_->engine_->start([&](MPI_Request* request) {
    require(MPI_Isend(data, counted(count), MPI_FLOAT, to, tag, communicator_->handle, request),
            "MPI_Isend");
  });
}

Message Group::receive(float* data, std::int64_t count, int from, int tag) const {
  return network_->engine_->start([&](MPI_Request* request) {
    require(MPI_Irecv(data, counted(count), MPI_FLOAT, from, tag, communicator_->handle, request),
            "MPI_Irecv");
  });
}

void Group::barrier() const {
  network_->wait(network_->engine_->start([&](MPI_Request* request) {
    require(MPI_Ibarrier(communicator_->handle, request), "MPI_Ibarrier");
  }));
}

std::vector<double> Group::gather(std::span<const double> values) const {
  std::vector<double> all(values.size() * static_cast<std::size_t>(size_));
  const int count = counted(static_cast<std::int64_t>(values.size()));
  network_->wait(network_->engine_->start([&](MPI_Request* request) {
    require(MPI_Iallgather(values.data(), count, MPI_DOUBLE, all.data(), count, MPI_DOUBLE,
                           communicator_->handle, request),
            "MPI_Iallgather");
  }));
  return all;
}

}  // namespace rackproof::steps
