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

  [[nodiscard]] const CpKernel& f() const { return f_.of(model.S, model.Phi_eq); }
  [[nodiscard]] const CpKernel& g() const { return g_.of(model.S, model.Phi_ineq); }

 private:
  class Kernel {
   public:
    const CpKernel& of(const SparseColumns& S, const SparseColumns& Phi) const {
      std::call_once(made_, [&] { kernel_.emplace(CpMap(S, Phi)); });
      return *kernel_;
    }

   private:
    mutable std::once_flag made_;
    mutable std::optional<CpKernel> kernel_;
  };
  Kernel f_, g_;
};

}  // namespace mti::python
