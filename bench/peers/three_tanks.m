% Three tanks with two-point control by ode15i with events, written as a user would: one call per segment.
% Usage: octave three_tanks.m REFERENCE.json ; prints one line per tolerance:
%   tool | problem | setting | seconds | error | events | missed
1;

function r = residual (t, w, wp, z)
  cm = 21000; a = 125; g = 375; cf = 4200 * 0.09; inlet = 80;
  x = w(1:3); y = w(4);
  others = sum (x) - x;
  r = [(cm * wp(1:3) + g * x - a * others) * y + cf * (x - inlet) .* z;
       y - 1 - z(1)*z(2) - z(1)*z(3) - z(2)*z(3) + z(1)*z(2)*z(3)];
end

% An open valve waits for its upper limit, a closed one for its lower limit.
function [value, terminal, direction] = limits (t, w, wp, z)
  low = [30; 25; 35]; high = [40; 35; 45];
  value = (w(1:3) - high) .* z + (low - w(1:3)) .* (1 - z);
  terminal = ones (3, 1);
  direction = ones (3, 1);
end

function wp = derivative (w, z)
  x = w(1:3);
  wp = [-(375 * x - 125 * (sum (x) - x) + 378 * (x - 80) .* z / w(4)) / 21000; 0];
end

function [times, valves] = run (tolerance)
  z = zeros (3, 1); t = 0; x = [37; 30; 40]; times = []; valves = [];
  while (t < 1000 && numel (times) < 200)
    y = 1 + z(1)*z(2) + z(1)*z(3) + z(2)*z(3) - z(1)*z(2)*z(3);
    w = [x; y];
    options = odeset ("RelTol", tolerance, "AbsTol", tolerance, "Events", @(t, w, wp) limits (t, w, wp, z));
    [tt, ww, te, we, ie] = ode15i (@(t, w, wp) residual (t, w, wp, z), [t, 1000], w, derivative (w, z), options);
    if (isempty (ie))
      break;
    end
    % te, we are the event; the last row of tt, ww is the end of the step that met it.
    t = te(end); x = we(end, 1:3)'; k = ie(end);
    z(k) = 1 - z(k);
    times(end + 1) = t; valves(end + 1) = k;
  end
end

reference = jsondecode (fileread (argv (){1}));
exact = reference.switches;
for tolerance = [1e-4, 1e-6, 1e-8]
  setting = sprintf ("rtol = atol = %.0e", tolerance);
  try
    seconds = [];
    for round = 1:3
      begun = cputime ();
      [times, valves] = run (tolerance);
      seconds(end + 1) = cputime () - begun;
    end
    matching = min (numel (times), numel (exact));
    err = 0; same = 0;
    for i = 1:matching
      name = sprintf ("z%d", 2 * valves(i) - 1);
      if (! isfield (exact(i).changed, name) || isempty (exact(i).changed.(name)))
        break;
      end
      same = i;
      err = max (err, abs (times(i) - exact(i).time));
    end
    printf ("Octave ode15i | three tanks | %s | %.4g | %.1e s | %d | %d\n", setting, median (seconds), err,
            numel (times), numel (exact) - same);
  catch problem
    printf ("Octave ode15i | three tanks | %s | | failed: %s | |\n", setting, strtok (problem.message, "\n"));
  end
end
