#!/bin/sh
# Runs the tool and checks exit codes, messages and files: run.sh QUERN SECTION
# SPDX-License-Identifier: Apache-2.0
quern=$1 quern_script=$(cd "$(dirname "$0")" && pwd)/run.sh
scripts=$(cd "$(dirname "$0")/../../scripts" && pwd)
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failed=0

# Levels of this machine: the one of all its CPUs and a wider one; a feature that changes neither; another machine.
case $(uname -m) in
aarch64) architecture=aarch64 baseline=armv8 wider=armv8-dot feature=+i8mm other=riscv64 ;;
riscv64) architecture=riscv64 baseline=rv64 wider=rv64v feature=+zba other=aarch64 ;;
*) architecture=x86-64 baseline=x86-64 wider=x86-64-v3 feature=+sse4.1 other=aarch64 ;;
esac

# expect CODE TEXT ARGUMENT...: the tool ends with CODE and says TEXT somewhere ("": whatever it says).
expect() {
  code=$1 text=$2
  shift 2
  "$quern" "$@" >out 2>&1 </dev/null
  got=$?
  if [ $got -ne "$code" ] || { [ -n "$text" ] && ! grep -qF -- "$text" out; }; then
    printf 'quern %s\n  exit code %s, expected %s and "%s", got:\n' "$*" $got "$code" "$text"
    sed 's/^/  | /' out
    failed=1
  fi
}
# holds WHAT COMMAND...: the command succeeds.
holds() {
  what=$1
  shift
  "$@" || { echo "does not hold: $what"; failed=1; }
}

# y = relu(x), on which real zero is the stored value -1.
cat >relu.mlir <<'END'
module attributes {quern.numerics = "litert-ref"} {
  func.func @main(%x: tensor<1x4x!quant.uniform<i8:f32, 0.5:-1>>) -> (tensor<1x4x!quant.uniform<i8:f32, 0.5:-1>> {quern.name = "y", quern.scale = 0.5 : f64, quern.zero_point = -1 : i64}) {
    %y = "ml.relu"(%x) : (tensor<1x4x!quant.uniform<i8:f32, 0.5:-1>>) -> tensor<1x4x!quant.uniform<i8:f32, 0.5:-1>>
    return %y : tensor<1x4x!quant.uniform<i8:f32, 0.5:-1>>
  }
}
END

# Two convolutions, the second with a border that the first leaves room for, then a sum in its kernel.
cat >layers.mlir <<'END'
!x = !quant.uniform<i8:f32, 0.05:3>
!w = !quant.uniform<i8<-127:127>:f32, 0.01>
func.func @main(%x: tensor<1x8x8x16x!x>) -> tensor<1x8x8x16x!x> {
  %w = "ml.const"() {value = dense<1> : tensor<16x1x1x16xi8>} : () -> tensor<16x1x1x16x!w>
  %v = "ml.const"() {value = dense<2> : tensor<16x3x3x16xi8>} : () -> tensor<16x3x3x16x!w>
  %b = "ml.const"() {value = dense<7> : tensor<16xi32>} : () -> tensor<16xi32>
  %y = "ml.conv"(%x, %w, %b) {dilations = array<i64: 1, 1>, groups = 1 : i64, pad = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x8x8x16x!x>, tensor<16x1x1x16x!w>, tensor<16xi32>) -> tensor<1x8x8x16x!x> loc("operator 0 (CONV_2D), tensor 'first'")
  %z = "ml.conv"(%y, %v, %b) {dilations = array<i64: 1, 1>, groups = 1 : i64, pad = array<i64: 1, 1, 1, 1>, strides = array<i64: 1, 1>} : (tensor<1x8x8x16x!x>, tensor<16x3x3x16x!w>, tensor<16xi32>) -> tensor<1x8x8x16x!x> loc("operator 1 (CONV_2D), tensor 'second'")
  %s = "ml.add"(%z, %x) : (tensor<1x8x8x16x!x>, tensor<1x8x8x16x!x>) -> tensor<1x8x8x16x!x> loc("operator 2 (ADD), tensor 'sum of a name that is longer than a terminal would have a column for, and then some'")
  return %s : tensor<1x8x8x16x!x>
}
END

# Each option of each command whose value is a number rejects what is none, or too large to be one.
numbers() {
  for command in inspect run verify compare eval compile opt bench reduce rules; do
    "$quern" $command --help-all | sed -n 's/^ .*--\([a-z-]*\) \(N\|K\|SECONDS\|SIZE\)\( .*\)\{0,1\}$/\1/p' >options
    holds "$command has such options" test -s options
    while read -r option; do
      for value in '' ' 3' '3 ' +3 0x10 1e999 nan inf 3x 99999999999999999999 99999999999999999999G; do
        case $option:$value in max-time:9*[0-9]) continue ;; esac
        expect 2 "--$option takes " $command relu.mlir "--$option=$value"
      done
    done <options
  done
  expect 2 "--dim takes a positive number, not '4294967296'" inspect relu.mlir --dim 4294967296
  expect 2 "--dim takes a positive number, not ' 3'" inspect relu.mlir --dim ' 3'
  expect 2 "--dim takes a positive number, not 'n=0'" inspect relu.mlir --dim n=0
  expect 2 "--dim takes a positive number, not '=2'" inspect relu.mlir --dim =2
  expect 2 "--dim and --batch bind dimensions of" inspect relu.mlir --dim n=2
  expect 2 "--constant takes INPUT=FILE.npy, not 'x'" inspect relu.mlir --constant x
  expect 3 "relu.mlir: not an .npy file" inspect relu.mlir --constant x=relu.mlir
  expect 2 "--max-time takes seconds, not '1e999'" inspect relu.mlir --max-time 1e999
  expect 0 "" inspect relu.mlir --max-time 1.5e1
  expect 2 "--rewrite-only takes numbers like 1-4" inspect relu.mlir --rules x.rr --rewrite-only '1- 4'
  expect 2 "random:SEED takes" run relu.mlir --input 'random: 3'
}

# Control characters of names don't reach a terminal.
printable() {
  escape=$(printf '\033[31mX\007')
  cp relu.mlir "$escape.mlir"
  expect 2 "unknown command '?[31mX?'" "$escape"
  expect 2 "unknown option '-?[31mX?'" "-$escape"
  expect 0 "?[31mX?.mlir: model stage" inspect "$escape.mlir"
  expect 3 "?[31mX?.none" inspect "$escape.none"
  expect 2 "not '?[31mX?'" inspect relu.mlir --dim "$escape"
  expect 0 "" inspect "$escape.mlir"
  for arguments in inspect verify bench compare "opt --emit=$escape" "run --input $escape=1" "compile -o $escape/x.o"; do
    # shellcheck disable=SC2086
    "$quern" $arguments "$escape.mlir" >out 2>&1 </dev/null
    holds "no control characters of $arguments" test "$(tr -d '\n\t\040-\377' <out | wc -c)" -eq 0
  done
}

# Rules whose path has quotes; a folder of the cache that is not absolute is ignored.
paths() {
  printf '//:rule name=a\nDEF_PACKAGE_OPTIMIZATION(EARLY, Op("Relu", "x"), OK, Op("Relu6", "x"))\n' >'a"b.rr'
  cp 'a"b.rr' "a'b.rr"
  cp 'a"b.rr' "a'\"b.rr"
  expect 0 "ml.relu6" inspect relu.mlir --rules 'a"b.rr'
  expect 0 "ml.relu6" inspect relu.mlir --rules "a'b.rr"
  expect 2 "both kinds of quotes" inspect relu.mlir --rules "a'\"b.rr"
  mkdir home
  HOME=$work/home XDG_CACHE_HOME=caches QUERN_CACHE='' "$quern" run relu.mlir --input random:1 >out 2>&1
  holds "a relative XDG_CACHE_HOME is ignored" test ! -e caches
  holds "and the default is used" test -d home/.cache/quern
}

usage() {
  expect 2 "usage: quern COMMAND"
  expect 0 "exit codes:" --help
  expect 0 "quern " --version
  expect 2 "unknown command 'fly'" fly
  for command in inspect run verify compare eval compile opt bench list rules; do
    expect 0 "usage: quern $command" $command --help
    expect 2 "unknown option '--no-such'" $command --no-such
  done
  expect 2 "MODEL is missing" run
  expect 2 "unexpected argument 'two'" inspect one two
  for option in engine stage; do
    for command in run bench verify; do
      [ "$command $option" = "bench stage" ] || expect 2 "--$option is " $command relu.mlir --$option magic
    done
  done
  for option in engine timing timing-display verify-diagnostics emit; do
    expect 2 "--$option is " opt relu.mlir --$option=magic
  done
  expect 2 "--emit is " compile relu.mlir -o m.o --emit magic
  for command in --version --help "run --help" "list ops" "opt relu.mlir" "compile relu.mlir --emit loops -o -"; do
    # shellcheck disable=SC2086 # a command and its arguments
    "$quern" $command >/dev/full 2>out
    holds "'$command' to a full device ends with 3" test $? -eq 3
    holds "'$command' names the reason" grep -q "No space left on device" out
  done
  expect 2 "takes a positive number, not '0'" run relu.mlir --threads 0
  expect 2 "--engine is jit or interpreter, not 'magic'" run relu.mlir --engine magic
  expect 2 "there is no list of 'colours'" list colours
  expect 2 "did you mean 'dialects'?" list dialect
  for list in ops dialects targets profiles stages; do expect 0 "" list $list; done
  expect 0 "integer, else float" list integer-forms
}

# Messages about an unknown word name the word and suggest a similar one.
spelling() {
  expect 2 "unknown command 'compiel'; did you mean 'compile'?" compiel
  expect 2 "unknown option '--verison'; did you mean '--version'?" --verison
  expect 2 "options follow the command" --json run
  expect 2 "unknown option '--thraeds'; did you mean '--threads'?" run relu.mlir --thraeds 2
  expect 2 "unknown option '--thraeds=2'; did you mean '--threads'?" run relu.mlir --thraeds=2
  expect 2 "unknown option '-canonicalise'; did you mean '--canonicalize'?" opt relu.mlir -canonicalise
  expect 2 "unknown option '-verify-ech=1'; did you mean '--verify-each'?" opt -verify-ech=1 relu.mlir
  expect 2 "'--max' is cut too short: max-iterations, max-memory or max-time" run relu.mlir --max 3
  expect 2 "--engine is jit or interpreter, not 'jitt'; did you mean 'jit'?" run relu.mlir --engine jitt
  expect 2 "--json takes no value" run relu.mlir --json=yes
  expect 2 "unknown option '-x'" run relu.mlir -x
  expect 2 "unknown option '-x'" run -vx relu.mlir
  expect 2 "unknown option '-o'" run relu.mlir -o out
  expect 2 "-o takes a value" compile relu.mlir -vo
  expect 2 "--emit takes a value" compile relu.mlir --emit
  expect 0 "usage: quern run MODEL" help run
  expect 0 "usage: quern help [COMMAND|OPTION]" help help
  expect 0 "usage: quern COMMAND" help
  expect 2 "there is no command 'rum'; did you mean 'run'?" help rum

  # Words of other tools, and things that need no option here.
  expect 2 "unknown command 'infer'; did you mean 'run'?" infer relu.mlir
  expect 2 "unknown command 'version'; did you mean '--version'?" version
  expect 2 "unknown command 'convert'; did you mean 'compile'?" convert
  expect 2 "unknown option '--model'; MODEL stands without an option: quern run MODEL" run --model relu.mlir
  expect 2 "unknown option '--model=relu.mlir'; MODEL stands" inspect --model=relu.mlir
  expect 2 "unknown option '--top'; did you mean 'quern help top'?" help --top

  # CPUs by what they have, and those of other architectures.
  while read -r cpu meant; do
    expect 2 "unknown CPU '$cpu'; did you mean '$meant" compile relu.mlir -o m.o --cpu "$cpu" --target x86_64-linux-gnu
  done <<'END'
avx512 x86-64-v4
avx2 x86-64-v3
haswel haswell
x86-64-v5 x86-64-v3
host native
neon armv8' with --target aarch64-linux-gnu, not x86_64?
riscv-max rv64' with --target riscv64-linux-gnu, not x86_64?
END
  expect 2 "unknown CPU 'neon'; did you mean 'armv8'?" compile relu.mlir -o m.o --cpu neon --target aarch64-linux-gnu
  expect 2 "unknown CPU 'abacus'; levels:" compile relu.mlir -o m.o --cpu abacus
  expect 0 "x86_64 aarch64 riscv64" list targets
  expect 0 '"aarch64"' list targets --json
}

# A terminal sees the build of the demo go on, and others are told that there is one.
demo() {
  mkdir -p tree/scripts tree/tools
  cp "$scripts/demo" "$scripts/build" tree/scripts
  printf '#!/bin/sh\n' >tree/scripts/setup
  printf '#!/bin/sh\necho "cmake $*" >>log\n' >tree/tools/cmake
  chmod +x tree/scripts/* tree/tools/*
  PATH=$PWD/tree/tools:$PATH tree/scripts/demo >said 2>&1 || : # no tool comes out of it
  holds "the demo says that it builds" grep -q "demo: building for the first time" said
  holds "into a pipe a build is quiet" grep -q "cmake --build build/release -- --quiet product" tree/log
  if script -qec true /dev/null >/dev/null 2>&1 </dev/null; then # else there are no terminals to be had
    PATH=$PWD/tree/tools:$PATH script -qec tree/scripts/demo /dev/null >said </dev/null || :
    holds "on a terminal it is not" grep -qx "cmake --build build/release -- product" tree/log
  fi
}

# The wrong file is named as what it is, and none of its bytes reach a terminal.
wrong_files() {
  printf '\211PNG\r\n\032\n\0\0\0\rIHDR\0\0' >seven.png
  printf '\177ELF\2\1\1' >tool
  printf 'PK\003\004....' >weights.npz
  printf '# A page\n\nwith text\n' >page.md
  for command in inspect run opt "compile -o m.o" bench; do
    # shellcheck disable=SC2086 # a command and its arguments
    expect 3 "seven.png: error: this is a PNG image, not a model" $command seven.png
    expect 3 "page.md: error: this is a page of Markdown or a script, not a model" $command page.md
  done
  expect 3 "tool: error: this is an object file or a program, not a model" inspect tool
  expect 3 "weights.npz: error: this is a zip archive" inspect weights.npz
  # Models for others, with what to do next.
  printf '\010\001\022\377\001\012\003' >saved_model.pb
  printf ' \r\n{\r\n "version": 3 }' >model.json
  printf '\357\273\277[1, 2]' >list.json
  printf '{}' >empty.json
  for command in inspect run opt "compile -o m.o"; do
    # shellcheck disable=SC2086 # a command and its arguments
    expect 3 "saved_model.pb: error: this is a TensorFlow SavedModel; models are .tflite and .onnx files and MLIR text: convert its folder" $command saved_model.pb
  done
  for json in model.json list.json empty.json; do expect 3 "$json: error: this is JSON; models are" inspect $json; done
  printf '\010\010\022\007pytorch\032\0032.1:' >net.onnx
  expect 3 "net.onnx: error: byte 16: a length does not end" inspect net.onnx
  # One message about a file that was cut short, wherever that was.
  for size in 60 500 3000 12000 16000 23000; do
    head -c $size "$scripts/../examples/digits/digits_int8.tflite" >cut.tflite
    expect 3 "cut.tflite: error: " inspect cut.tflite
    holds "$size bytes: a message is enough" [ "$(wc -l <out)" = 1 ]
    holds "$size bytes: which says what happened" grep -q "cut short" out
  done
  expect 3 "seven.png: this is a PNG image, not text" run relu.mlir --input random:1 --labels seven.png
  expect 3 "not an .npy file; by its first bytes it is a PNG image" run relu.mlir --input @seven.png
  expect 3 "seven.png: error: this is a PNG image, not a file of rules" rules check seven.png
  printf '\001\033[2J\377\302\233\355\240\200 \303\244\n' >unknown
  expect 3 "ä" inspect unknown
  holds "what is no text is not printed" test -z "$(tr -d '\12\40-\176\303\244' <out)"
}

# --help shows at most ten options, each of them among those of --help-all, and says how many more there are.
frequent() {
  for command in inspect run verify compare eval compile opt bench reduce rules; do
    "$quern" $command --help-all | sed '/^passes, run/,$d' | sed -n 's/^  \(-., \)\{0,1\}\(--[a-z-]*\).*/\2/p' >all
    "$quern" $command --help | sed -n '/^most used/,/^$/s/^  \(-., \)\{0,1\}\(--[a-z-]*\).*/\2/p' >few
    holds "$command --help has options" test -s few
    holds "$command --help has at most ten" test "$(wc -l <few)" -le 10
    holds "$command --help has options of --help-all" test -z "$(grep -vxFf all few)"
    expect 0 "'quern $command --help-all' shows " $command --help
  done
}

# Every option of every command's help is in the manual and the completions.
manual() {
  "$quern" help --man >man.1
  "$quern" help --completion bash >bash
  "$quern" help --completion zsh >zsh
  holds "zsh's completion names its command" grep -q '^#compdef quern$' zsh
  "$quern" help >overview
  commands=$(sed -n '/^commands:/,/^$/s/^  \([a-z]*\) .*/\1/p' overview)
  holds "there are commands" test "$(echo "$commands" | wc -l)" -ge 10
  for command in $commands; do
    options=$("$quern" "$command" --help-all | sed '/^passes, run/,$d' | sed -n 's/^  \(-., \)\{0,1\}\(--[a-z-]*\).*/\2/p')
    holds "$command has options" test "$(echo "$options" | wc -l)" -ge 4
    awk -v begin=".SS quern $command " '/^\.S[SH] /{ on = index($0, begin) == 1 } on' man.1 | tr -d '\\' >page
    sed -n "/^  $command)\$/,/;;/p" zsh >zsh_part
    offered=$(complete_bash quern "$command" --)
    for option in $options; do
      holds "$command $option is in the manual" grep -q -- "fB${option}fR" page
      holds "$command $option is in zsh's completion" grep -qE -- "'$option(=|=-)?\[" zsh_part
      case " $offered " in *" $option "*) ;; *) holds "$command $option is in bash's completion" false ;; esac
    done
    holds "bash completes $command" [ "$(complete_bash quern "$command" | grep -ow "$command")" = "$command" ]
  done
  holds "bash completes words" [ "$(complete_bash quern run --engine j)" = jit ]
  holds "bash completes words behind =" [ "$(complete_bash quern run --engine = i)" = interpreter ]
  holds "bash completes CPUs" [ "$(complete_bash quern run --cpu hasw)" = haswell ]
  holds "and levels" [ "$(complete_bash quern compare --b-cpu x86-64-a)" = x86-64-amx ]
  holds "and what is no catalogue's" [ "$(complete_bash quern bench --cpu nat)" = native ]
  holds "bash completes profiles" [ "$(complete_bash quern run --numerics xnn)" = xnnpack ]
  holds "bash completes targets" [ "$(complete_bash quern compile --target = aar)" = aarch64-linux-gnu ]
  holds "of microcontrollers, too" [ "$(complete_bash quern compile --target = thumbv7em)" = thumbv7em-none-eabi ]
  holds "so does zsh" grep -q "'--numerics=\[.*:value:(.*xnnpack.*)' " zsh
  holds "of CPUs, too" grep -q "'--cpu=\[.*:value:(native baseline .*x86-64-v3 .*)' " zsh
  holds "bash completes lists" [ "$(complete_bash quern list rule-p)" = rule-passes ]
  if command -v groff >/dev/null; then
    groff -man -Tascii -ww man.1 >/dev/null 2>warnings
    holds "the formatter has nothing to say" test ! -s warnings
  fi
  expect 2 "don't go together" help --man run
  expect 2 "--completion is bash or zsh, not 'fish'" help --completion fish
}
# Every option has an example, the page and the help of one show it, and it can be typed in a clone.
# Two parts one after the other are the model, and each can be compared by itself.
operators() {
  digits=$scripts/../examples/digits/digits_int8.tflite
  expect 0 "" run "$digits" --input random:1 --save whole
  expect 0 "" run "$digits" --input random:1 --operators 0-4 --save front
  expect 0 "" run "$digits" --input @front/out0.npy --operators 5-9 --expect @whole/out0.npy
  expect 0 "3 tensors compared, 0 differ" compare "$digits" --operators 2,3-4 --b-numerics tflm
  expect 0 '"operator": 2' inspect "$digits" --operators 2,3-4 --json
  for list in "" 1- -1 3-2 2,2 5,3 1,,2 a 1-99999999999; do
    expect 2 "--operators takes ascending numbers" inspect "$digits" "--operators=$list"
  done
  expect 3 "operator 10 is wanted, but there are 10" inspect "$digits" --operators 9-10
  expect 2 "--operators chooses in .tflite models" compile relu.mlir -o x.s --operators 1
}

examples() {
  tree=$(dirname "$scripts")
  for folder in examples docs rules; do cp -r "$tree/$folder" .; done
  mkdir -p tests/targets && cp "$tree/tests/targets/tflm_ram.txt" tests/targets
  for class in three seven zero; do
    mkdir -p images
    cp "examples/digits/$class.png" images/
  done
  printf 'three.png,3\nseven.png,7\nzero.png,0\n' >truth.csv
  cp "$(dirname "$quern")/tests/test_plugin.so" passes.so 2>/dev/null || true # a build without tests has none
  cp rules/fusion.rr mine.rr
  printf '"a.b"() : () -> ()\n' >unknown.mlir
  printf '18\t18\n' >names.tsv
  printf 'func.func @f() {\n  return\n}\n{-#\n  external_resources: {\n    mlir_reproducer: {\n      pipeline: "builtin.module(cse)"\n    }\n  }\n#-}\n' >reproducer.mlir
  mkdir bin && ln -s "$quern" bin/quern
  PATH=$PWD/bin:$PATH
  "$quern" help --options >page
  holds "there are options" test "$(grep -c '^### `' page)" -gt 90
  awk '/^### `/ { if (name != "") print "no example of " name; name = $2 } /^    quern / { name = "" }
    END { if (name != "") print "no example of " name }' page >without
  holds "each has an example" test ! -s without
  cat without
  sed -n 's/^    \(quern .*\)/\1/p' page | sort -u >lines
  while read -r line; do
    [ $architecture = x86-64 ] || case $line in *x86-64*) continue ;; esac
    [ -e passes.so ] || case $line in *passes.so*) continue ;; esac
    command -v arm-none-eabi-gcc qemu-system-arm >/dev/null || case $line in *--board*) continue ;; esac
    expected=0
    case $line in *'# exit code 1'*) expected=1 ;; esac
    sh -c "$line" </dev/null >said 2>&1
    got=$?
    holds "$line: $got, $(head -3 said)" test $got -eq $expected
  done <lines
  expect 0 "--top K (of run, eval)" help top
  expect 0 "  quern help --man" help man
  expect 0 "of all commands" help verbose
}

# What bash offers after these words.
complete_bash() {
  bash -c '. ./bash; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _quern; echo "${COMPREPLY[*]}"' _ "$@"
}

# sum' = sum + x, from 3; y = z + sum', for up to three rows.
cat >sum.mlir <<'END'
!q = !quant.uniform<i8:f32, 0.5:0>
module attributes {quern.numerics = "litert-ref"} {
  func.func @main(%z: tensor<3x2x!q> {quern.name = "z", quern.sizes = ["rows"]}, %s: tensor<1x2x!q> {quern.role = "state", quern.name = "sum", quern.initial = dense<3> : tensor<1x2xi8>}, %x: tensor<1x2x!q> {quern.name = "x"}) -> (tensor<3x2x!q> {quern.name = "y"}, tensor<1x2x!q> {quern.role = "state"}) {
    %t = "ml.add"(%s, %x) : (tensor<1x2x!q>, tensor<1x2x!q>) -> tensor<1x2x!q>
    %y = "ml.add"(%z, %t) : (tensor<3x2x!q>, tensor<1x2x!q>) -> tensor<3x2x!q>
    return %y, %t : tensor<3x2x!q>, tensor<1x2x!q>
  }
}
END

run_states() {
  sed 's/tensor<3x2x!q>/tensor<1x3x2x!q>/g; s/\["rows"\]/["", "rows"]/' sum.mlir >second.mlir
  for engine in "--engine jit" "--stage model" "--stage integer" "--stage loops"; do
    # shellcheck disable=SC2086 # two words on purpose
    expect 0 '"values":[14,25,34,45]' run sum.mlir --size rows=2 --input z=2x2xi8=10,20,30,40 \
      --input x=1x2xi8=1,2 --then --then --input x=1x2xi8=-1,-2 --save states --json $engine
    expect 0 '"values":[14,25,34,45]' run second.mlir --size rows=2 --input z=1x2x2xi8=10,20,30,40 \
      --input x=1x2xi8=1,2 --then --then --input x=1x2xi8=-1,-2 --json $engine
    holds "three runs are printed" test "$(grep -c '^{' out)" -eq 3
    holds "the second run goes on" grep -qF '"values":[15,27,35,47]' out
    # shellcheck disable=SC2086
    expect 0 '"values":[5,8]' run sum.mlir --size 1 --state @states/state0.npy --input 1x2xi8=1,2 \
      --input x=1x2xi8=0,1 --save again --json $engine
    holds "the outputs have the size" test -s again/out0.npy
  done
  expect 3 'size "rows" is from 1 to 3, not 4' run sum.mlir --size 4 --input random:1 --input random:1
  expect 2 "names no size" run sum.mlir --size columns=1 --input random:1 --input random:1
  expect 2 "names no size" run relu.mlir --size 1 --input random:1
  expect 2 "one state too many" run relu.mlir --state @states/state0.npy --input random:1
  expect 2 "--state takes" run sum.mlir --state sum=1x2xi8=1 --input random:1 --input random:1
  expect 3 "but tensor 'sum' is 1x2xint8" run sum.mlir --state @states/out0.npy --input random:1 --input random:1
  expect 0 "" compile sum.mlir -o sum.o --header sum.h
  holds "the header has the state" grep -q "SUM_STATE_0_OFFSET 0" sum.h
}

run_ok() {
  for engine in "--engine jit" "--stage model" "--stage integer" "--stage loops"; do
    # shellcheck disable=SC2086 # two words on purpose
    expect 0 '"values":[-1,-1,0,127]' run relu.mlir --input 1x4xi8=-128,-1,0,127 --json $engine
  done
  expect 0 "" run relu.mlir --input random:7 --save saved
  holds "the output was saved" test -s saved/out0.npy
  expect 0 "" run relu.mlir --input random:7 --threads 2 --expect @saved/out0.npy
  expect 0 "" run relu.mlir --input @saved/out0.npy --expect @saved/out0.npy # relu twice is relu
  expect 1 "differs from saved/out0.npy" run relu.mlir --input random:8 --expect @saved/out0.npy
  printf '\357\273\277zero\none\ntwo\nthree\n' >labels # an editor's mark is no part of a name
  expect 0 "    0  4.0000  zero" run relu.mlir --input 1x4xi8=7,1,2,3 --labels labels --top 1
  expect 0 "    2  4.0000  two" run relu.mlir --input 1x4xi8=1,2,7,3 --labels labels --top 1
  expect 0 '"class":1,' run relu.mlir --input 1x4xi8=3,7,1,7 --json --top 1 # of equal ones the first
  expect 0 '"classes":[{"class":1,"score":4.0,"label":""},{"class":3,"score":4.0,"label":""},{"class":0,' \
    run relu.mlir --input 1x4xi8=3,7,1,7 --json --top 400000
}

# More launches than one function of the object has, so that they are dealt out.
long() {
  parts=$(seq 300 | sed 's/.*/%t/' | paste -sd, -)
  types=$(seq 300 | sed 's/.*/tensor<1x4x!q>/' | paste -sd, -)
  cat >long.mlir <<END
!q = !quant.uniform<i8:f32, 0.5>
func.func @main(%x: tensor<1x4x!q>) -> tensor<300x4x!q> {
  %t = "ml.relu"(%x) : (tensor<1x4x!q>) -> tensor<1x4x!q>
  %y = "ml.concat"($parts) {axis = 0 : i64} : ($types) -> tensor<300x4x!q>
  return %y : tensor<300x4x!q>
}
END
  expect 0 "" run long.mlir --input 1x4xi8=-1,5,9,2 --engine interpreter --save saved
  expect 0 "" run long.mlir --input 1x4xi8=-1,5,9,2 --expect @saved/out0.npy
  expect 0 "" run long.mlir --input 1x4xi8=-1,5,9,2 --threads 2 --expect @saved/out0.npy
  expect 0 "" compile long.mlir -o long.o --header long.h
  # Each launch is described by a few of the 300 shapes, or text and time grow with their square.
  "$quern" compile long.mlir -o long.loops.mlir --emit loops
  holds "shapes of launches are there" grep -q 'quern.shapes = "1x4, 1x4' long.loops.mlir
  holds "and not all of them" sh -c '! grep -qE "quern.shapes = \"[^\"]{200}" long.loops.mlir'
}

# Large enough to be spread over threads, where a small model is not.
threads() {
  cat >conv.mlir <<'END'
!x = !quant.uniform<i8:f32, 0.05:3>
!w = !quant.uniform<i8<-127:127>:f32, 0.01>
func.func @main(%x: tensor<1x32x32x64x!x>) -> tensor<1x32x32x64x!x> {
  %w = "ml.const"() {value = dense<1> : tensor<64x3x3x64xi8>} : () -> tensor<64x3x3x64x!w>
  %b = "ml.const"() {value = dense<7> : tensor<64xi32>} : () -> tensor<64xi32>
  %y = "ml.conv"(%x, %w, %b) {dilations = array<i64: 1, 1>, groups = 1 : i64, pad = array<i64: 1, 1, 1, 1>, strides = array<i64: 1, 1>} : (tensor<1x32x32x64x!x>, tensor<64x3x3x64x!w>, tensor<64xi32>) -> tensor<1x32x32x64x!x>
  return %y : tensor<1x32x32x64x!x>
}
END
  "$quern" compile conv.mlir -o conv.loops.mlir --emit loops
  "$quern" compile relu.mlir -o relu.loops.mlir --emit loops
  holds "a small model runs alone" grep -q quern.alone relu.loops.mlir
  holds "a large one does not" sh -c '! grep -q quern.alone conv.loops.mlir'
  expect 0 "" run conv.mlir --input random:7 --threads 1 --save one
  for count in 2 3 8; do
    expect 0 "" run conv.mlir --input random:7 --threads $count --expect @one/out0.npy
  done
}

# Every reader of a file says the same about the same cause.
readers() {
  for file in missing .; do
    reason="No such file or directory"
    [ $file = . ] && reason="Is a directory"
    expect 3 "$file: error: can't be read: $reason" run $file --input random:1
    expect 3 "$file: error: can't be read: $reason" opt $file
    expect 3 "$file: error: can't be read: $reason" reduce $file --cse
    expect 3 "$file: error: can't be read: $reason" run relu.mlir --input @$file
    expect 3 "$file: error: can't be read: $reason" run relu.mlir --input random:1 --expect @$file
    expect 3 "$file: error: can't be read: $reason" run relu.mlir --input random:1 --labels $file
    expect 3 "$file: error: can't be read: $reason" opt relu.mlir --emit=interpret --input @$file
  done
  expect 3 "missing.so" opt relu.mlir --load-pass-plugin=./missing.so
  truncate -s 1T huge
  for command in "run huge" "opt huge" "run relu.mlir --input @huge" "run relu.mlir --input random:1 --labels huge"; do
    # shellcheck disable=SC2086 # a command and its arguments
    expect 5 "huge: error: can't be read: File too large" $command
  done
}

# Files are replaced whole, together, and stay what they are; streams are written to.
outputs() {
  expect 3 "m.o: error: can't be written: another output of this command is the same file" \
    compile relu.mlir -o m.o --header ./m.o
  holds "nothing was written" test ! -e m.o
  expect 3 "nowhere/m.h: error: can't be written" compile relu.mlir -o m.o --header nowhere/m.h
  holds "an object without its header is not written" test ! -e m.o
  echo old >m.o && chmod 640 m.o && ln m.o hard.o && ln -s m.h soft.h
  expect 0 "" compile relu.mlir -o m.o --header soft.h
  holds "the mode is kept" test "$(stat -c %a m.o)" = 640
  holds "the other link has the object, too" cmp -s m.o hard.o
  holds "a symbolic link leads to the header" test -L soft.h -a -s m.h
  long=$(printf 'n%.0s' $(seq 253)).o
  expect 0 "" compile relu.mlir -o "$long" --symbol m
  holds "the longest name holds the object" cmp -s m.o "$long"
  expect 0 "" compile relu.mlir -o /dev/stdout --emit obj --symbol m --cpu baseline
  holds "standard output by its name" cmp -s m.o out
  expect 3 "/dev/full: error: can't be written: No space left on device" compile relu.mlir -o /dev/full --emit obj
  mkfifo pipe.o
  "$quern" compile relu.mlir -o pipe.o --symbol m &
  cat pipe.o >piped
  holds "a pipe gets the object" cmp -s m.o piped
  for signal in INT TERM HUP; do
    (trap - INT; exec timeout -s KILL 20 env --default-signal "$quern" compile relu.mlir -o pipe.o) &
    sleep 0.5
    kill -$signal $!
    wait $!
    holds "a pipe that waits can be interrupted" test $? -lt 137 -o $? -gt 137
  done
  (ulimit -f 1; exec "$quern" compile relu.mlir -o fresh.o --emit asm --cpu baseline) >out 2>&1
  holds "a size limit is a message" grep -q "fresh.o: error: can't be written: File too large" out
  holds "no file was begun" test ! -e fresh.o
  holds "no temporary file is left" sh -c '! ls -A | grep -q "^\.quern-"'
}

# What SECURITY.md says is enough, on inputs that are as deep or as long as they get.
stack() {
  deep() { head -c 200000 /dev/zero | tr '\0' '@' | sed "s/@/$1/g"; }
  printf '"a.b"() {a = %s' "$(deep '[')" >attributes.mlir
  printf '"a.b"() {a = %s' "$(deep '{a = ')" >dictionaries.mlir
  printf '"a.b"() : () -> %s' "$(deep 'tuple<')" >types.mlir
  printf '"a.b"() {a = %s' "$(deep '() -> (')" >functions.mlir
  printf '"a.b"() : () -> () loc(%s' "$(deep 'callsite(')" >locations.mlir
  printf '"a.b"() {a = affine_map<(d0) -> (%s' "$(deep '-')" >maps.mlir
  printf '"a.b"() {a = affine_map<(d0) -> (%s' "$(deep '(')" >brackets.mlir
  deep '"a.b"() ({\n' >regions.mlir
  nest() { awk -v n="$1" 'BEGIN { for (i = 0; i < n; i++) print "\"a.b\"() ({"; for (i = 0; i < n; i++) print "}) : () -> ()" }'; }
  nest 255 >255.mlir # and the module around it
  nest 256 >256.mlir
  awk 'BEGIN { for (i = 0; i < 255; i++) print "module {"; print "func.func @f() {\nreturn\n}"
    for (i = 0; i < 255; i++) print "}" }' >modules.mlir
  awk 'BEGIN { print "func.func @main(%x0: tensor<4xf32>) -> tensor<4xf32> {"
    for (i = 0; i < 20000; i++) printf "%%x%d = arith.addf %%x%d, %%x%d : tensor<4xf32>\n", i + 1, i, i
    print "return %x20000 : tensor<4xf32>\n}" }' >chain.mlir
  awk 'BEGIN { print "func.func @main(%c: i1) {\ncf.br ^b0"
    for (i = 0; i < 20000; i++) printf "^b%d:\ncf.cond_br %%c, ^b%d, ^b%d\n", i, i + 1, i + 1
    print "^b20000:\nreturn\n}" }' >blocks.mlir
  awk 'BEGIN { for (i = 0; i < 5000; i++) printf "func.func private @f%d() {\ncall @f%d() : () -> ()\nreturn\n}\n", i, i + 1
    print "func.func private @f5000() {\nreturn\n}\nfunc.func @main() {\ncall @f0() : () -> ()\nreturn\n}" }' >calls.mlir
  ulimit -s 256
  passes="--allow-unregistered-dialect --verify-roundtrip --stress-roundtrip --canonicalize --cse --inline --symbol-dce"
  for file in attributes dictionaries types functions locations maps brackets regions; do
    # shellcheck disable=SC2086 # a list of flags
    expect 5 "$file.mlir:" opt $file.mlir $passes
  done
  expect 5 "with the module around it" opt --allow-unregistered-dialect 256.mlir
  for file in 255 modules chain blocks calls; do
    # shellcheck disable=SC2086 # a list of flags
    expect 0 "" opt $file.mlir $passes
  done
  expect 0 "0x7F800000" opt chain.mlir --emit=interpret --input 4xf32=1
  expect 2 "is not an op that a pipeline can run on" opt relu.mlir --pass-pipeline="$(deep 'a(' | head -c 100000)"
  mkdir -p deep/case && deep '[' >deep/case/tensors.json
  cp deep/case/tensors.json deep/case/in0.npy
  expect 3 "in0.npy: not an .npy file" verify relu.mlir --golden deep
  "$quern" run relu.mlir --input random:1 --save deep/case >/dev/null
  mv deep/case/out0.npy deep/case/in0.npy
  expect 3 "tensors.json:" verify relu.mlir --golden deep
  for emit in integer loops llvm obj; do expect 0 "" compile relu.mlir -o out.$emit --emit $emit; done
  expect 0 "" run relu.mlir --input random:1 --threads 2
}

run_wrong() {
  expect 3 "missing.tflite: error: can't be read: No such file or directory" run missing.tflite
  : >empty
  expect 3 "empty: error: the file is empty" run empty
  expect 2 "is not given: use --input or --image" run relu.mlir
  expect 3 "the literal is 4xint8, but tensor" run relu.mlir --input 4xi8=1
  expect 3 "the literal is 1x4xuint8, but tensor" run relu.mlir --input 1x4xu8=1
  expect 2 "a value is out of range" run relu.mlir --input 1x4xi8=128
  expect 2 "'bogus' is neither an input nor the type of a literal: inputs are 'input0'" run relu.mlir --input bogus=random:1
  expect 2 "'1x4xi9' is neither" run relu.mlir --input 1x4xi9=1
  expect 2 "one input too many" run relu.mlir --input random:1 --input random:2
  expect 3 "labels: not an .npy file" run relu.mlir --input @labels
  expect 3 "nothing.npy: error: can't be read: No such file" run relu.mlir --input @nothing.npy
  expect 2 "unknown CPU 'abacus'" run relu.mlir --input random:1 --cpu abacus
  expect 3 "/out0.npy" run relu.mlir --input random:1 --save relu.mlir
  expect 2 "is not an image" run relu.mlir --image labels
  expect 3 "but from operands and attributes follows 'tensor<1x4x" run shapes.mlir --input random:1
}
printf 'zero\n' >labels
sed -e 's/-> tensor<1x4x/-> tensor<1x5x/' -e 's/-> (tensor<1x4x/-> (tensor<1x5x/' relu.mlir >shapes.mlir
sed -i 's/return %y : tensor<1x4x/return %y : tensor<1x5x/' shapes.mlir

# The measured arena of TensorFlow Lite Micro is that of the line with the model's digest, whatever name it has.
tflm_arena() {
  digest=$(sha256sum <relu.mlir | cut -d' ' -f1)
  other=$(echo "$digest" | tr 0-9a-f 1-9a-f0)
  printf '# a comment\n\nrelu 7 %s\nnet 1234 %s\n' "$other" "$digest" >tflm.txt
  expect 0 "measured: 1234 bytes (tflm.txt)" compile relu.mlir -o m.o --report --tflm-arena tflm.txt
  expect 0 '"arena_bytes": 1234' compile relu.mlir -o m.o --report --json --tflm-arena tflm.txt
  echo "relu 7 $other" >tflm.txt
  expect 0 "has no figure of TensorFlow Lite Micro for this file" compile relu.mlir -o m.o --report --tflm-arena tflm.txt
  expect 0 '"arena_bytes": null' compile relu.mlir -o m.s --report --json --tflm-arena tflm.txt
  for line in "relu 7" "relu -7 $other" "relu 7b $other" "relu 7 $other x" "relu 7 ${other}0" "relu 99999999999999999999 $other" "relu 7 x$other"; do
    printf '%s\n%s\n' "net 1 $digest" "$line" >tflm.txt
    expect 3 "tflm.txt:2: not a name, a number of bytes and a SHA-256" compile relu.mlir -o m.o --report --tflm-arena tflm.txt
  done
  expect 3 "tflm.none" compile relu.mlir -o m.o --report --tflm-arena tflm.none
}

compile() {
  expect 0 "" compile relu.mlir -o m.o --header m.h
  holds "object and header were written" test -s m.o -a -s m.h
  cp m.o first.o
  expect 0 "" compile relu.mlir -o m.o
  holds "the same command gives the same bytes" cmp -s m.o first.o
  expect 0 "stack of a call: at most" compile relu.mlir -o m.o --report
  holds "a report changes no byte" cmp -s m.o first.o
  expect 0 "the arena of" compile relu.mlir -o m.o --report --memory
  expect 0 '"flash_bytes"' compile relu.mlir -o m.o --report --json
  expect 0 '"operators"' compile relu.mlir -o m.s --report --json
  expect 2 "--json and --memory go with --report" compile relu.mlir -o m.o --memory
  expect 2 "--tflm-arena goes with --report" compile relu.mlir -o m.o --tflm-arena tflm.txt
  tflm_arena
  for emit in model integer loops llvm asm obj; do
    expect 0 "" compile relu.mlir --emit $emit -o form
    holds "$emit is not empty" test -s form
  done
  for stage in integer loops; do # a stage is a model again
    expect 0 "" compile relu.mlir --emit $stage -o stage.mlir
    expect 0 '"values":[-1,-1,0,127]' run stage.mlir --input 1x4xi8=-128,-1,0,127 --json --stage $stage
  done
  expect 4 "text of the loops stage is not run just in time" run stage.mlir --input random:1
  expect 2 "-o FILE is missing" compile relu.mlir
  expect 2 "does not end in .o, .c, .s, .ll or .mlir" compile relu.mlir -o m.xyz
  expect 2 "--emit is model" compile relu.mlir -o m.o --emit wasm
  expect 2 "symbol '1a' is not a C identifier" compile relu.mlir -o m.o --symbol 1a
  expect 2 "unknown CPU 'abacus'" compile relu.mlir -o m.o --cpu abacus
  expect 2 "--header goes with an object" compile relu.mlir -o m.ll --header m.h
  expect 3 "nowhere/m.o: error: can't be written: No such file or directory" compile relu.mlir -o nowhere/m.o
  mkdir locked
  expect 3 "locked: error: can't be written: Is a directory" compile relu.mlir -o locked --emit obj
  holds "no temporary file is left" sh -c '! ls -A | grep -q "^\.quern-"'
}

# What a program that links the object finds in its header.
ahead() {
  expect 0 "note: compiled for every $architecture CPU" compile relu.mlir -o out-2.o --header out-2.h
  holds "names come from the file's" grep -q "out_2_run(const int8_t \*in0" out-2.h
  holds "macros of dimensions" grep -q "^#define OUT_2_INPUT_0_DIMS {1, 4}$" out-2.h
  holds "and of each" grep -q "^#define OUT_2_OUTPUT_0_DIM_1 4$" out-2.h
  holds "and of types" grep -q "^#define OUT_2_INPUT_0_TYPE int8_t$" out-2.h
  holds "whose it is" grep -q "belong to whom the model belongs to" out-2.h
  holds "a portable CPU" grep -q "CPU .* (level $baseline)" out-2.h
  expect 0 "" compile relu.mlir -o 2.o --header 2.h --cpu $wider
  holds "no note where a CPU is named" test ! -s out
  expect 0 "note: compiled for every aarch64 CPU" compile relu.mlir -o arm.o --header arm.h --target aarch64-linux-gnu
  expect 0 "note: compiled for every riscv64 CPU" compile relu.mlir -o risc.o --header risc.h --target riscv64-linux-gnu
  expect 0 "" compile relu.mlir -o risc.o --header risc.h --target riscv32-unknown-elf
  holds "no note where there is one level" test ! -s out
  holds "the level of all" grep -q "Target aarch64-unknown-linux-gnu, CPU generic (level armv8)" arm.h
  expect 0 "" compile relu.mlir -o risc.o --target riscv64-linux-gnu --cpu generic
  expect 2 "'x86-64-v3' is of x86_64; code for riscv64 is of the level rv64" \
    compile relu.mlir -o risc.o --target riscv64-linux-gnu --cpu x86-64-v3
  expect 2 "the host is no $other" compile relu.mlir -o arm.o --target $other-linux-gnu --cpu native
  for form in integer loops llvm asm obj; do
    expect 0 "" compile relu.mlir -o arm.$form --emit $form --target aarch64-linux-gnu
  done
  expect 0 "" compile relu.mlir -o more.o --header more.h --features $feature
  holds "features are added to the baseline" grep -q "CPU .* (level $baseline)" more.h
  holds "no note where features are named" test ! -s out
  expect 2 "architectures: x86_64, aarch64, riscv64" compile relu.mlir -o arm.o --target armv7-linux-gnueabihf
  expect 2 "no code generation for 'x86_64-unknown-linux-gnux32'" compile relu.mlir -o x.o --target x86_64-linux-gnux32
  holds "an identifier" grep -q "model_2_run(" 2.h
  expect 0 "" compile relu.mlir -o 2.o --header 2.h --symbol net
  holds "the symbol that was asked for" grep -q "net_run(" 2.h
  expect 0 "" compile layers.mlir -o s.s --section .flash_model --cpu baseline
  holds "weights in their section" grep -q "\.section.*\.flash_model" s.s
  expect 2 "is not the name of a section" compile relu.mlir -o s.s --section 'a b'
  sections_and_arena
  expect 2 "--dim and --batch bind dimensions of .tflite and .onnx models" compile relu.mlir -o s.s --batch 2
}

sections_and_arena() {
  model=$scripts/../examples/digits/digits_int8.tflite board="--target thumbv7em-none-eabi"
  # shellcheck disable=SC2086 # an option and its value
  expect 0 "" compile "$model" $board -o s.s --header s.h --section weights=.flash_w,code=.itcm,arena=.dtcm
  holds "weights in their section" grep -q "\.section.*\.flash_w" s.s
  holds "code in its section" grep -q "\.section.*\.itcm" s.s
  holds "no code elsewhere" test "$(grep -c '\.section.*\.text\|^[[:space:]]*\.text' s.s)" -le 1
  holds "the arena's section" grep -q '^#define S_ARENA_SECTION "\.dtcm"$' s.h
  # shellcheck disable=SC2086
  expect 0 "" compile "$model" $board -o s.c --section code=.itcm
  holds "kernels in C" grep -q "^static CODE void kernel_" s.c
  expect 2 "--section takes a name, or weights=NAME" compile "$model" -o s.o --section heap=.ram
  expect 2 "each at most once" compile "$model" -o s.o --section code=.a,code=.b
  expect 2 "section '.ram' can't hold both weights and code" compile "$model" -o s.o --section weights=.ram,code=.ram
  expect 2 "section '.bss.w' can't hold weights: tools expect other content there; take a name such as" \
    compile "$model" -o s.o --section .bss.w
  expect 2 "section '.rodata' can't hold code" compile "$model" -o s.o --section code=.rodata
  expect 2 "section '.text' can't hold the arena" compile "$model" -o s.o --section arena=.text
  expect 2 "a section can't be named for" compile "$model" -o s.o --section code=.itcm --target arm64-apple-macos
  # shellcheck disable=SC2086
  expect 0 "" compile "$model" $board -o s.o --arena-limit 4K --report
  holds "no bands within the limit" sh -c '! grep -q "^in bands" out'
  # shellcheck disable=SC2086
  expect 0 "" compile "$model" $board -o s.o --arena-limit 3K --report
  holds "the operators in bands" grep -q "^in bands: operator 2 (CONV_2D) to operator 3 (DEPTHWISE_CONV_2D) in 2 bands of 2 rows, which repeat 11.0 %" out
  # shellcheck disable=SC2086
  expect 0 "remark: compute-in-bands: operator 2 (CONV_2D) to operator 3" compile "$model" $board -o s.o --arena-limit 3K --explain
  for output in s.o s.c s.s; do
    # shellcheck disable=SC2086
    expect 5 "operator 6 (CONV_2D)" compile "$model" $board -o $output --arena-limit 2400
  done
  holds "the excess" grep -q "the arena takes 2688 bytes, 288 more than its limit" out
  for size in much 0 0K -1 99999999999G 1.5K; do
    expect 2 "--arena-limit" compile "$model" -o s.o --arena-limit $size
  done
  # shellcheck disable=SC2086
  expect 5 "best bands" compile "$model" $board -o s.o --arena-limit 1
  # shellcheck disable=SC2086
  expect 0 "" compile "$model" $board -o s.o --arena-limit 16000000000G
}

# Preferences differ in bytes, not in bits. Without --optimize, this machine's code prefers speed.
optimize() {
  model=$scripts/../examples/digits/digits_int8.tflite
  for preference in size balanced speed; do
    expect 0 "" compile "$model" -o $preference.o --cpu x86-64 --target x86_64-linux-gnu --optimize $preference --symbol model
    expect 0 "" run "$model" --optimize $preference --input random:5 --save $preference
    holds "the bits of $preference" cmp size/out0.npy $preference/out0.npy
  done
  holds "the default" cmp balanced.o speed.o
  holds "smaller constants" test "$(wc -c <size.o)" -lt "$(wc -c <speed.o)"
  expect 2 "--optimize" compile "$model" -o s.o --optimize most
  # Weights that are stored as bytes are widened on the stack of a host, never on that of a microcontroller.
  model=$scripts/../tests/cli/single/UNIDIRECTIONAL_SEQUENCE_LSTM_i8_14.tflite
  expect 0 "quern.scratch" compile "$model" -o - --emit loops --cpu generic
  expect 0 "" compile "$model" -o - --emit loops --target thumbv7em-none-eabi
  holds "no weights are on the stack" test "$(grep -c quern.scratch out)" = 0
}

# A batch that each run says: the bits of the model compiled for that batch.
any_size() {
  model=$scripts/../examples/digits/digits_int8.tflite
  for size in 1 2 3 7; do
    expect 0 "" run "$model" --batch $size --input random:$size --save fixed
    for engine in jit "jit --threads 2" "interpreter --stage model" "interpreter --stage loops"; do
      # shellcheck disable=SC2086 # an engine and its options
      expect 0 "" run "$model" --batch 7 --any-size --size $size --engine $engine --input random:$size --save any
      holds "the bits of a batch of $size by $engine" cmp fixed/out0.npy any/out0.npy
    done
  done
  expect 3 'size "batch" is from 1 to 7' run "$model" --batch 7 --any-size --size batch=8 --input random:1
  expect 2 "--any-size needs the largest one" run "$model" --any-size --input random:1
  expect 2 "MLIR text has sizes in its types" compile relu.mlir -o s.s --any-size
  # Inputs in the arena are whole, so there the batch does not run in groups.
  expect 0 "" compile "$model" --batch 64 --io-in-arena --target x86_64-linux-gnu --cpu x86-64-v3 -o b.o --header b.h
  expect 0 "" compile "$model" -o net.o --header net.h --batch 7 --any-size
  holds "the size in the header" grep -q "out0, intptr_t size0, void \*arena" net.h
  any_size_recorded
  any_size_compared
  any_size_looked_at
}

# Cases of the model as its file fixes it, and of three entries: each says its size.
any_size_recorded() {
  expect 0 "" verify "$model" --record one
  expect 0 "" verify "$model" --record three --batch 3
  mkdir both && cp -r one/random1 both && cp -r three/random1 both/three
  for engine in "--engine jit" "--threads 2" "--stage model" "--stage integer" "--stage loops" "--engine jit --cpu baseline"; do
    # shellcheck disable=SC2086 # an engine and its options
    expect 0 "20 tensors compared, 0 differ" verify "$model" --golden both --batch 7 --any-size $engine
  done
  expect 0 "" verify "$model" --record sized --batch 7 --any-size --size 3
  holds "what is recorded of three entries" cmp -s three/random1/tensors.json sized/random1/tensors.json
  holds "the inputs, too" cmp -s three/random1/in0.npy sized/random1/in0.npy
  plant three/random1/out0.npy both/three/out0.npy 2 '\001'
  expect 1 "20 tensors compared, 0 differ; 4 outputs compared, 2 differ" verify "$model" --golden both --batch 7 --any-size
  expect 3 "three/random1/in0.npy is 3x8x8x1xint8, but tensor" verify "$model" --golden three --batch 2 --any-size
  expect 2 "--size go with --record" verify "$model" --golden three --batch 3 --any-size --size 2
  expect 2 "names no size: the model has 0" verify "$model" --record none --batch 3 --size 2
}

any_size_compared() {
  expect 0 "" run "$model" --batch 3 --input random:4 --dump fixed3
  expect 0 "" run "$model" --batch 7 --any-size --size 3 --input random:4 --dump any3
  for file in fixed3/*.npy; do holds "$file is that of a fixed batch" cmp -s "$file" "any3/${file#fixed3/}"; done
  for sides in "fixed3 any3" "fixed3 $model --batch 7 --any-size" "$model any3 --batch 5 --any-size" "fixed3 $model --isolate --batch 3 --any-size" \
    "$model --batch 4 --b-any-size" "$model --batch 4 --a-any-size --b-engine interpreter" "$model --batch 7 --any-size --size 2 --b-stage integer"; do
    # shellcheck disable=SC2086 # two sides and their options
    expect 0 "10 tensors compared, 0 differ" compare $sides
  done
  expect 1 "10 tensors compared" compare "$model" --batch 4 --b-any-size --b-numerics xnnpack --isolate
  expect 3 "in0.npy is 3x8x8x1xint8, but tensor" compare fixed3 "$model" --batch 2 --any-size
  expect 2 "names no size: the model has 0" compare "$model" --batch 4 --b-any-size --size 2
}

any_size_looked_at() {
  expect 0 "size batch: ? in shapes, at most 7, of which all numbers below are" inspect "$model" --batch 7 --any-size
  holds "an input" grep -q " ?x8x8x1 " out
  holds "an operator" grep -q "ml.softmax  *?x10 -> ?x10" out
  expect 0 '"size_dimension": 0' inspect "$model" --batch 7 --any-size --json
  expect 0 "10 operators" inspect "$model" --batch 7
  holds "a fixed batch" grep -q " 7x8x8x1 " out
  mkdir -p seen/7 && cp "$scripts/../examples/digits/seven.png" seen/7
  # shellcheck disable=SC2086 # as many words
  for many in "" "--batch 4 --any-size"; do expect 0 "        1      1  100.00 %" eval "$model" --images seen $many; done
  expect 2 "is not an image" eval "$model" --images seen --batch 4
  expect 0 "" rules coverage "$scripts/../rules/fusion.rr" "$model" --batch 4 --any-size
  # An operator that combines batch elements is rejected with its location, by every command.
  delay=$scripts/../tests/cli/signals/SignalDelay.tflite
  for command in run inspect "compile -o delay.o" "verify --record none" "compare --b-engine interpreter" "eval --images seen" bench "rules coverage $scripts/../rules/fusion.rr" opt; do
    # shellcheck disable=SC2086 # a command and its options
    expect 4 "'ml.concat' can't be computed for a size known at run time only" $command "$delay" --batch 4 --any-size
  done
  expect 4 "operators can't be compiled" inspect "$delay" --batch 4 --any-size
  holds "its input" grep -q "^t0  *0  4x20  *int16" out
  holds "the table says why" grep -q "^ *0  ml.concat  *.ml.concat. can't be computed" out
  # Each entry of a batch has its own state; how many there are is fixed. Times are no entries.
  single=$scripts/../tests/cli/single
  expect 0 "" run "$single/SVDF_i8_3.tflite" --batch 6 --input random:1
  expect 4 "a state keeps its size" run "$single/SVDF_i8_3.tflite" --batch 6 --any-size --input random:1
  expect 4 "operator 0 (UNIDIRECTIONAL_SEQUENCE_LSTM): error: its first dimension is the time, not the batch, which is 4 in the file" \
    run "$single/UNIDIRECTIONAL_SEQUENCE_LSTM_i8_14.tflite" --batch 5 --input random:1
}

# Casts of every granularity beside ops of a model: the same numbers at each stage.
casts() {
  # No elements and many dimensions: the same numbers at each stage.
  for shape in 0 2x0x3 1x1x1x1x1x1x1x1x4; do
    cat >shape.mlir <<END
func.func @main(%x: tensor<${shape}xf32>) -> tensor<${shape}xf32> {
  %0 = quant.qcast %x : tensor<${shape}xf32> to tensor<${shape}x!quant.uniform<i8:f32, 0.5:3>>
  %1 = quant.dcast %0 : tensor<${shape}x!quant.uniform<i8:f32, 0.5:3>> to tensor<${shape}xf32>
  return %1 : tensor<${shape}xf32>
}
END
    expect 0 "" opt shape.mlir --lower-to-integer
    expect 0 "" run shape.mlir --input random:1 --engine interpreter --save interpreted
    expect 0 "" run shape.mlir --input random:1 --engine jit --expect @interpreted/out0.npy
    expect 0 "" compile shape.mlir -o shape.o
  done
  cat >casts.mlir <<'END'
!x = !quant.uniform<i8:f32, 0.5:3>
!w = !quant.uniform<i8<-127:127>:f32:0, {0.01, 0.02, 0.005}>
!c = !quant.uniform<u4:f32:1, {0.5:3, 1.0, 2.0:15}>
!b = !quant.uniform<i12:f32:{0:1, 1:3}, {{0.5:3}, {1.0}}>
module NUMERICS {
  func.func @main(%x: tensor<2x4xf32>, %z: tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3x!b>) {
    %0 = quant.qcast %x : tensor<2x4xf32> to tensor<2x4x!x>
    %1 = "ml.const"() {value = dense<[[50, -100, 25, 127], [100, 0, 2, -127], [25, 100, 0, 127]]> : tensor<3x4xi8>} : () -> tensor<3x4x!w>
    %2 = "ml.linear"(%0, %1) : (tensor<2x4x!x>, tensor<3x4x!w>) -> tensor<2x3x!x>
    %3 = quant.dcast %2 : tensor<2x3x!x> to tensor<2x3xf32>
    %4 = quant.qcast %3 : tensor<2x3xf32> to tensor<2x3x!c>
    %5 = quant.dcast %4 : tensor<2x3x!c> to tensor<2x3xf32>
    %6 = quant.qcast %z : tensor<2x3xf32> to tensor<2x3x!b>
    %7 = quant.dcast %6 : tensor<2x3x!b> to tensor<2x3xf32>
    return %5, %7, %6 : tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3x!b>
  }
}
END
  for numerics in even away; do
    attributes='attributes {quern.numerics = "tflm"}'
    [ $numerics = away ] || attributes=
    sed "s/NUMERICS/$attributes/" casts.mlir >$numerics.mlir
    set -- --input 2x4xf32=1,-0.5,2,0.25,0.125,3,-1,100 --input 2x3xf32=0.25,0.75,-300,1.5,1e9,nan
    expect 0 "" run $numerics.mlir --stage model "$@" --save $numerics
    for k in 0 1 2; do set -- "$@" --expect @$numerics/out$k.npy; done
    for how in "--stage integer" "--stage loops" "--engine jit" "--cpu baseline"; do
      # shellcheck disable=SC2086 # two words on purpose
      expect 0 "" run $numerics.mlir $how "$@"
    done
  done
  expect 1 "differs from away/out2.npy" run even.mlir "$@"
  expect 0 "" run even.mlir "$@" --numerics litert-ref
}

# MLIR text, which specifies its own numerics and sizes.
numerics() {
  # Scales that no multiplier can represent are not supported; an op of no profile names what allows it.
  cat >far.mlir <<'END'
module attributes {quern.numerics = "litert-ref"} {
  func.func @main(%x: tensor<1x4x!quant.uniform<i8:f32, 1.0e30>>) -> tensor<1x4x!quant.uniform<i8:f32, 1.0e-30>> {
    %y = "ml.add"(%x, %x) : (tensor<1x4x!quant.uniform<i8:f32, 1.0e30>>, tensor<1x4x!quant.uniform<i8:f32, 1.0e30>>) -> tensor<1x4x!quant.uniform<i8:f32, 1.0e-30>>
    return %y : tensor<1x4x!quant.uniform<i8:f32, 1.0e-30>>
  }
}
END
  for how in "" "--engine interpreter --stage integer" "--engine interpreter --stage model"; do
    # shellcheck disable=SC2086 # words on purpose
    expect 4 "is out of range for a fixed-point multiplier; in float it would not have the bits of litert-ref: --fall-back allows that" run far.mlir --input random:1 $how
    holds "what was not named is not spoken of" sh -c '! grep -q "name no profile" out'
  done
  expect 0 "is out of range for a fixed-point multiplier; it is computed in float" run far.mlir --input random:1 --fall-back
  expect 0 '{quern.numerics = "litert-ref"}' opt relu.mlir
  expect 0 '{quern.numerics = "tflm"}' opt relu.mlir --numerics tflm
  expect 0 'stage, numerics tflm' inspect relu.mlir --numerics tflm
  sed 's/module attributes.*{/module {/' relu.mlir >plain.mlir
  expect 0 'module {' opt plain.mlir
  expect 0 '{quern.numerics = "tflm"}' opt plain.mlir --numerics tflm
  expect 2 "unknown numerics profile 'exactly'; profiles: litert-ref tflm" opt plain.mlir --numerics exactly
  expect 0 "" compile relu.mlir --emit integer -o stage.mlir
  expect 2 "each op of this module has its own already" run stage.mlir --input random:1 --numerics tflm
  expect 2 "MLIR text has sizes in its types" run relu.mlir --input random:1 --dim 2
  # No bits but the profile's without opt_in, at no stage and in no engine; with it all agree.
  cat >mixed.mlir <<'END'
module attributes {quern.numerics = "litert-ref"} {
  func.func @main(%x: tensor<4x!quant.uniform<i8:f32, 0.5>>) -> (tensor<4x!quant.uniform<u8:f32, 0.5:128>> {quern.name = "y"}) {
    %y = "ml.relu"(%x) : (tensor<4x!quant.uniform<i8:f32, 0.5>>) -> tensor<4x!quant.uniform<u8:f32, 0.5:128>>
    return %y : tensor<4x!quant.uniform<u8:f32, 0.5:128>>
  }
}
END
  expect 0 "" run mixed.mlir --stage model --fall-back --input 4xi8=1,-2,3,-4 --save mixed
  for how in "--engine jit" "--stage model" "--stage integer" "--stage loops"; do
    # shellcheck disable=SC2086 # two words on purpose
    expect 4 "it would not have the bits of litert-ref: --fall-back allows that" run mixed.mlir $how --input 4xi8=1,-2,3,-4
    # shellcheck disable=SC2086
    expect 0 "" run mixed.mlir $how --fall-back --input 4xi8=1,-2,3,-4 --expect @mixed/out0.npy
  done
}

opt() {
  expect 0 "" opt relu.mlir -o printed.mlir
  expect 0 "" opt printed.mlir -o again.mlir
  holds "printing is stable" cmp -s printed.mlir again.mlir
  holds "standard input is read" sh -c '"$1" opt <relu.mlir | cmp -s - printed.mlir' sh "$quern"
  expect 0 '"func.func"' opt relu.mlir --generic
  echo '"no.such"() : () -> ()' >unknown.mlir
  expect 3 "unregistered dialect" opt unknown.mlir
  expect 0 '"no.such"()' opt unknown.mlir --allow-unregistered-dialect
  printf 'func.func private @f()\nfunc.func private @g()\n' >two.mlir
  expect 3 "source must contain a single top-level operation, found: 2" opt two.mlir --no-implicit-module
  expect 2 "--timing is tree, list or json, not 'pie'" opt relu.mlir --mlir-timing=pie
  expect 0 "--mlir-timing-display" opt --help-all
  head -c 1048576 /dev/zero | tr '\0' '(' >deep.mlir
  expect 3 "deep.mlir:1:1: error:" opt deep.mlir
  awk 'BEGIN { for (i = 0; i < 1000000; i++) printf "\"a.b\"() ({\n" }' >nested.mlir
  expect 5 "nesting is deeper" opt nested.mlir --allow-unregistered-dialect
}

limits() {
  expect 5 "the limit of 1048576 bytes of memory is reached; --max-memory" \
    run relu.mlir --input random:1 --max-memory 1M
  expect 5 "the limit of 0 s of time is reached; --max-time" run relu.mlir --input random:1 --max-time 0
  expect 0 "" run relu.mlir --input random:1 --max-memory 4g --max-time 100000
  for command in inspect compile opt verify; do
    expect 0 "--max-memory SIZE" $command --help-all
  done
  expect 5 "limit of 0 bytes" inspect relu.mlir --max-memory 0
  expect 5 "limit of 0 s" opt relu.mlir --canonicalize --max-time 0
  expect 5 "limit of 20480 bytes" opt relu.mlir --max-memory 20K
  expect 5 "limit of 20480 bytes" opt relu.mlir --max-memory 20k
  expect 5 "limit of 2048 bytes" compile relu.mlir -o limited.o --max-memory 2K
  holds "nothing is written" [ ! -e limited.o ]
  for size in 1x 1KB -1 "" K 99999999999999999999 99999999999999G; do
    expect 2 "--max-memory takes a size like 800M" inspect relu.mlir --max-memory "$size"
  done
  for seconds in x 1s -1 "" nan; do
    expect 2 "--max-time takes seconds" inspect relu.mlir --max-time "$seconds"
  done
  mkfifo silent # no process writes to it
  expect 5 "the limit of 0.1 s of time is reached; --max-time" inspect silent --max-time 0.1
  expect 5 "/dev/zero: error: can't be read: File too large" inspect /dev/zero --max-memory 64M
  exec 3<>silent # somebody may, some day
  "$quern" inspect - --max-time 0.1 <silent >out 2>&1
  holds "standard input, too" grep -q "the limit of 0.1 s of time" out
  exec 3<&-
}

verify() {
  mkdir -p golden/case golden/steps
  sed -i 's/(%x) :/(%x) {quern.tensors = array<i64: 1>} :/' relu.mlir
  "$quern" run relu.mlir --input random:3 --save golden/case >/dev/null || failed=1
  cp golden/case/out0.npy golden/case/in0.npy # relu twice is relu
  sha=$(tail -c 4 golden/case/out0.npy | sha256sum | cut -d' ' -f1)
  row="[{\"index\": 1, \"name\": \"y\", \"sha256\": \"$sha\"}]"
  printf '\357\273\277%s\n' "$row" >golden/case/tensors.json # an editor's mark changes nothing
  for i in 0 1; do
    for name in in out; do cp golden/case/out0.npy golden/steps/${name}0.$i.npy; done
    echo "$row" >golden/steps/tensors.$i.json
  done
  for engine in jit interpreter; do
    expect 0 "3 tensors compared, 0 differ" verify relu.mlir --golden golden --engine $engine
  done
  expect 0 '"invocation": 1' verify relu.mlir --golden golden --json
  echo '[{"index": 99, "name": "lost", "sha256": "00"}]' >golden/case/tensors.json
  expect 1 "tensor 99 'lost' (not written)" verify relu.mlir --golden golden
  for nothing in '[]' '{}'; do
    echo "$nothing" >golden/case/tensors.json
    expect 3 "case/tensors.json: not a list of tensors with at least one entry" verify relu.mlir --golden golden
  done
  echo '[{"index": 99}]' >golden/case/tensors.json
  expect 3 "entry 0 lacks index, name or sha256" verify relu.mlir --golden golden
  echo '[' >golden/case/tensors.json
  expect 3 "tensors.json" verify relu.mlir --golden golden
  expect 3 "no folder in it has a tensors.json" verify relu.mlir --golden golden/case
  expect 3 "No such file or directory" verify relu.mlir --golden nowhere
  expect 2 "--golden DIR is missing" verify relu.mlir
  units_in_float
  on_a_board
}

# A compiler and an emulator that do what `compiler` and `emulator` say.
on_a_board() {
  mkdir -p tools
  tool=$quern
  printf '#!/bin/sh\nPATH=%s exec %s "$@"\n' "$PWD/tools" "$tool" >alone && chmod +x alone
  quern=$PWD/alone
  digits=$scripts/../examples/digits/digits_int8.tflite
  expect 2 "--board is an385, an386, an500, an547 or virt, not 'an387'; did you mean" verify "$digits" --board an387
  expect 2 "--record and --board exclude each other" verify "$digits" --board an386 --record new
  expect 2 "don't go with --board" verify "$digits" --board an386 --stage loops
  expect 2 "--emit is obj or c with --board, not 'asm'" verify "$digits" --board an386 --emit asm
  expect 2 "--target and --emit go with --board" verify "$digits" --golden golden --target thumbv7em-none-eabi
  expect 4 "needs the program arm-none-eabi-gcc, which PATH does not lead to; Debian and Ubuntu have it in the package gcc-arm-none-eabi" \
    verify "$digits" --board an386
  compiler() { printf '#!/bin/sh\n%s\n' "$1" >tools/arm-none-eabi-gcc && chmod +x tools/arm-none-eabi-gcc; }
  emulator() { printf '#!/bin/sh\n%s\n' "$1" >tools/qemu-system-arm && chmod +x tools/qemu-system-arm; }
  compiler "echo no such flag; exit 1"
  expect 4 "needs the program qemu-system-arm" verify "$digits" --board mps2-an386
  emulator "exit 1"
  expect 4 "arm-none-eabi-gcc makes no program for board an386" verify "$digits" --board an386
  holds "what the compiler says is shown" grep -q "^no such flag" out
  expect 2 "board an386 runs code for --target thumb" verify "$digits" --board an386 --target riscv32-unknown-elf
  compiler ""
  expect 1 "the program ends by a fault" verify "$digits" --board an386
  emulator "echo error: no RAM; exit 1"
  expect 1 "the program ends by an error" verify "$digits" --board an386
  emulator "printf 12345678 >answers"
  expect 6 "the board wrote 8 bytes, not 44" verify "$digits" --board an386
  emulator "printf 12345678901234567890123456789012345678901234 >answers"
  expect 1 "4 outputs compared, 4 differ" verify "$digits" --board an386
  expect 1 "tensor 27 'StatefulPartitionedCall_1:0'" verify "$digits" --board an386
  emulator "while :; do :; done"
  # In an emulator the limit is reached before the board is started.
  [ "${QUERN_EMULATED-}" ] || expect 5 "did not end within 1 s" verify "$digits" --board an386 --max-time 1
  quern=$tool
}

# Another digest of a tensor than units.mlir has.
spoil() { sed -i "/\"index\": $1,/,/sha256/s/\"sha256\": \"...../\"sha256\": \"00000/" units/random1/tensors.json; }

# A unit that the runtime of the profile leaves in float, tensor 1, whose own result has channels last; a
# fused one that reads it, 2, and one that does not, 3.
units_in_float() {
  cat >units.mlir <<'END'
!q = !quant.uniform<i8:f32, 0.5:-1>
module attributes {quern.numerics = "ort"} {
  func.func @main(%x: tensor<1x2x1x3x!q>) -> (tensor<1x2x1x3x!q>, tensor<1x2x1x3x!q>) {
    %0 = "ml.add"(%x, %x) {quern.unfused} : (tensor<1x2x1x3x!q>, tensor<1x2x1x3x!q>) -> tensor<1x2x1x3x!q>
    %1 = "ml.transpose"(%0) {perm = array<i64: 0, 3, 1, 2>, quern.tensors = array<i64: 1>} : (tensor<1x2x1x3x!q>) -> tensor<1x3x2x1x!q>
    %2 = "ml.add"(%0, %x) {quern.tensors = array<i64: 2>} : (tensor<1x2x1x3x!q>, tensor<1x2x1x3x!q>) -> tensor<1x2x1x3x!q>
    %3 = "ml.add"(%x, %x) {quern.tensors = array<i64: 3>} : (tensor<1x2x1x3x!q>, tensor<1x2x1x3x!q>) -> tensor<1x2x1x3x!q>
    return %2, %3 : tensor<1x2x1x3x!q>, tensor<1x2x1x3x!q>
  }
}
END
  holds "one op of a unit in float is shown" sh -c '[ "$("$1" inspect units.mlir | grep -c "in float")" = 1 ]' - "$quern"
  expect 0 "units/random1: 3 tensors" verify units.mlir --record units --cases 1
  cp -r units/random1 random1
  for engine in "--engine jit" "--stage model" "--stage integer"; do
    rm -rf units/random1 && cp -r random1 units
    # shellcheck disable=SC2086
    expect 0 "3 tensors compared, 0 differ" verify units.mlir --golden units $engine
    spoil 1
    spoil 2
    # shellcheck disable=SC2086
    expect 0 "2 more differ that the runtime of the profile computes in float, or from such" verify units.mlir --golden units $engine
  done
  expect 0 '"in_float": 2' verify units.mlir --golden units --json
  spoil 3
  expect 1 "3 tensors compared, 1 differ" verify units.mlir --golden units
  rm -rf units/random1 && cp -r random1 units
  spoil 2
  expect 1 "3 tensors compared, 1 differ" verify units.mlir --golden units
  expect 0 "" run units.mlir --input 1x2x1x3xi8=1,2,3,4,5,6 --dump first
  expect 0 "" run units.mlir --input 1x2x1x3xi8=-1,-1,-1,-1,-1,-1 --dump second --stage model --replace 1=@first/t001.npy
  holds "a replaced transposition replaces what it transposes" cmp -s first/t003.npy second/t002.npy
}

# Three operators in a row, of tensors 1, 2 and 3.
chain() {
  cat >chain.mlir <<'END'
!q = !quant.uniform<i8:f32, 0.5:-1>
module attributes {quern.numerics = "litert-ref"} {
  func.func @main(%x: tensor<1x4x!q>) -> tensor<1x4x!q> {
    %a = "ml.relu"(%x) {quern.tensors = array<i64: 1>} : (tensor<1x4x!q>) -> tensor<1x4x!q>
    %b = "ml.add"(%a, %a) {quern.tensors = array<i64: 2>} : (tensor<1x4x!q>, tensor<1x4x!q>) -> tensor<1x4x!q>
    %c = "ml.relu"(%b) {quern.tensors = array<i64: 3>} : (tensor<1x4x!q>) -> tensor<1x4x!q>
    return %c : tensor<1x4x!q>
  }
}
END
}
# Ranges of a dump's floats, as the passes that quantize by ranges take them.
ranges() {
  command -v python3 >/dev/null || return 0
  cat >floats.mlir <<'END'
func.func @main(%x: tensor<4xf32>, %i: tensor<2xi32>) -> (tensor<4xf32>, tensor<2xi32>) {
  %0 = "ml.neg"(%x) {quern.tensors = array<i64: 3>} : (tensor<4xf32>) -> tensor<4xf32>
  %1 = "ml.neg"(%i) {quern.tensors = array<i64: 4>} : (tensor<2xi32>) -> tensor<2xi32>
  return %0, %1 : tensor<4xf32>, tensor<2xi32>
}
END
  for k in 1 2; do
    expect 0 "" run floats.mlir --fall-back --input 4xf32=0.5,$k,2.25,0.25 --input 2xi32=1,2 --dump dump$k
  done
  "$scripts/ranges" --input 0=7 dump1 dump2 >said
  holds "ranges of two dumps are joined, and integers have none" grep -qxF "3=-2.25:0.0,7=0.0:2.25" said
}

# The digest that index.json has of t<NNN>.npy is that of its last $2 bytes.
digest_holds() {
  sha=$(tail -c "$2" "$1" | sha256sum | cut -d' ' -f1)
  holds "the digest of $1 is in the index" grep -q "$sha" "$(dirname "$1")/index.json"
}

record() {
  chain
  run="run chain.mlir --input 1x4xi8=-9,0,3,8"
  for engine in "--engine jit" "--stage model" "--stage integer" "--stage loops"; do
    rm -rf dump
    # shellcheck disable=SC2086 # words on purpose
    expect 0 "" $run --dump dump $engine
    for file in in0 out0 t001 t002 t003; do holds "$file is there with $engine" test -s dump/$file.npy; done
    digest_holds dump/t001.npy 4
    digest_holds dump/t002.npy 4
    holds "the values are those of the model" sh -c '[ "$(tail -c 4 dump/t002.npy | od -An -td1)" = "   -1    1    7   17" ]'
  done
  holds "the scale is there" grep -q 0.5 dump/index.json
  holds "the operator is there" grep -q '"op": "ml.add"' dump/index.json
  expect 0 "" $run --dump other --stage model --replace 1=@dump/in0.npy
  holds "a replaced tensor is what was given" cmp -s dump/in0.npy other/t001.npy
  holds "others follow from it" sh -c '[ "$(tail -c 4 other/t002.npy | od -An -td1)" = "  -17    1    7   17" ]'
  expect 4 "only the interpreter" $run --replace 1=@dump/in0.npy
  expect 4 "only the interpreter" $run --replace 1=@dump/in0.npy --stage loops
  expect 3 "no operator wrote a tensor 9 of 4 bytes" $run --stage model --replace 9=@dump/in0.npy
  expect 2 "--replace takes TENSOR=@FILE.npy" $run --stage model --replace x=@dump/in0.npy
  expect 3 "not an .npy file" $run --stage model --replace 1=@chain.mlir
  expect 3 "No such file" $run --dump nowhere/below

  expect 0 "made/random2: 3 tensors, 1 inputs, 1 outputs" verify chain.mlir --record made
  for engine in "--engine jit" "--stage model" "--stage loops"; do
    # shellcheck disable=SC2086
    expect 0 "6 tensors compared, 0 differ" verify chain.mlir --golden made $engine
  done
  expect 0 "given: 3 tensors" verify chain.mlir --record one --input @dump/in0.npy
  holds "only the given case is made" sh -c '[ "$(ls one)" = given ]'
  holds "the inputs are those given" cmp -s one/given/in0.npy dump/in0.npy
  expect 0 "random1: 3 tensors" verify chain.mlir --record one --input random:1 --cases 1
  holds "random1 has random:1" cmp -s one/given/in0.npy one/random1/in0.npy
  expect 2 "exclude each other" verify chain.mlir --golden made --record made
  expect 2 "go with --record" verify chain.mlir --golden made --cases 2
  expect 4 "no operator of the model writes a tensor that has a number" verify relu.mlir --record none
}

# image FILE LEFT RIGHT: two pixels of these greys, in octal.
image() {
  mkdir -p "$(dirname "$1")"
  { printf 'P5 2 1 255\n' && printf "\\$2\\$3"; } >"$1"
}

evaluation() {
  # The brighter of two pixels; the second model knows only one answer when they are nearly equal.
  cat >side.mlir <<'END'
!q = !quant.uniform<i8:f32, 0.00392156862745098:-128>
module attributes {quern.numerics = "litert-ref"} {
  func.func @main(%x: tensor<1x1x2x1x!q>) -> tensor<1x2x!q> {
    %y = "ml.reshape"(%x) : (tensor<1x1x2x1x!q>) -> tensor<1x2x!q>
    return %y : tensor<1x2x!q>
  }
}
END
  sed 's/    return.*/    %z = "ml.requantize"(%y) : (tensor<1x2x!q>) -> tensor<1x2x!quant.uniform<i8:f32, 0.125:0>>\n    return %z : tensor<1x2x!quant.uniform<i8:f32, 0.125:0>>/; s/-> tensor<1x2x!q> {/-> tensor<1x2x!quant.uniform<i8:f32, 0.125:0>> {/' side.mlir >coarse.mlir
  printf 'left\nright\n' >names.txt
  image by_class/left/a.pgm 200 100
  image by_class/left/b.pgm 300 320 # wrong: the right one is brighter
  image by_class/right/c.pgm 100 377
  image by_class/right/d.pgm 202 203
  echo hello >by_class/right/notes.txt
  expect 0 "side.mlir        4      3  75.00 %      4  100.00 %" eval side.mlir --images by_class --labels names.txt --top 2
  holds "what is wrong is listed" grep -q "^left/b.pgm  0 left  1 right  *0.06275$" out
  holds "and nothing else" [ "$(grep -c '\.pgm' out)" = 1 ]
  cp out one
  # Parts of any number, in any order, are the whole; also those without samples.
  for n in 1 2 3 6; do
    parts=
    for k in $(seq 1 $n); do
      expect 0 "" eval side.mlir --images by_class --labels names.txt --top 2 --part "$k/$n" --json
      cp out "part.$k.json"
      parts="part.$k.json $parts"
    done
    # shellcheck disable=SC2086 # a list of files
    expect 0 "" eval --merge $parts
    holds "$n parts are the whole" cmp -s one out
  done
  expect 3 "part 2 of 6 is missing" eval --merge part.1.json part.3.json part.4.json part.5.json part.6.json
  expect 3 "this part is there twice" eval --merge part.1.json part.1.json
  expect 0 "" eval side.mlir --images by_class --labels names.txt --top 1 --part 2/6 --json
  cp out other.json
  expect 3 "another evaluation" eval --merge part.1.json other.json
  expect 3 "not a report" eval --merge names.txt
  expect 2 "runs nothing" eval --merge part.1.json --part 1/2
  expect 2 "unexpected argument" eval side.mlir part.1.json --images by_class
  for part in 0/2 3/2 1 1/ /2 1/2/3 a/b; do
    expect 2 "--part takes K/N" eval side.mlir --images by_class --labels names.txt --part $part
  done
  for threads in 2 3; do
    expect 0 "" eval side.mlir --images by_class --labels names.txt --top 2 --threads $threads
    holds "threads change nothing" cmp -s one out
  done
  expect 0 "the same decision on 3 of 4 samples, 75.00 %" eval side.mlir --images by_class --labels names.txt --against coarse.mlir --report
  holds "the flipped sample is listed" grep -q "^right/d.pgm  1 right  1 right  0.003922  0 left        0$" out
  holds "what is finer costs nothing" grep -q "^quantization costs -25.00 points of top-1$" out
  holds "compiling neither" grep -q "^lowering: 0 of 4 samples" out
  expect 0 "quantization costs 25.00 points of top-1" eval coarse.mlir --images by_class --labels names.txt --against side.mlir --report
  expect 0 '"top1": 0.75' eval side.mlir --images by_class --labels names.txt --json
  holds "the document has a version" grep -qx ' "version": 1,' out

  mkdir flat && cp by_class/left/a.pgm by_class/right/c.pgm flat
  "$quern" run side.mlir --input 1x1x2x1xi8=4,5 --dump array >/dev/null && cp array/in0.npy flat/e.npy
  expect 2 "what the images show is not known" eval side.mlir --images flat
  expect 0 "the same decision on 2 of 3 samples" eval side.mlir --images flat --against coarse.mlir
  printf '# comment\na.pgm,left\nc.pgm,1\n\ne.npy,1\n' >truth.csv
  expect 0 "side.mlir        3      3  100.00 %" eval side.mlir --images flat --truth truth.csv --labels names.txt
  printf 'a.pgm,left\nc.pgm\nx.pgm,0\nc.pgm,up\n' >truth.csv
  expect 3 "truth.csv:2: not a name, a comma and a class" eval side.mlir --images flat --truth truth.csv --labels names.txt
  holds "a second error comes, too" grep -q "truth.csv:3: there is no 'x.pgm' in the folder" out
  holds "and a third" grep -q "truth.csv:4: 'up' is not a class" out
  echo "a.pgm,7" >truth.csv
  expect 3 "a.pgm is of class 7, but the model has 2" eval side.mlir --images flat --truth truth.csv

  # What can't be read is named, once, and left out.
  echo "no image" >by_class/left/f.png
  expect 3 "left/f.png: " eval side.mlir --images by_class --labels names.txt --against coarse.mlir --report
  holds "the others count" grep -q "^side.mlir  *4  *3  75.00 %" out
  holds "it is named once" [ "$(grep -c 'f\.png' out)" = 1 ]
  expect 2 "--images is missing" eval side.mlir
  expect 3 "nowhere: can't be read" eval side.mlir --images nowhere
  # A limit ends all of it: one message, and no accuracy of what was never run.
  mkdir -p slow/left slow/right
  { printf 'P5 6000 6000 255\n' && head -c 36000000 /dev/zero; } >slow/left/0.pgm
  i=0
  while [ $((i += 1)) -lt 200 ]; do ln slow/left/0.pgm slow/left/$i.pgm; done
  for threads in 1 3; do
    expect 5 "of 200 samples were run, so there is no accuracy" eval side.mlir --images slow --labels names.txt --engine interpreter --threads $threads --max-time 0.2
    holds "the limit is told once" [ "$(grep -c 'the limit of 0.2 s' out)" = 1 ]
    holds "and nothing but that" [ "$(wc -l <out)" = 2 ]
  done
  mkdir unread && mkdir unread/left && echo none >unread/left/a.png
  expect 3 "left/a.png: " eval side.mlir --images unread --labels names.txt
  holds "of no answers there is no share" sh -c '! grep -q "%" out'
  mkdir empty
  expect 3 "no images or .npy files" eval side.mlir --images empty
  expect 2 "is not an image" eval relu.mlir --images flat --against side.mlir
  mkdir upper && cp flat/e.npy upper/E.NPY # an array, whatever the case of its ending
  expect 0 "the same decision on 0 of 1 samples" eval side.mlir --images upper --against coarse.mlir
}

# plant FILE TO OFFSET BYTE: a copy whose byte at OFFSET of the last four is another.
plant() {
  head -c -4 "$1" >"$2"
  tail -c 4 "$1" | head -c "$3" >>"$2"
  printf '%b' "$4" >>"$2"
  tail -c $((3 - $3)) "$1" >>"$2"
}

# A float model beside its quantized one, which has a fault of each kind in one operator.
loss() {
  cat >real.mlir <<'END'
module {
  func.func @main(%x: tensor<1x8x8x4xf32>) -> tensor<1x8x8x4xf32> {
    %a = "ml.add"(%x, %x) {quern.tensors = array<i64: 1>} : (tensor<1x8x8x4xf32>, tensor<1x8x8x4xf32>) -> tensor<1x8x8x4xf32>
    %b = "ml.max_pool"(%a) {kernel_sizes = array<i64: 2, 2>, pad = array<i64: 0, 1, 0, 1>, strides = array<i64: 1, 1>, quern.tensors = array<i64: 2>} : (tensor<1x8x8x4xf32>) -> tensor<1x8x8x4xf32>
    return %b : tensor<1x8x8x4xf32>
  }
}
END
  # From -2 to 2; each line is the encoding of the sum.
  while read -r encoding cause; do
    cat >coded.mlir <<END
!x = !quant.uniform<i8:f32, 0.0078125>
!a = !quant.uniform<i8:f32, $encoding>
module attributes {quern.numerics = "litert-ref"} {
  func.func @main(%x: tensor<1x8x8x4x!x>) -> tensor<1x8x8x4x!a> {
    %a = "ml.add"(%x, %x) {quern.tensors = array<i64: 1>} : (tensor<1x8x8x4x!x>, tensor<1x8x8x4x!x>) -> tensor<1x8x8x4x!a>
    %b = "ml.max_pool"(%a) {kernel_sizes = array<i64: 2, 2>, pad = array<i64: 0, 1, 0, 1>, strides = array<i64: 1, 1>, quern.tensors = array<i64: 2>} : (tensor<1x8x8x4x!a>) -> tensor<1x8x8x4x!a>
    return %b : tensor<1x8x8x4x!a>
  }
}
END
    "$quern" compare real.mlir coded.mlir --loss >out 2>&1 # 0 where all are the nearest
    holds "$encoding: the sum is the first, $cause" sh -c "sed -n 3p out | grep -q \"^ *1  ml.add .*  $cause\""
  done <<'END'
0.015625 rounding
0.0078125 clipping of
0.125 scale, steps too large
0.015748:70 zero point, clips
END
  # Inputs are drawn from what the quantized side can represent, and have a row of their own.
  sed 's/^!x = .*/!x = !quant.uniform<i8:f32, 0.00390625:-128>/; s/^!a = .*/!a = !quant.uniform<i8:f32, 0.0078125:-128>/' coded.mlir >positive.mlir
  "$quern" compare real.mlir positive.mlir --loss >out 2>&1
  holds "the input has a row" sh -c "sed -n 2p out | grep -qE '^ *input 0 +5[0-9]\.[0-9]+ .* rounding'"
  holds "no operator is blamed" [ "$(grep -c ' rounding ' out)" = 3 ]
  holds "the data are said to be random" grep -q "the inputs are random numbers of B's encoding, not data" out
  "$quern" compare real.mlir positive.mlir --loss --input random:5 >other 2>&1
  holds "so they are of another seed" sh -c 'grep -q "not data" other && ! cmp -s out other'
  # An input that is not what the model was made for is itself the cause.
  seq -s, -128 127 | awk -F, '{for (i = 1; i <= NF; i++) printf "%s%.7f", (i > 1 ? "," : ""), $i / 128}' >reals
  "$quern" compare real.mlir positive.mlir --loss --input "1x8x8x4xf32=$(cat reals)" >out 2>&1
  holds "an input is clipped" sh -c "sed -n 2p out | grep -qE '^ *input 0 .* (clipping of|zero point, clips)'"
  holds "the next operator is not blamed" grep -qE "^ *1  ml.add .* inputs " out
  holds "these are no random data" sh -c '! grep -q "not data" out'
  all=$(awk 'BEGIN {for (i = -128; i < 128; i++) printf "%s%d", (i > -128 ? "," : ""), i}')
  reals=$(echo "$all" | awk -F, '{for (i = 1; i <= NF; i++) printf "%s%.7f", (i > 1 ? "," : ""), $i / 128}')
  "$quern" run real.mlir --input "1x8x8x4xf32=$reals" --dump real >/dev/null || failed=1
  expect 1 "2 quantized tensors beside floats" compare real coded.mlir --loss # its input is stored
  expect 1 '"cause": "zero_point"' compare real coded.mlir --loss --json
  printf '1\t2\n' >map.txt
  expect 1 "1 quantized tensors beside floats" compare real coded.mlir --loss --map map.txt

  # A recording in files has no operators that could run on other tensors.
  "$quern" run coded.mlir --input "1x8x8x4xi8=$all" --dump coded >/dev/null || failed=1
  expect 1 "zero point, clips" compare real coded --loss
  sed 's/!a = .*/!a = !quant.uniform<i8:f32, 0.015625>/' coded.mlir >fits.mlir
  "$quern" run fits.mlir --input "1x8x8x4xi8=$all" --dump coded >/dev/null || failed=1
  sed 's/0\.015625/0.02/' coded/index.json >new && mv new coded/index.json
  expect 1 "scale, factor 1.28" compare real coded --loss
  sed '/"zero_points": \[/{n;s/0/-4/;}; s/0\.02/0.015625/' coded/index.json >new && mv new coded/index.json
  expect 1 "zero point, +4 steps" compare real coded --loss
  expect 3 "quantized tensors of B that A has as floats" compare coded real --loss
  expect 3 "quantized tensors of B that A has as floats" compare coded coded.mlir --loss
  expect 3 "has another type or shape" compare chain.mlir coded.mlir --loss
}

# Two sides that encode the same tensor differently: the encoding is reported as the cause, and no operator.
encodings() {
  sed 's/(%a, %a) {\(.*\)} : \(.*\) -> .*/(%a, %a) {\1} : \2 -> tensor<1x4x!r>/; s/(%b) {\(.*\)} : .*/(%b) {\1} : (tensor<1x4x!r>) -> tensor<1x4x!q>/' chain.mlir >template.mlir
  while read -r encoding against reason; do
    { echo "!r = !quant.uniform<$encoding>" && cat template.mlir; } | tr '_' ' ' >coded.mlir
    against=$(echo "$against" | tr '_' ' ')
    expect 1 "  tensor 2: $against" compare chain.mlir coded.mlir --input 1x4xi8=-9,10,-1,60 --isolate
    holds "$encoding: it is listed first" sh -c 'head -2 out | tail -1 | grep -q "tensor 2: " && head -1 out | grep -q "encoded differently"'
    holds "$encoding: no other tensor does" [ "$(grep -c '^  tensor' out)" = 1 ]
    holds "$encoding: there are no steps" sh -c '! grep -q "steps b - a" out'
    holds "$encoding: it counts" grep -q "1 of them encoded differently" out
    if [ "$reason" = fed ]; then
      holds "$encoding: the next operator is not to blame" grep -q ", 0 by an error of their own operator$" out
    else
      holds "$encoding: the next operator is not run" grep -q "^  the operator of tensor 3 is not run alone: tensor 2, which it reads, has values that are none in the encoding" out
      holds "$encoding: which is counted" grep -q "which is not known of 1$" out
    fi
  done <<'END'
i8:f32,0.5:-8 zero_point_-1_against_-8 fed
i8:f32,0.5:-120 zero_point_-1_against_-120 fed
i8:f32,0.5:6 zero_point_-1_against_6 left_out
i8:f32,0.7:-1 scale_0.5_against_0.7 left_out
i8:f32,0.500001:-1 scale_0.5_against_0.500001 fed
END

  # Another type: 128 more of each.
  "$quern" run chain.mlir --input 1x4xi8=-9,10,-1,60 --dump bytes >/dev/null || failed=1
  { head -c -4 bytes/t002.npy | sed 's/|i1/|u1/' && printf '\177\225\177\371'; } >new.npy && mv new.npy bytes/t002.npy
  awk '/"zero_points"/ { n++ } n == 2 && /-1/ { sub(/-1/, "127"); n = 9 } { print }' bytes/index.json >new.json && mv new.json bytes/index.json
  expect 1 "  tensor 2: type uint8 against int8, zero point 127 against -1" compare bytes chain.mlir --isolate --html page.html
  holds "of which nothing differs but that" grep -q "^ *2  ml.add  *0 of 4 .* 0 of 4 *$" out
  holds "so no operator is to blame" grep -q "3 tensors compared, 1 differ, 1 of them encoded differently, 0 by an error of their own operator$" out
  holds "the page says so, too" grep -q "<li>tensor 2: type uint8 against int8, zero point 127 against -1</li>" page.html
  expect 1 '"status": "encodings differ"' compare bytes chain.mlir --json
  holds "with both encodings" grep -q '"dtype": "uint8"' out

  # Inputs, of which the other model has the real values.
  sed 's/%x: tensor<1x4x!q>/%x: tensor<1x4x!p>/; s/"ml.relu"(%x)\(.*\) : (tensor<1x4x!q>)/"ml.relu"(%x)\1 : (tensor<1x4x!p>)/; 1i !p = !quant.uniform<i8:f32, 0.5:3>' chain.mlir >input.mlir
  expect 0 "  input 0: zero point -1 against 3" compare chain.mlir input.mlir --input 1x4xi8=-9,10,-1,60
  holds "which changes nothing" grep -q "^3 tensors compared, 0 differ$" out
}

# Dumps that lack what operators read.
lacking() {
  mkdir lacks_tensors lacks_inputs
  cp dump/t003.npy dump/in0.npy lacks_tensors
  cp dump/t001.npy dump/t002.npy dump/t003.npy lacks_inputs
  expect 0 "the operator of tensor 3 is not run alone: tensor 2, which it reads, is not on the other side" compare lacks_tensors chain.mlir --isolate -v
  holds "it is counted" grep -q "0 by an error of their own operator, which is not known of 1; 2 on one side only" out
  expect 0 '"why_not_alone": "tensor 2, which it reads, is not on the other side"' compare lacks_tensors chain.mlir --isolate --json --html page.html
  holds "there is no answer instead" sh -c '! grep -q "\"alone\":" out'
  holds "the page says so" grep -q "<td title=\"tensor 2, which it reads, is not on the other side\"></td>" page.html
  expect 1 "warning: lacks_inputs has no in0.npy, so the model runs on random numbers" compare lacks_inputs chain.mlir --isolate
  holds "what reads the input is not run alone" grep -q "tensor 1 is not run alone: the model's input, which it reads, is not what the other side had" out
  holds "what does not is" grep -qE "^ *3  ml.relu .* 0 of 4 *$" out
  # The operators run on the inputs that the dump was made with, not on those of the command line.
  expect 1 "3 tensors compared, 3 differ, 0 by an error of their own operator" compare dump chain.mlir --isolate --input 1x4xi8=9,9,9,9
}

# What OpenVINO made of the digits: all tensors, and its outputs alone, as it hands them out of itself.
other_runtime() {
  digits=$scripts/../examples/digits
  expect 1 "10 tensors compared, 8 differ, 6 by an error of their own operator" compare "$digits/openvino" "$digits/digits_int8.tflite" --isolate
  holds "the last product has no error of its own" grep -q "8 FULLY_CONNECTED  *3 of 10 .* 0 of 10 " out
  mkdir outputs_only
  cp "$digits/openvino/in0.npy" "$digits/openvino/t026.npy" outputs_only
  expect 1 "the operator of tensor 26 is not run alone: tensor 25, which it reads, is not on the other side" compare outputs_only "$digits/digits_int8.tflite" --isolate
  holds "its column is empty" grep -qE "8 FULLY_CONNECTED  *3 of 10 .* [0-9.]+   *sequential" out
  holds "it is to blame for nothing" grep -q "1 differ, 0 by an error of their own operator, which is not known of 1; 9 on one side only$" out
}

# with_zero_point FILE OFFSET BYTE TO: a copy whose zero point, the number at the offset, has another lowest byte.
with_zero_point() {
  cp "$1" "$4" && chmod u+w "$4"
  printf '%b' "$3" | dd of="$4" bs=1 seek="$2" conv=notrunc 2>/dev/null
}

# The zero point of a convolution's output is larger by 7. It is reported as the cause; the operators after the convolution are
# not.
moved_zero_point() {
  digits=$scripts/../examples/digits/digits_int8.tflite
  with_zero_point "$digits" 13304 '\207' moved.tflite # -128 is -121
  expect 1 "  tensor 20: zero point -128 against -121" compare "$digits" moved.tflite
  expect 1 "10 tensors compared, 1 differ, 1 of them encoded differently, 0 by an error of their own operator" compare "$digits" moved.tflite --isolate --html page.html
  holds "it is listed first" sh -c 'head -1 out | grep -q "^encoded differently"'
  holds "no steps are counted" sh -c '! grep -q "steps b - a" out'
  holds "the page says it" grep -q "<li>tensor 20: zero point -128 against -121</li>" page.html
  expect 1 '"encoded_differently": 1' compare "$digits" moved.tflite --isolate --json
  holds "the document blames no operator" grep -q '"differing_alone": 0' out
  mobilenet=${QUERN_SHARED:-$scripts/../../shared}/models/mobilenet_v2_1.0_224_quant.tflite
  [ -e "$mobilenet" ] || { echo "without MobileNetV2, which is not in ../shared"; return 0; }
  with_zero_point "$mobilenet" 3576864 '\176' moved.tflite # 119 is 126
  expect 1 "66 tensors compared, 1 differ, 1 of them encoded differently, 0 by an error of their own operator" compare "$mobilenet" moved.tflite --isolate
  holds "MobileNetV2's tensor is named" grep -qx "  tensor 66: zero point 119 against 126" out
}

compare() {
  chain
  encodings
  inputs="--input 1x4xi8=-9,0,3,8"
  "$quern" run chain.mlir $inputs --dump dump >/dev/null || failed=1
  for b in "chain.mlir --b-engine interpreter" "chain.mlir --b-stage integer" "--b-stage loops" "--b-cpu baseline" dump; do
    # shellcheck disable=SC2086 # words on purpose
    expect 0 "3 tensors compared, 0 differ" compare chain.mlir $b $inputs
  done
  expect 0 "3 tensors compared, 0 differ" compare dump chain.mlir # has its inputs from the dump
  expect 1 "differ" compare dump chain.mlir --input 1x4xi8=9,9,9,9
  expect 0 "    2  ml.add" compare chain.mlir dump -v

  lacking
  other_runtime
  moved_zero_point

  # One step in one element of what the second operator writes: 7 becomes 8.
  plant dump/t002.npy wrong.npy 2 '\010'
  "$quern" run chain.mlir $inputs --stage model --replace 2=@wrong.npy --dump planted >/dev/null || failed=1
  expect 1 "first difference: tensor 2" compare dump planted
  holds "the operator is named" grep -q "written by operator ml.add" out
  holds "so is the element" grep -qF "1 of 4 elements differ, most at [0, 2]: a is 7 (4), b is 8 (4.5)" out
  holds "and the step" grep -qx "  steps b - a: +1: 1" out
  holds "the multiplier is shown" grep -q "ml.add, multiplier " out
  holds "what follows differs, too" grep -q "3 tensors compared, 2 differ" out
  for sides in "planted chain.mlir" "chain.mlir planted"; do
    # shellcheck disable=SC2086
    expect 1 "3 tensors compared, 2 differ, 1 by an error of their own operator" compare $sides --isolate
    holds "tensor 2 is to blame" grep -q "^ *2  ml.add .* 1 of 4 *$" out
    holds "tensor 3 is not" grep -q "^ *3  ml.relu .* 0 of 4 *$" out
    holds "each profile says what it makes of it" grep -q "^  of its inputs this operator makes in litert-ref 7, tflm 7, " out
  done
  expect 1 '"differing_alone": 1' compare planted chain.mlir --isolate --json --html page.html
  holds "the document has a version" grep -qx ' "version": 1,' out
  holds "the page has plots" grep -q "<svg" page.html
  holds "the page has the isolated row" grep -q "fed with A" page.html
  holds "the page is complete in itself" sh -c '! grep -qiE "https?://|src=|href=\"[^#]|@import|url\(" page.html'
  holds "the page knows dark" grep -q "prefers-color-scheme:dark" page.html

  # Other runtimes' files: by number in two spellings, by name, by a mapping.
  mkdir numbers names mapped
  cp dump/t001.npy numbers/t001.npy && cp planted/t002.npy numbers/2.npy && cp dump/out0.npy numbers/out0.npy
  expect 1 "2 tensors compared, 1 differ; 1 on one side only" compare dump numbers
  sed '0,/"name": ""/s//"name": "a\/b:0"/' dump/index.json >new.json && mv new.json dump/index.json
  cp dump/t001.npy names/a_b_0.npy
  expect 0 "1 tensors compared, 0 differ; 2 on one side only" compare dump names
  cp planted/t002.npy mapped/relu.npy
  printf '# comment\n2\trelu\n' >map.txt
  expect 1 "1 tensors compared, 1 differ; 2 on one side only" compare dump mapped --map map.txt
  expect 3 "no tensor in common" compare dump mapped
  echo "2 relu" >map.txt
  expect 3 "map.txt:1: not two numbers or names with a tab between" compare dump mapped --map map.txt
  "$quern" run relu.mlir --input 1x4xi8=1 --save small >/dev/null || failed=1
  "$quern" run chain.mlir $inputs --dump shapes >/dev/null || failed=1
  sed 's/(1, 4)/(2, 2)/' dump/t001.npy >shapes/t001.npy
  expect 1 "shapes differ" compare dump shapes

  "$quern" run chain.mlir --input 1x4xi8=1 --dump elsewhere >/dev/null || failed=1
  expect 1 "warning: in0.npy of the two sides differs" compare dump elsewhere
  expect 1 "3 tensors compared" compare dump planted
  holds "no warning of equal inputs" sh -c '! grep -q warning out'

  loss

  # Cases have digests.
  "$quern" verify chain.mlir --record cases $inputs >/dev/null || failed=1
  expect 0 "3 tensors compared, 0 differ" compare chain.mlir cases
  expect 0 "3 tensors compared, 0 differ" compare cases/given dump
  expect 1 "    2  ml.add" compare planted cases
  expect 2 "has only digests" compare cases chain.mlir --isolate
  "$quern" verify chain.mlir --record cases >/dev/null || failed=1
  expect 2 "name the folder of one: given, random1, random2" compare chain.mlir cases

  expect 2 "B is missing" compare dump
  expect 2 "B is missing: name a second model or recording, or an option of one side, such as --b-numerics tflm" compare chain.mlir
  expect 2 "B is missing" compare chain.mlir --isolate --engine interpreter
  expect 2 "one side must be a model" compare dump planted --isolate
  expect 2 "unexpected argument 'three'" compare dump planted three
  expect 2 "not standard input" compare - dump
  expect 2 "--b-stage is model, integer or loops" compare chain.mlir --b-stage magic
  expect 3 "No such file" compare chain.mlir nowhere
  mkdir empty && expect 3 "neither index.json, tensors.json nor .npy" compare chain.mlir empty
  for wrong in '[' '[]' '{"version": 1}' '{"version": 1, "tensors": [{}]}' \
    '{"version": 1, "tensors": [{"tensor": 1, "name": "", "file": "../dump/t001.npy"}]}' \
    '{"version": 1, "tensors": [{"tensor": 1, "name": "", "file": "none.npy"}]}'; do
    echo "$wrong" >empty/index.json
    expect 3 "error:" compare chain.mlir empty $inputs
  done
  echo '{"version": 2, "tensors": []}' >empty/index.json
  expect 4 "version 2 is newer than this program" compare chain.mlir empty
}

interpret() {
  cat >functions.mlir <<'END'
!q = !quant.uniform<u8:f32, 0.5:128>
func.func @main(%a: tensor<?x?xf32>, %i: index) -> (tensor<?x?xf32>, index, i1) {
  %0 = arith.addf %a, %a : tensor<?x?xf32>
  %t = arith.constant true
  return %0, %i, %t : tensor<?x?xf32>, index, i1
}
func.func @cast(%a: tensor<*xf32>) -> tensor<*x!q> {
  %0 = quant.qcast %a : tensor<*xf32> to tensor<*x!q>
  return %0 : tensor<*x!q>
}
func.func @memory(%a: memref<4xi8>, %c: i1) {
  %i = arith.constant 1 : index
  %j = arith.constant 2 : index
  %v = memref.load %a[%i] : memref<4xi8>
  memref.store %v, %a[%j] : memref<4xi8>
  cf.assert %c, "told so"
  return
}
func.func @endless() {
  cf.br ^a
^a:
  cf.br ^a
}
func.func private @outside()
END
  run="opt functions.mlir --emit=interpret"
  expect 0 "dense<[[2.000000e+00, 4.000000e+00]]> : tensor<1x2xf32>" $run --input 1x2xf32=1,2 --input "3 : index"
  holds "each result has a line" grep -qx "3 : index" out
  holds "booleans are words" grep -qx "true : i1" out
  for first in i=4:index %i=4:index arg1=4:index; do
    expect 0 "dense<[[2.000000e+00, 4.000000e+00]]> : tensor<1x2xf32>" $run --input $first --input a=1x2xf32=1,2
    expect 0 "4 : index" $run --input $first --input 1x2xf32=1,2
  done
  expect 3 "the function has no argument 'b': its arguments are %a, %i" $run --input b=i64=0 --input 1x1xf32=0
  expect 3 "argument '%arg0' is given twice" $run --input a=1x1xf32=0 --input %arg0=1x1xf32=0
  expect 0 "dense<> : tensor<4x0xf32>" $run --input "dense<> : tensor<4x0xf32>" --input i64=0
  expect 0 "dense<[130, 0, 255]> : tensor<3x!quant.uniform<u8:f32, 5.000000e-01:128>>" \
    $run --function cast --input 3xf32=1,-100,1000
  expect 0 "dense<129> : tensor<!quant" $run --function cast --input "dense<0.5> : tensor<f32>"
  expect 0 "%arg0 = dense<[1, -2, -2, 4]> : memref<4xi8>" $run --function memory --input 4xi8=1,-2,3,4 --input true
  expect 3 "functions.mlir:16:3: error: 'cf.assert' op failed: told so" \
    $run --function memory --input i8=0 --input false
  expect 3 "argument #0 has no shape of 'memref<4xi8>'" $run --function memory --input 3xi8=0 --input true
  expect 3 "argument #0 must have floats" $run --input 1x1xi8=0 --input i64=0
  expect 3 "argument #0 must have integers" $run --function memory --input 4xf32=0 --input true
  expect 3 "argument #1 has a number out of the range" $run --function memory --input 4xi8=0 --input i8=2
  expect 3 "takes 2 arguments (%a, %i), got 1" $run --input 1x1xf32=0
  expect 3 "has no body" $run --function outside
  expect 3 "argument #0, 'dense<[1':1:9: error: expected" $run --input "dense<[1" --input i64=0
  expect 2 "arguments are @x.npy, 2xf32=1,2 or MLIR constants" $run --input random:1 --input i64=0
  expect 3 "is not a number and no dense constant" $run --input "[1]" --input i64=0
  expect 5 "stopped after" $run --function endless
  expect 2 "there is no function @nowhere" $run --function nowhere
  expect 2 "--function and --input need --emit=interpret" opt functions.mlir --input i8=0
  expect 2 "--emit is mlir, interpret or run" opt functions.mlir --emit=obj
  expect 2 "--engine, --cpu and --features need --emit=run" $run --cpu baseline
  run="opt functions.mlir --emit=run"
  expect 0 "dense<[[2.000000e+00, 4.000000e+00]]> : tensor<1x2xf32>" $run --input 1x2xf32=1,2 --input "3 : index"
  holds "each result has a line" grep -qx "3 : index" out
  holds "booleans are words" grep -qx "true : i1" out
  expect 0 "dense<> : tensor<4x0xf32>" $run --input "dense<> : tensor<4x0xf32>" --input i64=0
  expect 4 "functions.mlir:8:8: error: 'quant.qcast' op has no machine code outside of a model: run lower-quant-ops first" $run --function cast --input 3xf32=1
  expect 4 "leads into a loop, which has no machine code outside of a model" $run --function endless
  expect 2 "unknown CPU 'abacus'" $run --cpu abacus --function cast --input 3xf32=1
  expect 2 "--engine is jit or interpreter, not 'magic'" $run --engine magic
}
rules() {
  cat >good.rr <<'END'
// Twice is once.
//:rule name=twice exact=bit
DEF_PACKAGE_OPTIMIZATION(EARLY,
    Op("Relu", Op("Relu", "x")),
    IS_QUINT8("x"),
    Op("Relu", "x"))
END
  sed 's/"x"))$/"y"))/' good.rr >bad.rr
  tr '\n' ' ' <good.rr | sed 's/ *\/\/[^D]*//' >flat.rr
  expect 0 "1 rule, no errors" rules check good.rr
  expect 0 'EQ(DTYPE_OF("x"), DType::QUInt8)' rules check good.rr --dump-expanded
  expect 0 "[]" rules check good.rr --json
  expect 3 'bad.rr:6:16: error[RR0302]: tag "y" is not bound by the match' rules check bad.rr
  expect 3 '"code": "RR0302"' rules check bad.rr --json
  holds "help is data, too" grep -q '"severity": "note"' out
  expect 3 "missing.rr: error: can't be read: No such file or directory" rules check good.rr missing.rr
  expect 3 "error[RR0302]" rules check missing.rr bad.rr
  expect 0 "twice" rules list good.rr
  expect 0 '"pass_number": 2000' rules list good.rr --json
  expect 0 "| twice |" rules list good.rr --markdown
  expect 3 "" rules list bad.rr
  expect 0 "" rules format good.rr
  holds "the canonical layout stays" cmp -s good.rr out
  expect 1 "flat.rr is not in the canonical layout" rules format good.rr flat.rr --dry-run
  expect 0 "" rules format -i flat.rr
  expect 0 "" rules format --dry-run flat.rr
  cp bad.rr before.rr
  expect 3 "error[RR0302]" rules format -i bad.rr
  holds "a file with errors is left alone" cmp -s bad.rr before.rr
  expect 2 "standard input has no place" rules format -i -
  expect 2 "--in-place and --dry-run" rules format -i --dry-run good.rr
  expect 2 "FILE is missing" rules check
  expect 2 "there is no 'rules cook'" rules cook good.rr
  head -c 20000000 /dev/zero >large.rr
  expect 5 "error[RR0219]: the file has more than 16 MiB" rules check large.rr
  for list in rule-passes rule-functions rule-ops rule-extensions; do expect 0 "" list $list; done
}

# Compiled code is found again, and only there where it was asked for.
cache() {
  HOME=$PWD/home
  export HOME
  unset QUERN_CACHE XDG_CACHE_HOME
  ones="--input 1x4xi8=1,-2,3,-4"
  # shellcheck disable=SC2086 # an option and its value
  {
    expect 0 "compiled for" run relu.mlir $ones -v
    expect 0 "found code for" run relu.mlir $ones -v
    holds "one entry" [ "$(find home/.cache/quern -name '*.code' | wc -l)" = 1 ]
    expect 0 "compiled for" run relu.mlir $ones -v --cache off
    expect 0 "compiled for" run relu.mlir $ones -v --cache here
    expect 0 "found code for" run relu.mlir $ones -v --cache here
    XDG_CACHE_HOME=$PWD/xdg expect 0 "compiled for" run relu.mlir $ones -v
    holds "as XDG says" [ "$(find xdg/quern -name '*.code' | wc -l)" = 1 ]
    QUERN_CACHE=off expect 0 "compiled for" run relu.mlir $ones -v
    expect 2 "--cache-size takes a size like 800M, not 'much'" run relu.mlir $ones --cache-size much
    expect 0 "code is not kept in tiny" run relu.mlir $ones -v --cache tiny --cache-size 10
    expect 0 "compiled for" bench relu.mlir $ones --runs 1 -v
    expect 0 "compiled for" run relu.mlir $ones -v --cpu baseline
    expect 0 "found code for" run relu.mlir $ones -v --cpu baseline
    expect 0 "compiled for" run relu.mlir $ones -v --cpu baseline --numerics tflm
  }
  # What others could have written is not run, and nothing waits for who writes to a pipe.
  mkdir -m 755 open
  (umask 000 && "$quern" run relu.mlir $ones --cache open >out 2>&1)
  entry=$(find open -name '*.code')
  holds "no other user can write to it" [ "$(stat -c %a "$entry")" = 600 ]
  # shellcheck disable=SC2086 # an option and its value
  {
    expect 0 "found code for" run relu.mlir $ones -v --cache open
    chmod 666 "$entry"
    expect 0 "compiled for" run relu.mlir $ones -v --cache open
    expect 0 "found code for" run relu.mlir $ones -v --cache open
    mv "$entry" moved && ln -s "$PWD/moved" "$entry"
    expect 0 "compiled for" run relu.mlir $ones -v --cache open
    rm "$entry" && mkfifo "$entry"
    expect 0 "compiled for" run relu.mlir $ones -v --cache open
    expect 0 "found code for" run relu.mlir $ones -v --cache open
    chmod 777 open
    expect 0 "code is not kept in open: others can write in it" run relu.mlir $ones -v --cache open
  }
  # Code for any size is other code than that for the largest one.
  digits=$scripts/../examples/digits/digits_int8.tflite
  for how in "--dim 3" "--batch 3" "--dim 3 --any-size" "--batch 3 --any-size"; do
    # shellcheck disable=SC2086 # options and their values
    expect 0 "compiled for" run "$digits" --input random:1 -v --cpu baseline $how
  done
}
bench() {
  expect 0 "median " bench relu.mlir --runs 3
  holds "small times are told in microseconds" grep -qE '^median [0-9.]+ µs, p10 [0-9.]+ µs' out
  holds "in the table, too" grep -qE '^ *# .* µs +share' out
  holds "an op of text has its place" grep -qE '^ *3:10 ' out
  expect 0 '"median_seconds"' bench relu.mlir --runs 3 --json
  holds "the peak was measured" grep -q '"peak_macs_per_second": [0-9.]*[1-9]' out
  holds "the clock was measured" grep -q '"clock_hertz": [1-9][0-9]\{8,\}' out
  holds "memory was measured" grep -q '"bytes_per_second": [1-9][0-9]\{8,\}' out
  holds "no message came with it" sh -c '! grep -q error: out'
  expect 0 "over 2 runs" bench relu.mlir --runs 2 --engine interpreter
  expect 0 "2 clients at once: " bench relu.mlir --runs 50 --clients 2
  holds "as a factor of one" grep -qE '^2 clients at once: [0-9.]+ runs/s, [0-9.]+ times one client; median .* over 100 runs$' out
  expect 0 '"clients": {' bench "$scripts/../tests/cli/single/SVDF_i8_3.tflite" --runs 20 --clients 3 --threads 2 --json
  holds "their number" grep -q '"count": 3' out
  expect 4 "--clients needs compiled code" bench relu.mlir --runs 2 --clients 2 --engine interpreter
  expect 2 "--clients takes at most 1024" bench relu.mlir --runs 2 --clients 2000
  expect 0 '"factor": "i8"' bench layers.mlir --runs 2 --json
  expect 0 '"factor": "f32"' bench "$scripts/../docs/examples/compare/float.mlir" --runs 2 --json

  # At "generic" the addition runs in the kernel of the convolution; with AMX it would not.
  expect 0 "after 3 to warm up" bench layers.mlir --runs 5 --cpu generic
  holds "the first operator" grep -qE '^ *0  CONV_2D .* conv_[0-9]+ +1x8x8x16, 16x1x1x16 -> 1x8x8x16 .* first$' out
  holds "the second, and who follows" grep -qE '^ *1  CONV_2D \+ 2 ADD .* 16x3x3x16 -> 1x8x8x16 .*(compute|L[123]|memory) +[0-9]+ %  second$' out
  holds "whose border is filled" grep -qE '^ *1  CONV_2D +border_[0-9]+ .* second$' out
  holds "sums per type" grep -qE '^border filling +1 ' out
  "$quern" bench layers.mlir --runs 5 --json >before.json
  expect 0 "against layers.mlir: median " bench layers.mlir --runs 5 --against before.json
  holds "rows of both runs" grep -qE '^ *1 +conv_[0-9]+ .* [0-9.]+ +[0-9.]+ +[0-9.]+ .*second$' out
  expect 0 "another model" bench relu.mlir --runs 3 --against before.json
  holds "what is gone" grep -qE '^ *1 +conv_[0-9]+ .* gone +second$' out
  holds "what is new" grep -qE '^ *3:10 .* new ' out
  expect 3 "not what 'quern bench --json' prints" bench relu.mlir --runs 3 --against relu.mlir
  expect 3 "no.json: error: can't be read" bench relu.mlir --runs 3 --against no.json

  "$quern" compile layers.mlir -o - --emit loops >loops.mlir
  expect 0 '%3 = ml.conv %arg0, %0, %2 {' compile layers.mlir -o - --emit model --print-custom
  {
    echo '!q = !quant.uniform<i8:f32, 0.5>'
    echo 'func.func @main(%x: tensor<1x20x!q>) -> tensor<1x20x!q> {'
    echo "%c = ml.const {value = dense<[[$(seq -s, 20)]]> : tensor<1x20xi8>} : () -> tensor<1x20x!q>"
    printf '%%y = ml.add %%x, %%c : (tensor<1x20x!q>, tensor<1x20x!q>) -> tensor<1x20x!q>\nreturn %%y : tensor<1x20x!q>\n}\n'
  } >hand.mlir
  expect 0 '"ml.const"() {value = dense<[[1, 2, 3,' compile hand.mlir -o - --emit model
  expect 0 'dense_resource<__elided__>' compile hand.mlir -o - --emit model --elide-elements-above 16
  if script -qec true /dev/null >/dev/null 2>&1 </dev/null; then # else there are no terminals to be had
    script -qec "'$quern' compile hand.mlir -o - --emit model" /dev/null >out </dev/null
    holds "so it is on a terminal" grep -qF 'ml.const {value = dense_resource<__elided__>' out
  fi
  expect 0 '"ml.const"() {value = dense<1>' compile layers.mlir -o - --emit model
  holds "a kernel says whom it works for" grep -qF "quern.layers = [\"operator 1 (CONV_2D), tensor 'second': 1x10x10x16, 16x3x3x16 -> 1x8x8x16\"]" loops.mlir
  "$quern" compile loops.mlir -o again.mlir --emit loops
  holds "and the text is read back" cmp loops.mlir again.mlir
}

# Numbers of operators, and names in full, wherever they stand.
# Operators of tflite-micro's audio front end, with what its kernels make of five inputs in turn
# (benchmarks/numerics/signals.py --write), and options and shapes that are wrong.
signals() {
  models=$(cd "$(dirname "$quern_script")" && pwd)/signals
  for model in "$models"/*.tflite; do
    expected=""
    for output in "${model%.tflite}"_out*.npy; do expected="$expected --expect @$output"; done
    case $model in */SignalPCAN.tflite) two=yes ;; *) two= ;; esac
    runs=""
    for run in 0 1 2 3 4; do
      [ $run -eq 0 ] || runs="$runs --then"
      runs="$runs --input random:$((10 * run))${two:+ --input random:$((10 * run + 1))}"
    done
    for how in "--engine jit" "--engine jit --cpu baseline" "--engine interpreter" "--stage integer" "--stage loops"; do
      expect 0 "" run "$model" --numerics tflm $how $runs $expected
    done
  done
  sed 's/fft_length/fft_lengte/' "$models/SignalRfft.tflite" >wrong.tflite
  expect 3 "operator 0 (CUSTOM 'SignalRfft'): error: its option fft_length is missing, or no number" run wrong.tflite
  sed 's/frame_step/frame_stop/' "$models/SignalFramer.tflite" >wrong.tflite
  expect 3 "its option frame_step is missing, or no number" run wrong.tflite
}

# Models of one operator, with what LiteRT makes of them, or for "tflm-" tflite-micro (benchmarks/numerics/operators --write), for other
# profiles LiteRT with their kernels (benchmarks/numerics/profile_models.py).
single() {
  models=$(cd "$(dirname "$quern_script")" && pwd)/single
  for model in "$models"/*.tflite; do
    inputs="" expected="" profile=litert-ref
    case $model in */tflm-*) profile=tflm ;; */xnnpack-*) profile=xnnpack ;; */litert-opt-*) profile=litert-opt ;; esac
    for input in "${model%.tflite}"_in*.npy; do inputs="$inputs --input @$input"; done
    for output in "${model%.tflite}"_out*.npy; do # floats by libm have none
      [ ! -e "$output" ] || expected="$expected --expect @$output"
    done
    for how in "--engine jit" "--engine jit --cpu baseline" "--engine interpreter" "--stage integer" "--stage loops"; do
      expect 0 "" run "$model" --numerics $profile $how $inputs $expected
    done
  done
}

# Models of several subgraphs, with what LiteRT makes of them, and such that are wrong (benchmarks/numerics/subgraphs.py).
subgraphs() {
  models=$(cd "$(dirname "$quern_script")" && pwd)/subgraphs
  for name in if chain while if_in_while variables assigning computed states_in_if states_in_while; do
    runs="" expected=""
    for run in 0 1 2; do
      [ -e "$models/${name}_in${run}_0.npy" ] || continue
      [ $run -eq 0 ] || runs="$runs --then"
      for input in "$models/${name}_in${run}"_*.npy; do runs="$runs --input @$input"; done
    done
    for output in "$models/${name}_out"*.npy; do expected="$expected --expect @$output"; done
    for how in "--engine jit" "--engine jit --threads 2" "--engine interpreter" "--stage integer" "--stage loops"; do
      expect 0 "" run "$models/$name.tflite" $how $runs $expected
    done
  done
  expect 3 "subgraph 1, operator 0 (IF): error: it calls subgraph 1, in which it is" run "$models/circle.tflite"
  expect 5 "subgraphs call each other so often" run "$models/often.tflite"
  expect 3 "misfit.tflite: operator 0 (IF): error: subgraph 7, but there are 3 subgraphs" run "$models/misfit.tflite"
  expect 3 "short.tflite: operator 0 (IF): error: subgraph 1 has 1 inputs and 1 outputs where 2 and 1 are expected" \
    run "$models/short.tflite"
  expect 3 "operator 2 (READ_VARIABLE), tensor 't2': error: its type or shape is not that of the variable 'v0'" \
    run "$models/reshaped.tflite"
  expect 4 "operator 2 (ASSIGN_VARIABLE), tensor 't4': error: what a variable begins with must be a constant, or numbers computed" \
    run "$models/begun.tflite"
  # tflite-micro keeps the states of a branch, LiteRT begins again.
  for numerics in litert-ref tflm; do
    expect 0 "" compile "$models/states_in_if.tflite" -o - --emit model --numerics $numerics
    holds "whose states they are" test "$(grep -c 'quern.role = "state"' out)" -eq $([ $numerics = tflm ] && echo 1 || echo 0)
  done
  for engine in jit interpreter; do
    expect 5 "error: 'scf.while' op would go on after 50 iterations" run "$models/endless.tflite" \
      --engine $engine --max-iterations 50 --input t1=1xi32=3 --input t2=random:1 --input t3=random:2
  done
  expect 0 "" compile "$models/signatures.tflite" -o - --emit model
  holds "the first subgraph" grep -q scf.if out
  expect 0 "" compile "$models/signatures.tflite" -o - --emit model --signature second
  holds "the other subgraph" test "$(grep -c scf.if out)" -eq 0
  expect 2 "there is no signature 'third'; there are: 'first', 'second'" compile "$models/signatures.tflite" -o x.s --signature third
  expect 2 "--signature chooses in .tflite models" compile relu.mlir -o x.s --signature first
  expect 0 "signatures: first, second" inspect "$models/signatures.tflite"
  expect 0 '"signatures"' inspect "$models/signatures.tflite" --json
}

# A loop of as many rounds as an input says.
control() {
  cat >rounds.mlir <<'END'
module attributes {quern.numerics = "litert-ref"} {
  func.func @main(%n: tensor<1xi32>, %x: tensor<1x4x!quant.uniform<i8:f32, 0.5:-1>>) -> (tensor<1x4x!quant.uniform<i8:f32, 0.5:-1>>, tensor<1xi32>) {
    %c0 = arith.constant 0 : index
    %one = arith.constant dense<1> : tensor<1xi32>
    %zero = arith.constant dense<0> : tensor<1xi32>
    %r:2 = "scf.while"(%x, %zero) ({
    ^bb0(%a: tensor<1x4x!quant.uniform<i8:f32, 0.5:-1>>, %i: tensor<1xi32>):
      %less = arith.cmpi slt, %i, %n : tensor<1xi32>
      %b = tensor.extract %less[%c0] : tensor<1xi1>
      "scf.condition"(%b, %a, %i) : (i1, tensor<1x4x!quant.uniform<i8:f32, 0.5:-1>>, tensor<1xi32>) -> ()
    }, {
    ^bb0(%a: tensor<1x4x!quant.uniform<i8:f32, 0.5:-1>>, %i: tensor<1xi32>):
      %2 = "ml.add"(%a, %x) : (tensor<1x4x!quant.uniform<i8:f32, 0.5:-1>>, tensor<1x4x!quant.uniform<i8:f32, 0.5:-1>>) -> tensor<1x4x!quant.uniform<i8:f32, 0.5:-1>>
      %next = arith.addi %i, %one : tensor<1xi32>
      "scf.yield"(%2, %next) : (tensor<1x4x!quant.uniform<i8:f32, 0.5:-1>>, tensor<1xi32>) -> ()
    }) : (tensor<1x4x!quant.uniform<i8:f32, 0.5:-1>>, tensor<1xi32>) -> (tensor<1x4x!quant.uniform<i8:f32, 0.5:-1>>, tensor<1xi32>)
    return %r#0, %r#1 : tensor<1x4x!quant.uniform<i8:f32, 0.5:-1>>, tensor<1xi32>
  }
}
END
  for how in "--engine jit" "--engine interpreter" "--stage integer" "--stage loops"; do
    expect 0 "-2    4     1" run rounds.mlir $how --input 1xi32=3 --input 1x4xi8=-1,0,1,-2
    expect 0 "-0.5    1  0.25" run rounds.mlir $how --input 1xi32=0 --input 1x4xi8=-1,0,1,-2
    expect 0 "" run rounds.mlir $how --max-iterations 3 --input 1xi32=3 --input 1x4xi8=-1,0,1,-2
    expect 5 "rounds.mlir:6:12: error: 'scf.while' op would go on after 3 iterations" \
      run rounds.mlir $how --max-iterations 3 --input 1xi32=4 --input 1x4xi8=-1,0,1,-2
  done
  expect 2 "max-iterations" run rounds.mlir --max-iterations 0 --input 1xi32=4 --input 1x4xi8=-1,0,1,-2

  # A program of its own is told by what the call returns.
  expect 0 "" compile rounds.mlir -o rounds.o --header rounds.h --cpu baseline --max-iterations 3
  cat >main.c <<'END'
#include "rounds.h"
#include <stdlib.h>
static _Alignas(ROUNDS_ARENA_ALIGN) unsigned char arena[ROUNDS_ARENA_BYTES];
int main(int argc, char **argv) {
  int32_t n = argc > 1 ? atoi(argv[1]) : 0, rounds;
  int8_t x[4] = {-1, 0, 1, -2}, y[4];
  int result = rounds_run(&n, x, y, &rounds, arena);
  return result ? 10 + result : y[1];
}
END
  cc -o main main.c rounds.o 2>out || holds "a program" false
  ./main 3
  holds "three rounds" test $? -eq 3
  ./main 4
  holds "the first loop" test $? -eq 11
}

inspect() {
  expect 0 "1 operators" inspect relu.mlir
  holds "an op of text has its place" grep -qE '^ *3:10  ml.relu  1x4 -> 1x4 ' out
  expect 0 '"operators"' inspect relu.mlir --json
  expect 0 "3 operators" inspect layers.mlir --cpu $wider
  holds "numbers, shapes, attributes" grep -qE '^ *1  ml.conv +1x8x8x16, 16x3x3x16, 16 -> 1x8x8x16 .* groups=1, pad=\[1 1 1 1\], strides=\[1 1\] +second$' out
  holds "no name is cut" grep -q "and then some$" out
  holds "the level" grep -q "planned for $wider$" out
  holds "ROM and RAM" grep -qE "^arena of [1-9][0-9]* bytes \(RAM\), constants of [1-9][0-9]* bytes \(ROM\)" out
  arena=$(sed -n 's/^arena of \([0-9]*\) .*/\1/p' out)

  expect 0 "the arena of $arena bytes over time" inspect layers.mlir --cpu $wider --memory --svg map.svg
  holds "who writes what and where" grep -qE '^ *0  conv_[0-9]+ +[0-9]+  [a-z.]{48}' out
  holds "what is live is within the arena" awk -v arena="$arena" '/^ *[0-9]+  [a-z_]+[0-9]+ / { if ($3 > arena) exit 1; if ($3 == arena) full = 1 } END { exit !full }' out
  holds "an image" grep -q "<title>operator 0 (CONV_2D), tensor 'first': [0-9]* bytes at [0-9]*, launches 0 to [0-9]*</title>" map.svg
  expect 3 "nowhere/map.svg: error: can't be written" inspect layers.mlir --svg nowhere/map.svg
  expect 2 "unknown CPU 'abacus'" inspect relu.mlir --cpu abacus

  expect 0 "layers.o: " compile layers.mlir -o layers.o --report --cpu $wider
  holds "the same for an object" grep -q "^arena of $arena bytes (RAM)" out
  expect 2 "--report prints where -o - writes" compile layers.mlir -o - --emit loops --report

  # `inspect` also lists ops of unknown dialects.
  awk 'BEGIN { print "func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {\n  %y = \"strange.op\"(%x) {a = 1 : i32} : (tensor<4xf32>) -> tensor<4xf32>\n  return %y : tensor<4xf32>\n}" }' >strange.mlir
  expect 4 "1 operator can't be compiled" inspect strange.mlir
  holds "it is in the table" grep -qE "^ *2:8  strange.op +it is of no dialect" out
  # An operator with a state that fails when it is built already.
  expect 4 "1 operator can't be compiled" inspect "$scripts/../tests/cli/signals/SignalFramer.tflite" --batch 4
}

"$2"
exit $failed
