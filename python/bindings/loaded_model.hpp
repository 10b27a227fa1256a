#pragma once

#include <mutex>
#include <optional>
#include <utility>

#include "mti/model/model.hpp"
#include "mti/multilinear/cp_kernel.hpp"

namespace mti::python {

/// A model as Python holds it: const, with f and g arranged for evaluation when they are first asked for. Threads may
/// share it.
class LoadedModel {
 public:
  explicit LoadedModel(Model model_) : model(std::move(model_)) {}

  const Model model;

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
