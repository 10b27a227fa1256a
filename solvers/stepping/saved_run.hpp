#pragma once

#include <memory>

namespace mti {

/// A run that Run::save has written down, and a Run of the same model takes up (io/runs/saved_run_text.hpp writes it as
/// text). Copies share what they hold, which does not change.
class SavedRun {
 public:
  struct Contents;  ///< solvers/stepping/saved_contents.hpp
  explicit SavedRun(Contents contents);

  [[nodiscard]] const Contents& contents() const noexcept { return *contents_; }

 private:
  std::shared_ptr<const Contents> contents_;
};

}  // namespace mti
