"""
The runtime functions of compiled code, in LLVM IR: a stack allocator for arrays, `ceil` and `exp`.

Numba counts references to an array and frees it at zero. A call of the rules allocates few small arrays, and mostly
frees the last one first. So memory is a stack (`pile`): the block on top can be freed, and the next call from the page
resets all of it. An overflow of the pile traps, like every other error.
"""

from __future__ import annotations

import struct
from importlib import import_module
from math import factorial, log
from typing import Any, Final

_ir: Any = import_module("llvmlite.ir")

_PILE: Final = 32 * 1024
_HEAD: Final = 32
"""Bytes of the header of an array: reference count, two unused pointers, a pointer to the data, a size."""

_TERMS: Final = 11
"""Terms of the Taylor series of exp: more precise than a 32-bit float."""


def _double(value: float) -> str:
    """Return a float as an exact LLVM literal."""
    return f"0x{struct.pack('>d', value).hex()}"


def _series() -> str:
    """Return IR for the Taylor series of exp(%r), by Horner's method."""
    lines = [f"  %s{_TERMS} = fadd double 0.0, {_double(1 / factorial(_TERMS))}"]
    for term in reversed(range(_TERMS)):
        lines.append(f"  %m{term} = fmul double %s{term + 1}, %r")
        lines.append(f"  %s{term} = fadd double %m{term}, {_double(1 / factorial(term))}")
    return "\n".join(lines)


EXP: Final = "exp_of_float"
"""The name of exp here: with the compiler's name the module would import a library function."""
RUNTIME: Final = f"""
%head = type {{ i64, ptr, ptr, ptr, i64 }}
@pile = internal global [{_PILE} x i8] zeroinitializer, align 16
@pile_top = global i32 0

declare void @llvm.trap()
declare double @llvm.ceil.f64(double)
declare double @llvm.floor.f64(double)

define ptr @NRT_MemInfo_alloc_aligned(i64 %size, i32 %alignment) noinline {{
  %wide = add i64 %size, {_HEAD + 15}
  %cut = and i64 %wide, -16
  %is_much = icmp ugt i64 %cut, {_PILE}
  br i1 %is_much, label %full, label %small
small:
  %begin = load i32, ptr @pile_top
  %bytes = trunc i64 %cut to i32
  %end = add i32 %begin, %bytes
  %is_full = icmp ugt i32 %end, {_PILE}
  br i1 %is_full, label %full, label %fits
full:
  call void @llvm.trap()
  unreachable
fits:
  store i32 %end, ptr @pile_top
  %block = getelementptr i8, ptr @pile, i32 %begin
  %data = getelementptr i8, ptr %block, i32 {_HEAD}
  store i64 1, ptr %block
  %data_place = getelementptr %head, ptr %block, i32 0, i32 3
  store ptr %data, ptr %data_place
  %size_place = getelementptr %head, ptr %block, i32 0, i32 4
  store i64 %cut, ptr %size_place
  ret ptr %block
}}

define ptr @NRT_Allocate(i64 %size) {{
  %block = call ptr @NRT_MemInfo_alloc_aligned(i64 %size, i32 16)
  %data = getelementptr i8, ptr %block, i32 {_HEAD}
  ret ptr %data
}}

define void @NRT_Free(ptr %data) {{
  %block = getelementptr i8, ptr %data, i32 -{_HEAD}
  call void @NRT_decref(ptr %block)
  ret void
}}

define ptr @NRT_MemInfo_data_fast(ptr %block) {{
  %place = getelementptr %head, ptr %block, i32 0, i32 3
  %data = load ptr, ptr %place
  ret ptr %data
}}

define void @NRT_incref(ptr %block) noinline {{
  %is_null = icmp eq ptr %block, null
  br i1 %is_null, label %done, label %counted
counted:
  %count = load i64, ptr %block
  %more = add i64 %count, 1
  store i64 %more, ptr %block
  br label %done
done:
  ret void
}}

define void @NRT_decref(ptr %block) noinline {{
  %is_null = icmp eq ptr %block, null
  br i1 %is_null, label %done, label %counted
counted:
  %count = load i64, ptr %block
  %less = sub i64 %count, 1
  store i64 %less, ptr %block
  %is_free = icmp eq i64 %less, 0
  br i1 %is_free, label %free, label %done
free:
  %size_place = getelementptr %head, ptr %block, i32 0, i32 4
  %size = load i64, ptr %size_place
  %bytes = trunc i64 %size to i32
  %address = ptrtoint ptr %block to i32
  %pile = ptrtoint ptr @pile to i32
  %begin = sub i32 %address, %pile
  %end = add i32 %begin, %bytes
  %top = load i32, ptr @pile_top
  %is_top = icmp eq i32 %end, %top
  br i1 %is_top, label %take, label %done
take:
  store i32 %begin, ptr @pile_top
  br label %done
done:
  ret void
}}

define double @ceil(double %x) {{
  %found = call double @llvm.ceil.f64(double %x)
  ret double %found
}}

define float @{EXP}(float %given) {{
  %x = fpext float %given to double
  %is_low = fcmp olt double %x, -87.0
  %low = select i1 %is_low, double -87.0, double %x
  %is_high = fcmp ogt double %low, 88.0
  %kept = select i1 %is_high, double 88.0, double %low
  %in_twos = fmul double %kept, {_double(1 / log(2))}
  %shifted = fadd double %in_twos, 0.5
  %twos = call double @llvm.floor.f64(double %shifted)
  %taken = fmul double %twos, {_double(log(2))}
  %r = fsub double %kept, %taken
{_series()}
  %whole = fptosi double %twos to i64
  %exponent = add i64 %whole, 1023
  %bits = shl i64 %exponent, 52
  %scale = bitcast i64 %bits to double
  %found = fmul double %s0, %scale
  %short = fptrunc double %found to float
  ret float %short
}}
"""
"""LLVM IR with the function names that Numba calls."""


def begin_call(builder: Any) -> None:
    """Write the start of every call from the page: reset the pile."""
    word = _ir.IntType(32)
    module = builder.module
    top = module.globals.get("pile_top") or _ir.GlobalVariable(module, word, "pile_top")
    builder.store(_ir.Constant(word, 0), top)
