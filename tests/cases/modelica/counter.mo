model counter "An integer that rising edges count, and what is asked of it"
  Integer n(start = 0, fixed = true);
  Boolean many, three;
  Real x(start = 0, fixed = true);
  Boolean high = x > 0.5;
equation
  der(x) = cos(time);
  when high then
    n = pre(n) + 1;
  elsewhen time > 100 then
    n = 0;
  end when;
  many = n >= 2;
  three = n == 3;
  annotation(experiment(StopTime = 14));
end counter;
