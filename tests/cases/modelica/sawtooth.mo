model sawtooth
  Real x(start = 0.25, fixed = true), n(start = 0, fixed = true);
equation
  der(x) = 1;
  der(n) = 0;
  when x > 1 then
    reinit(x, pre(x) - 1);
    reinit(n, pre(n) + 1);
  end when;
  annotation(experiment(StopTime = 3.5));
end sawtooth;
