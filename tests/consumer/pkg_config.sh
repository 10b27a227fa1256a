#!/bin/sh
# pkg_config.sh PREFIX COMPILER FLAGS: the consumer built with what pkg-config says of an installation, and run.
set -eu
prefix=$1 compiler=$2 flags=$3
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
PKG_CONFIG_PATH=$(dirname "$(find "$prefix" -name mti.pc)")
export PKG_CONFIG_PATH
pkg-config --validate mti
[ "$(pkg-config --modversion mti)" = "$("$prefix/bin/mti" --version | sed 's/^mti //')" ]
# The flags name the installation, wherever it stands.
case $(pkg-config --cflags mti) in *"$(cd "$prefix" && pwd)"*) ;; *) pkg-config --cflags mti; exit 1 ;; esac
# shellcheck disable=SC2046,SC2086
"$compiler" -std=c++20 $flags "$(dirname "$0")/main.cpp" -o "$place/consumer" $(pkg-config --cflags --libs mti)
LD_LIBRARY_PATH=$(pkg-config --variable=libdir mti) "$place/consumer"
