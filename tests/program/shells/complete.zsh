# complete.zsh SCRIPT LINE: the line after the tabulator key, from an interactive zsh.
zmodload zsh/zpty
zpty z zsh -f -i
zpty -w z "PROMPT= RPS1= PS2=; autoload -U compinit; compinit -u -D; source ${(q)1}"
zpty -w z "show() { print -r -- \"[=\$BUFFER=]\"; BUFFER= }; zle -N show; bindkey '^X' show; print -r -- re'ady'"
zpty -r -m z line '*ready*'
zpty -w -n z "$2"$'\t\x18'
zpty -r -m z line '*=\]*'
line=${line##*\[=}
print -r -- "${line%%=\]*}"
zpty -d z
