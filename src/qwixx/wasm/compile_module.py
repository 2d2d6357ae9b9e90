"""
Compiles functions of the kernel to WebAssembly object files, through Numba's LLVM IR.

Numba compiles a Python function to LLVM IR, and LLVM compiles the IR to machine code. Here the second step has another
target: the unoptimized IR of every function is collected and linked to one IR module, and LLVM compiles that for
wasm32. Integers keep their width, so the results are bit-identical.

This patches four internals of Numba: the class that holds a function's IR, the creation of executable code, the
wrappers for calls from Python and C, and an error message. The patches are permanent, so this runs in a separate
process. Other versions of Numba may differ, so `toolchain` accepts only the pinned versions that the tests have
compared.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from importlib import import_module
from typing import Any, Final

from qwixx.wasm.exports import Argument, Array, Export, Group, Nothing, Number, One, Word, Zero
from qwixx.wasm.runtime import EXP, RUNTIME, begin_call

_TRIPLE: Final = "wasm32-unknown-unknown"
_FEATURES: Final = "+bulk-memory,+sign-ext,+mutable-globals"
_HOST: Final = re.compile(r"^target (?:triple|datalayout) = .*$", re.MULTILINE)
_PICKLED: Final = re.compile(
    r'^(@"\.const\.pickle\w+\.[^"]*" = internal constant (?:\{.*?\}|\[.*?\])) .*$', re.MULTILINE
)
"""Pickled error messages: in a page an error only traps, so they are replaced by zeros."""
_MESSAGE: Final = re.compile(r'^define (?:external )?(?=[^\n(]*@"?__excinfo_unwrap_args)', re.MULTILINE)
"""The helper that builds error messages: every function that may raise defines the same one."""
_EXP: Final = re.compile(r'@"?(?:llvm\.exp\.f32|expf)"?\(')
_ll: Any = import_module("llvmlite.binding")
_ir: Any = import_module("llvmlite.ir")
_numba: Any = import_module("numba")
_core: Any = import_module("numba.core")
_codegen: Any = import_module("numba.core.codegen")
_cpu: Any = import_module("numba.core.cpu")
_arrays: Any = import_module("numba.np.arrayobj")
_target: Any = import_module("numba.core.registry").cpu_target
_I32, _I64 = _ir.IntType(32), _ir.IntType(64)


def compile_objects(*groups: Sequence[Export]) -> list[bytes]:
    """Compile each group of functions, with their callees, to one object; shared callees are in each."""
    code = _join(_collect_ir([export for group in groups for export in group]))
    return [_emit(code.clone(), {export.name for export in group}) for group in groups]


# ---- IR of functions


def _collect_ir(exports: Iterable[Export]) -> list[str]:
    """Compile every function to LLVM IR, and add the wrappers that a page calls."""
    cache: Any = import_module("qwixx.jit.cache")
    cache.compiled_directory = lambda _file: None  # cached code is for this machine
    context = _target.target_context
    _target.typing_context.refresh()
    context.refresh()
    import_module("numba.core.runtime").rtsys.initialize(context)
    found: list[str] = []
    library, machine = _codegen.CPUCodeLibrary, _cpu.CPUContext
    library.add_ir_module = lambda _library, module: found.append(_core.cgutils.normalize_ir_text(str(module)))
    library.add_linking_library = lambda _library, _other: None
    library.finalize = _finish
    machine.get_executable = lambda _context, _library, _description, _environment: _placeholder()
    machine.create_cpython_wrapper = machine.create_cfunc_wrapper = lambda *_arguments, **_options: None
    # A message about shapes would need all of Numba's functions for texts.
    _arrays.raise_with_shape_context = _refuse_shapes
    module = context.create_module("page")
    for export in exports:
        _write_export(context, module, export)
    return [*found, str(module)]


def _finish(library: Any) -> None:
    """Compile nothing: the IR is collected already."""
    library._finalized = True


def _refuse_shapes(_source: Any, _target: Any) -> None:
    """Raise the error of a slice that does not fit; in a page every error only traps."""


def _compile_refusal(_source: Any, _target: Any) -> Any:
    def refuse(_source: Any, _target: Any) -> None:
        raise ValueError

    return refuse


_numba.extending.overload(_refuse_shapes)(_compile_refusal)


def _placeholder() -> Any:
    """Return a placeholder for an executable function: it is never called, but each has to be a different object."""
    return [].append


def _write_export(context: Any, module: Any, export: Export) -> None:
    """Write a wrapper that a page can call: it builds arrays from integer arguments and calls the kernel function."""
    dispatcher = import_module("qwixx.jit.compiler").compiled(export.function)
    signature = tuple(_type(argument) for argument in export.arguments)
    dispatcher.compile(signature)
    described = dispatcher.overloads[signature].fndesc
    given = [part for argument in export.arguments for part in _parts(argument)]
    kind = described.restype
    result = _ir.VoidType() if kind == _core.types.none else _I64 if kind == _core.types.uint64 else _I32
    function = _ir.Function(module, _ir.FunctionType(result, given), export.name)
    builder = _ir.IRBuilder(function.append_basic_block())
    begin_call(builder)
    handed = list(function.args)
    arguments = [
        _argument(context, builder, argument, kind, handed)
        for argument, kind in zip(export.arguments, signature, strict=True)
    ]
    callee = context.declare_function(module, described)
    status, found = context.call_conv.call_function(builder, callee, described.restype, described.argtypes, arguments)
    with builder.if_then(status.is_error, likely=False):
        trap = module.declare_intrinsic("llvm.trap", (), _ir.FunctionType(_ir.VoidType(), ()))
        builder.call(trap, ())
        builder.unreachable()
    if result == _ir.VoidType():
        builder.ret_void()
    elif found.type.width > result.width:  # i64 results become i32, JavaScript's number; only uint64 stays i64
        builder.ret(builder.trunc(found, _I32))
    else:  # a bool is one bit here, and i32 for the page
        builder.ret(builder.zext(found, result) if found.type.width < result.width else found)


def _type(argument: Argument) -> Any:
    types = _core.types
    match argument:
        case Array():
            dimensions = 2 if argument.width else 1
            return types.Array(_numba.from_dtype(argument.kind), dimensions, "C", readonly=not argument.writeable)
        case Group():
            return types.NamedTuple([_type(member) for member in argument.members], argument.kind)
        case One():
            return _numba.from_dtype(argument.kind)
        case Word():
            return types.uint64
        case Nothing():
            return types.none
    return types.int64


def _parts(argument: Argument) -> list[Any]:
    """Return the WebAssembly types that a page passes for an argument."""
    match argument:
        case Array():
            return [_I32] if argument.length is not None else [_I32, _I32]
        case Group():
            return [part for member in argument.members for part in _parts(member)]
        case Number() | One():
            return [_I32]
        case Word():
            return [_I64]
    return []


def _argument(context: Any, builder: Any, argument: Argument, kind: Any, handed: list[Any]) -> Any:
    """Build an argument from the values that a page has passed."""
    match argument:
        case Zero():
            return _ir.Constant(_I64, 0)
        case Group():
            members = zip(argument.members, kind.types, strict=True)
            return context.make_tuple(
                builder, kind, [_argument(context, builder, member, each, handed) for member, each in members]
            )
        case Number():
            return builder.sext(handed.pop(0), _I64)
        case Nothing():
            return context.get_dummy_value()
        case Word():
            return handed.pop(0)
        case One():
            return builder.inttoptr(handed.pop(0), context.get_value_type(kind))
    place = handed.pop(0)
    length = builder.sext(handed.pop(0), _I64) if argument.length is None else _ir.Constant(_I64, argument.length)
    array = context.make_array(kind)(context, builder)
    size, width = argument.kind.itemsize, argument.width
    _arrays.populate_array(
        array,
        data=builder.inttoptr(place, array.data.type),
        shape=[length, _ir.Constant(_I64, width)] if width else [length],
        strides=[_ir.Constant(_I64, size * width), _ir.Constant(_I64, size)] if width else [_ir.Constant(_I64, size)],
        itemsize=_ir.Constant(_I64, size),
        meminfo=None,
    )
    return array._getvalue()


# ---- one object


def _join(texts: list[str]) -> Any:
    """Link all IR to one module for wasm32."""
    _ll.initialize_all_targets()
    _ll.initialize_all_asmprinters()
    whole = _parse("")
    for given in (*texts, RUNTIME):
        text = _PICKLED.sub(r"\1 zeroinitializer", _HOST.sub("", given))
        text = _EXP.sub(f"@{EXP}(", _MESSAGE.sub("define linkonce_odr ", text))
        whole.link_in(_parse(text))
    return whole


def _machine(level: int) -> Any:
    return _ll.Target.from_triple(_TRIPLE).create_target_machine(opt=level, features=_FEATURES)


def _parse(text: str) -> Any:
    module = _ll.parse_assembly(text)
    module.triple = _TRIPLE
    module.data_layout = str(_machine(0).target_data)
    return module


def _emit(module: Any, exports: Collection[str]) -> bytes:
    """Optimize the whole module and compile it to an object."""
    for thing in (*module.functions, *module.global_variables):
        if not thing.is_declaration and thing.name not in exports:
            thing.linkage = "internal"
    for function in module.functions:
        if not function.is_declaration:
            function.add_function_attribute("optsize")
    machine = _machine(3)
    _run(module, machine, 1)
    _run(module, machine, 3)
    module.verify()
    compiled: bytes = machine.emit_object(module)
    return compiled


def _run(module: Any, machine: Any, level: int) -> None:
    """Optimize, and remove reference counts that cancel out."""
    options = _ll.create_pipeline_tuning_options(level)
    options.loop_vectorization = options.slp_vectorization = False
    builder = _ll.create_pass_builder(machine, options)
    passes = builder.getModulePassManager()
    passes.add_refprune_pass()
    passes.run(module, builder)
