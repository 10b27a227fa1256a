// Components whose models are matrices of any form or MAT files.
#include <gtest/gtest.h>

#include "io/mat/exchange.hpp"
#include "io/model/read_model.hpp"
#include "mti/build/build.hpp"
#include "mti/common/fault.hpp"
#include "mti/components/append.hpp"
#include "mti/printing/print.hpp"
#include "tests/mti/model/model_texts.hpp"
#include "tests/temporary_directory.hpp"

namespace mti {
namespace component_forms_test {

const std::string head = R"({"format": "mti-model", "version": 1, )";
const std::string signals = R"("states": [{"name": "x", "start": 1}], "inputs": [{"name": "u", "value": 2}],
  "algebraic": [{"name": "y"}], )";

/// One model, der(x) = -x + u and y = 3 x, in several forms.
const std::vector<std::pair<std::string, std::string>> forms = {
    {"text", R"("equations": ["der(x) = -x + u", "y = 3*x"]})"},
    {"matrices", R"("matrices": {
       "S": {"rows": 4, "cols": 4, "i": [0, 1, 2, 3], "k": [0, 1, 2, 3], "v": [1, 1, 1, 1]},
       "Phi_eq": {"rows": 2, "cols": 4, "i": [0, 0, 0, 1, 1], "k": [0, 1, 2, 3, 1], "v": [1, 1, -1, 1, -3]}}})"},
    {"explicit", R"("matrices": {
       "U": {"rows": 2, "cols": 2, "i": [0, 1], "k": [0, 1], "v": [1, 1]},
       "phi": {"rows": 2, "cols": 2, "i": [0, 0, 1], "k": [0, 1, 0], "v": [-1, 1, 3]}}})"},
    {"factors", R"("matrices": {"factors": [[[0, 2], [1, 0]], [[3, 0], [0, 1]]],
       "phi": {"rows": 2, "cols": 2, "i": [0, 0, 1], "k": [0, 1, 0],
               "v": [-0.3333333333333333, 0.5, 1]}}})"},
    {"linear", R"("matrices": {
       "A": {"rows": 1, "cols": 1, "i": [0], "k": [0], "v": [-1]},
       "B": {"rows": 1, "cols": 1, "i": [0], "k": [0], "v": [1]},
       "C": {"rows": 1, "cols": 1, "i": [0], "k": [0], "v": [3]},
       "D": {"rows": 1, "cols": 1, "i": [], "k": [], "v": []}}})"}};

/// Relations of two models as monomials, which are the same in every form up to rounding.
void expect_same_equations(const Model& found, const Model& expected, const std::string& what) {
  ASSERT_EQ(found.signature.size(), expected.signature.size()) << what;
  ASSERT_EQ(found.equations(), expected.equations()) << what;
  for (int row = 0; row < found.equations(); ++row) {
    const auto a = test::equation_of(found, row), b = test::equation_of(expected, row);
    ASSERT_EQ(a.size(), b.size()) << what << " " << row;
    for (auto i = a.begin(), j = b.begin(); i != a.end(); ++i, ++j) {
      EXPECT_EQ(i->first, j->first) << what << " " << row;
      EXPECT_NEAR(i->second, j->second, 4e-16) << what << " " << row;
    }
  }
}

TEST(ComponentForms, EquationsOfAllFormsHold) {
  const test::TemporaryDirectory directory;
  const std::string use = R"("inputs": [{"name": "r", "value": 1}],
    "components": [{"name": "a", "model": "MODEL"}, {"name": "b", "model": "MODEL", "start": {"x": 5}}],
    "connections": [{"input": "a.u", "from": "r - b.y"}, {"input": "b.u", "from": "a.y"}]})";
  const auto used = [&](const std::string& file) {
    std::string text = head + use;
    for (std::size_t at = text.find("MODEL"); at != std::string::npos; at = text.find("MODEL"))
      text.replace(at, 5, file);
    return read_model_text(text, directory.path());
  };
  directory.write("text.json", head + signals + forms.front().second);
  const Model expected = used("text.json");
  ASSERT_EQ(expected.equations(), 6);
  for (const auto& [name, matrices] : forms) {
    directory.write(name + ".json", head + signals + matrices);
    expect_same_equations(used(name + ".json"), expected, name);
    const Model alone = read_model(directory.path() / (name + ".json"));
    write_mat_model(alone, {}, directory.path() / (name + ".mat"));
    expect_same_equations(used(name + ".mat"), expected, name + ".mat");
    const auto appended = [&](const std::string& form) {
      Source whole;
      append(whole, read_source_file(directory.path() / (form + ".json")), "c");
      return build(whole);
    };
    expect_same_equations(appended(name), appended("text"), name + " appended");
  }
}

TEST(ComponentForms, LawsBesideMatricesMayNameOtherComponents) {
  const Model model = read_model_text(head + R"json("binaries": [{"name": "z"}],
    "components": [{"name": "c", "model": {"binaries": [{"name": "on"}], "states": [{"name": "x"}],
                    "equations": ["der(x) = on"]}}],
    "states": [{"name": "w"}],
    "matrices": {"S": {"rows": 3, "cols": 2, "i": [0, 2], "k": [0, 1], "v": [1, 1]},
                 "Phi_eq": {"rows": 1, "cols": 2, "i": [0], "k": [0], "v": [1]},
                 "Phi_ineq": {"rows": 1, "cols": 2, "i": [0], "k": [1], "v": [-1]}},
    "invariants": ["not (z and c.on)"]})json");
  EXPECT_EQ(model.equations(), 2);
  EXPECT_EQ(model.constraints(), 1);
  EXPECT_EQ(model.invariants.size(), 1U);
}

TEST(ComponentForms, FaultsOfMatricesAreFoundInTheirFile) {
  const test::TemporaryDirectory directory;
  directory.write("linear.json", head + signals + R"("matrices": {
    "A": {"rows": 2, "cols": 1, "i": [0], "k": [0], "v": [-1]}, "B": {"rows": 1, "cols": 1, "i": [0], "k": [0], "v": [1]},
    "C": {"rows": 1, "cols": 1, "i": [0], "k": [0], "v": [3]}, "D": {"rows": 1, "cols": 1, "i": [], "k": [], "v": []}}})");
  try {
    (void)read_model_text(head + R"("components": [{"name": "a", "model": "linear.json"},
                                                   {"name": "b", "model": "linear.json"}]})",
                          directory.path());
    FAIL();
  } catch (const InvalidModel& invalid) {
    ASSERT_EQ(invalid.faults().size(), 1U);
    EXPECT_EQ(invalid.faults()[0].id, "matrix-size");
    EXPECT_EQ(invalid.faults()[0].pointer, "/matrices/A");
    EXPECT_EQ(invalid.faults()[0].file, (directory.path() / "linear.json").string());
  }
}

TEST(ComponentForms, ParametersOfMatFilesCannotBeSet) {
  const test::TemporaryDirectory directory;
  directory.write("text.json", head + signals + forms.front().second);
  const std::filesystem::path file = directory.path() / "model.mat";
  write_mat_model(read_model(directory.path() / "text.json"), {{"gain", 2.0}}, file);
  EXPECT_EQ(read_source_file(file).parameters.size(), 1U);
  EXPECT_EQ(read_model(file, {{"x", 7.0}}).x_start, std::vector{7.0});
  try {
    (void)read_model(file, {{"gain", 3.0}});
    FAIL() << "a parameter was set";
  } catch (const InvalidOption& refused) {
    EXPECT_EQ(refused.faults().front().id, "unknown-override");
  }
  try {
    (void)read_model_text(head + R"("components": [{"name": "a", "model": "model.mat",
                                                    "parameters": {"gain": 3}}]})",
                          directory.path());
    FAIL() << "a parameter was set";
  } catch (const InvalidModel& invalid) {
    EXPECT_EQ(invalid.faults().front().id, "unknown-parameter");
  }
}

}  // namespace component_forms_test
}  // namespace mti
