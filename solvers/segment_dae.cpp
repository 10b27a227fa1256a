#include "solvers/segment_dae.hpp"

#include <algorithm>
#include <utility>
#include <variant>

namespace mti {
namespace {

/// The equations that are solved, in the order of the blocks, with constant inputs folded in.
CpMap solved_equations(const Model& model, const ModeSystem& system) {
  std::vector<int> new_row(static_cast<std::size_t>(system.frozen.f.rows()), -1);
  int rows = 0;
  for (const SolutionBlock& block : system.blocks)
    for (const int equation : block.equations) new_row[static_cast<std::size_t>(equation)] = rows++;
  std::vector<FixedSignal> constants;
  for (int i = 0; i < model.signature.m(); ++i)
    if (const auto* input = std::get_if<ConstantInput>(&model.inputs[static_cast<std::size_t>(i)].form()))
      constants.push_back({model.signature.input_row(i), input->value});
  const CpMap folded = freeze(system.frozen.f, constants);
  std::vector<Eigen::Triplet<double>> weights;
  for (int k = 0; k < folded.columns(); ++k)
    for (SparseColumns::InnerIterator weight(folded.Phi(), k); weight; ++weight)
      if (const int row = new_row[static_cast<std::size_t>(weight.row())]; row >= 0)
        weights.emplace_back(row, k, weight.value());
  SparseColumns Phi(rows, folded.columns());
  Phi.setFromTriplets(weights.begin(), weights.end());
  return {folded.S(), std::move(Phi)};
}

}  // namespace

SegmentDae::SegmentDae(const Model& model, std::shared_ptr<const ModeSystem> mode_system)
    : signature_(model.signature),
      mode_system_(std::move(mode_system)),
      kernel_(solved_equations(model, *mode_system_)),
      workspace_(kernel_.workspace()),
      held_values_(mode_system_->undetermined.size()),
      v_(static_cast<std::size_t>(signature_.size())),
      f_(static_cast<std::size_t>(kernel_.rows())),
      J_(kernel_.pattern().nonzeros()) {
  for (int i = 0; i < signature_.m(); ++i)
    if (!std::holds_alternative<ConstantInput>(model.inputs[static_cast<std::size_t>(i)].form()) &&
        !signature_.inputs()[static_cast<std::size_t>(i)].binary)
      varying_inputs_.push_back(i);
  place_entries();
  dae_.residual = [this](double t, auto w, auto wp, auto F) { return residual(t, w, wp, F); };
  dae_.jacobian = [this](double t, double alpha, auto w, auto wp, auto J) {
    return jacobian(t, alpha, w, wp, J);
  };
}

/// Finds for every entry of the kernel's Jacobian its place in J; those of ẋ_i and x_i share column i.
void SegmentDae::place_entries() {
  const int n = signature_.n(), p = signature_.p();
  const SparsePattern& source = kernel_.pattern();
  struct Placed {
    int row, source, is_derivative;
  };
  std::vector<std::vector<Placed>> columns(static_cast<std::size_t>(n + p));
  const auto collect = [&](int signal, int column, int is_derivative) {
    for (int at = source.column_start[static_cast<std::size_t>(signal)];
         at < source.column_start[static_cast<std::size_t>(signal) + 1]; ++at)
      columns[static_cast<std::size_t>(column)].push_back(
          {source.row[static_cast<std::size_t>(at)], at, is_derivative});
  };
  for (int i = 0; i < n; ++i) {
    collect(signature_.derivative_row(i), i, 1);
    collect(signature_.state_row(i), i, 0);
  }
  for (int i = 0; i < p; ++i) collect(signature_.algebraic_row(i), n + i, 0);
  for (std::size_t i = 0; i < mode_system_->undetermined.size(); ++i) {
    const int column = n + mode_system_->undetermined[i] - signature_.algebraic_row(0);
    columns[static_cast<std::size_t>(column)].push_back({kernel_.rows() + static_cast<int>(i), -1, 0});
  }
  SparsePattern& pattern = dae_.pattern;
  pattern.rows = pattern.cols = n + p;
  pattern.column_start.assign(1, 0);
  for (std::vector<Placed>& column : columns) {
    std::sort(column.begin(), column.end(), [](const Placed& a, const Placed& b) { return a.row < b.row; });
    for (const Placed& entry : column) {
      const bool is_new = static_cast<int>(pattern.row.size()) == pattern.column_start.back() ||
                          pattern.row.back() != entry.row;
      if (is_new) pattern.row.push_back(entry.row);
      const int target = static_cast<int>(pattern.row.size()) - 1;
      if (entry.source < 0)
        held_entries_.push_back(target);
      else
        (entry.is_derivative != 0 ? derivative_entries_ : other_entries_).push_back({entry.source, target});
    }
    pattern.column_start.push_back(static_cast<int>(pattern.row.size()));
  }
}

void SegmentDae::set_segment(std::vector<InputPiece> pieces, std::span<const double> v) {
  pieces_ = std::move(pieces);
  for (std::size_t i = 0; i < held_values_.size(); ++i)
    held_values_[i] = v[static_cast<std::size_t>(mode_system_->undetermined[i])];
}

void SegmentDae::load(double t, std::span<const double> w, std::span<const double> wp) {
  const auto n = static_cast<std::ptrdiff_t>(signature_.n());
  std::copy(wp.begin(), wp.begin() + n, v_.begin());
  std::copy(w.begin(), w.begin() + n, v_.begin() + signature_.state_row(0));
  std::copy(w.begin() + n, w.end(), v_.begin() + signature_.algebraic_row(0));
  for (const int i : varying_inputs_)
    v_[static_cast<std::size_t>(signature_.input_row(i))] = pieces_[static_cast<std::size_t>(i)].value(t);
}

bool SegmentDae::residual(double t, std::span<const double> w, std::span<const double> wp,
                          std::span<double> F) {
  load(t, w, wp);
  const auto rows = static_cast<std::size_t>(kernel_.rows());
  kernel_.value(v_, F.first(rows));
  for (std::size_t i = 0; i < held_values_.size(); ++i)
    F[rows + i] = v_[static_cast<std::size_t>(mode_system_->undetermined[i])] - held_values_[i];
  return true;
}

bool SegmentDae::jacobian(double t, double alpha, std::span<const double> w, std::span<const double> wp,
                          std::span<double> J) {
  load(t, w, wp);
  kernel_.value_and_jacobian(v_, f_, J_, workspace_);
  std::fill(J.begin(), J.end(), 0.0);
  for (const Entry& entry : derivative_entries_)
    J[static_cast<std::size_t>(entry.target)] += alpha * J_[static_cast<std::size_t>(entry.source)];
  for (const Entry& entry : other_entries_)
    J[static_cast<std::size_t>(entry.target)] += J_[static_cast<std::size_t>(entry.source)];
  for (const int target : held_entries_) J[static_cast<std::size_t>(target)] = 1.0;
  return true;
}

}  // namespace mti
