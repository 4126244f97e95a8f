#!/bin/sh
# Installs or packs a build and uses the result from outside: run.sh CMAKE SOURCE BUILD CC installed|packed
# SPDX-License-Identifier: Apache-2.0
cmake=$1 source=$2 build=$3 cc=$4 section=$5
outside=$source/tests/packaging/outside model=$source/examples/digits/digits_int8.tflite
work=$(mktemp -d) || exit 1
manifest=$build/installed.txt
[ ! -f "$manifest" ] || cp "$manifest" "$work/manifest" # of an installation that is in use
leave() {
  rm -f "$manifest"
  [ ! -f "$work/manifest" ] || cp "$work/manifest" "$manifest"
  rm -rf "$work"
}
trap leave EXIT
unset DESTDIR
prefix=$work/prefix
failed=0
# holds WHAT COMMAND...: the command succeeds; what it says is shown when it does not.
holds() {
  what=$1
  shift
  "$@" >"$work/log" 2>&1 || { echo "does not hold: $what"; cat "$work/log"; failed=1; }
}
version=$("$build/quern" --version)
# runs PROGRAM: it ends well and says the version.
runs() { [ "$("$1" "$model")" = "$version" ]; }

# needs PROGRAM yes|no: whether it loads libquern.so.
needs() {
  readelf -d "$1" | grep -q 'NEEDED.*libquern.so.' && found=yes || found=no
  [ $found = "$2" ]
}

by_find_package() {
  holds "find_package" "$cmake" -S "$outside" -B "$work/outside" -D CMAKE_PREFIX_PATH="$prefix" \
    -D CMAKE_C_COMPILER="$cc" -D CMAKE_C_FLAGS="-Wall -Wextra -Werror" -D DIGITS="$source/examples/digits"
  holds "building against it" "$cmake" --build "$work/outside"
  for library in shared static; do
    holds "quern::$library runs" runs "$work/outside/$library"
  done
  holds "quern::shared is shared" needs "$work/outside/shared" yes
  holds "quern::static is static" needs "$work/outside/static" no
  "$work/outside/model" | grep -q '^7 ' || { echo "does not hold: a model by quern_compile"; failed=1; }
  holds "quern::tool" [ "$("$(cat "$work/outside/tool")" --version)" = "$version" ]
}

# rejects ARGUMENTS MESSAGE: quern_compile says what is wrong with its arguments.
rejects() {
  echo "include($source/cmake/quern-compile.cmake) quern_compile($1)" | tr ' ' '\n' >"$work/call.cmake"
  "$cmake" -P "$work/call.cmake" 2>&1 | tr '\n' ' ' | grep -q "$2" || { echo "not rejected: quern_compile($1)"; failed=1; }
}

# A project for another machine, which has the program only: examples/board.
by_firmware() {
  for tool in arm-none-eabi-gcc qemu-system-arm; do
    command -v "$tool" >/dev/null || return 0
  done
  holds "find_package for a board" "$cmake" -S "$source/examples/board" -B "$work/board" \
    -D quern_DIR="$(dirname "$(find "$prefix" -name quern-config.cmake)")"
  holds "building for a board" "$cmake" --build "$work/board"
  for program in digits_in_c digits_in_cplusplus; do
    holds "$program reads a seven" timeout 60 qemu-system-arm -M mps2-an386 -nographic -monitor none -serial none \
      -semihosting-config enable=on,target=native -kernel "$work/board/$program.elf"
  done
}

by_pkg_config() {
  PKG_CONFIG_PATH=$(dirname "$(find "$prefix" -name quern.pc)")
  export PKG_CONFIG_PATH
  libdir=$(pkg-config --variable=libdir quern)
  holds "pkg-config knows the version" [ "quern $(pkg-config --modversion quern)" = "$version" ]
  # shellcheck disable=SC2046 # lists of flags
  holds "shared by pkg-config" "$cc" "$outside/main.c" -o "$work/shared" $(pkg-config --cflags --libs quern)
  # shellcheck disable=SC2046
  holds "static by pkg-config" "$cc" "$outside/main.c" -o "$work/static" \
    $(pkg-config --static --cflags --libs quern | sed 's/-lquern/-l:libquern.a/')
  LD_LIBRARY_PATH=$libdir holds "the shared one runs" runs "$work/shared"
  holds "the static one runs" runs "$work/static"
  holds "the static one is static" needs "$work/static" no
}

# What is there without the build's folder: nothing in it names that folder, nor a file of the sources
# (whose own folder may have a name, as /quern, that is part of every installed path).
stands_alone() { ! grep -rlF -e "$build" -e "$source/src/" -e "$source/include/" "$prefix"; }

installed() {
  echo "not ours" >"$work/foreign"
  mkdir -p "$prefix/share" && cp "$work/foreign" "$prefix/share/foreign"
  holds "install" "$cmake" --install "$build" --prefix "$prefix"
  holds "an installation stands alone" stands_alone
  for file in man/man1/quern.1 bash-completion/completions/quern zsh/site-functions/_quern; do
    holds "$file is there" [ -s "$prefix/share/$file" ]
  done
  by_find_package
  rejects "digits digits.tflite CPUS generic" "unknown arguments: CPUS;generic"
  rejects "digits digits.tflite CPU" "a value is missing after: CPU"
  rejects "my-digits digits.tflite" "becomes the prefix of names"
  by_firmware
  by_pkg_config
  holds "the tool runs" runs_tool "$prefix/bin/quern"
  holds "pack meanwhile" "$(dirname "$cmake")/cpack" -G TGZ --config "$build/CPackConfig.cmake" -B "$work/packed"
  holds "uninstall" "$cmake" --build "$build" --target uninstall
  holds "only what is not ours is left" [ "$(find "$prefix" ! -type d)" = "$prefix/share/foreign" ]
  holds "no folder of ours is left" [ -z "$(find "$prefix" -name quern)" ]
}
runs_tool() { "$1" run "$model" --image "$source/examples/digits/seven.png" --top 1 | grep -q '^ *7 '; }

packed() {
  command -v dpkg-deb >/dev/null && command -v dpkg-shlibdeps >/dev/null ||
    { echo "SKIP: dpkg-dev is not installed"; exit 77; }
  holds "pack" "$(dirname "$cmake")/cpack" --config "$build/CPackConfig.cmake" -B "$work/packages"
  deb=$(find "$work/packages" -maxdepth 1 -name 'quern_*.deb')
  tarball=$(find "$work/packages" -maxdepth 1 -name 'quern-*.tar.gz')
  holds "a .deb and a .tar.gz" [ -f "$deb" -a -f "$tarball" ]
  depends=$(dpkg-deb -f "$deb" Depends)
  for library in libc6 libLLVM libllvm libjansson libgdk-pixbuf libnettle; do
    case "$depends" in *"$library"*) ;; *) missing="$missing $library" ;; esac
  done
  case "$missing" in
    " libLLVM" | " libllvm") ;; # it is written in one of the two ways
    *) echo "the .deb does not depend on one of$missing: $depends"; failed=1 ;;
  esac
  holds "unpack the .deb" dpkg-deb -x "$deb" "$work/root"
  holds "its tool runs" runs_tool "$work/root/usr/bin/quern"
  mkdir "$work/tar"
  holds "unpack the .tar.gz" tar -xzf "$tarball" -C "$work/tar" --strip-components=1
  holds "its tool runs" runs_tool "$work/tar/bin/quern"
}

"$section"
exit $failed
