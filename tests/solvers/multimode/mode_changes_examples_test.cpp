// Mode changes of published models, against what is known of them by hand.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <initializer_list>
#include <string>
#include <vector>

#include "bench/faulty_coaxial.hpp"
#include "io/model/read_model.hpp"
#include "mti/build/boolean_text.hpp"
#include "mti/build/build.hpp"
#include "mti/common/at.hpp"
#include "solvers/multimode/mode_changes.hpp"
#include "tests/places.hpp"

namespace mti::test {
namespace mode_changes_examples_test {

Model case_model(const std::string& name) {
  return read_model(source_dir() / "tests/cases" / (name + ".json"));
}

int signal_of(const Model& model, const std::string& name) {
  const int row = model.signature.find(name).value();
  return row >= model.signature.algebraic_row(0)
             ? model.signature.n() + row - model.signature.algebraic_row(0)
             : row - model.signature.state_row(0);
}

/// The value of a mode variable, of a binary or a binary input.
bool value_in(const Mode& mode, const Model& model, const ModeSpace& space, int variable) {
  const int row = space.row_of(variable), first = model.signature.binary_row(0);
  if (row >= first) return mode.z[at(row - first)] != 0;
  std::size_t place = 0;
  for (int i = 0; model.signature.input_row(i) < row; ++i)
    place += model.signature.inputs()[at(i)].binary ? 1 : 0;
  return mode.binary_inputs[place] != 0;
}

std::vector<Mode> all_modes_of(const Model& model) {
  const auto q = at(model.signature.q());
  const auto inputs =
      at(std::ranges::count_if(model.signature.inputs(), [](const Signal& input) { return input.binary; }));
  std::vector<Mode> modes;
  for (unsigned bits = 0; bits < 1U << (q + inputs); ++bits) {
    Mode& mode = modes.emplace_back();
    for (std::size_t i = 0; i < q + inputs; ++i)
      (i < q ? mode.z : mode.binary_inputs).push_back((bits >> i & 1U) != 0 ? 1 : 0);
  }
  return modes;
}

std::string bits_of(const Mode& mode) {
  std::string text;
  for (const auto* values : {&mode.z, &mode.binary_inputs})
    for (const char value : *values) text += value != 0 ? '1' : '0';
  return text;
}

/// Whether a signal is expected to change from `before` to `after`.
using Happens = std::function<bool(const std::string& signal, const Mode& before, const Mode& after)>;

/// Compares jumps and impulses of every signal for all pairs of modes considered; none where one is singular.
void expect_changes(const Model& model, const Happens& jumps, const Happens& impulses) {
  const AllModes all(model);
  const ModeChanges changes = mode_changes(all, model, ModeSet::all(), ModeSet::all());
  const auto considered = [&](const Mode& mode) {
    return std::ranges::all_of(all.space.factors(),
                               [&](const ModeSet& factor) { return all.space.contains(factor, mode); });
  };
  std::vector<std::string> names;
  for (const Signal& state : model.signature.states()) names.push_back(state.name);
  for (const Signal& algebraic : model.signature.algebraic())
    if (!algebraic.auxiliary) names.push_back(algebraic.name);
  for (const Mode& before : all_modes_of(model))
    for (const Mode& after : all_modes_of(model)) {
      if (!considered(before) || !considered(after)) continue;
      const bool both =
          !all.space.contains(all.parts.singular, before) && !all.space.contains(all.parts.singular, after);
      const auto in = [&](const ModeSet& set) {
        return set.contains([&](int variable) {
          return value_in(variable % 2 == 0 ? before : after, model, all.space, variable / 2);
        });
      };
      for (const std::string& name : names) {
        const auto j = at(signal_of(model, name));
        const std::string label = name + ", " + bits_of(before) + " -> " + bits_of(after);
        EXPECT_EQ(in(changes.jumps[j]), both && jumps(name, before, after)) << "jump of " << label;
        EXPECT_EQ(in(changes.impulses[j]), both && impulses(name, before, after)) << "impulse of " << label;
      }
    }
}

bool is_one_of(const std::string& name, std::initializer_list<const char*> names) {
  return std::ranges::find(names, name) != names.end();
}

const Happens nothing = [](const std::string&, const Mode&, const Mode&) { return false; };

/// z_i (or binary input i, where there is no z) becomes 1.
bool rises(const Mode& before, const Mode& after, std::size_t i) {
  const auto& from = before.z.empty() ? before.binary_inputs : before.z;
  const auto& to = after.z.empty() ? after.binary_inputs : after.z;
  return from[i] == 0 && to[i] != 0;
}

/// j1 w1' + … = f1, j2 w2' + … = f2: the torque that makes the speeds equal is an impulse.
TEST(ModeChangesOfExamples, ClutchJumpsWhenItEngages) {
  expect_changes(
      case_model("clutch_basic"),
      [](const std::string& name, const Mode& before, const Mode& after) {
        return is_one_of(name, {"w1", "w2"}) && rises(before, after, 0);
      },
      [](const std::string& name, const Mode& before, const Mode& after) {
        return is_one_of(name, {"f1", "f2"}) && rises(before, after, 0);
      });
}

/// k w1 − u = 0 holds in both modes; the capacitor's voltage jumps with the motor's speed.
TEST(ModeChangesOfExamples, MotorJumpsWithItsCapacitor) {
  expect_changes(
      case_model("motor_and_load"),
      [](const std::string& name, const Mode& before, const Mode& after) {
        return is_one_of(name, {"w1", "w2", "u"}) && rises(before, after, 0);
      },
      [](const std::string& name, const Mode& before, const Mode& after) {
        return name == "tau" && rises(before, after, 0);
      });
}

/// The rope stops the ball: speeds jump, λ is the impulse, positions are where they are.
TEST(ModeChangesOfExamples, RopeStopsTheBall) {
  expect_changes(
      case_model("cup_and_ball"),
      [](const std::string& name, const Mode& before, const Mode& after) {
        return is_one_of(name, {"vx", "vy"}) && rises(before, after, 0);
      },
      [](const std::string& name, const Mode& before, const Mode& after) {
        return name == "lambda" && rises(before, after, 0);
      });
}

/// 1 = if p then x else x': in p the value of x is no longer its own.
TEST(ModeChangesOfExamples, StateWithoutDerivativeLosesItsValue) {
  expect_changes(
      case_model("two_equations"),
      [](const std::string& name, const Mode& before, const Mode& after) {
        return name == "x" && rises(before, after, 0);
      },
      nothing);
}

/// Full: x = 1 by the overflow yh, which its sensor shows; empty: x = 0 by the refill yl.
TEST(ModeChangesOfExamples, TankIsHeldAtItsEnds) {
  expect_changes(
      case_model("water_tank"),
      [](const std::string& name, const Mode& before, const Mode& after) {
        return name == "x" && (rises(before, after, 0) || rises(before, after, 1));
      },
      [](const std::string& name, const Mode& before, const Mode& after) {
        return (is_one_of(name, {"yh", "sh"}) && rises(before, after, 0)) ||
               (is_one_of(name, {"yl", "sl"}) && rises(before, after, 1));
      });
}

/// Both diodes conduct: v1 = v2, by charge impulses i1 + i2 = 0. Both block: j1 + j2 = 0, by voltage
/// impulses of the coils that the diodes take. With one conducting nothing is constrained.
TEST(ModeChangesOfExamples, DiodesJoinCapacitorsOrCoils) {
  const auto enters = [](const Mode& before, const Mode& after, char g) {
    const std::vector<char> both{g, g};
    return after.z == both && before.z != both;
  };
  expect_changes(
      case_model("rldc2"),
      [&](const std::string& name, const Mode& before, const Mode& after) {
        return (is_one_of(name, {"v1", "v2"}) && enters(before, after, 1)) ||
               (is_one_of(name, {"j1", "j2"}) && enters(before, after, 0));
      },
      [&](const std::string& name, const Mode& before, const Mode& after) {
        return (is_one_of(name, {"i1", "i2"}) && enters(before, after, 1)) ||
               (is_one_of(name, {"w1", "w2", "u1", "u2"}) && enters(before, after, 0));
      });
}

/// Opening forces i1 to 0, shorting forces u2 to 0; no row is differentiated, nothing else changes. 27²
/// pairs of modes.
TEST(ModeChangesOfExamples, CoaxialElementsLoseCurrentOrVoltage) {
  const Model model = build(bench::FaultyCoaxial{3}.source());
  const auto binary = [&](const std::string& name) {
    return at(model.signature.find(name).value() - model.signature.binary_row(0));
  };
  expect_changes(
      model,
      [&](const std::string& name, const Mode& before, const Mode& after) {
        const std::string element = name.substr(name.size() - 1);
        return (name.starts_with("i1_") && rises(before, after, binary("open" + element))) ||
               (name.starts_with("u2_") && rises(before, after, binary("short" + element)));
      },
      nothing);
}

/// Only the pairs asked for.
TEST(ModeChangesOfExamples, AreThoseAskedFor) {
  const Model model = case_model("rldc2");
  const AllModes all(model);
  const auto where = [&](const char* formula) {
    return modes_where(parse_formula(model, formula), all.space);
  };
  const auto v1 = at(signal_of(model, "v1"));
  const ModeSet from = where("g1 and not g2"), to = where("g1 and g2");
  EXPECT_EQ(mode_changes(all, model, from, to).jumps[v1],
            of_before(from, all.space) & of_after(to, all.space));
  EXPECT_TRUE(mode_changes(all, model, to, from).any_jump.empty());
  EXPECT_TRUE(mode_changes(all, model, to, from).any_impulse.empty());
  EXPECT_TRUE(mode_changes(all, model, from, from).any_jump.empty());
}

}  // namespace mode_changes_examples_test
}  // namespace mti::test
