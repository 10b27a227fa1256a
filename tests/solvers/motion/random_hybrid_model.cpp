#include "tests/solvers/motion/random_hybrid_model.hpp"

#include <set>

#include "mti/common/at.hpp"
#include "tests/solvers/motion/motion_oracle.hpp"

namespace mti::test {

namespace {
constexpr int most_binaries = 12;
}

RandomHybridModel::RandomHybridModel(Shape shape, unsigned seed) : random_(seed) {
  while (!draw(shape)) {
  }
  draw_point();
}

/// False where there are too many binaries, or the terms of a row have cancelled to nothing, which is
/// refused.
bool RandomHybridModel::draw(Shape shape) {
  source_ = {};
  logic_.clear();
  starts_.clear();
  signals_.clear();
  z_.clear();
  parts_ = 0;
  add(shape);
  if (chance(40))
    add(all_shapes[at(integer(0, all_shapes.size() - 1))]);  // a further sub-set, or coupled to it
  if (chance(30)) add(shape);
  if (chance(40)) constraint(one_of("(3 + " + any(signals_) + ")", binary()));
  if (chance(15)) add_invariant();
  for (const std::string& text : logic_) source_.equations.emplace_back(text);
  if (source_.binaries.size() > most_binaries) return false;
  try {
    model = build(source_);
  } catch (const InvalidModel&) {
    return false;
  }
  // Differences that have become signals have equations of their own, which the oracles know nothing of.
  return model.equations() == static_cast<int>(source_.equations.size());
}

void RandomHybridModel::draw_point() {
  std::vector<double> x;
  for (const Range& range : starts_) x.push_back(integer(range.low, range.high));
  instant = instant_of(model, 0.0, x);
  before = {};
  for (int i = 0; i < model.signature.q(); ++i) before.z.push_back(chance(30) ? 1 : 0);
  for (const int binary : model.signature.pre()) before.pre.push_back(before.z[at(binary)]);
}

std::string RandomHybridModel::text() const {
  std::string text;
  for (const RelationSource& relation : source_.equations) text += relation.text + "\n";
  for (const RelationSource& relation : source_.constraints) text += relation.text + "\n";
  for (const std::string& formula : source_.invariants) text += formula + "\n";
  const auto value = [&](int row) { return std::to_string(instant.v[at(row)]); };
  for (int i = 0; i < model.signature.n(); ++i)
    text += model.signature.row_name(model.signature.state_row(i)) + " = " +
            value(model.signature.state_row(i)) + " ";
  for (int i = 0; i < model.signature.m(); ++i)
    text += model.signature.row_name(model.signature.input_row(i)) + " = " +
            std::to_string(instant.pieces[at(i)].value(0.0)) + " + " +
            std::to_string(instant.pieces[at(i)].derivative(0.0, 1)) + "*t ";
  for (int i = 0; i < model.signature.q(); ++i)
    text += source_.binaries[at(i)].name + " = " + std::to_string(before.z[at(i)]) + " ";
  return text;
}

std::string RandomHybridModel::factor(int size) {
  const int value = integer(1, size);
  return "(" + std::to_string(chance(50) ? value : -value) + ")";
}

std::string RandomHybridModel::state(int low, int high) {
  source_.states.push_back({"x" + std::to_string(source_.states.size() + 1), 0.0});
  starts_.push_back({low, high});
  signals_.push_back(source_.states.back().name);
  return source_.states.back().name;
}

std::string RandomHybridModel::input() {
  const double value = integer(-2, 2), end = integer(-2, 2);
  source_.inputs.push_back(
      {"u" + std::to_string(source_.inputs.size() + 1), TableSource{{0.0, 1.0}, {value, end}}});
  return source_.inputs.back().name;
}

std::string RandomHybridModel::algebraic() {
  source_.algebraic.push_back({"y" + std::to_string(source_.algebraic.size() + 1), 0.0});
  return source_.algebraic.back().name;
}

std::string RandomHybridModel::binary() {
  source_.binaries.push_back({"z" + std::to_string(source_.binaries.size() + 1), 0.0});
  z_.push_back(source_.binaries.back().name);
  return source_.binaries.back().name;
}

std::vector<std::string> RandomHybridModel::binaries(int count) {
  std::vector<std::string> names;
  for (int i = 0; i < count; ++i) names.push_back(binary());
  return names;
}

std::string RandomHybridModel::sum(const std::vector<std::string>& names) {
  std::string text = constant(-2, 2);
  for (int i = integer(1, 3); i > 0; --i) text += " + " + constant(-2, 2) + "*" + any(names);
  return text;
}

std::string RandomHybridModel::one_of(const std::string& g, const std::string& z) {
  std::set<std::string> names{z};
  for (int more = integer(1, 2); more > 0; --more) names.insert(chance(50) ? any(z_) : binary());
  std::string text = g;
  for (const std::string& name : names) text += "*(1 - " + name + ")";
  return text + " <= 0";
}

void RandomHybridModel::add(Shape shape) {
  // Sub-models that are added later may be coupled to the earlier ones through their signals.
  if (parts_++ > 0 && chance(50)) signals_.clear();
  switch (shape) {
    case Shape::square:
      return add_square();
    case Shape::complementarity:
      return add_complementarity();
    case Shape::logic:
      return add_logic();
    case Shape::latch:
      return add_latch();
    case Shape::chain:
      return add_chain();
    case Shape::shared:
      return add_shared();
    case Shape::tangency:
      return add_tangency();
    case Shape::rope:
      return add_rope();
    case Shape::cascade:
      return add_cascade();
    case Shape::contradiction:
      return add_contradiction();
    case Shape::sources:
      return add_sources();
    case Shape::generic:
      return add_generic();
  }
}

}  // namespace mti::test
