#pragma once

#include <limits>
#include <optional>
#include <vector>

#include "mti/polynomials/polynomial_roots.hpp"
#include "solvers/flow/smooth_integrator.hpp"
#include "solvers/integration/segment_dae.hpp"
#include "solvers/motion/motion.hpp"

namespace mti {

/// Watches g ≤ 0 along a segment on the integrator's dense output.
///
/// A step of power series gives the polynomial of each constraint itself, of which the first passage is found by its
/// coefficients (polynomial_roots.hpp), to rounding. A product has higher orders than its factors: where the polynomial
/// has lost something of it at the end of the step, the signals' polynomials are sampled as those of other integrators.
///
/// On each step of IDA (or a quarter period of sine inputs in g itself, where that is shorter) every live constraint
/// is bounded by the cubic that matches g and Dg (25) at both ends, in Bernstein form: coefficients below
/// zero by a margin exclude a crossing; otherwise the step is halved until each row has at most one crossing,
/// and that is located by bracketing (TOMS 748: Alefeld, Potra, Shi 1995) to the resolution of t. So two
/// crossings inside one step are both seen, and a boundary that is touched within its accuracy is not
/// crossed. What is promised stands in docs/events.md.
class EventLocation {
 public:
  EventLocation(const Model& model, const Accuracy& accuracy, const SegmentDae& segment,
                const SmoothIntegrator& integrator);

  /// A located boundary: the right-hand end of its bracket and the row of the mode system's g.
  struct Crossing {
    double t = 0.0;
    int constraint = -1;
    double time_uncertainty = 0.0;
  };

  /// Begins at the segment's start with the right limits of v and of dv/dt, known to `part` of their ε: a row that stands
  /// within that, or within what `motion` knows of it where the integrator goes by the equations themselves, starts on its
  /// boundary.
  void begin(double t, std::span<const double> v, std::span<const double> rate, double part, Motion& motion);
  /// The first crossing in (previous time, t]; the monitor then stands at t, or at the crossing.
  [[nodiscard]] std::optional<Crossing> advance(double t);
  /// The crossing was examined and the mode goes on, with g and Dg of the row as given: the row may stay within its
  /// tolerance from here on, but not beyond the error bound of g, where the next mode would be decided otherwise.
  /// Where the motion falls, and only the dense output or rounding has risen, it is looked at again soon. True if the row
  /// has been outside of its tolerance for longer than the uncertainty of time excuses: only its error bound keeps the
  /// mode, which may be wider than what is to be told apart.
  bool accept(int constraint, Ball value, Ball slope);
  /// A row that has been above zero, beyond rounding but not beyond its level, for longer than the uncertainty of time excuses,
  /// in a mode of IDA, which knows a signal to its tolerance alone: whether the mode should have changed is not told. Each once.
  struct Undecided {
    int constraint = -1;
    double since = 0.0, value = 0.0, bound = 0.0;
  };
  [[nodiscard]] std::optional<Undecided> undecided();

 private:
  struct Sample {
    double t = 0.0;
    std::vector<double> g, slope;  ///< by row of the kernel
  };
  enum class Course { clear, crossing, unclear };
  /// A switch is to be found within ten resolutions of time: a row that is outside of its tolerance is excused by the
  /// uncertainty of time for no longer than these, less one for how the excuse begins and ends.
  static constexpr double longest_excuse = 9.0;

  /// g and Dg from v_ and rate_.
  void evaluate(double t, Sample& sample);
  /// The same at t of the last step.
  void interpolate(double t, Sample& sample);
  [[nodiscard]] double tolerance(std::size_t row, double part = 1.0) const;
  [[nodiscard]] double tolerance_of(const ReducedConstraint& reduced, double part) const;
  void reduce(Motion& motion);
  [[nodiscard]] double left_of_equations(std::size_t row) const;
  void put_right(Sample& sample) const;
  /// ẋ occurs in g, or in equations by which it is put right.
  [[nodiscard]] bool needs_second_derivatives() const noexcept {
    return uses_derivatives_ || some_are_put_right_;
  }
  [[nodiscard]] double error_of(int signal) const;
  [[nodiscard]] double touching_tolerance(std::size_t row);
  [[nodiscard]] double rounding(std::size_t row) const;
  [[nodiscard]] double rounding_of_time(std::size_t row, double t);
  [[nodiscard]] Course course(std::size_t row, const Sample& a, const Sample& b, int depth);
  std::optional<Crossing> search(const Sample& a, const Sample& b, int depth);
  Crossing locate(std::size_t row, const Sample& a, const Sample& b);
  [[nodiscard]] double value_at(std::size_t row, double t);
  void read_constraints(Sample& sample) const;
  void update_levels(const Sample& sample);
  void begin_with_all_digits();
  void end_grace();
  std::optional<Crossing> look_up_to(double t);
  [[nodiscard]] bool is_clear_in_step() const;
  std::optional<Crossing> look_at_samples(double t);
  std::optional<Crossing> look_at_polynomials(double t);
  std::optional<Passage> passage(std::size_t row, double until, double resolution);
  void read_polynomials(Sample& sample) const;
  [[nodiscard]] bool polynomials_hold_at(double t);
  [[nodiscard]] double above_rounding(std::size_t row) const;
  [[nodiscard]] Crossing crossing_at(std::size_t row, double right, double slope, double bracket);
  [[nodiscard]] double longest_resolved_gap(double t) const;

  const Model& model_;
  const Accuracy& accuracy_;
  const SegmentDae& segment_;
  const SmoothIntegrator& integrator_;
  std::vector<int> rows_;  ///< the live constraints
  CpKernel own_kernel_;
  const CpKernel& kernel_;  ///< of the live rows, or of the whole model's g
  std::vector<std::size_t> kernel_row_;
  bool uses_derivatives_ = false, some_are_put_right_ = false;
  std::vector<std::size_t> products_ = {};  ///< rows that multiply signals with each other, or hold functions
  bool by_polynomials_ = false;             ///< of the constraints, in the present step
  std::vector<int> varying_inputs_;
  double longest_gap_ = std::numeric_limits<double>::infinity();  ///< between samples
  std::vector<std::optional<ReducedConstraint>> reduced_ = {};    ///< by row
  std::vector<char> is_put_right_ = {};                           ///< by row, by its reduced form
  /// Rows that count from where they began, or were accepted beyond their tolerance, until grace ends.
  std::vector<char> excused_;
  /// Since when a row that was accepted has been outside of its tolerance; infinite: it is not.
  std::vector<double> outside_since_;
  std::vector<double>
      above_since_;  ///< above zero within its level; infinite: it is not; NaN: that has been told
  /// How often a row was looked at where the monitor stands, or some roundings of the time before. One that rises and falls
  /// within rounding would hold the run there for ever: after so many looks it counts from its tolerance up to the end of
  /// the step, or until it is clearly inside.
  struct Looks {
    double t = std::numeric_limits<double>::quiet_NaN();
    int number = 0;
  };
  static constexpr int most_looks = 8;
  std::vector<Looks> looks_;
  bool has_begun_ = false;  ///< and the integrator has made no step since
  double grace_ = 0.0,
         grace_ends_ = 0.0;   ///< from here on no row may stay above its tolerance since it began there
  std::vector<int> slot_of_;  ///< by row of S: the unknown that is its value, or −1
  std::vector<double> v_, rate_, w_, wp_, wpp_;
  double time_ = 0.0, step_end_ = 0.0;  ///< of v_, and of the present step
  std::vector<double>
      level_;  ///< a row counts as crossed above this: 0, or its tolerance where it starts on the boundary
  std::vector<double> touching_;  ///< tolerances about the present step, negative: not asked for yet
  std::vector<double>
      inside_at_;    ///< where in the present step a row with a level above zero is clearly inside
  int samples_ = 0;  ///< taken in the present part of a step
  Sample here_, next_;
};

}  // namespace mti
