// Coefficients that a sum in a common basis would lose: G·z + 1 − z is G at z = 1 and 1 at z = 0, to the last
// digit, however small G is.
//
// The oracle keeps every number as a rational number (Boost.Multiprecision): an expression is made as text
// and as a function of the vertex at once, and the frozen model must hold the rounded value of that function.

#include <gtest/gtest.h>

#include <boost/multiprecision/cpp_int.hpp>

#include <cmath>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "mti/build/build.hpp"
#include "mti/common/at.hpp"
#include "mti/common/number.hpp"
#include "mti/model/freeze.hpp"
#include "mti/multilinear/merged_sum.hpp"
#include "mti/polynomials/exact_number.hpp"
#include "mti/printing/print.hpp"
#include "mti/printing/readable.hpp"

namespace mti {
namespace lost_coefficients_test {

using Rational = boost::multiprecision::cpp_rational;
using text::ExactNumber;

constexpr double kEps = std::numeric_limits<double>::epsilon();

/// One state, an input d and binaries a, b, c of which c is remembered.
Source frame() {
  Source source;
  source.states = {{"x", 1.0}};
  source.algebraic = {{"y", 0.0}};
  source.inputs = {{.name = "d", .form = Number(0.0), .binary = true}};
  source.binaries = {{"a", 0.0}, {"b", 0.0}, {"c", 0.0}};
  source.equations = {"der(x) = 0"};
  source.constraints = {"pre(c) + c <= 3"};
  return source;
}

const std::vector<std::string> kBinaries = {"a", "b", "c", "pre(c)", "d"};
using Vertex = std::vector<char>;  ///< in the order of kBinaries

Mode mode_at(const Vertex& at) {
  Mode mode;
  mode.z = {at[0], at[1], at[2]};
  mode.pre = {at[3]};
  mode.binary_inputs = {at[4]};
  return mode;
}

std::vector<Vertex> vertices() {
  std::vector<Vertex> result;
  for (unsigned bits = 0; bits < 32; ++bits) {
    Vertex vertex;
    for (unsigned i = 0; i < 5; ++i) vertex.push_back((bits >> i & 1U) != 0 ? 1 : 0);
    result.push_back(vertex);
  }
  return result;
}

Model with_equation(const std::string& equation) {
  Source source = frame();
  source.equations.emplace_back("tested", equation);
  return build(source);
}

/// The coefficient of x in the equation `tested` of a mode.
double coefficient_of_x(const Model& model, const Vertex& at) {
  const CpMap f = freeze(model, mode_at(at)).f;
  double value = 0.0;
  for (int k = 0; k < f.columns(); ++k) {
    const SparseColumns::InnerIterator factor(f.S(), k);
    if (factor && factor.row() == model.signature.state_row(0)) value += factor.value() * f.Phi().coeff(1, k);
  }
  return value;
}

Vertex where(char a, char b = 0, char c = 0) { return {a, b, c, 0, 0}; }

TEST(LostCoefficients, OfALeakAreExact) {
  for (const double G : {1e-12, 1e-15, 2e-16, 1e-17, 1e-100, 1e-300, 3.3333333333333335e-9, 0.1, 7e5}) {
    const std::string g = text::format_number(G);
    for (const std::string& text :
         {"y = x*(a*" + g + " + 1 - a)", "y = x*a*" + g + " + x*(1 - a)", "y = x*(1 - a*(1 - " + g + "))",
          "y = x + a*(" + g + "*x - x)", "y = (1 + a*(" + g + " - 1))*x",
          "y = x*(1 - a/2 - a/2 + " + g + "*a)", "3*y = 3*x*(a*" + g + " + 1 - a)",
          "y = x*(a*" + g + " + 1 - a)^2/(1 + 0*a) + 0*a - x*a*" + g + "*(" + g + " - 1)"}) {
      const Model model = with_equation(text);
      const double factor = text.starts_with("3") ? 3.0 : 1.0;
      // The right side goes to the left: −G, −1.
      EXPECT_EQ(coefficient_of_x(model, where(1)), -factor * G) << text;
      EXPECT_EQ(coefficient_of_x(model, where(0)), -factor) << text;
    }
  }
}

/// Two columns, as in the basis {1, z}; 1 − z is −½ in S with Φ doubled, and is exactly 0 at z = 1.
TEST(LostCoefficients, CostNoColumns) {
  const Model model = with_equation("y = x*(a*1e-15 + 1 - a)");
  EXPECT_EQ(model.columns(), with_equation("y = x*(a*2 + 1 - a)").columns());
  int complements = 0;
  for (int k = 0; k < model.columns(); ++k)
    if (model.S.coeff(model.signature.binary_row(0), k) == -0.5) {
      ++complements;
      EXPECT_EQ(model.Phi_eq.coeff(1, k), -2.0);
    }
  EXPECT_EQ(complements, 1);
}

/// Where nothing can be lost, the columns are products of signals as ever.
TEST(LostCoefficients, LeaveOtherColumnsAlone) {
  for (const char* text : {"y = (4200*5*der(x) + 3*x)*(1 - a + b)", "y = a + b + c - a*b - b*c",
                           "y = 0.3*x*(1 - a)", "y = 0.1*a + 0.7*b + 0.2*c + 0.9"}) {
    const Model model = with_equation(text);
    for (int k = 0; k < model.columns(); ++k)
      for (SparseColumns::InnerIterator factor(model.S, k); factor; ++factor)
        EXPECT_EQ(std::abs(factor.value()), 1.0) << text;
  }
}

/// Twenty leaks in parallel: as many pairs of columns, not 2^20.
TEST(LostCoefficients, OfManyBinariesGrowWithTheirNumber) {
  Source source = frame();
  std::string sum;
  for (int i = 0; i < 20; ++i) {
    const std::string z = "s" + std::to_string(i);
    source.binaries.push_back({z, 1.0});
    sum += (i == 0 ? "" : " + ") + std::to_string(i + 1) + "e-15*" + z + " + 1 - " + z;
  }
  source.equations.emplace_back("tested", "y = (" + sum + ")*x");
  const Model model = build(source);
  EXPECT_LE(model.columns(), 5 + 2 * 20);
  Mode mode = mode_at(where(0));
  mode.z.resize(23, 1);
  const CpMap f = freeze(model, mode).f;
  double value = 0.0;
  for (int k = 0; k < f.columns(); ++k)
    if (f.S().coeff(model.signature.state_row(0), k) != 0.0) value += f.Phi().coeff(1, k);
  EXPECT_NEAR(value, -210e-15, 4.0 * kEps * 210e-15);
}

TEST(LostCoefficients, AreKeptByWritingAndReading) {
  const Model model =
      with_equation("y = x*(a*1e-15 + 1 - a)*(b*3e-200 + 0.1*(1 - b)) + (d*7e-20 + 0.3 - 0.3*d)");
  for (const Source& source : {to_equations(model), to_matrices(model), to_readable(model)}) {
    const Model again = build(source);
    for (const Vertex& at : vertices()) EXPECT_EQ(coefficient_of_x(again, at), coefficient_of_x(model, at));
  }
  EXPECT_NE(print_text(with_equation("y = x*(a*1e-15 + 1 - a)")).find("(1 - a)"), std::string::npos);
}

TEST(LostCoefficients, OfALawAreExact) {
  Source source = frame();
  source.constraints.emplace_back("floor", "-x <= 0");
  source.transitions = {
      {"reach(floor)", {}, {"x = pre(x)*(a*1e-15 + 1 - a)*(1e-18*pre(b) + 0.1 - 0.1*pre(b))"}}};
  const Model model = build(source);
  const int size = model.signature.size();
  const CpMap& law = model.transitions.front().equations;
  const std::vector<FixedSignal> at = {{model.signature.binary_row(0), 1.0},
                                       {size + model.signature.binary_row(1), 1.0}};
  const CpMap frozen = freeze(law, at);
  double value = 0.0;
  for (int k = 0; k < frozen.columns(); ++k)
    if (frozen.S().coeff(size + model.signature.state_row(0), k) != 0.0) value += frozen.Phi().coeff(0, k);
  EXPECT_NEAR(value, -1e-33, 2.0 * kEps * 1e-33);
}

/// What cancels to rounding is nothing, as the numbers of a text are rounded themselves.
TEST(LostCoefficients, AreNotInvented) {
  for (const char* text : {"y = x*(0.1 + 0.2 - 0.3) + 1", "y = x*(0.1*a + 0.2*a - 0.3*a) + 1",
                           "y = x*a*(1 - a)*1e300 + 1", "y = 0.7*x*(1 - a)*a + x - x*(1 - a) - a*x + 1"}) {
    const Model model = with_equation(text);
    for (const Vertex& v : {where(0), where(1)}) EXPECT_EQ(coefficient_of_x(model, v), 0.0) << text;
  }
}

/// Text and value of an expression of binaries, side by side.
struct Expression {
  std::string text;
  std::vector<Rational> value;  ///< at each of vertices()
};

class Generator {
 public:
  explicit Generator(unsigned seed) : random_(seed), vertices_(vertices()) {}

  int below(int n) { return std::uniform_int_distribution<int>(0, n - 1)(random_); }

  Expression number() {
    const double exponent = std::uniform_real_distribution<double>(-100.0, 100.0)(random_);
    const double value =
        below(3) == 0 ? 1.0 + below(3) : std::pow(10.0, below(2) == 0 ? exponent : -below(20));
    return {text::format_number(value), std::vector<Rational>(vertices_.size(), Rational(value))};
  }
  Expression binary() {
    const auto i = at(below(static_cast<int>(kBinaries.size())));
    Expression result{kBinaries[i], {}};
    for (const Vertex& vertex : vertices_) result.value.emplace_back(vertex[i] ? 1 : 0);
    return result;
  }
  /// z·A + (1 − z)·B in one of its writings.
  Expression choice(const Expression& A, const Expression& B) {
    const Expression z = binary();
    const std::string& n = z.text;
    const std::string a = "(" + A.text + ")", b = "(" + B.text + ")";
    const std::vector<std::string> writings = {
        n + "*" + a + " + (1 - " + n + ")*" + b, n + "*" + a + " + " + b + " - " + n + "*" + b,
        b + " + " + n + "*(" + a + " - " + b + ")", b + " - (" + b + " - " + a + ")*" + n};
    Expression result{writings[at(below(4))], {}};
    for (std::size_t i = 0; i < z.value.size(); ++i)
      result.value.push_back(z.value[i] != 0 ? A.value[i] : B.value[i]);
    return result;
  }
  Expression expression(int depth) {
    if (depth == 0) return number();
    switch (below(4)) {
      case 0: {
        const Expression left = expression(depth - 1), right = expression(depth - 1);
        Expression result{"(" + left.text + ")*(" + right.text + ")", {}};
        for (std::size_t i = 0; i < left.value.size(); ++i)
          result.value.push_back(left.value[i] * right.value[i]);
        return result;
      }
      case 1: {
        const Expression left = expression(depth - 1), right = expression(depth - 1);
        Expression result{left.text + " + " + right.text, {}};
        for (std::size_t i = 0; i < left.value.size(); ++i)
          result.value.push_back(left.value[i] + right.value[i]);
        return result;
      }
      default:
        return choice(expression(depth - 1), expression(depth - 1));
    }
  }

 private:
  std::mt19937 random_;
  std::vector<Vertex> vertices_;
};

/// Random choices, sums and products of them, with coefficients from 1e-200 to 1e200, at all vertices. All
/// values are positive, so that no sum loses digits by its value: each must be right to the last one, two
/// where several columns come together.
TEST(LostCoefficients, OfRandomExpressionsAreExact) {
  const std::vector<Vertex> all = vertices();
  for (unsigned seed = 1; seed <= 400; ++seed) {
    Generator random(seed);
    const Expression expression = random.expression(2);
    const Model model = with_equation("y = -x*(" + expression.text + ")");
    for (std::size_t i = 0; i < all.size(); ++i) {
      const Rational found(coefficient_of_x(model, all[i]));
      const Rational error = abs(found - expression.value[i]);
      ASSERT_LE(error, Rational(kEps) * expression.value[i])
          << "seed " << seed << ", vertex " << i << ": " << expression.text;
    }
  }
}

/// Sums and products against rational numbers, rounding against the conversion of these.
TEST(LostCoefficients, ExactNumbersAreExact) {
  std::mt19937 random(7);
  const auto draw = [&] {
    const double mantissa = std::uniform_real_distribution<double>(-1.0, 1.0)(random);
    return std::ldexp(mantissa, std::uniform_int_distribution<int>(-1000, 1000)(random));
  };
  for (int i = 0; i < 300; ++i) {
    const double a = draw(), b = draw(), c = draw(), d = draw();
    const ExactNumber number = ExactNumber(a) * b + ExactNumber(c) * d + (-(ExactNumber(a) * b));
    EXPECT_EQ(number, ExactNumber(c) * d);
    EXPECT_TRUE((number + (-(ExactNumber(d) * c))).is_zero());
    const double sum = (ExactNumber(a) + b + c + d).rounded();
    const Rational exact = Rational(a) + Rational(b) + Rational(c) + Rational(d);
    const Rational error = abs(Rational(sum) - exact);
    for (const double beside : {std::nextafter(sum, HUGE_VAL), std::nextafter(sum, -HUGE_VAL)})
      EXPECT_LE(error, abs(Rational(beside) - exact));
    std::vector<double> terms = {a, b, c, d};
    EXPECT_EQ(merged_sum(terms), sum);
  }
  // Below the least normal number, ties to even: 2^-1075 is half of the least.
  const ExactNumber half = ExactNumber(std::ldexp(1.0, -1074)) * 0.5;
  EXPECT_EQ(half.rounded(), 0.0);
  EXPECT_EQ((half * 3.0).rounded(), std::ldexp(1.0, -1073));
  EXPECT_EQ((half + std::ldexp(1.0, -1100)).rounded(), 0.0);
  EXPECT_EQ((half + ExactNumber(std::ldexp(1.0, -1000)) * std::ldexp(1.0, -1000)).rounded(),
            std::ldexp(1.0, -1074));
  EXPECT_EQ((ExactNumber(1e308) * 10.0).rounded(), HUGE_VAL);
  EXPECT_EQ((ExactNumber(1e308) * 10.0 + (ExactNumber(-1e308) * 9.0)).rounded(), 1e308);
}

/// Σ Phi of the columns with x, exactly, of what is left of f where z is held.
Rational coefficient_of_x(const Model& model, char z) {
  Mode mode;
  mode.z = {z};
  const CpMap f = freeze(model, mode).f;
  const int x = *model.signature.find("x");
  Rational sum = 0;
  for (int k = 0; k < f.columns(); ++k)
    if (f.S().coeff(x, k) == 1.0) sum += Rational(f.Phi().coeff(0, k));
  return sum;
}

/// The load beside a closed switch, at every distance of the two and in every mode.
TEST(LostCoefficients, ASmallOneBesideALargeOneKeepsItsDigits) {
  for (const double G : {1.0, 1e3, 1e5, 1e9, 1e12, -1e9})
    for (const double g : {0.1, 0.001, 1e-9}) {
      Source source;
      source.parameters = {{"G", G}, {"g", g}};
      source.states = {{"x", 1.0}};
      source.binaries = {{"z"}};
      source.equations = {"der(x) = -x*(G*z + 1e-9*(1 - z)) - g*x"};
      source.constraints = {"(1 - 2*z)*x <= 0"};
      const Model model = build(source);
      constexpr double kept = 1e-10;
      EXPECT_LE(abs(coefficient_of_x(model, 1) - Rational(G) - Rational(g)), Rational(kept * g))
          << G << ' ' << g;
      EXPECT_LE(abs(coefficient_of_x(model, 0) - Rational(1e-9) - Rational(g)), Rational(kept * 1e-9))
          << G << ' ' << g;
      // A factor that a mode makes a number brings coefficients together, too.
      source.equations = {"der(x) = -x*z*G - g*x"};
      EXPECT_LE(abs(coefficient_of_x(build(source), 1) - Rational(G) - Rational(g)), Rational(kept * g))
          << G << ' ' << g;
    }
}

}  // namespace lost_coefficients_test
}  // namespace mti
