model pulse_width "An inductor behind an ideal switch that opens and closes periodically"
  parameter Real T = 0.5, duty = 0.25, L = 1, R = 2, U = 4;
  Boolean closed = mod(time, T) < duty*T;
  Real i(start = 0, fixed = true);
equation
  L*der(i) = (if closed then U else 0) - R*i;
  annotation(experiment(StopTime = 2));
end pulse_width;
