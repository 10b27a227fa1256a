model initial_values "Parameters in any order, initial equations, and what a parameter decides"
  parameter Real x0 = 2*a;
  parameter Real a = 3;
  parameter Boolean fast = a > 2;
  parameter Integer n = 2;
  Real x, y(start = 1, fixed = true);
initial equation
  x = x0;
equation
  if fast then
    der(x) = -n*x;
  else
    der(x) = 0;
    y = 1;
  end if;
  der(y) = if n == 2 then y else 0;
  annotation(experiment(StopTime = 1));
end initial_values;
