#include "mti/forms/explicit_model.hpp"

#include <string>
#include <utility>

#include "mti/source/triplets.hpp"

namespace mti {

namespace {

template <class Signals>
void fill(Signals& signals, Eigen::Index count, const std::string& prefix) {
  if (!signals.empty()) return;
  for (Eigen::Index i = 1; i <= count; ++i) signals.push_back({.name = prefix + std::to_string(i)});
}

Source with_signals(FormSignals signals, Eigen::Index states, Eigen::Index inputs, Eigen::Index outputs) {
  fill(signals.states, states, "x");
  fill(signals.inputs, inputs, "u");
  fill(signals.outputs, outputs, "y");
  Source source;
  source.states = std::move(signals.states);
  source.inputs = std::move(signals.inputs);
  source.algebraic = std::move(signals.outputs);
  return source;
}

}  // namespace

Source explicit_model(const SparseColumns& U, const SparseColumns& phi, int states, FormSignals signals) {
  Source source = with_signals(std::move(signals), states, U.rows() - states, phi.rows() - states);
  ExplicitSource form;
  form.U = triplets_of(U);
  form.phi = triplets_of(phi);
  source.explicit_form = std::move(form);
  return source;
}

Source explicit_model(const std::vector<Eigen::MatrixXd>& U, const Eigen::VectorXd& lambda,
                      const Eigen::MatrixXd& phi, int states, FormSignals signals) {
  Source source = with_signals(std::move(signals), states, static_cast<Eigen::Index>(U.size()) - states,
                               phi.rows() - states);
  ExplicitSource form;
  for (const Eigen::MatrixXd& factor : U) {
    auto& rows = form.factors.emplace_back();
    for (const auto& row : factor.rowwise()) rows.emplace_back(row.begin(), row.end());
  }
  form.lambda.assign(lambda.begin(), lambda.end());
  form.phi = triplets_of(phi.sparseView());
  source.explicit_form = std::move(form);
  return source;
}

Source linear_model(const StateSpace& matrices, FormSignals signals) {
  Source source = with_signals(std::move(signals), matrices.A.cols(), matrices.B.cols(), matrices.C.rows());
  StateSpaceSource form{.E = {},
                        .A = triplets_of(matrices.A),
                        .B = triplets_of(matrices.B),
                        .C = triplets_of(matrices.C),
                        .D = triplets_of(matrices.D),
                        .equation_names = {}};
  if (matrices.E) form.E = triplets_of(*matrices.E);
  source.state_space = std::move(form);
  return source;
}

}  // namespace mti
