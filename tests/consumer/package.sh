#!/bin/sh
# package.sh CPACK CONFIG: the Debian packages are made, say what they need, and the program runs from where it is unpacked.
set -eu
cpack=$1 config=$2 tests=$(cd "$(dirname "$0")" && pwd)
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
"$cpack" -G DEB -D CPACK_DEBIAN_COMPRESSION_TYPE=none --config "$config" -B "$place" >"$place/log" 2>&1 || { cat "$place/log"; exit 1; }
# What needs MPI is a package of its own, where it is built.
set -- "$place"/mti-mpi_*.deb
if [ -s "$1" ]; then
  needs=$(dpkg-deb --field "$1" Depends)
  for package in "mti (=" libopenmpi; do
    case $needs in *"$package"*) ;; *) echo "mti-mpi does not ask for $package: $needs"; exit 1 ;; esac
  done
  dpkg-deb --contents "$1" | grep -q ' ./usr/bin/mti-study-mpi$'
fi
set -- "$place"/mti_*.deb
[ $# = 1 ] && [ -s "$1" ]
needs=$(dpkg-deb --field "$1" Depends)
for library in libc6 libstdc++6 libsundials-ida libbdd; do
  case $needs in *$library*) ;; *) echo "does not ask for $library: $needs"; exit 1 ;; esac
done
case $(dpkg-deb --field "$1" Recommends) in libmatio[0-9]*) ;; *) echo "does not recommend matio"; exit 1 ;; esac
case $needs in *mpi*) echo "asks for MPI: $needs"; exit 1 ;; esac
# All of it is below /usr, and belongs to root.
dpkg-deb --contents "$1" | while read -r _ owner _ _ _ file _; do
  [ "$owner" = root/root ] || { echo "$file belongs to $owner"; exit 1; }
  case $file in ./ | ./usr/*) ;; *) echo "stands outside of /usr: $file"; exit 1 ;; esac
done
dpkg-deb --extract "$1" "$place/root"
"$tests/contents.sh" "$place/root/usr" vendor-completions
"$place/root/usr/bin/mti" simulate "$place/root/usr/share/doc/mti/examples/thermostat/model.json" --quiet --out "$place/out"
grep -q '"reached_stop"' "$place/out/summary.json"
echo "package: passed, $(du -k "$1" | cut -f1) kB, $needs"
