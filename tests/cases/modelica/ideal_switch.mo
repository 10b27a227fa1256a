model ideal_switch "A capacitor discharges through a resistor once an ideal switch has closed"
  parameter Real R = 10, C = 0.05;
  Real uC(start = 8, fixed = true), v, i;
  Boolean closed;
equation
  closed = time >= 1;
  0 = if closed then v else i;
  uC = R*i + v;
  C*der(uC) = -i;
  annotation(experiment(StopTime = 2));
end ideal_switch;
