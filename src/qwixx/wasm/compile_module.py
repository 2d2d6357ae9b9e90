"""
From the rules to an object of WebAssembly, by way of the compiler's own intermediate code.

Numba turns a function of the rules into code for LLVM, and LLVM that into machine code. Here the second step is taken
for another machine: the code of every function is kept as it is before it is optimized, all of it is put together, and
LLVM makes one object of it. Whole numbers stay as wide as they are, so the results are the same to the bit.

This touches three things that numba calls its own: the class that holds a function's code, how code becomes something
that can be called, and how a function of its kind is called. They are changed for good, so this runs in a process of
its own. Other versions may do them otherwise, so `versions` sees to it that only those are used that the project has
pinned and that its tests have compared.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from importlib import import_module
from typing import Any, Final

from qwixx.browser.exports import Argument, Array, Export, Nothing, Number, One, Word, Zero
from qwixx.browser.runtime import EXP, RUNTIME, begin_call

_TRIPLE: Final = "wasm32-unknown-unknown"
_FEATURES: Final = "+bulk-memory,+sign-ext,+mutable-globals"
_HOST: Final = re.compile(r"^target (?:triple|datalayout) = .*$", re.MULTILINE)
_PICKLED: Final = re.compile(
    r'^(@"\.const\.pickle\w+\.[^"]*" = internal constant (?:\{.*?\}|\[.*?\])) .*$', re.MULTILINE
)
"""What an error would say: in a page it only stops the module."""
_MESSAGE: Final = re.compile(r'^define (?:external )?(?=[^\n(]*@"?__excinfo_unwrap_args)', re.MULTILINE)
"""Where an error's words are put together: every function that may need it brings the same one along."""
_EXP: Final = re.compile(r'@"?(?:llvm\.exp\.f32|expf)"?\(')
_ll: Any = import_module("llvmlite.binding")
_ir: Any = import_module("llvmlite.ir")
_numba: Any = import_module("numba")
_core: Any = import_module("numba.core")
_codegen: Any = import_module("numba.core.codegen")
_cpu: Any = import_module("numba.core.cpu")
_target: Any = import_module("numba.core.registry").cpu_target
_I32, _I64 = _ir.IntType(32), _ir.IntType(64)


def make_objects(*groups: Sequence[Export]) -> list[bytes]:
    """Compile functions of the rules, and all that they call: an object for each group, what they share in each."""
    code = _join(_gather([export for group in groups for export in group]))
    return [_emit(code.clone(), {export.name for export in group}) for group in groups]


# ---- code of functions


def _gather(exports: Iterable[Export]) -> list[str]:
    """Compile every function as far as LLVM's code, and write the functions that a page calls."""
    kept: Any = import_module("qwixx.kernel.kept")
    kept.compiled_directory = lambda _file: None  # code that was kept is for this machine
    context = _target.target_context
    _target.typing_context.refresh()
    context.refresh()
    import_module("numba.core.runtime").rtsys.initialize(context)
    found: list[str] = []
    library, machine = _codegen.CPUCodeLibrary, _cpu.CPUContext
    library.add_ir_module = lambda _library, module: found.append(_core.cgutils.normalize_ir_text(str(module)))
    library.add_linking_library = lambda _library, _other: None
    library.finalize = _finish
    machine.get_executable = lambda _context, _library, _description, _environment: _stand_in()
    machine.create_cpython_wrapper = machine.create_cfunc_wrapper = lambda *_arguments, **_options: None
    module = context.create_module("page")
    for export in exports:
        _write_export(context, module, export)
    return [*found, str(module)]


def _finish(library: Any) -> None:
    """Make nothing of a function's code: it is kept already."""
    library._finalized = True


def _stand_in() -> Any:
    """Give what stands for a function that could be called: nobody calls it, but no two may be the same."""
    return [].append


def _write_export(context: Any, module: Any, export: Export) -> None:
    """Write a function that a page can call: it takes numbers, makes arrays of them, and calls the one of the rules."""
    twin = import_module("qwixx.kernel.twins").twin_of(export.function)
    signature = tuple(_type(argument) for argument in export.arguments)
    twin.compile(signature)
    described = twin.overloads[signature].fndesc
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
    elif found.type.width > result.width:  # small numbers are whole ones in a page, too, and words are not
        builder.ret(builder.trunc(found, _I32))
    else:  # yes or no is one bit, and a whole number in a page
        builder.ret(builder.zext(found, result) if found.type.width < result.width else found)


def _type(argument: Argument) -> Any:
    types = _core.types
    match argument:
        case Array():
            dimensions = 2 if argument.width else 1
            return types.Array(_numba.from_dtype(argument.kind), dimensions, "C", readonly=not argument.writeable)
        case One():
            return _numba.from_dtype(argument.kind)
        case Word():
            return types.uint64
        case Nothing():
            return types.none
    return types.int64


def _parts(argument: Argument) -> list[Any]:
    """Give what a page hands over for an argument."""
    match argument:
        case Array():
            return [_I32] if argument.length is not None else [_I32, _I32]
        case Number() | One():
            return [_I32]
        case Word():
            return [_I64]
    return []


def _argument(context: Any, builder: Any, argument: Argument, kind: Any, handed: list[Any]) -> Any:
    """Make an argument of what a page has handed over."""
    match argument:
        case Zero():
            return _ir.Constant(_I64, 0)
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
    import_module("numba.np.arrayobj").populate_array(
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
    """Put all code together, for the other machine."""
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
    """Optimize everything as a whole and make an object of it."""
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
    found: bytes = machine.emit_object(module)
    return found


def _run(module: Any, machine: Any, level: int) -> None:
    """Optimize; counts of references that cancel out are removed on the way."""
    options = _ll.create_pipeline_tuning_options(level)
    options.loop_vectorization = options.slp_vectorization = False
    builder = _ll.create_pass_builder(machine, options)
    passes = builder.getModulePassManager()
    passes.add_refprune_pass()
    passes.run(module, builder)
