model check_valve "Water runs from one vessel to another while it stands higher"
  parameter Real supply = 0.5;
  Real h1(start = 3, fixed = true), h2(start = 0, fixed = true), q;
equation
  if h1 > h2 then
    q = h1 - h2;
  else
    0 = q;
  end if;
  der(h1) = -q;
  der(h2) = q + supply;
  annotation(experiment(StopTime = 3));
end check_valve;
