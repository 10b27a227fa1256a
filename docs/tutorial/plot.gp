set datafile separator ","
set datafile columnheaders
set terminal svg size 720,320 background "white"
set output "rectifier.svg"
set xlabel "time in s"
set ylabel "V, A"
set key outside top center horizontal
plot "out/rectifier/trajectory.csv" using "time":"uC" with lines linewidth 2 title "uC", \
     "" using "time":"i" with lines linewidth 2 title "i", \
     "" using "time":"conducts" with lines linewidth 2 title "conducts"
