# Draws the figures of README.md from the results of a run:
#   gnuplot -c figures.gp RESULTS FOLDER     reads RESULTS/trajectory.csv, writes FOLDER/*.svg
results = ARG1."/trajectory.csv"
folder = ARG2
set datafile separator ","
set datafile columnheaders

array tank_color[3] = ["#0072b2", "#d55e00", "#009e73"]
array low[3] = [30, 25, 35]
array high[3] = [40, 35, 45]
array valve[3] = ["z1", "z3", "z5"]
ink = "#333333"
period = 279.8  # rounded up: the curve closes

set border 3 linecolor rgb ink
set tics nomirror out scale 0.6 textcolor rgb ink
set key textcolor rgb ink

# Figure 1: temperatures between their limits, valves, number of open valves. An event has two rows of the
# same time, so lines through all rows jump where the signal jumps.
set terminal svg size 820,620 font "Helvetica,13" background "#ffffff" dynamic
set output folder."/time_signals.svg"
set multiplot
set lmargin at screen 0.09
set rmargin at screen 0.97
set xrange [0:1000]

set bmargin at screen 0.46
set tmargin at screen 0.94
set yrange [23:47]
set ytics 25, 5, 45
set xtics format ""
set ylabel "temperature in °C" offset 1 textcolor rgb ink
set key top center outside horizontal samplen 2
do for [k = 1:3] {
  set arrow from 0, low[k] to 1000, low[k] nohead linewidth 0.7 dashtype 3 linecolor rgb tank_color[k]
  set arrow from 0, high[k] to 1000, high[k] nohead linewidth 0.7 dashtype 3 linecolor rgb tank_color[k]
}
plot for [k = 1:3] results using (column("time")):(column(sprintf("x%d", k))) \
     with lines linewidth 1.6 linecolor rgb tank_color[k] title sprintf("x_%d", k)
unset arrow
unset key

set bmargin at screen 0.26
set tmargin at screen 0.43
set yrange [-0.2:3]
set ytics ("z_5" 0.35, "z_3" 1.35, "z_1" 2.35) scale 0
set ylabel "valve open" offset -1
plot for [k = 1:3] results using (column("time")):(3 - k + 0.7 * column(valve[k])) \
     with filledcurves y1=3-k fillcolor rgb tank_color[k] fillstyle solid 0.35 border rgb tank_color[k]

set bmargin at screen 0.1
set tmargin at screen 0.23
set yrange [0.7:3.3]
set ytics ("1" 1, "2" 2, "3" 3) scale 0.6
set xtics format "%g"
set xlabel "time in s" textcolor rgb ink
set ylabel "y_1" offset -1
plot results using (column("time")):(column("y1")) with lines linewidth 1.6 linecolor rgb ink
unset multiplot
unset output

# Figure 2: phase diagram in two projections; the last period stands out, a disc marks an opening valve and a
# ring a closing one, in the colour of its tank. A switch is a right-limit row whose valve differs from the
# row before it, the left limit.
set terminal svg size 820,500 font "Helvetica,13" background "#ffffff" dynamic
set output folder."/phase_diagram.svg"
before = NaN
mark(k, to) = (now = column(valve[k]), was = before, before = now, \
               column("side") == 1 && now != was && now == to ? column(y_axis) : NaN)
set multiplot layout 1, 2 margins 0.08, 0.98, 0.28, 0.96 spacing 0.1
set xrange [29:41]
set xtics 30, 2, 40 format "%g"
set xlabel "x_1 in °C"
set key off
set arrow from screen 0.14, screen 0.12 rto screen 0.03, 0 nohead linewidth 0.8 linecolor rgb "#b8b8b8"
set label "first 720 s" at screen 0.18, screen 0.12 textcolor rgb ink
set arrow from screen 0.14, screen 0.06 rto screen 0.03, 0 nohead linewidth 1.8 linecolor rgb ink
set label "last period" at screen 0.18, screen 0.06 textcolor rgb ink
do for [k = 1:3] {
  set label sprintf("valve %d opens", k) at screen 0.18 + 0.2*k, screen 0.12 textcolor rgb ink offset 1, -0.3 \
      point pointtype 7 pointsize 0.7 linecolor rgb tank_color[k]
  set label sprintf("valve %d closes", k) at screen 0.18 + 0.2*k, screen 0.06 textcolor rgb ink offset 1, -0.3 \
      point pointtype 6 pointsize 0.8 linewidth 1.6 linecolor rgb tank_color[k]
}
do for [other = 2:3] {
  y_axis = sprintf("x%d", other)
  set yrange [low[other] - 1 : high[other] + 1]
  set ytics low[other], 2, high[other]
  set ylabel sprintf("x_%d in °C", other) offset 1
  set object 1 rectangle from 30, low[other] to 40, high[other] fillstyle empty border rgb "#bbbbbb" \
      dashtype 3 behind
  plot results using (column("x1")):(column(y_axis)) with lines linewidth 0.8 linecolor rgb "#b8b8b8", \
       results using (column("x1")):(column("time") > 999 - period ? column(y_axis) : NaN) \
         with lines linewidth 1.8 linecolor rgb ink, \
       for [k = 1:3] results using (column("x1")):(mark(k, 1)) with points pointtype 7 pointsize 0.7 \
         linecolor rgb tank_color[k], \
       for [k = 1:3] results using (column("x1")):(mark(k, 0)) with points pointtype 6 pointsize 0.8 linewidth 1.6 \
         linecolor rgb tank_color[k]
  unset label
  unset arrow
}
unset multiplot
unset output
