#!/bin/sh
# SPDX-License-Identifier: MIT
# Names of D and OCaml, as module.function; what has more in it stays as it is.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
need gcc
plan 3

# called SYMBOL...: functions of these names that call getppid().
called() {
	{
		echo '#include <unistd.h>'
		i=0
		for name; do
			i=$((i + 1))
			echo "void __attribute__((noinline)) f$i(void) __asm__(\"$name\");"
			echo "void f$i(void) { getppid(); __asm__(\"\"); }"
		done
		echo 'int main(void) {'
		while [ $i -gt 0 ]; do
			echo "f$i();"
			i=$((i - 1))
		done
		echo 'return 0; }'
	} >called.c
	gcc -O1 -o called called.c
	run -r getppid ./called
	"$PTRACE_DUMP" log | sed -n 's/.*getppid.*  at \(.*\) (called).*/\1/p' |
		LC_ALL=C sort
}

is "$(called _D4shop4cart4Cart5totalMFiAyaZi \
	_D4shop4cart__T3sumTSQtQq4ItemZQqFNbNiNfAQvZi \
	_D4main3fooFZ3barMFZv _D99999999999999999999x _D3ab _D4shopZ \
	camlShop__Cart__total\$27_81 camlShop__entry caml_alloc camlB)" \
	"Shop.Cart.total'
_D3ab
_D4main3fooFZ3barMFZv
_D4shop4cart__T3sumTSQtQq4ItemZQqFNbNiNfAQvZi
_D4shopZ
_D99999999999999999999x
camlB
camlShop__entry
caml_alloc
shop.cart.Cart.total" "made names"

if command -v ldc2 >said; then
	cat >a.d <<'EOF'
module shop.cart;
import core.sys.posix.unistd : getppid;
class Cart
{
	int total(int a, string b) { return getppid() + a; }
}
void main() { auto c = new Cart; c.total(1, "x"); }
EOF
	ldc2 a.d -of=d >said 2>&1 || diag "$(cat said)"
	run -r getppid ./d
	like "$("$PTRACE_DUMP" log)" 'getppid\(\) .* at shop\.cart\.Cart\.total' "D"
else
	skip "D" "no ldc2" 1
fi
if command -v ocamlopt >said; then
	cat >b.ml <<'EOF'
module Cart = struct
  let total' x = Sys.opaque_identity (String.length (Sys.getcwd ()) + x)
end
let () = ignore (Cart.total' 3)
EOF
	ocamlopt -inline 0 b.ml -o b >said 2>&1 || diag "$(cat said)"
	run -f 'b:camlB__total*' ./b
	like "$("$PTRACE_DUMP" log)" "B\\.total'" "OCaml"
else
	skip "OCaml" "no ocamlopt" 1
fi
