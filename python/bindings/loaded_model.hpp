#pragma once

#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "io/model/read_model.hpp"
#include "mti/model/model.hpp"
#include "mti/multilinear/cp_kernel.hpp"

namespace mti::python {

/// A model as Python holds it: const, with f and g arranged for evaluation when they are first asked for. Threads may
/// share it.
class LoadedModel {
 public:
  /// What was read, and where, if it is from a file or a text: these say more of it than its matrices. The file may be
  /// another by now; `reading` is not.
  struct Origin {
    ReadModel reading;
    std::string path = {};  ///< of a file, or
    std::string text = {}, directory = {};
    Overrides set = {};
    Reach reach = Reach::anywhere;
    std::optional<std::string> scenario = {};  ///< as which runs begin
  };

  explicit LoadedModel(Model model_, std::optional<Origin> origin_ = {})
      : model(std::move(model_)), origin(std::move(origin_)) {}

  const Model model;
  const std::optional<Origin> origin;

  [[nodiscard]] const CpKernel& f() const {
    return f_.of([this] { return model.f(); });
  }
  [[nodiscard]] const CpKernel& g() const {
    return g_.of([this] { return model.g(); });
  }

 private:
  class Kernel {
   public:
    template <class Map>
    const CpKernel& of(const Map& map) const {
      std::call_once(made_, [&] { kernel_.emplace(map()); });
      return *kernel_;
    }

   private:
    mutable std::once_flag made_;
    mutable std::optional<CpKernel> kernel_;
  };
  Kernel f_, g_;
};

}  // namespace mti::python
