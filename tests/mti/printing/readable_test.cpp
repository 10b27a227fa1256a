// Models written for people: text that builds the same f and g again, powers instead of copies, LaTeX as one
// writes it by hand.

#include "mti/printing/readable.hpp"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "mti/build/build.hpp"
#include "mti/printing/latex_name.hpp"
#include "mti/printing/print.hpp"
#include "tests/mti/model/model_texts.hpp"
#include "tests/mti/multilinear/random_map.hpp"

namespace mti::test {
namespace readable_test {

/// v of one model at the point of another, by names: copies are what they copy.
std::vector<double> by_names(const Signature& signature, const std::map<std::string, double>& values) {
  std::vector<double> v;
  for (int row = 0; row < signature.size(); ++row) {
    std::string name = signature.row_name(row);
    const std::size_t copy = name.find(".copy");
    if (copy != std::string::npos) name.resize(copy);
    if (name.ends_with(".der")) name = "der(" + name.substr(0, name.size() - 4) + ")";
    v.push_back(values.at(name));
  }
  return v;
}

std::map<std::string, double> random_values(const Signature& signature, Random& random) {
  std::map<std::string, double> values;
  for (int row = 0; row < signature.size(); ++row)
    values[signature.row_name(row)] =
        row >= signature.binary_row(0) ? random.index(2) : random.uniform(-2.0, 2.0);
  return values;
}

/// Largest difference of rows of the same name at random points, relative to the sum of their sizes.
double largest_difference(const Model& a, const Model& b, int points, Random& random) {
  double largest = 0.0;
  const auto compare = [&](const CpMap& left, const std::vector<std::string>& left_names, const CpMap& right,
                           const std::vector<std::string>& right_names) {
    std::map<std::string, std::size_t> place;
    for (std::size_t i = 0; i < right_names.size(); ++i) place[right_names[i]] = i;
    for (int point = 0; point < points; ++point) {
      const auto values = random_values(a.signature, random);
      const std::vector<double> v = by_names(a.signature, values), w = by_names(b.signature, values);
      const auto f = naive_value(left, v), g = naive_value(right, w),
                 size = naive_value(absolute(left), absolute(v));
      for (std::size_t j = 0; j < left_names.size(); ++j) {
        if (left_names[j].ends_with(".definition")) continue;
        const long double other = g[place.at(left_names[j])];
        if (f[j] != other) largest = std::max(largest, static_cast<double>(std::abs(f[j] - other) / size[j]));
      }
    }
  };
  compare(a.f(), a.equation_names, b.f(), b.equation_names);
  compare(a.g(), a.constraint_names, b.g(), b.constraint_names);
  return largest;
}

Source with_powers() {
  Source source;
  source.name = "powers";
  source.states = {{"x1", 0.1, "m"}, {"tank1.T", 0.2, "degC"}};
  source.inputs = {{"u_ref", Number(2.0), "N"}};
  source.algebraic = {{"omega", 1.0}};
  source.binaries = {{"z"}, {"o"}};
  source.equations = {{"motion", "der(x1) = x1^3*tank1.T^2 - der(x1)^2*u_ref"},
                      {"heat", "der(tank1.T) = 1.5e-7*omega*(1 - 2*z) + x1*x1*pre(o) - time^2"},
                      {"turn", "omega*(1 - z) + (omega^2 - 3)*z = 0"}};
  source.constraints = {{"low", "x1^2 <= 4*z"}};
  source.scenarios = {{"rest", "z and not o", {"x1^2 = 2*der(x1)"}}};
  source.invariants = {"not (z and o) or o"};
  source.transitions = {{"reach(low)", {"heat"}, {"x1 = -0.5*pre(x1)"}}};
  return source;
}

TEST(Readable, WritesPowers) {
  const Source readable = to_readable(build(with_powers()));
  EXPECT_EQ(readable.equations.at(0).text, "der(x1) + der(x1)^2*u_ref - x1^3*tank1.T^2 = 0");
  EXPECT_EQ(readable.equations.at(2).text, "omega - omega*z + omega^2*z - 3*z = 0");
  EXPECT_EQ(readable.constraints.at(0).text, "-4*z + x1^2 <= 0");
  EXPECT_EQ(readable.scenarios.at(0).equations.at(0), "-2*der(x1) + x1^2 = 0");
  EXPECT_EQ(readable.equations.size(), 3U);
  EXPECT_EQ(readable.algebraic.size(), 1U);
}

TEST(Readable, KeepsFactorsWithSmallNumbers) {
  Source source;
  source.states = {{"x", 1.0}};
  source.binaries = {{"z", 0.0}};
  MatricesSource matrices;  // −(2z − 1)(x − 5) + ẋ(1 + z)
  matrices.S = {3, 2, {2, 1, 0, 2}, {0, 0, 1, 1}, {-2.0 / 3.0, -1.0 / 6.0, 1.0, 0.5}};
  matrices.Phi_eq = {1, 2, {0, 0}, {0, 1}, {-18.0, 2.0}};
  source.matrices = matrices;
  const Model model = build(source);
  EXPECT_EQ(to_readable(model, {.digits = 12}).equations[0].text, "der(x)*(1 + z) + (x - 5)*(1 - 2*z) = 0");
}

TEST(Readable, BuildsTheSameFunctionsAgain) {
  Random random(11);
  for (const Source& source : {with_powers(), three_tank_source()}) {
    const Model model = build(source);
    for (const bool matrices : {false, true}) {
      const Model written = matrices ? build(to_matrices(model)) : model;
      EXPECT_LE(largest_difference(model, build(to_readable(written)), 1000, random), 1e-14);
      EXPECT_LE(largest_difference(model, build(to_readable(written, {.digits = 12})), 100, random), 1e-11);
      // Negative control: three digits are seen to be too few where numbers have more.
      Model other = model;
      other.Phi_eq.coeffRef(0, 0) *= 1.0 + 1e-8;
      EXPECT_GT(largest_difference(model, other, 100, random), 1e-11);
    }
  }
}

// Random matrices with affine factors, as no text would give them.
TEST(Readable, BuildsRandomMatricesAgain) {
  Random random(12);
  for (int i = 0; i < 100; ++i) {
    Source source;
    source.states = {{"x"}, {"v"}};
    source.inputs = {{"u"}};
    source.algebraic = {{"y"}};
    source.binaries = {{"z"}};
    source.equations = {"der(x) = 0", "der(v) = 0", "y = 0"};
    source.constraints = {"x <= 0"};
    Model model = build(source);
    const CpMap map = random_map(random, model.signature.size(), 4, 1 + random.index(12), 4);
    model.S = map.S();
    model.Phi_eq = map.Phi().topRows(3);
    model.Phi_ineq = map.Phi().bottomRows(1);
    bool full = true;  // a row without a signal is no equation
    for (int row = 0; row < 4; ++row) {
      bool has_signal = false;
      for (int k = 0; k < map.columns(); ++k)
        has_signal = has_signal || (map.Phi().coeff(row, k) != 0.0 && map.S().col(k).nonZeros() > 0);
      full = full && has_signal;
    }
    if (!full) continue;
    const Model again = build(to_readable(model));
    EXPECT_LE(largest_difference(model, again, 100, random), 1e-13) << to_readable(model).equations[0].text;
  }
}

TEST(Readable, BreaksLongLinesBetweenTerms) {
  const Model model = build(three_tank_source());
  const std::string text = print_text(model, {.width = 70});
  std::size_t begin = 0, lines = 0;
  for (std::size_t end = text.find('\n'); end != std::string::npos;
       begin = end + 1, end = text.find('\n', begin), ++lines)
    EXPECT_LE(end - begin, 70U) << text.substr(begin, end - begin);
  EXPECT_GT(lines, 20U);
  EXPECT_NE(text.find("  open_valves:  y1 - z1*z3 - z1*z5 - z3*z5 + z1*z3*z5 - 1 = 0\n"), std::string::npos)
      << text;
}

TEST(Readable, WritesAllPartsAsText) {
  EXPECT_EQ(print_text(build(with_powers())), R"(powers

equations
  motion:  der(x1) + der(x1)^2*u_ref - x1^3*tank1.T^2 = 0
  heat:    der(tank1.T) - 1.5e-07*omega + 3e-07*omega*z - x1^2*pre(o) + time^2 = 0
  turn:    omega - omega*z + omega^2*z - 3*z = 0

constraints
  low:  -4*z + x1^2 <= 0

invariants
  not (z and o) or o

when reach(low), in the place of heat
  x1 + 0.5*pre(x1) = 0

scenario rest, where z and not o
  -2*der(x1) + x1^2 = 0

signals
  x1       state, m
  tank1.T  state, degC
  u_ref    input, N
  time     input
  omega    algebraic
  z        binary
  o        binary
)");
}

TEST(LatexName, SubscriptsGreekAndEscapes) {
  const auto latex = [](const std::string& name) { return text::to_string(text::latex_name(name)); };
  EXPECT_EQ(latex("x"), "x");
  EXPECT_EQ(text::latex_text("0 < x > 1"), "0 \\textless{} x \\textgreater{} 1");
  EXPECT_EQ(latex("x12"), "x_{12}");
  EXPECT_EQ(latex("uC"), "\\mathrm{uC}");
  EXPECT_EQ(latex("omega_ref"), "\\omega_{\\mathrm{ref}}");
  EXPECT_EQ(latex("tank1.T"), "T_{\\mathrm{tank1}}");
  EXPECT_EQ(latex("plant.tank_2.x1_dot"), "x_{1,\\mathrm{dot},\\mathrm{plant},\\mathrm{tank},2}");
  EXPECT_EQ(latex("_"), "\\mathtt{\\_}");
  const auto names = text::latex_names({"x1", "x_1", "x2"});
  EXPECT_EQ(text::to_string(names[0]), "\\mathtt{x1}");
  EXPECT_EQ(text::to_string(names[1]), "\\mathtt{x\\_1}");
  EXPECT_EQ(text::to_string(names[2]), "x_{2}");
  EXPECT_EQ(text::latex_text("50 %_{#}"), "50 \\%\\_\\{\\#\\}");
  EXPECT_EQ(text::latex_number("1.5e-07"), "1.5\\cdot 10^{-7}");
  EXPECT_EQ(text::latex_number("1e+300"), "10^{300}");
  EXPECT_EQ(text::latex_number("0.25"), "0.25");
}

// examples/rectifier, against what one writes by hand.
TEST(Latex, OfTheRectifier) {
  const Source rectifier{
      .parameters = {{"R", 0.5}, {"C", 2e-3}, {"load", 20.0}},
      .states = {{.name = "uC", .start = 0.0, .unit = "V"}},
      .inputs = {{.name = "u", .form = SineSource{.amplitude = 10.0, .frequency = 50.0}, .unit = "V"}},
      .algebraic = {{.name = "i", .unit = "A"}, {.name = "v", .unit = "V"}},
      .binaries = {{"conducts"}},
      .equations = {"u = R*i - v + uC", "C*der(uC) = i - uC/load", "conducts*v + (1 - conducts)*i = 0"},
      .constraints = {"i >= 0", "v >= 0"}};
  EXPECT_EQ(print_latex(build(rectifier)), R"(\paragraph{Equations}
\begin{align*}
  & u - 0.5\,i + v - \mathrm{uC} = 0 \tag{eq1} \\
  & 0.002\,\dot{\mathrm{uC}} - i + 0.05\,\mathrm{uC} = 0 \tag{eq2} \\
  & i + v\,\mathrm{conducts} - i\,\mathrm{conducts} = 0 \tag{eq3}
\end{align*}
\paragraph{Constraints}
\begin{align*}
  & -i \le 0 \tag{c1} \\
  & -v \le 0 \tag{c2}
\end{align*}
\paragraph{Signals}
\begin{tabular}{lll}
  $\mathrm{uC}$ & state & V \\
  $u$ & input & V \\
  $i$ & algebraic & A \\
  $v$ & algebraic & V \\
  $\mathrm{conducts}$ & binary &  \\
\end{tabular}
)");
}

TEST(Latex, OfPowersLawsAndInvariants) {
  const std::string latex = print_latex(build(with_powers()));
  for (
      const char* line :
      {R"(  & \dot{x}_{1} + \dot{x}_{1}^{2}\,u_{\mathrm{ref}} - x_{1}^{3}\,T_{\mathrm{tank1}}^{2} = 0 \tag{motion} \\)",
       "1.5\\cdot 10^{-7}\\,\\omega", "x_{1}^{2}\\,o^{-}", "  & \\lnot \\left(z \\land o\\right) \\lor o\n",
       "\\paragraph{When reach(low), in the place of heat}\n", "  & x_{1} + 0.5\\,x_{1}^{-} = 0\n",
       "\\paragraph{Scenario rest, where $z \\land \\lnot o$}\n"})
    EXPECT_NE(latex.find(line), std::string::npos) << line << "\n" << latex;
}

}  // namespace readable_test
}  // namespace mti::test
