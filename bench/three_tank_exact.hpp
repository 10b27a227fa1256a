#pragma once

#include <array>

namespace mti::bench {

/// A switch of the reference model: the valve (0, 1, 2) that opens or closes at `time`.
struct ExactSwitch {
  double time;
  int valve;
};

/// The 37 switches of the three tanks of the paper up to t = 1000, all valves closed at first.
///
/// Origin: on each segment the tanks are linear, x(t) = x_∞ + exp(A_z t)(x_0 − x_∞) with the matrix
/// exponential, and each switching time was found on that flow by bisection, with 40 digits; printed to
/// double precision.
inline constexpr std::array<ExactSwitch, 37> exact_switches{{
    {17.480931940886677, 2}, {35.98626457028143, 0},  {106.34814959413657, 0}, {120.24675162858505, 2},
    {148.5419968472431, 2},  {151.83974715401393, 0}, {161.1833417472019, 1},  {223.00468511693924, 1},
    {256.4515497092281, 0},  {271.7653857979175, 2},  {301.3776821724144, 2},  {305.58920225039265, 0},
    {385.3426116151767, 0},  {401.4521383782797, 2},  {429.40594801730356, 2}, {430.86101179761687, 0},
    {436.17869564167427, 1}, {500.68479651224743, 1}, {535.9382018229459, 0},  {551.4008460178386, 2},
    {580.9312921857805, 2},  {584.9411178948051, 0},  {665.0544942290288, 0},  {681.2095690950175, 2},
    {709.1515085463751, 2},  {710.5621653285971, 0},  {715.6700964203362, 1},  {780.2976068740472, 1},
    {815.6318439239595, 0},  {831.0987294330071, 2},  {860.6259144904067, 2},  {864.6286949920201, 0},
    {944.7562505027287, 0},  {960.9130348314495, 2},  {988.8545039554608, 2},  {990.2634605469898, 0},
    {995.3628523459535, 1},
}};

}  // namespace mti::bench
