# Read by ctest: each suite of ${program}, a program of GoogleTest, is one test, with the labels and the time limit
# given. One process for a suite, not for each of its tests: to start took longer than most of them do.
#
# program    what lists and runs the tests
# label      of all its suites
# timeout    of a suite, s
# long       suites that begin first, so that none is waited for alone at the end

cmake_policy(VERSION 3.25)
if(NOT EXISTS ${program})
  add_test(${label}.not_built ${program})
  return()
endif()
execute_process(
  COMMAND ${program} --gtest_list_tests
  OUTPUT_VARIABLE listed
  RESULT_VARIABLE status
  TIMEOUT 300)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "${program} --gtest_list_tests: ${status}")
endif()
# A suite begins its line and ends in a full stop, its tests are indented: "Numbers/CoupledRelays.\n  SlideTogether/0".
string(REGEX MATCHALL "(^|\n)[A-Za-z0-9_/]+\\." suites "${listed}")
foreach(suite IN LISTS suites)
  string(REGEX REPLACE "^\n|\\.$" "" suite "${suite}")
  add_test(${suite} ${program} --gtest_filter=${suite}.*)
  set_tests_properties(${suite} PROPERTIES LABELS ${label} TIMEOUT ${timeout})
  if(suite IN_LIST long)
    set_tests_properties(${suite} PROPERTIES COST 10)
  endif()
endforeach()
