function mti_export(model, file, more)
% MTI_EXPORT  Write a model of the MTI toolbox as a MAT file that mti reads.
%
%   mti_export(model, 'model.mat')
%   mti_export(model, 'model.mat', more)
%
% model: a dmss object (implicit) or mss object (explicit), or a structure with the same fields:
%
%   dmss   0 = sum_k phi(j,k) prod_i (1 - |F(i,k)| + F(i,k) v_i),   v = (xdot, x, u, y, z)
%          H.F.stateDerivative, H.F.state, H.F.input, H.F.algebraic, H.F.boolean,
%          H.phi.equality, H.phi.inequality (<= 0), ts,
%          stateName, inputName, algebraicName, booleanName, stateUnit, inputUnit, algebraicUnit
%   mss    xdot = sum_k F.phi(:,k) prod_i (1 - |F.U(i,k)| + F.U(i,k) v_i),   v = (x, u), and y with G.U, G.phi;
%          ts, stateName, inputName, outputName
%
% A matrix of a dmss object may be split as the toolbox does it: t where the entry is x, f where it is 1 - x (of
% phi: -1), c for other numbers. Names that are missing are x1, x2, ..., u1, ..., y1, ..., z1, ....
% Entries outside -1 to 1 (F = 2 for 2 z - 1) are written as they are; mti normalises them.
%
% more: a structure of further variables of the file (docs/exchange.md), which replace those made here:
% x_start, z_start, inputs, experiment, x_nominal, ....
%
% Runs in MATLAB and in Octave.

  if nargin < 3
    more = struct();
  end
  if has(model, 'H')
    out = implicit_model(model);
  elseif has(model, 'F')
    out = explicit_model(model);
  else
    error('mti_export:model', 'expected a dmss or mss object, or a structure with the field H or F');
  end
  out.format = 'mti-model';
  out.version = 1;
  if has(model, 'ts') && ~isempty(model.ts) && model.ts > 0
    out.sample_time = model.ts;
  end
  fields = fieldnames(more);
  for i = 1:numel(fields)
    out.(fields{i}) = more.(fields{i});
  end
  save(file, '-struct', 'out', '-v7');
end

function out = implicit_model(model)
  H = model.H;
  groups = {'stateDerivative', 'state', 'input', 'algebraic', 'boolean'};
  parts = cell(1, 5);
  columns = 0;
  for i = 1:5
    if has(H.F, groups{i})
      parts{i} = H.F.(groups{i});
    end
    columns = max(columns, width_of(parts{i}));
  end
  phi = {[], []};
  names = {'equality', 'inequality'};
  for i = 1:2
    if has(H.phi, names{i})
      phi{i} = H.phi.(names{i});
    end
    columns = max(columns, width_of(phi{i}));
  end
  S = cell(1, 5);
  scale = ones(1, columns);
  for i = 1:5
    [S{i}, factor] = structure_matrix(parts{i}, columns);
    scale = scale .* factor;
  end
  n = max(size(S{1}, 1), size(S{2}, 1));  % a state may occur only as x or only as xdot
  S{1} = with_rows(S{1}, n);
  S{2} = with_rows(S{2}, n);
  out.S = [S{1}; S{2}; S{3}; S{4}; S{5}];
  out.Phi_eq = parameter_matrix(phi{1}, columns) * spdiags(scale', 0, columns, columns);
  out.Phi_ineq = parameter_matrix(phi{2}, columns) * spdiags(scale', 0, columns, columns);
  out = with_names(out, model, n, size(S{3}, 1), size(S{4}, 1), size(S{5}, 1), 'algebraicName');
end

function out = explicit_model(model)
  F = model.F;
  n = size(F.phi, 1);
  m = size(F.U, 1) - n;
  G = struct('U', zeros(n + m, 0), 'phi', zeros(0, 0));
  if has(model, 'G') && ~isempty(model.G) && has(model.G, 'phi')
    G = model.G;
  end
  p = size(G.phi, 1);
  f = size(F.U, 2);
  g = size(G.U, 2);
  % der(x) - F = 0, y - G = 0
  out.S = sparse([speye(n), sparse(n, f + p + g);
                  sparse(n + m, n), sparse(double(F.U)), sparse(n + m, p), sparse(double(G.U));
                  sparse(p, n + f), speye(p), sparse(p, g)]);
  out.Phi_eq = sparse([speye(n), -sparse(double(F.phi)), sparse(n, p + g);
                       sparse(p, n + f), speye(p), -sparse(double(G.phi))]);
  out.Phi_ineq = sparse(0, n + f + p + g);
  out = with_names(out, model, n, m, p, 0, 'outputName');
end

function out = with_names(out, model, n, m, p, q, algebraic)
  out.state_names = names_of(model, 'stateName', 'x', n);
  out.input_names = names_of(model, 'inputName', 'u', m);
  out.algebraic_names = names_of(model, algebraic, 'y', p);
  out.binary_names = names_of(model, 'booleanName', 'z', q);
  out = with_units(out, 'x_units', model, 'stateUnit', n);
  out = with_units(out, 'u_units', model, 'inputUnit', m);
  out = with_units(out, 'y_units', model, 'algebraicUnit', p);
end

function names = names_of(model, field, letter, count)
  names = cell(count, 1);
  for i = 1:count
    names{i} = sprintf('%s%d', letter, i);
  end
  if has(model, field)
    given = cellstr(model.(field));
    for i = 1:min(count, numel(given))
      if ~isempty(given{i})
        names{i} = given{i};
      end
    end
  end
end

function out = with_units(out, variable, model, field, count)
  if ~has(model, field)
    return
  end
  units = cellstr(model.(field));
  if numel(units) == count
    out.(variable) = reshape(units, [], 1);
  end
end

% S of one group of signals, and what its factors 1 - x = 2 (1/2 - x/2) multiply each column with.
function [S, scale] = structure_matrix(part, columns)
  scale = ones(1, columns);
  if ~is_split(part)
    S = with_columns(part, columns);
    return
  end
  S = with_columns(part.c, columns);
  rows = max([size(S, 1), size(part.t, 1), size(part.f, 1)]);
  f = with_rows(with_columns(part.f, columns), rows);
  S = with_rows(S, rows) + with_rows(with_columns(part.t, columns), rows) - 0.5 * f;
  scale = 2 .^ full(sum(f, 1));
end

function Phi = parameter_matrix(part, columns)
  if ~is_split(part)
    Phi = with_columns(part, columns);
    return
  end
  rows = max([size(part.c, 1), size(part.t, 1), size(part.f, 1)]);
  Phi = with_rows(with_columns(part.c, columns), rows) + with_rows(with_columns(part.t, columns), rows) ...
        - with_rows(with_columns(part.f, columns), rows);
end

function split = is_split(part)
  split = ~isnumeric(part) && ~islogical(part) && has(part, 't');
end

function columns = width_of(part)
  if is_split(part)
    columns = max([size(part.t, 2), size(part.f, 2), size(part.c, 2)]);
  else
    columns = size(part, 2);
  end
end

function M = with_columns(M, columns)
  M = sparse(double(M));
  M = [M, sparse(size(M, 1), columns - size(M, 2))];
end

function M = with_rows(M, rows)
  M = [M; sparse(rows - size(M, 1), size(M, 2))];
end

function found = has(object, name)
  found = (isstruct(object) && isfield(object, name)) || (isobject(object) && isprop(object, name));
end
