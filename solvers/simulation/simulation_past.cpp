// What a run keeps of its past: for whoever asks for the whole motion, and for inputs that are delayed signals.
#include <algorithm>
#include <cmath>
#include <utility>
#include <variant>

#include "solvers/events/way_to_limit.hpp"
#include "solvers/simulation/simulation.hpp"

namespace mti {
namespace {

/// Of the sine inputs and polynomials; infinite if there are none.
double shortest_quarter_period(const Model& model, double t) {
  double frequency = 0.0;
  for (const Input& input : model.inputs) frequency = std::max(frequency, highest_frequency(input, t));
  return 0.25 / frequency;
}

}  // namespace

/// A segment begins, with right limits: the past is known up to here, and what is not smooth here comes again.
void Simulation::begin_past() {
  if (!delays_.any()) return;
  const bool with_event = std::exchange(events_before_, recorder_.events()) != recorder_.events();
  delays_.begin_segment(state_.here.t, state_.here.v, with_event);
  take_inputs(state_.here.t);
}

bool Simulation::keeps_past() const { return recorder_.keeps_dense() || delays_.any(); }

void Simulation::add_past(double begin, double end, int degree,
                          const std::function<std::span<const double>(double t)>& v) {
  if (recorder_.keeps_dense()) recorder_.add_dense(begin, end, degree, v);
  if (delays_.any()) delays_.add(begin, end, degree, v);
}

/// The polynomials of the last step, from where they are kept already.
void Simulation::keep_dense(double up_to) {
  if (!keeps_past() || !(up_to > dense_to_)) return;
  // What depends on sine inputs alone may turn several times in a step of IDA.
  constexpr int degree_of_quarter = 8;
  const double quarter = shortest_quarter_period(model_, dense_to_), first = dense_to_;
  const int degree =
      std::isfinite(quarter) ? std::max(degree_of_quarter, segment_.degree()) : segment_.degree();
  const double parts = std::max(1.0, std::ceil((up_to - first) / quarter));
  double part = 0.0;
  while (part++ < parts) {
    const double end = part == parts ? up_to : first + (up_to - first) * (part / parts);
    add_past(dense_to_, end, degree,
             [&](double t) -> std::span<const double> { return segment_.output(t, *state_.system, false); });
    dense_to_ = end;
  }
}

/// No integrator has led from there to here.
void Simulation::keep_line_from(double begin, std::span<const double> v) {
  if (!keeps_past()) return;
  std::vector<double> on_line(v.size());
  add_past(begin, state_.here.t, 1, [&](double t) -> std::span<const double> {
    const double covered = (t - begin) / (state_.here.t - begin);
    for (std::size_t row = 0; row < v.size(); ++row)
      on_line[row] = v[row] + covered * (state_.here.v[row] - v[row]);
    return on_line;
  });
}

void Simulation::keep_dense_on(const WayToLimit& way, double up_to) {
  if (!keeps_past() || !(up_to > state_.here.t)) return;
  std::vector<double> v;
  add_past(state_.here.t, up_to, course_degree,
           [&](double t) -> std::span<const double> { return v = values_on(way, t); });
}

}  // namespace mti
