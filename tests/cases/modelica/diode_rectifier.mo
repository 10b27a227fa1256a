model diode_rectifier "A resistor behind an ideal diode, as in the specification of ideal switches by a parameter s"
  parameter Real R(unit = "Ohm") = 2;
  parameter Real A(unit = "V") = 10;
  parameter Real f(unit = "Hz") = 50;
  constant Real pi = 3.14159265358979;
  Real u(unit = "V"), v(unit = "V"), i(unit = "A"), s;
  Real q(start = 0, fixed = true, unit = "C");
  Boolean off(start = true);
equation
  u = A*sin(2*pi*f*time) "source";
  u = R*i + v "mesh";
  off = s < 0;
  v = if off then s else 0;
  i = if off then 0 else s;
  der(q) = i;
  annotation(experiment(StopTime = 0.04, Tolerance = 1e-9));
end diode_rectifier;
