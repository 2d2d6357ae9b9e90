"""
Writes the library of `jit.library`: the code that numba compiled for each entry, with a function around it for Python.

Such a function gets its arguments from ctypes. It reads the addresses of arrays out of the Python objects, releases the
interpreter's lock while the rules run, and raises an error if they fail. The rest is the LLVM code that numba has
optimized, compiled once more so that a shared library can hold it.
"""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Iterable, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, Final

import numpy as np

from qwixx.jit.decorators import ENTRIES, Entry
from qwixx.jit.library import key, symbol_of, word_of

_ll: Any = import_module("llvmlite.binding")
_ir: Any = import_module("llvmlite.ir")
_types: Any = import_module("numba.core.types")
_arrays: Any = import_module("numba.np.arrayobj")
_as_dtype: Any = import_module("numba.np.numpy_support").as_dtype
_target: Any = import_module("numba.core.registry").cpu_target

_POINTER, _I8, _I32, _I64 = _ir.PointerType(), _ir.IntType(8), _ir.IntType(32), _ir.IntType(64)
_DATA, _SHAPE, _STRIDES = 16, 32, 40
"""Where NumPy keeps an array's address, shape and strides (`PyArrayObject`)."""
_ALLOCATION: Final = """
%head = type { i64, ptr, ptr, ptr, i64 }
declare ptr @malloc(i64)
declare void @free(ptr)
define ptr @NRT_MemInfo_alloc_aligned(i64 %size, i32 %alignment) {
  %wide = add i64 %size, 96
  %block = call ptr @malloc(i64 %wide)
  %begin = ptrtoint ptr %block to i64
  %after = add i64 %begin, 95
  %cut = and i64 %after, -64
  %data = inttoptr i64 %cut to ptr
  store i64 1, ptr %block
  %data_place = getelementptr %head, ptr %block, i32 0, i32 3
  store ptr %data, ptr %data_place
  %size_place = getelementptr %head, ptr %block, i32 0, i32 4
  store i64 %size, ptr %size_place
  ret ptr %block
}
define ptr @NRT_MemInfo_alloc_safe_aligned(i64 %size, i32 %alignment) {
  %block = call ptr @NRT_MemInfo_alloc_aligned(i64 %size, i32 %alignment)
  ret ptr %block
}
define ptr @NRT_MemInfo_alloc(i64 %size) {
  %block = call ptr @NRT_MemInfo_alloc_aligned(i64 %size, i32 16)
  ret ptr %block
}
define ptr @NRT_Allocate(i64 %size) {
  %block = call ptr @malloc(i64 %size)
  ret ptr %block
}
define void @NRT_Free(ptr %block) {
  call void @free(ptr %block)
  ret void
}
define void @NRT_MemInfo_call_dtor(ptr %block) {
  call void @free(ptr %block)
  ret void
}
"""
"""Numba's functions for memory: the header of an array (count, two unused pointers, data, size), then its data."""


def write_library(path: Path, entries: Iterable[Entry] | None = None) -> int:
    """Write the library of all entries that this process has compiled; return how many. Raises `RuntimeError`."""
    compiled = [entry for entry in entries or ENTRIES if getattr(entry.run, "overloads", None)]
    _ll.initialize_all_asmprinters()
    with tempfile.TemporaryDirectory() as folder:
        objects = [Path(folder) / f"{number}.o" for number in range(len(compiled) + 1)]
        objects[-1].write_bytes(_emit(_parse(_constants(_ir.Module("key"), "key", key())), []))
        for file, entry in zip(objects, compiled, strict=False):
            file.write_bytes(_compile(entry))
        command = ["ld", "-shared", "--gc-sections", "--strip-all", "-z", "noexecstack", "-o", str(path)]
        done = subprocess.run([*command, *map(str, objects)], capture_output=True, text=True, check=False)  # noqa: S603
    if done.returncode:
        raise RuntimeError(f"The linker could not write {path}: {done.stderr[-500:]}")
    return len(compiled)


def _compile(entry: Entry) -> bytes:
    """Compile an entry with its wrapper to an object file."""
    overloads = entry.run.overloads  # type: ignore[attr-defined]  # numba's dispatcher
    name = symbol_of(entry.function)
    if len(overloads) != 1:
        raise RuntimeError(f"{name} is compiled for {len(overloads)} kinds of arguments; a library can have one.")
    (found,) = overloads.values()
    module = _ir.Module(name)
    given = _flat(found.signature.args)
    _constants(module, f"{name}:types", " ".join([str(found.signature.return_type), *map(_word, given)]))
    _write_wrapper(module, name, found.fndesc, given)
    whole = found.library._get_module_for_linking().clone()
    whole.link_in(_parse(module))
    whole.link_in(_ll.parse_assembly(_ALLOCATION))
    return _emit(whole, [name])


def _constants(module: Any, name: str, text: str) -> Any:
    """Add a text, with a zero at its end."""
    content = bytearray(text.encode() + b"\0")
    constant = _ir.GlobalVariable(module, _ir.ArrayType(_I8, len(content)), name)
    constant.initializer = _ir.Constant(constant.value_type, content)
    return module


def _flat(kinds: Sequence[Any]) -> list[Any]:
    return [part for kind in kinds for part in (_flat(kind.types) if isinstance(kind, _types.BaseTuple) else (kind,))]


def _word(kind: Any) -> str:
    """Return the word for an argument in the description of a function."""
    if isinstance(kind, _types.Array):
        return word_of(kind.ndim, kind.mutable, np.dtype(_as_dtype(kind.dtype)))
    return str(kind)


def _write_wrapper(module: Any, name: str, described: Any, given: list[Any]) -> None:
    """Write the function that Python calls."""
    context = _target.target_context
    parts = [
        _POINTER if isinstance(kind, _types.Array | _types.NoneType) else context.get_value_type(kind) for kind in given
    ]
    is_nothing = described.restype == _types.none
    result = _ir.VoidType() if is_nothing else context.get_value_type(described.restype)
    function = _ir.Function(module, _ir.FunctionType(result, parts), name)
    builder = _ir.IRBuilder(function.append_basic_block())
    handed = list(function.args)
    arguments = [_argument(context, builder, kind, handed) for kind in described.argtypes]

    def outside(called: str, kind: Any, *handed: Any) -> Any:
        """Call a function of Python."""
        declared = module.globals.get(called) or _ir.Function(
            module, _ir.FunctionType(kind, [each.type for each in handed]), called
        )
        return builder.call(declared, handed)

    thread = outside("PyEval_SaveThread", _POINTER)
    callee = context.declare_function(module, described)
    status, found = context.call_conv.call_function(builder, callee, described.restype, described.argtypes, arguments)
    outside("PyEval_RestoreThread", _ir.VoidType(), thread)
    with builder.if_then(status.is_error, likely=False):
        error = _ir.GlobalVariable(module, _POINTER, "PyExc_ValueError")
        sentence = _ir.GlobalVariable(module, _ir.ArrayType(_I8, len(name) + 1), ".name")
        sentence.initializer = _ir.Constant(sentence.value_type, bytearray(name.encode() + b"\0"))
        outside("PyErr_SetString", _ir.VoidType(), builder.load(error, typ=_POINTER), sentence)
    if is_nothing:
        builder.ret_void()
    else:
        builder.ret(found)


def _argument(context: Any, builder: Any, kind: Any, handed: list[Any]) -> Any:
    """Build an argument of the compiled function from those that ctypes passes."""
    if isinstance(kind, _types.BaseTuple):
        return context.make_tuple(builder, kind, [_argument(context, builder, each, handed) for each in kind.types])
    given = handed.pop(0)
    if isinstance(kind, _types.NoneType):
        return context.get_dummy_value()
    if not isinstance(kind, _types.Array):
        return given

    def field(offset: int, at: int | None = None) -> Any:
        pointer = builder.load(builder.gep(given, [_I64(offset)], source_etype=_I8), typ=_POINTER)
        return pointer if at is None else builder.load(builder.gep(pointer, [_I64(at)], source_etype=_I64), typ=_I64)

    array = context.make_array(kind)(context, builder)
    _arrays.populate_array(
        array,
        data=builder.bitcast(field(_DATA), array.data.type),
        shape=[field(_SHAPE, at) for at in range(kind.ndim)],
        strides=[field(_STRIDES, at) for at in range(kind.ndim)],
        itemsize=_I64(np.dtype(_as_dtype(kind.dtype)).itemsize),
        meminfo=None,
    )
    return array._getvalue()


def _parse(module: Any) -> Any:
    return _ll.parse_assembly(str(module))


def _emit(module: Any, exports: list[str]) -> bytes:
    """Compile a module to an object for a shared library, in which only the exports can be found."""
    keep = {*exports, *(f"{name}:types" for name in exports)}
    for thing in (*module.functions, *module.global_variables):
        if exports and not thing.is_declaration and thing.name not in keep:
            thing.linkage = "internal"
    codegen = _target.target_context.codegen()
    host = {"cpu": codegen._get_host_cpu_name(), "features": codegen._get_host_cpu_features(), "opt": 3}
    machine = _ll.Target.from_default_triple().create_target_machine(reloc="pic", codemodel="default", **host)
    unused = _ll.create_new_module_pass_manager()
    unused.add_global_dead_code_eliminate_pass()
    unused.run(module, _ll.create_pass_builder(machine, _ll.create_pipeline_tuning_options()))
    module.verify()
    code: bytes = machine.emit_object(module)
    return code
