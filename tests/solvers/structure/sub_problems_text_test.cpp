#include <gtest/gtest.h>

#include "solvers/structure/sub_problems.hpp"
#include "tests/solvers/pattern_model.hpp"

namespace mti {
namespace sub_problems_text_test {

using test::pattern_model;
using test::signals;
using test::three_tanks;

TEST(BlockTriangularPicture, shows_pattern_28) {
  const Model model = three_tanks();
  EXPECT_EQ(block_triangular_picture(model, analyze_structure(model)),
            R"(sub-set 1: 10 unknowns in 7 sub-problems

             z1 z2   z3 z4   z5 z6   y1   der(x1)   der(x2)   der(x3)
low1        [x  x ]
high1       [x  x ]
low2         .  .   [x  x ]
high2        .  .   [x  x ]
low3         .  .    .  .   [x  x ]
high3        .  .    .  .   [x  x ]
open_valves  x  .    x  .    x  .   [x ]
tank1        x  .    .  .    .  .    x   [   x   ]
tank2        .  .    x  .    .  .    x       .     [   x   ]
tank3        .  .    .  .    x  .    x       .         .     [   x   ]
)");
}

TEST(BlockTriangularPicture, leaves_out_what_would_fill_screens) {
  const Model model = three_tanks();
  EXPECT_EQ(block_triangular_picture(model, analyze_structure(model), 9),
            "sub-set 1: 10 unknowns in 7 sub-problems (too many for a picture)\n");
}

TEST(BlockTriangularPicture, has_one_part_per_sub_set_and_names_rows_of_knowns) {
  const Model model =
      pattern_model({signals({"a", "b"}), {}, {}, {}}, {{"first", {{"der(a)"}}}, {"second", {{"der(b)"}}}},
                    {{"level", {{"a"}}}});
  EXPECT_EQ(block_triangular_picture(model, analyze_structure(model)),
            R"(sub-set 1: 1 unknown in 1 sub-problem

       der(a)
first [  x   ]

sub-set 2: 1 unknown in 1 sub-problem

        der(b)
second [  x   ]

without unknowns: level
)");
}

}  // namespace sub_problems_text_test
}  // namespace mti
