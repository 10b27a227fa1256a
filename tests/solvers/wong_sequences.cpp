#include "tests/solvers/wong_sequences.hpp"

#include <algorithm>

#include "mti/common/at.hpp"
#include "tests/solvers/dense_algebra.hpp"

namespace mti::test {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Relative size below which a singular value is zero. Data are of order one with few digits lost.
constexpr double rank_tolerance = 1e-9;

/// Bases of the image and the kernel of a matrix, and how clear the decision was.
class Ranks {
 public:
  MatrixXd image(const MatrixXd& M) {
    if (M.cols() == 0) return M;
    const SingularValues svd = singular_values(M);
    return svd.U.leftCols(rank(svd.values));
  }
  MatrixXd kernel(const MatrixXd& M) {
    if (M.rows() == 0) return MatrixXd::Identity(M.cols(), M.cols());
    const SingularValues svd = singular_values(M);
    return svd.V.rightCols(M.cols() - rank(svd.values));
  }
  /// A⁻¹(span B) = ker of (I − B Bᵀ) A, for B with orthonormal columns.
  MatrixXd preimage(const MatrixXd& A, const MatrixXd& B) {
    if (B.cols() == B.rows()) return MatrixXd::Identity(A.cols(), A.cols());
    return kernel(A - B * (B.transpose() * A));
  }
  bool invertible(const MatrixXd& M) {
    if (M.cols() == 0) return true;
    return rank(singular_values(M).values) == M.cols();
  }

  double clearance = 1.0, doubt = 0.0;

 private:
  Index rank(const VectorXd& singular_values) {
    const double largest = singular_values.size() > 0 ? singular_values[0] : 0.0;
    // A projection of a matrix of order one that leaves rounding errors only has rank 0.
    const double scale = std::max(largest, 1e-3);
    Index count = 0;
    for (Index i = 0; i < singular_values.size(); ++i) {
      const double relative = singular_values[i] / scale;
      if (relative > rank_tolerance) {
        ++count;
        clearance = std::min(clearance, relative);
      } else {
        doubt = std::max(doubt, relative);
      }
    }
    return count;
  }
};

double condition_of(const MatrixXd& M) {
  const VectorXd values = singular_values(M).values;
  return values.size() == 0 ? 1.0 : values[0] / values[values.size() - 1];
}

}  // namespace

std::optional<WongForm> wong_form(const MatrixXd& E, const MatrixXd& A) {
  const Index n = E.rows();
  Ranks ranks;
  WongForm form;
  form.V = MatrixXd::Identity(n, n);
  for (Index before = -1; form.V.cols() != before;) {
    before = form.V.cols();
    form.V = ranks.preimage(A, ranks.image(E * form.V));
  }
  form.W = MatrixXd::Zero(n, 0);
  for (Index before = -1; form.W.cols() != before;) {
    before = form.W.cols();
    form.W = ranks.preimage(E, ranks.image(A * form.W));
    if (form.W.cols() > before) ++form.index;
  }
  const Index n1 = form.V.cols(), n2 = form.W.cols();
  if (n1 + n2 != n) return std::nullopt;
  MatrixXd T(n, n), S_inverse(n, n);
  T << form.V, form.W;
  S_inverse << E * form.V, A * form.W;
  if (!ranks.invertible(T) || !ranks.invertible(S_inverse)) return std::nullopt;
  form.T_inverse = inverse(T);
  form.S = inverse(S_inverse);
  form.J = (form.S * A * form.V).topRows(n1);
  form.N = (form.S * E * form.W).bottomRows(n2);
  form.clearance = ranks.clearance;
  form.doubt = ranks.doubt;
  form.condition = std::max(condition_of(T), condition_of(S_inverse));
  return form;
}

int LinearRestart::order(Index i, double threshold) const {
  for (Index m = impulses.cols(); m > 0; --m)
    if (std::abs(impulses(i, m - 1)) > threshold) return static_cast<int>(m);
  return 0;
}

namespace {

/// Derivative `order` of w₂ = Σ_k (−N)^k b₂^(k).
VectorXd nilpotent_part(const WongForm& form, const std::vector<VectorXd>& b, int order) {
  const Index n2 = form.W.cols();
  VectorXd w = VectorXd::Zero(n2);
  MatrixXd power = MatrixXd::Identity(n2, n2);
  for (int k = 0; k < std::max(form.index, 1); ++k) {
    const auto derivative = at(k + order);
    if (derivative < b.size()) w += power * (form.S * b[derivative]).tail(n2);
    power = -form.N * power;
  }
  return w;
}

}  // namespace

LinearRestart restart(const WongForm& form, const VectorXd& x_minus, const std::vector<VectorXd>& b) {
  const Index n1 = form.V.cols(), n2 = form.W.cols();
  const VectorXd w_minus = form.T_inverse * x_minus;
  const VectorXd w2 = nilpotent_part(form, b, 0);
  LinearRestart result;
  result.x_plus = form.V * w_minus.head(n1) + form.W * w2;
  result.impulses = MatrixXd::Zero(form.size(), std::max(0, form.index - 1));
  VectorXd moved = w2 - w_minus.tail(n2);
  for (Index m = 0; m < result.impulses.cols(); ++m) {
    moved = -form.N * moved;
    result.impulses.col(m) = form.W * moved;
  }
  return result;
}

std::vector<VectorXd> derivatives(const WongForm& form, const VectorXd& x, const std::vector<VectorXd>& b,
                                  int orders) {
  const Index n1 = form.V.cols();
  VectorXd w1 = (form.T_inverse * x).head(n1);
  std::vector<VectorXd> result;
  for (int k = 0; k <= orders; ++k) {
    result.push_back(form.V * w1 + form.W * nilpotent_part(form, b, k));
    VectorXd next = -form.J * w1;
    if (at(k) < b.size()) next += (form.S * b[at(k)]).head(n1);
    w1 = next;
  }
  return result;
}

}  // namespace mti::test
