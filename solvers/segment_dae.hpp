#pragma once

#include <memory>
#include <span>
#include <vector>

#include "mti/cp_kernel.hpp"
#include "mti/input.hpp"
#include "solvers/integrator.hpp"
#include "solvers/mode_system.hpp"

namespace mti {

/// One mode of a model as the DAE that is integrated, w = (x, y), with its workspace.
///
/// Rows: the equations of the mode's solution blocks, then y_i − (last value) = 0 for every undetermined
/// y_i. Constant inputs are folded into the coefficients. Not to be shared between threads.
class SegmentDae {
 public:
  SegmentDae(const Model& model, std::shared_ptr<const ModeSystem> mode_system);
  SegmentDae(const SegmentDae&) = delete;
  SegmentDae& operator=(const SegmentDae&) = delete;

  /// The inputs of the coming segment and the values of the undetermined signals, taken from v.
  void set_segment(std::vector<InputPiece> pieces, std::span<const double> v);

  [[nodiscard]] const DaeSystem& dae() const noexcept { return dae_; }
  [[nodiscard]] const ModeSystem& mode_system() const noexcept { return *mode_system_; }
  [[nodiscard]] const std::vector<InputPiece>& pieces() const noexcept { return pieces_; }

 private:
  void place_entries();
  void load(double t, std::span<const double> w, std::span<const double> wp);
  bool residual(double t, std::span<const double> w, std::span<const double> wp, std::span<double> F);
  bool jacobian(double t, double alpha, std::span<const double> w, std::span<const double> wp,
                std::span<double> J);

  struct Entry {
    int source;  ///< in the kernel's Jacobian
    int target;  ///< in the DAE's
  };

  const Signature& signature_;
  std::shared_ptr<const ModeSystem> mode_system_;
  CpKernel kernel_;
  CpKernel::Workspace workspace_;
  std::vector<InputPiece> pieces_;
  std::vector<int> varying_inputs_;
  std::vector<double> held_values_;
  std::vector<double> v_, f_, J_;
  std::vector<Entry> derivative_entries_, other_entries_;
  std::vector<int> held_entries_;
  DaeSystem dae_;
};

}  // namespace mti
