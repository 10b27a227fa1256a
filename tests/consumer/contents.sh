#!/bin/sh
# contents.sh PREFIX ZSH_FOLDER: manual pages, completion, documents and examples of an installation are in place and work.
set -eu
prefix=$1 zsh_folder=$2
share=$prefix/share
for file in man/man1/mti.1 man/man1/mti-simulate.1 bash-completion/completions/mti "zsh/$zsh_folder/_mti" \
  fish/vendor_completions.d/mti.fish mti/mti-model.schema.json doc/mti/LICENSE doc/mti/CHANGELOG.md; do
  [ -s "$share/$file" ] || { echo "not installed: $file"; exit 1; }
done
# There is a page for each command.
"$prefix/bin/mti" --help | sed -n '/^Subcommands:/,/^$/s/^  \([a-z]\{1,\}\) .*/\1/p' | while read -r command; do
  [ -s "$share/man/man1/mti-$command.1" ] || { echo "no page of $command"; exit 1; }
done
# Files that documents name are there: links to sources and tests, which are not installed, are no files of docs or examples.
cd "$share/doc/mti"
for document in README.md docs/*.md examples/*.md examples/*/*.md; do
  grep -o '](\(\.\./\)*[a-zA-Z0-9_/.-]*\(\.md\|\.svg\|\.png\|\.json\))' "$document" | sed 's/^](//; s/)$//' | while read -r link; do
    [ -e "$(dirname "$document")/$link" ] || { echo "$document: no $link"; exit 1; }
  done
done
"$prefix/bin/mti" check examples/three_tank/model.json >/dev/null
# The program finds the library that FMUs hold, if it was built.
if [ -n "$(find "$prefix" -name libmti_fmu.so)" ]; then
  fmu=$(mktemp -d)
  "$prefix/bin/mti" export examples/three_tank/model.json "$fmu/three_tank.fmu"
  [ -s "$fmu/three_tank.fmu" ] || { echo "no FMU is written"; exit 1; }
  rm -r "$fmu"
fi
if command -v man >/dev/null; then MANPATH=$share/man man -w mti-convert >/dev/null; fi
# Bash reads the installed file by itself.
[ "$(bash -c '. "$0"; COMP_WORDS=(mti sim); COMP_CWORD=1; _mti; echo "${COMPREPLY[*]}"' \
  "$share/bash-completion/completions/mti")" = simulate ]
echo "contents: passed"
