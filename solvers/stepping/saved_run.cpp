#include "solvers/stepping/saved_run.hpp"

#include <utility>

#include "solvers/stepping/saved_contents.hpp"

namespace mti {

SavedRun::SavedRun(Contents contents) : contents_(std::make_shared<const Contents>(std::move(contents))) {}

}  // namespace mti
