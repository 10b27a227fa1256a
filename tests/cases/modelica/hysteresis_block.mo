model hysteresis_block "Hysteresis as the Modelica Standard Library writes it"
  parameter Real uLow = -0.5, uHigh = 0.5;
  Boolean y(start = false, fixed = true);
  Real u, x(start = 0, fixed = true);
equation
  u = sin(time);
  y = not pre(y) and u > uHigh or pre(y) and u >= uLow;
  der(x) = if y then 1 else 0;
  annotation(experiment(StopTime = 7));
end hysteresis_block;
