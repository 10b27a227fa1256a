model tank_with_valve "A tank drains through a hole until its valve shuts"
  Real h(start = 4, fixed = true, unit = "m");
  discrete Real open(start = 1, fixed = true);
equation
  der(h) = -open*sqrt(h);
  when h < 1 then
    open = 0;
  end when;
  annotation(experiment(StopTime = 5));
end tank_with_valve;
