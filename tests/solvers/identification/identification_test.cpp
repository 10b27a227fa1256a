// Identification: noise-free samples give the generating function back, in any units and order; noise stays noise; what
// samples cannot tell is refused by name. Functions are random CP functions, written here by their definition.

#include <gtest/gtest.h>

#include <Eigen/Core>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <random>
#include <sstream>
#include <string>

#include "mti/build/build.hpp"
#include "mti/common/at.hpp"
#include "mti/common/fault.hpp"
#include "solvers/identification/identification.hpp"
#include "solvers/identification/nonnegative_least_squares.hpp"
#include "solvers/simulation/simulate.hpp"

namespace mti::test {
namespace identification_test {

struct Function {
  Eigen::MatrixXd S, Phi;
  [[nodiscard]] Eigen::MatrixXd operator()(const Eigen::MatrixXd& W) const {
    Eigen::MatrixXd F = Eigen::MatrixXd::Zero(W.rows(), Phi.rows());
    for (Eigen::Index t = 0; t < W.rows(); ++t)
      for (Eigen::Index k = 0; k < S.cols(); ++k) {
        double product = 1.0;
        for (Eigen::Index i = 0; i < S.rows(); ++i) product *= 1.0 - std::abs(S(i, k)) + S(i, k) * W(t, i);
        F.row(t) += product * Phi.col(k).transpose();
      }
    return F;
  }
};

class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}
  Eigen::MatrixXd uniform(Eigen::Index rows, Eigen::Index columns, double low = -1.0, double high = 1.0) {
    Eigen::MatrixXd result(rows, columns);
    for (double& value : result.reshaped())
      value = low + (high - low) * static_cast<double>(engine_() >> 11U) * 0x1p-53;
    return result;
  }

 private:
  std::mt19937_64 engine_;
};

/// Samples of next(x) = F(x, u) at random points of [−1, 1], with errors of that size.
IdentificationData samples_of(const Function& F, Eigen::Index inputs, Eigen::Index count, double noise,
                              Random& random) {
  const Eigen::Index n = F.Phi.rows();
  IdentificationData data;
  for (Eigen::Index j = 0; j < n; ++j) data.states.push_back("x" + std::to_string(j));
  for (Eigen::Index i = 0; i < inputs; ++i) data.inputs.push_back("u" + std::to_string(i));
  SampledExperiment& experiment = data.experiments.emplace_back();
  const Eigen::MatrixXd W = random.uniform(count, n + inputs);
  experiment.states = W.leftCols(n);
  experiment.inputs = W.rightCols(inputs);
  experiment.targets = F(W) + noise * random.uniform(count, n, -std::sqrt(3.0), std::sqrt(3.0));
  for (Eigen::Index t = 0; t < count; ++t) experiment.time.push_back(0.5 * static_cast<double>(t));
  return data;
}

/// The largest difference at random points, relative to the largest value.
double difference(const IdentifiedFunction& found, const Function& F, Random& random) {
  const Eigen::MatrixXd W = random.uniform(500, F.S.rows());
  const Eigen::MatrixXd exact = F(W);
  return (Function{found.S, found.Phi}(W)-exact).cwiseAbs().maxCoeff() / exact.cwiseAbs().maxCoeff();
}

// A million derivatives take many seconds.
TEST(Identification, OfManySamplesAnswersAfterAMoment) {
  constexpr Eigen::Index count = 1'000'000;
  IdentificationData data{.states = {"x"}};
  SampledExperiment& experiment = data.experiments.emplace_back();
  experiment.states.resize(count, 1);
  experiment.inputs.resize(count, 0);
  for (Eigen::Index t = 0; t < count; ++t) {
    experiment.time.push_back(1e-3 * static_cast<double>(t));
    experiment.states(t, 0) = std::sin(1e-3 * static_cast<double>(t));
  }
  const auto begun = std::chrono::steady_clock::now();
  EXPECT_THROW(static_cast<void>(identify(data, {.ranks = {1}, .max_seconds = 0.2})), NotReached);
  EXPECT_LT(std::chrono::steady_clock::now() - begun, std::chrono::seconds(2));
}

TEST(Identification, GivesTheGeneratingFunctionBack) {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const Function F{random.uniform(5, 3), random.uniform(4, 3)};
    const Identification found =
        identify(samples_of(F, 1, 200, 0.0, random), {.discrete = true, .ranks = {1, 2, 3, 4}});
    EXPECT_EQ(found.functions[0].S.cols(), 3);
    EXPECT_LT(difference(found.functions[0], F, random), 1e-10);
    EXPECT_TRUE(found.functions[0].free_directions.empty());
  }
}

/// A search of one start often ends in a local minimum. It never says that it is sure of a function that is not the right one.
TEST(Identification, SaysWhereOneStartAloneCameToItsMinimum) {
  int wrong = 0, right = 0;
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const Function F{random.uniform(5, 5), random.uniform(2, 5)};
    const Identification found = identify(samples_of(F, 3, 200, 0.0, random),
                                          {.discrete = true, .ranks = {5}, .starts = 1, .folds = 0});
    const bool is_right = difference(found.functions[0], F, random) < 1e-6;
    EXPECT_EQ(found.functions[0].ranks[0].unsure, !is_right);
    ++(is_right ? right : wrong);
  }
  EXPECT_GT(wrong, 0);
  EXPECT_GT(right, 0);
}

TEST(Identification, LeavesNoiseOfItsSize) {
  Random random(7);
  const Function F{random.uniform(4, 2), random.uniform(3, 2)};
  const double noise = 1e-2;
  const Identification found =
      identify(samples_of(F, 1, 300, noise, random), {.discrete = true, .ranks = {1, 2, 3}});
  EXPECT_EQ(found.functions[0].S.cols(), 2);
  // 900 equations, 14 numbers: the residual is the noise but for a per cent or so, and its own scatter of 1/√(2·300).
  for (const OutputFit& output : found.functions[0].outputs) EXPECT_NEAR(output.error, noise, 0.15 * noise);
  EXPECT_LT(difference(found.functions[0], F, random), 10.0 * noise);
}

TEST(Identification, DependsOnNeitherUnitsNorOrder) {
  Random random(11);
  const Function F{random.uniform(3, 2), random.uniform(2, 2)};
  const IdentificationData data = samples_of(F, 1, 120, 1e-3, random);
  const IdentificationOptions options{.discrete = true, .ranks = {2}};
  const Identification one = identify(data, options);
  IdentificationData other = data;
  SampledExperiment& experiment = other.experiments[0];
  other.states = {"x1", "x0"};
  experiment.states = data.experiments[0].states.rowwise().reverse();
  experiment.states.col(0) *= 1024.0;  // x1 in another unit
  experiment.targets = data.experiments[0].targets.rowwise().reverse();
  experiment.targets.col(0) *= 1024.0;
  const Identification two = identify(other, options);
  const OutputFit &x0 = two.functions[0].outputs[1], &x1 = two.functions[0].outputs[0];
  EXPECT_NEAR(x0.error, one.functions[0].outputs[0].error, 1e-9 * x0.error);
  EXPECT_NEAR(x1.error, 1024.0 * one.functions[0].outputs[1].error, 1e-9 * x1.error);
}

TEST(Identification, NonnegativeFactorsAreFound) {
  Random random(3);
  const Function F{random.uniform(3, 2, 0.1, 0.9), random.uniform(2, 2, 0.1, 1.0)};
  const Identification found = identify(samples_of(F, 1, 150, 0.0, random),
                                        {.discrete = true, .ranks = {2}, .signs = Signs::nonnegative});
  EXPECT_GE(found.functions[0].S.minCoeff(), 0.0);
  EXPECT_GE(found.functions[0].Phi.minCoeff(), 0.0);
  EXPECT_LT(difference(found.functions[0], F, random), 1e-8);
}

TEST(Identification, DerivativesComeFromSamples) {
  // ẋ = −x + u with u = sin t: x = (sin t − cos t)/2 + (3/2) e^(−t).
  IdentificationData data{.states = {"x"}, .inputs = {"u"}};
  SampledExperiment& experiment = data.experiments.emplace_back();
  const int count = 200;
  experiment.states.resize(count, 1);
  experiment.inputs.resize(count, 1);
  for (int k = 0; k < count; ++k) {
    const double t = 0.05 * k;
    experiment.time.push_back(t);
    experiment.states(k, 0) = 0.5 * (std::sin(t) - std::cos(t)) + 1.5 * std::exp(-t);
    experiment.inputs(k, 0) = std::sin(t);
  }
  const Identification found = identify(data, {.ranks = {1, 2}});
  const Function F{found.functions[0].S, found.functions[0].Phi};
  for (const double x : {-0.5, 0.0, 0.5})
    for (const double u : {-1.0, 0.5}) {
      const double value = F((Eigen::MatrixXd(1, 2) << x, u).finished())(0, 0);
      EXPECT_NEAR(value, u - x, 1e-7);  // interpolation of order 8: h⁸/10 of derivatives about 1
    }
  const auto run = simulate(build(found.model), {.rtol = 1e-8, .atol = 1e-10});
  const double end = experiment.states(count - 1, 0);
  EXPECT_NEAR(run.value(run.size() - 1, run.column("x")), end,
              1e-3);  // inputs are linear between samples: h²/8
}

TEST(Identification, EachModeHasItsFunction) {
  Random random(5);
  const Function off{random.uniform(2, 1), random.uniform(2, 1)},
      on{random.uniform(2, 2), random.uniform(2, 2)};
  IdentificationData data = samples_of(off, 0, 160, 0.0, random);
  SampledExperiment& experiment = data.experiments[0];
  data.mode_columns = {"on"};
  const Eigen::MatrixXd other = on(experiment.states);
  for (int t = 0; t < 160; ++t) {
    experiment.modes.push_back({t % 2});
    if (t % 2 == 1) experiment.targets.row(t) = other.row(t);
  }
  const Identification found = identify(data, {.discrete = true, .ranks = {1, 2}});
  ASSERT_EQ(found.functions.size(), 2U);
  EXPECT_LT(difference(found.functions[0], off, random), 1e-10);
  EXPECT_LT(difference(found.functions[1], on, random), 1e-10);
  EXPECT_TRUE(found.model.inputs.back().binary);
}

/// Times of data are rounded, k/60 to nine digits: each input belongs to its sample all the same.
TEST(Identification, TheModelReadsInputsAtTheirSamples) {
  IdentificationData data{.states = {"x"}, .inputs = {"u"}};
  SampledExperiment& experiment = data.experiments.emplace_back();
  const int count = 60;
  experiment.states.resize(count, 1);
  experiment.inputs.resize(count, 1);
  Random random(12);
  const Eigen::MatrixXd u = random.uniform(count, 1);
  double x = 0.5;
  for (int k = 0; k < count; ++k) {
    experiment.time.push_back(std::round(1e9 * k / 60.0) / 1e9);
    experiment.states(k, 0) = x;
    experiment.inputs(k, 0) = u(k, 0);
    x = 0.6 * x + u(k, 0) - 0.3 * x * u(k, 0);
  }
  const Identification found = identify(data, {.discrete = true, .ranks = {2}});
  const auto run = simulate(build(found.model));
  ASSERT_EQ(run.size(), static_cast<std::size_t>(count));
  for (int k = 0; k < count; ++k) {
    EXPECT_NEAR(run.value(at(k), run.column("x")), experiment.states(k, 0), 1e-8) << k;
  }
}

/// ẋ = −x + 0.3 and ẋ = −2x + 3 by turns. Parts of 3 samples beside those of 20 say nothing of derivatives to eighth order.
TEST(Identification, PartsTooShortForThePolynomialAreLeftOut) {
  IdentificationData data{.states = {"x"}, .inputs = {}, .mode_columns = {"on"}};
  SampledExperiment& experiment = data.experiments.emplace_back();
  std::vector<double> values;
  double x = 0.5, t = 0.0;
  int shorts = 0;
  for (int part = 0; part < 30; ++part) {
    const int length = part % 3 == 2 ? 3 : 20, on = part % 2;
    shorts += length == 3 ? length : 0;
    for (int k = 0; k < length; ++k) {
      experiment.time.push_back(t);
      experiment.modes.push_back({on});
      values.push_back(x);
      const double rate = on == 1 ? 2.0 : 1.0, rest = on == 1 ? 1.5 : 0.3;
      x = rest + (x - rest) * std::exp(-rate * 0.05);
      t += 0.05;
    }
  }
  experiment.states = Eigen::Map<Eigen::VectorXd>(values.data(), static_cast<Eigen::Index>(values.size()));
  experiment.inputs.resize(experiment.states.rows(), 0);
  const Identification found = identify(data, {.ranks = {1}});
  EXPECT_EQ(found.samples_left_out, shorts);
  for (const IdentifiedFunction& function : found.functions)
    for (const double at_x : {0.4, 1.2}) {
      const Function F{function.S, function.Phi};
      const double value = F(Eigen::MatrixXd::Constant(1, 1, at_x))(0, 0);
      EXPECT_NEAR(value, function.mode[0] == 1 ? 3.0 - 2.0 * at_x : 0.3 - at_x, 1e-7);
    }
}

/// x(t + 1) = F_mode(x(t)) from the first sample on, by the definition of F, and what the model's matrices make of it.
TEST(Identification, TheModelRunsTheFunctionOfEachMode) {
  Random random(6);
  IdentificationData data = samples_of({random.uniform(2, 1), random.uniform(2, 1)}, 0, 240, 0.0, random);
  SampledExperiment& experiment = data.experiments[0];
  data.mode_columns = {"on", "stage"};
  std::vector<Function> functions;
  for (int k = 0; k < 6; ++k) functions.push_back({random.uniform(2, 1), random.uniform(2, 1)});
  for (int t = 0; t < 240; ++t) {
    const int mode = (t * t + t / 7) % 6;
    experiment.modes.push_back({mode % 2, mode / 2 - 1});
    experiment.targets.row(t) = functions[static_cast<std::size_t>(mode)](experiment.states.row(t)).row(0);
  }
  const Identification found = identify(data, {.discrete = true, .ranks = {1}});
  ASSERT_EQ(found.functions.size(), 6U);
  const auto run = simulate(build(found.model));
  Eigen::MatrixXd x = experiment.states.row(0);
  for (int t = 0; t < 20; ++t) {
    SCOPED_TRACE(t);
    std::size_t row = 0;
    while (row + 1 < run.size() && run.time(row) < 0.5 * t - 0.25) ++row;
    for (int j = 0; j < 2; ++j)
      EXPECT_NEAR(run.value(row, run.column("x" + std::to_string(j))), x(0, j), 1e-8);
    const std::vector<int>& mode = experiment.modes[static_cast<std::size_t>(t)];
    x = functions[static_cast<std::size_t>(mode[0]) + 2U * (static_cast<std::size_t>(mode[1]) + 1U)](x);
  }
}

/// x' = −x up to t = 1, then 3 − x: x(1) = 1/e, x(3) = 3 + (1/e − 3)/e². An experiment of one sample before it changes nothing.
TEST(Identification, TheModelRunsTheFirstExperimentThatLasts) {
  IdentificationData data{.states = {"x"}, .mode_columns = {"m"}};
  SampledExperiment whole;
  whole.states.resize(151, 1);
  whole.inputs.resize(151, 0);
  for (int k = 0; k <= 150; ++k) {
    const double t = 0.02 * k, at_1 = std::exp(-1.0);
    whole.time.push_back(t);
    whole.states(k, 0) = k < 50 ? std::exp(-t) : 3.0 + (at_1 - 3.0) * std::exp(1.0 - t);
    whole.modes.push_back({k < 50 ? 0 : 1});
  }
  SampledExperiment alone{.time = {0.0}, .inputs = Eigen::MatrixXd(1, 0), .modes = {{0}}};
  alone.states = Eigen::MatrixXd::Ones(1, 1);
  for (const bool with_one : {false, true}) {
    data.experiments = {whole};
    if (with_one) data.experiments.insert(data.experiments.begin(), alone);
    const Identification found = identify(data, {.ranks = {1}});
    const auto run = simulate(build(found.model), {.rtol = 1e-9, .atol = 1e-9});
    EXPECT_NEAR(run.value(run.size() - 1, run.column("x")), 3.0 + (std::exp(-1.0) - 3.0) * std::exp(-2.0),
                1e-5);
  }
}

TEST(Identification, RefusesWhatSamplesCannotTell) {
  Random random(2);
  const Function F{random.uniform(3, 1), random.uniform(2, 1)};
  const IdentificationData good = samples_of(F, 1, 60, 0.0, random);
  const auto id_of = [](const IdentificationData& data, const IdentificationOptions& options) -> std::string {
    try {
      static_cast<void>(identify(data, options));
    } catch (const FaultError& refused) {
      return refused.faults().front().id;
    }
    return {};
  };
  const IdentificationOptions options{.discrete = true, .ranks = {1}};
  EXPECT_EQ(id_of(good, options), "");
  IdentificationData data = good;
  data.experiments[0].inputs.setConstant(3.0);
  EXPECT_EQ(id_of(data, options), "constant-column");
  data.experiments[0].inputs = 2.0 * data.experiments[0].states.col(0).array() - 1.0;
  EXPECT_EQ(id_of(data, options), "collinear-columns");
  EXPECT_EQ(id_of(good, {.discrete = true, .ranks = {50}}), "too-few-samples");
  data = good;
  data.experiments[0].time.back() += 1.0;
  EXPECT_EQ(id_of(data, options), "uneven-samples");
  // The step that differs from most is named, and not the first one, which differs from their mean.
  data = good;
  std::vector<double>& time = data.experiments[0].time;
  const std::size_t gap = time.size() / 2;
  const double step = time[1] - time[0];
  for (std::size_t k = gap; k < time.size(); ++k) time[k] += step;
  try {
    static_cast<void>(identify(data, options));
    ADD_FAILURE() << "a gap is no sample time";
  } catch (const UnusableFile& refused) {
    std::ostringstream expected;
    expected << "from t = " << time[gap - 1] << " to t = " << time[gap] << " is " << time[gap] - time[gap - 1]
             << ", expected the sample time " << step << " of discrete time throughout";
    EXPECT_EQ(refused.faults().front().message, expected.str());
  }
  EXPECT_EQ(id_of(good, {.ranks = {2, 1}}), "bad-option");
}

TEST(NonnegativeLeastSquares, FulfilsTheConditionsOfKuhnAndTucker) {
  Random random(9);
  const Eigen::MatrixXd A = random.uniform(12, 5);
  const Eigen::VectorXd b = random.uniform(12, 1);
  const Eigen::VectorXd x = nonnegative_least_squares(A, b), gradient = A.transpose() * (b - A * x);
  for (Eigen::Index k = 0; k < x.size(); ++k) {
    EXPECT_GE(x(k), 0.0);
    EXPECT_LE(gradient(k), 1e-12);
    EXPECT_NEAR(x(k) * gradient(k), 0.0, 1e-12);
  }
}

}  // namespace identification_test
}  // namespace mti::test
