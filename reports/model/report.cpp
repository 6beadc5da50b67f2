#include "reports/model/report.hpp"

namespace rackproof::model {

int exit_code_of(Acceptance acceptance) {
  switch (acceptance) {
    case Acceptance::kAccepted:
      return 0;
    case Acceptance::kRejected:
      return 3;
    case Acceptance::kIncomplete:
      return 4;
  }
  return 1;
}

}  // namespace rackproof::model
