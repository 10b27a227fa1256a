#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "io/model/read_model.hpp"
#include "mti/build/build.hpp"
#include "mti/common/fault.hpp"
#include "mti/derivatives/parameter_derivative.hpp"
#include "mti/source/overrides.hpp"
#include "tests/places.hpp"

namespace mti {
namespace repository_derivatives_test {

namespace fs = std::filesystem;

/// f(v) and Σ |terms| of each row.
struct Evaluated {
  std::vector<double> value, size;
};

Evaluated evaluate(const CpMap& map, const std::vector<double>& v) {
  Evaluated result;
  result.value.assign(static_cast<std::size_t>(map.rows()), 0.0);
  result.size = result.value;
  for (int k = 0; k < map.columns(); ++k) {
    double product = 1.0;
    for (SparseColumns::InnerIterator entry(map.S(), k); entry; ++entry) {
      const double at = v[static_cast<std::size_t>(entry.row())];
      const ElementaryFunction* const phi = map.function_of(k);
      product *= phi != nullptr ? phi->value(at) : 1.0 - std::abs(entry.value()) + entry.value() * at;
    }
    for (SparseColumns::InnerIterator entry(map.Phi(), k); entry; ++entry) {
      result.value[static_cast<std::size_t>(entry.row())] += entry.value() * product;
      result.size[static_cast<std::size_t>(entry.row())] += std::abs(entry.value() * product);
    }
  }
  return result;
}

/// All numbers of a model that may depend on p, at one v, at some times: the numbers and what sizes they round with.
struct Numbers {
  std::vector<double> value, size;
  void add(double number, double rounds_with) {
    value.push_back(number);
    size.push_back(rounds_with);
  }
  void add(const CpMap& map, const std::vector<double>& v) {
    const Evaluated evaluated = evaluate(map, v);
    for (std::size_t i = 0; i < evaluated.value.size(); ++i) add(evaluated.value[i], evaluated.size[i]);
  }
};

std::vector<double> times_of(const Model& model) {
  // Irrational parts of the run: breakpoints, which move with p, are elsewhere.
  const double start = model.experiment.start, length = model.experiment.stop - start;
  return {start + 0.2718281828 * length, start + 0.5772156649 * length, start + 0.8414709848 * length};
}

Numbers numbers_of(const Model& model, const std::vector<double>& v, const std::vector<double>& both,
                   const std::vector<double>& times) {
  Numbers numbers;
  numbers.add(model.f(), v);
  numbers.add(model.g(), v);
  for (const Transition& law : model.transitions) numbers.add(law.equations, both);
  for (const double x : model.x_start) numbers.add(x, std::abs(x));
  for (const Input& input : model.inputs)
    for (const double t : times) {
      const InputPiece piece = input.piece(t);
      numbers.add(piece.value(t), std::abs(piece.value(t)) + std::abs(piece.derivative(t, 1) * t));
    }
  numbers.add(model.experiment.start, std::abs(model.experiment.start));
  numbers.add(model.experiment.stop, std::abs(model.experiment.stop));
  return numbers;
}

std::vector<double> derivatives_of(const ParameterDerivative& derivative, const std::vector<double>& v,
                                   const std::vector<double>& both, const std::vector<double>& times) {
  Numbers numbers;
  numbers.add(derivative.f, v);
  numbers.add(derivative.g, v);
  for (const CpMap& law : derivative.laws) numbers.add(law, both);
  for (const double x : derivative.x_start) numbers.add(x, 0.0);
  for (const InputDerivative& input : derivative.inputs)
    for (const double t : times) numbers.add(input.piece(t).value(t), 0.0);
  numbers.add(derivative.start_time, 0.0);
  numbers.add(derivative.stop_time, 0.0);
  return numbers.value;
}

bool are_equal(const SparseColumns& a, const SparseColumns& b) {
  if (a.rows() != b.rows() || a.cols() != b.cols() || a.nonZeros() != b.nonZeros()) return false;
  for (int k = 0; k < a.outerSize(); ++k) {
    SparseColumns::InnerIterator of_b(b, k);
    for (SparseColumns::InnerIterator of_a(a, k); of_a; ++of_a, ++of_b)
      if (!of_b || of_a.row() != of_b.row() || of_a.value() != of_b.value()) return false;
  }
  return true;
}

struct Counts {
  int models = 0, derivatives = 0, refused = 0, not_rebuilt = 0, other_models = 0;
};

std::vector<std::string> row_names(const Model& model) {
  std::vector<std::string> names;
  for (int row = 0; row < model.signature.size(); ++row) names.push_back(model.signature.row_name(row));
  return names;
}

/// The model with p at another value, in the form that it has when it is differentiated.
std::optional<Model> rebuilt(const Source& source, const std::string& name, double value) {
  Source other = source;
  try {
    override_values(other, {{name, value}});
    return build_with_derivatives(other, {name}).model;
  } catch (const FaultError&) {
    return std::nullopt;
  }
}

void compare(const fs::path& file, const Source& source, const std::string& name, std::mt19937& random,
             Counts& counts) {
  std::optional<DifferentiatedModel> d;
  try {
    d = build_with_derivatives(source, {name});
  } catch (const InvalidOption& refused) {
    for (const Fault& fault : refused.faults())
      EXPECT_TRUE(fault.id == "parameter-decides" || fault.id == "not-differentiable") << file << fault.id;
    ++counts.refused;
    return;
  }
  const Model plain = build(source);
  const bool same = plain.signature == d->model.signature && are_equal(plain.S, d->model.S) &&
                    are_equal(plain.Phi_eq, d->model.Phi_eq) && are_equal(plain.Phi_ineq, d->model.Phi_ineq);
  if (!same) ++counts.other_models;
  const ParameterDerivative& derivative = d->derivatives.front();
  std::uniform_real_distribution<double> any(0.2, 0.9);  // within the domains of all functions but acosh
  std::vector<double> v(static_cast<std::size_t>(d->model.signature.size())), both(2 * v.size());
  for (double& value : v) value = any(random);
  for (double& value : both) value = any(random);
  const std::vector<double> times = times_of(d->model);
  const std::vector<double> exact = derivatives_of(derivative, v, both, times);

  // Central differences with h and 2h, extrapolated: the error is that of the better one, and rounding.
  const double h = 1e-4 * (derivative.value != 0.0 ? std::abs(derivative.value) : 1.0);
  std::vector<Numbers> at;
  for (const double step : {-2.0, -1.0, 1.0, 2.0}) {
    const std::optional<Model> other = rebuilt(source, name, derivative.value + step * h);
    if (!other || row_names(*other) != row_names(d->model)) {
      ++counts.not_rebuilt;
      return;
    }
    at.push_back(numbers_of(*other, v, both, times));
  }
  ++counts.derivatives;
  ASSERT_EQ(at[0].value.size(), exact.size()) << file << " " << name;
  for (std::size_t i = 0; i < exact.size(); ++i) {
    if (!std::isfinite(at[0].value[i])) continue;
    const double near = (at[2].value[i] - at[1].value[i]) / (2.0 * h);
    const double far = (at[3].value[i] - at[0].value[i]) / (4.0 * h);
    const double rounding = 64.0 * 2.2e-16 * (at[1].size[i] + at[0].size[i]) / h + 1e-13 * std::abs(near);
    EXPECT_NEAR(exact[i], near + (near - far) / 3.0, std::abs(near - far) + rounding)
        << file << " d/d(" << name << "), number " << i;
  }
}

bool is_model(const fs::path& path) {
  return path.extension() == ".mo" || path.extension() == ".xml" ||
         (path.extension() == ".json" && fs::file_size(path) < 20000);
}

TEST(RepositoryDerivatives, AreThoseOfTheRebuiltModels) {
  std::mt19937 random(20261123);
  Counts counts;
  for (const char* folder : {"examples", "tests/cases", "tests/io/modelica", "tests/io/sbml"}) {
    if (!fs::exists(test::source_dir() / folder)) continue;
    std::vector<fs::path> files;
    for (const auto& entry : fs::recursive_directory_iterator(test::source_dir() / folder))
      if (entry.is_regular_file() && is_model(entry.path())) files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    for (const fs::path& file : files) {
      Source source;
      try {
        source = read_source_file(file);
        if (source.parameters.size() > 40 || build(source).signature.size() > 300) continue;
      } catch (const FaultError&) {
        continue;  // no model, or a broken one
      }
      if (source.parameters.empty()) continue;
      ++counts.models;
      std::size_t most = 6;  // of each model
      for (const ParameterSource& parameter : source.parameters)
        if (most-- > 0)
          compare(file, source, parameter.name, random, counts);
        else
          break;
    }
  }
  std::printf("models %d, derivatives %d, refused %d, not rebuilt %d, with another structure %d\n",
              counts.models, counts.derivatives, counts.refused, counts.not_rebuilt, counts.other_models);
  EXPECT_GE(counts.models, 40);
  EXPECT_GE(counts.derivatives, 120);
}

std::string refusal(const fs::path& file, const std::string& name) {
  try {
    static_cast<void>(read_model_with_derivatives(file, {name}));
  } catch (const InvalidOption& refused) {
    return refused.faults().front().id;
  }
  return "";
}

TEST(RepositoryDerivatives, AreRefusedOfNumbersOfComponents) {
  const fs::path ring = test::source_dir() / "examples/tank_ring/model.json";
  EXPECT_EQ(refusal(ring, "n"), "parameter-decides");
  EXPECT_EQ(refusal(ring, "start(tank1.T)"), "");
  EXPECT_EQ(refusal(ring, "start(tank1.x)"), "unknown-derivative");
}

}  // namespace repository_derivatives_test
}  // namespace mti
