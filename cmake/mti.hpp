#pragma once

// Everything that most programs need of mti.

#include "mti/build/build.hpp"                       // equations or matrices → Model
#include "mti/common/fault.hpp"                      // what is wrong with a model, with its place
#include "mti/components/flatten.hpp"                // models made of components
#include "mti/components/interconnect.hpp"           // series, parallel and feedback
#include "mti/derivatives/parameter_derivative.hpp"  // derivatives with respect to parameters
#include "mti/io/analysis/write_analysis.hpp"        // structure as text and JSON
#include "mti/io/model/read_model.hpp"               // model files
#include "mti/io/model/write_model.hpp"              //
#include "mti/io/report/report.hpp"                  // the report as one HTML page
#include "mti/io/results/result_stream.hpp"          // results written while a run goes on
#include "mti/io/results/write_results.hpp"          // trajectory.csv, events.json, summary.json
#include "mti/model/jacobian.hpp"                    // f and ∂f as functions, for other solvers
#include "mti/model/model.hpp"                       // S, Φ, signals, start values
#include "mti/printing/print.hpp"                    // equations as text
#include "mti/solvers/diagnosis/diagnosis.hpp"       // what `mti check` says
#include "mti/solvers/eigenvalues/pencil_eigenvalues.hpp"
#include "mti/solvers/equilibria/equilibrium.hpp"         // points at rest
#include "mti/solvers/fitting/fit.hpp"                    // parameters from measured data
#include "mti/solvers/identification/identification.hpp"  // models from samples
#include "mti/solvers/linearization/linearize.hpp"        // E, A, B, C, D at points of a run
#include "mti/solvers/linearization/state_space.hpp"      //
#include "mti/solvers/multimode/multimode_analysis.hpp"   // the structure of all modes at once
#include "mti/solvers/orbits/orbit.hpp"                   // periodic orbits
#include "mti/solvers/simulation/simulate.hpp"            // runs
#include "mti/solvers/stepping/run.hpp"                   // a run that is advanced from outside
#include "mti/solvers/structure/sub_problems.hpp"         // sub-problems and their order
#include "mti/solvers/trajectory/trajectory.hpp"          // what they give
#include "mti/source/source.hpp"                          // what a model is built from
#include "mti/transform/discretise.hpp"                   // discrete from continuous time
#include "mti/transform/reduce.hpp"                       // fewer signals
