#include <Eigen/SparseLU>

#include <cmath>
#include <cstdio>

#include <mti/mti.hpp>

// The equilibrium of a tank whose outflow q has q² = h, by Newton's method on f(0, x, u, y) = 0.
int main() {
  const mti::Model model = mti::build({.states = {{.name = "h", .start = 1.0}},
                                       .inputs = {{.name = "inflow", .form = mti::Number(3.0)}},
                                       .algebraic = {{.name = "q", .start = 1.0}},
                                       .equations = {"2*der(h) = inflow - q", "q^2 = h"}});
  const mti::Signature& signature = model.signature;
  std::vector<int> unknowns = state_rows(signature);
  for (const int row : algebraic_rows(signature)) unknowns.push_back(row);
  mti::Jacobian f(model.f(), {unknowns});

  std::vector<double> v(signature.size(), 1.0);  // (der(h), h, inflow, q, the auxiliary signal of q²)
  v[signature.derivative_row(0)] = 0.0;
  v[signature.input_row(0)] = 3.0;
  Eigen::SparseLU<mti::SparseColumns> lu;
  f.evaluate(v);
  lu.analyzePattern(f.matrix(0));  // once: the pattern stays
  for (int step = 0; step < 20; ++step) {
    const Eigen::Map<const Eigen::VectorXd> value(f.value().data(), f.rows());
    std::printf("step %d: |f| = %.1e\n", step, value.norm());
    if (value.norm() < 1e-12) break;
    lu.factorize(f.matrix(0));
    const Eigen::VectorXd change = lu.solve(value);
    for (std::size_t i = 0; i < unknowns.size(); ++i) v[unknowns[i]] -= change[static_cast<int>(i)];
    f.evaluate(v);
  }
  std::printf("h = %g, q = %g\n", v[signature.state_row(0)], v[signature.algebraic_row(0)]);
}
