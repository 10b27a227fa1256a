#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "mti/build/build_matrix_functions.hpp"
#include "mti/build/build_parts.hpp"
#include "mti/build/build_triplets.hpp"
#include "mti/common/at.hpp"
#include "mti/common/number.hpp"

namespace mti::building {
namespace {

constexpr int kMaximumEmptyRows =
    1'000'000;  ///< a size beyond any entry is a mistake, not a reason to allocate

std::vector<int> read_pre(const MatricesSource& source, const Declarations& names, Faults& faults,
                          bool& good) {
  std::vector<int> pre;
  for (std::size_t i = 0; i < source.pre.size(); ++i) {
    const std::string pointer = element("/matrices/pre", i);
    const Declarations::Entry* entry = names.find(source.pre[i]);
    if (entry == nullptr) {
      faults.add("unknown-name", pointer, names.unknown(source.pre[i]));
      good = false;
    } else if (entry->kind != Declarations::Kind::binary) {
      faults.add(
          "pre-of-non-binary", pointer,
          "only binaries have a row pre(z); " + source.pre[i] + " is declared as " + to_string(entry->kind));
      good = false;
    } else if (std::find(pre.begin(), pre.end(), entry->index) != pre.end()) {
      faults.add("duplicate-name", pointer, source.pre[i] + " stands twice in pre");
      good = false;
    } else {
      pre.push_back(entry->index);
    }
  }
  return pre;
}

std::vector<std::string> read_names(const std::vector<std::string>& given, int rows,
                                    const std::string& pointer, const std::string& what,
                                    RelationNames& relation_names, Faults& faults, bool& good) {
  if (!given.empty() && static_cast<int>(given.size()) != rows) {
    faults.add("name-count", pointer,
               std::to_string(given.size()) + " names for " + std::to_string(rows) + " " + what);
    good = false;
    return {};
  }
  std::vector<std::string> pointers;
  for (std::size_t i = 0; i < given.size(); ++i) pointers.push_back(element(pointer, i));
  relation_names.claim(given, pointers);
  return good && given.empty() ? std::vector<std::string>(at(rows)) : given;
}

/// Sizes of the three matrices against each other and against the signature.
void check_sizes(const MatricesSource& source, const Declarations& names, std::size_t pre, Faults& faults,
                 bool& good) {
  const auto fail = [&](const std::string& pointer, const std::string& message) {
    faults.add("matrix-size", pointer, message);
    good = false;
  };
  const int signals =
      2 * names.states + names.inputs + names.algebraic + names.binaries + static_cast<int>(pre);
  if (source.S.rows != signals)
    fail("/matrices/S/rows", "S has " + std::to_string(source.S.rows) +
                                 " rows; the declared signals (xdot, x, u, y, z, pre z) need " +
                                 std::to_string(2 * names.states) + " + " + std::to_string(names.inputs) +
                                 " + " + std::to_string(names.algebraic) + " + " +
                                 std::to_string(names.binaries) + " + " + std::to_string(pre) + " = " +
                                 std::to_string(signals));
  const auto check_columns = [&](const TripletSource& Phi, const std::string& pointer) {
    if (Phi.cols != source.S.cols && !(Phi.rows == 0 && Phi.v.empty()))
      fail(pointer + "/cols",
           "found " + std::to_string(Phi.cols) + " columns; S has " + std::to_string(source.S.cols));
    if (Phi.rows - static_cast<long long>(Phi.v.size()) > kMaximumEmptyRows)
      fail(pointer + "/rows",
           "found " + std::to_string(Phi.rows) + " rows for " + std::to_string(Phi.v.size()) + " entries");
  };
  check_columns(source.Phi_eq, "/matrices/Phi_eq");
  check_columns(source.Phi_ineq, "/matrices/Phi_ineq");
}

void check_normalised(const Entries& S, Faults& faults, bool& good) {
  for (std::size_t at = 0; at < S.size(); ++at) {
    if (std::abs(S.value(at)) <= 1.0) continue;
    faults.add("not-normalised", element("/matrices/S/v", S.order[at]),
               "S holds " + text::format_number(S.value(at)) +
                   "; expected |S| <= 1, or \"normalized\": false beside S for factors 1 - |S| + S*v taken "
                   "as they are");
    good = false;
  }
}

/// Walks the columns of S and Φ side by side; columns without an entry in Φ say nothing. Function rows follow those of
/// Phi_eq.
CpMap join(const Entries& S, const Entries& Phi_eq, const Entries& Phi_ineq, bool normalized,
           const std::vector<FunctionRow>& functions) {
  int row_of_function = Phi_eq.source.rows;
  const int equations = row_of_function + static_cast<int>(functions.size());
  CpBuilder builder(S.source.rows, equations + Phi_ineq.source.rows);
  std::vector<std::pair<int, double>> normal;
  std::vector<AffineFactor> affine;
  std::size_t s = 0, e = 0, c = 0;
  while (e < Phi_eq.size() || c < Phi_ineq.size()) {
    int column = e < Phi_eq.size() ? Phi_eq.column(e) : Phi_ineq.column(c);
    if (c < Phi_ineq.size()) column = std::min(column, Phi_ineq.column(c));
    while (s < S.size() && S.column(s) < column) ++s;
    normal.clear();
    affine.clear();
    for (; s < S.size() && S.column(s) == column; ++s) {
      if (S.value(s) == 0.0) continue;
      normal.emplace_back(S.row(s), S.value(s));
      affine.push_back({S.row(s), 1.0 - std::abs(S.value(s)), S.value(s)});
    }
    const auto add = [&](int row, double coefficient) {
      if (normalized) {
        builder.add_normalised(row, coefficient, normal);
      } else {
        builder.add(row, coefficient, affine);
      }
    };
    for (; e < Phi_eq.size() && Phi_eq.column(e) == column; ++e) add(Phi_eq.row(e), Phi_eq.value(e));
    for (; c < Phi_ineq.size() && Phi_ineq.column(c) == column; ++c)
      add(equations + Phi_ineq.row(c), Phi_ineq.value(c));
  }
  for (const FunctionRow& function : functions) {
    const std::pair<int, double> result(function.result, 1.0);
    builder.add_normalised(row_of_function, 1.0, std::span(&result, 1));
    builder.add_function(row_of_function++, -1.0, function.argument, function.phi);
  }
  return builder.build();
}

/// Equations that say nothing, or nothing that can hold.
void check_rows(const CpMap& map, const std::vector<std::string>& equation_names,
                const std::vector<std::string>& constraint_names, Faults& faults) {
  const std::size_t equations = equation_names.size();
  std::vector<char> has_signal(at(map.rows()), 0);
  std::vector<double> constant(at(map.rows()), 0.0);
  for (int k = 0; k < map.columns(); ++k) {
    const bool signal = map.S().col(k).nonZeros() > 0;
    for (SparseColumns::InnerIterator entry(map.Phi(), k); entry; ++entry) {
      const auto row = at(entry.row());
      if (signal) {
        has_signal[row] = 1;
      } else {
        constant[row] += entry.value();
      }
    }
  }
  for (std::size_t row = 0; row < has_signal.size(); ++row) {
    if (has_signal[row] != 0) continue;
    if (row >= equations) {
      if (constant[row] > 0.0)
        faults.add("impossible-constraint", "/matrices/Phi_ineq",
                   "constraint " + constraint_names[row - equations] + " holds no signal and does not hold");
    } else if (constant[row] == 0.0) {
      faults.add("empty-equation", "/matrices/Phi_eq", "equation " + equation_names[row] + " has no column");
    } else {
      faults.add("impossible-equation", "/matrices/Phi_eq",
                 "equation " + equation_names[row] + " holds no signal and does not hold");
    }
  }
}

}  // namespace

std::vector<int> remembered_in(const Matrices& matrices) {
  const SparseColumns& S = matrices.map.S();
  const auto first = static_cast<int>(S.rows()) - static_cast<int>(matrices.pre.size());
  std::vector<char> used(matrices.pre.size(), 0);
  for (int k = 0; k < S.outerSize(); ++k)
    for (SparseColumns::InnerIterator entry(S, k); entry; ++entry)
      if (entry.row() >= first) used[at(entry.row() - first)] = 1;
  std::vector<int> binaries;
  for (std::size_t i = 0; i < used.size(); ++i)
    if (used[i] != 0) binaries.push_back(matrices.pre[i]);
  return binaries;
}

void split_rows(const SparseColumns& Phi, int equations, SparseColumns& Phi_eq, SparseColumns& Phi_ineq) {
  std::vector<Eigen::Triplet<double>> upper, lower;
  for (int k = 0; k < Phi.outerSize(); ++k)
    for (SparseColumns::InnerIterator entry(Phi, k); entry; ++entry) {
      const int row = static_cast<int>(entry.row());
      if (row < equations) {
        upper.emplace_back(row, k, entry.value());
      } else {
        lower.emplace_back(row - equations, k, entry.value());
      }
    }
  Phi_eq = SparseColumns(equations, Phi.cols());
  Phi_ineq = SparseColumns(Phi.rows() - equations, Phi.cols());
  Phi_eq.setFromTriplets(upper.begin(), upper.end());
  Phi_ineq.setFromTriplets(lower.begin(), lower.end());
}

Matrices read_matrices(const MatricesSource& source, const Declarations& names, RelationNames& relation_names,
                       Faults& faults) {
  bool good = true;
  Matrices result;
  result.pre = read_pre(source, names, faults, good);
  check_sizes(source, names, source.pre.size(), faults, good);
  const Entries S = read_entries(source.S, "/matrices/S", faults, good);
  const Entries Phi_eq = read_entries(source.Phi_eq, "/matrices/Phi_eq", faults, good);
  const Entries Phi_ineq = read_entries(source.Phi_ineq, "/matrices/Phi_ineq", faults, good);
  if (source.normalized) check_normalised(S, faults, good);
  // Both lists are claimed before a missing name is made up: a made-up name gives way to a given one.
  result.equation_names = read_names(source.equation_names, source.Phi_eq.rows, "/matrices/equation_names",
                                     "equations", relation_names, faults, good);
  result.constraint_names =
      read_names(source.constraint_names, source.Phi_ineq.rows, "/matrices/constraint_names", "constraints",
                 relation_names, faults, good);
  const std::vector<FunctionRow> functions = read_functions(source, names, faults, good);
  result.divisors = read_divisors(source, names, faults, good);
  if (!good) return result;
  result.equation_names = relation_names.complete(std::move(result.equation_names), "eq");
  result.constraint_names = relation_names.complete(std::move(result.constraint_names), "c");
  for (std::size_t i = 0; i < functions.size(); ++i) {
    const FunctionSource& function = source.functions[i];
    result.functions.push_back({static_cast<int>(result.equation_names.size()), functions[i].result,
                                functions[i].argument, functions[i].phi.text(function.argument)});
    result.equation_names.push_back(relation_names.unique(function.result + ".definition"));
  }
  try {
    result.map = join(S, Phi_eq, Phi_ineq, source.normalized, functions);
  } catch (const InvalidModel& error) {
    for (const Fault& fault : error.faults()) faults.add(fault.id, "/matrices", fault.message);
    return result;
  }
  check_rows(result.map, result.equation_names, result.constraint_names, faults);
  return result;
}

}  // namespace mti::building
