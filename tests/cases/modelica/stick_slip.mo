model stick_slip "A block slides to rest and is pulled loose when the force exceeds the friction"
  parameter Real m = 1, friction = 2;
  Real F = if time < 4 then time else 4;
  Real v(start = 1, fixed = true), x(start = 0, fixed = true), R;
equation
  R = friction*sign(v);
  m*der(v) = F - R;
  der(x) = v;
  annotation(experiment(StopTime = 4));
end stick_slip;
