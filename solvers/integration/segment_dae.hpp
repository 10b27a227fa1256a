#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "mti/model/freeze.hpp"
#include "mti/model/input.hpp"
#include "mti/multilinear/cp_kernel.hpp"
#include "solvers/integration/differentiated_rows.hpp"
#include "solvers/integration/integrator.hpp"
#include "solvers/integration/jacobian_layout.hpp"
#include "solvers/integration/segment_unknowns.hpp"
#include "solvers/integration/small_differences.hpp"
#include "solvers/mode/mode_system.hpp"
#include "solvers/motion/motion.hpp"

namespace mti {

/// Kernels of a whole model with z as signals, for models so large that making them for every mode would cost
/// more than evaluating columns that vanish. With them all modes share one pattern, and so the symbolic part
/// of the factorisation.
struct WholeModelKernels {
  explicit WholeModelKernels(const Model& model);

  CpKernel f, g;
  /// Whether they pay.
  [[nodiscard]] static bool suit(const Model& model);
};

/// One mode of a model as the DAE that is integrated, with its workspace.
///
/// Its unknowns w are x, y, ζ, and what else SegmentUnknowns lists. Rows: the equations of the mode's plan;
/// those of them that are differentiated, once for each time; y_i − (its value) = 0 for every y_i that keeps
/// its last value, being undetermined, or that the mode makes a number: these are folded into the
/// coefficients of the other rows, where their rounding as unknowns could exceed what is left of a sum; the
/// ties between unknowns that are each other's derivative. Constraints on x that differentiation reveals are
/// so kept as they are, and do not drift. Constant inputs are folded into the coefficients. Not to be shared
/// between threads.
class SegmentDae {
 public:
  /// `whole` may be null.
  SegmentDae(const Model& model, std::shared_ptr<const ModeSystem> mode_system, const Accuracy& accuracy,
             std::shared_ptr<const WholeModelKernels> whole);
  SegmentDae(const SegmentDae&) = delete;
  SegmentDae& operator=(const SegmentDae&) = delete;
  ~SegmentDae() = default;

  /// The inputs of the coming segment, which starts at t and v; undetermined signals keep their values of v.
  void set_segment(double t, InputPieces pieces, std::span<const double> v);
  /// Makes residual, Jacobian and pattern of the coming segment. Where it is not integrated as a DAE they are not needed,
  /// and in a mode that is new they cost more than the segment.
  void prepare_equations();

  /// Small differences are integrated in the place of the states that they move, where the coming segment, of length
  /// `duration` and with the slopes `rate` at its start, has such (SmallDifferences).
  void separate_small_differences(std::span<const double> v, std::span<const double> rate, double duration);
  /// Integrates the states themselves again.
  void join_small_differences();
  [[nodiscard]] bool has_small_differences() const noexcept { return differences_.has_value(); }

  /// More of them could be separated now.
  [[nodiscard]] bool has_more_small_differences(std::span<const double> v, std::span<const double> rate,
                                                double duration) const;

  /// The part of the local error tolerance that is used.
  void set_caution(double caution) { dae_.caution = caution; }
  /// The tolerance of a derivative among the unknowns is the error bound of its signal in one step, over the length
  /// of the step: derivatives follow from the other unknowns, and their errors do not accumulate.
  void set_length_of_steps(double h);

  /// Tolerances of the unknowns; the equations themselves once they are prepared.
  [[nodiscard]] const DaeSystem& dae() const noexcept { return dae_; }
  [[nodiscard]] const ModeSystem& mode_system() const noexcept { return *mode_system_; }
  [[nodiscard]] const std::shared_ptr<const WholeModelKernels>& whole() const noexcept { return whole_; }
  [[nodiscard]] const SegmentUnknowns& unknowns() const noexcept { return unknowns_; }

  /// Puts ẋ, x, y, ζ and the varying inputs at t into v.
  void point(double t, std::span<const double> w, std::span<const double> wp, std::span<double> v) const;
  /// Puts their derivatives into `rate`.
  void rate(double t, std::span<const double> wp, std::span<const double> wpp, std::span<double> rate) const;
  /// The selection of integrated unknowns is ill-conditioned at t and v: the segment should be restarted.
  [[nodiscard]] bool is_worn_out(double t, std::span<const double> v);

 private:
  void make_kernel();
  void take(std::optional<SmallDifferences> found, std::span<const double> v);
  void arrange();
  [[nodiscard]] const SolutionPlan& plan() const noexcept {
    return differences_ ? differences_->plan : *mode_system_->plan;
  }
  void take_point(double t, std::span<const double> v);
  void enter_input_derivatives(double t);
  void note_rounding_of_inputs(double t);
  void load(double t, std::span<const double> w, std::span<const double> wp);
  bool residual(double t, std::span<const double> w, std::span<const double> wp, std::span<double> F);
  bool jacobian(double t, double alpha, std::span<const double> w, std::span<const double> wp,
                std::span<double> J);

  const Model& model_;
  const Signature& signature_;
  std::shared_ptr<const ModeSystem> mode_system_;
  const Accuracy& accuracy_;
  std::shared_ptr<const WholeModelKernels> whole_;
  std::vector<FixedSignal> constants_;  ///< algebraic signals that are numbers in this mode
  CpKernel own_kernel_;                 ///< of the mode, where there are no kernels of the whole model
  const CpKernel* kernel_ = nullptr;    ///< null until equations are prepared
  std::vector<int> row_of_;  ///< row of the DAE for each row of the kernel; −1: not among its equations
  int solved_rows_ = 0;
  CpKernel::Workspace workspace_;
  DummyDerivatives selection_;
  std::optional<SmallDifferences> differences_;
  SegmentUnknowns unknowns_;
  DifferentiatedRows differentiated_;
  InputPieces pieces_;
  std::vector<int> varying_inputs_;
  std::vector<int> held_;  ///< undetermined rows of y, then those of the constants
  std::vector<double> held_values_, unit_, scale_;
  std::vector<double> v_, f_, J_, differentiated_J_;
  JacobianLayout layout_;
  bool arranged_ = false, laid_out_ = false;  ///< for the present selection
  std::vector<char> integrated_;              ///< slots of derivatives that are integrated
  DaeSystem dae_;
};

}  // namespace mti
