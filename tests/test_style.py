"""The rules of the house that a linter does not know."""

import ast
import statistics
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
LONGEST_FUNCTION, LONGEST_FILE = 60, 300
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def below(*folders):
    """Return the Python files in some folders of the repository."""
    return [path for folder in folders for path in sorted((ROOT / folder).rglob("*.py"))]


PACKAGE = below("rsi_envs", "wrappers", "baselines")
TESTS = below("tests", "benchmarks", "docs")


def relative(path):
    return str(path.relative_to(ROOT))


def tree(path):
    return ast.parse(path.read_text())


def functions(path):
    return [node for node in ast.walk(tree(path)) if isinstance(node, FUNCTIONS)]


def length(function):
    """Return the lines of a function without its docstring."""
    lines = function.end_lineno - function.lineno + 1
    first = function.body[0]
    if ast.get_docstring(function) is not None:
        lines -= first.end_lineno - first.lineno + 1
    return lines


def test_there_is_something_to_look_at():
    assert len(PACKAGE) > 40
    assert sum(len(functions(path)) for path in PACKAGE) > 300


@pytest.mark.parametrize("path", PACKAGE + TESTS, ids=relative)
def test_functions_and_files_are_short(path):
    lines = len(path.read_text().splitlines())
    assert lines <= LONGEST_FILE, f"{relative(path)} has {lines} lines"
    for function in functions(path):
        assert length(function) <= LONGEST_FUNCTION, f"{function.name}: {length(function)} lines"


def test_most_functions_are_very_short():
    lengths = sorted(length(one) for path in PACKAGE for one in functions(path))
    assert statistics.median(lengths) <= 8
    assert lengths[len(lengths) * 9 // 10] <= 30


def public(nodes):
    """Yield the public classes and functions among `nodes`."""
    for node in nodes:
        if isinstance(node, (*FUNCTIONS, ast.ClassDef)) and not node.name.startswith("_"):
            yield node


def is_protocol(class_node):
    return any(ast.unparse(base).startswith("Protocol") for base in class_node.bases)


def overrides(class_node):
    """Return whether a class has bases whose docstrings its methods inherit."""
    return not is_protocol(class_node) and any(
        ast.unparse(base) != "NamedTuple" for base in class_node.bases
    )


# Methods that implement a Protocol are described there.
PROTOCOL_METHODS = {
    method.name
    for path in PACKAGE
    for node in ast.walk(tree(path))
    if isinstance(node, ast.ClassDef) and is_protocol(node)
    for method in public(node.body)
}

# A kernel's name says what it does; its module and the class Kernels describe them.
KERNELS = ("kernels.py",)


@pytest.mark.parametrize("path", PACKAGE, ids=relative)
def test_public_names_have_docstrings(path):
    module = tree(path)
    assert ast.get_docstring(module), f"{relative(path)} has no docstring"
    for node in public(module.body):
        kernel = path.name in KERNELS and "tasks" in path.parts
        assert ast.get_docstring(node) or kernel, f"{node.name} has no docstring"
        if isinstance(node, ast.ClassDef) and not overrides(node):
            for method in public(node.body):
                known = method.name in PROTOCOL_METHODS and not is_protocol(node)
                told = ast.get_docstring(method) or known
                assert told, f"{node.name}.{method.name} has no docstring"


def called(node):
    """Return the name of the builtin that a node calls, if any."""
    plain = isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    return node.func.id if plain else None


@pytest.mark.parametrize("path", PACKAGE, ids=relative)
def test_the_package_never_asserts_nor_evaluates(path):
    for node in ast.walk(tree(path)):
        where = f"{relative(path)} line {getattr(node, 'lineno', 0)}"
        assert not isinstance(node, ast.Assert), f"{where} asserts; raise an error that says why"
        evaluates = called(node) in ("eval", "exec", "compile", "__import__")
        assert not evaluates, f"{where} calls {called(node)}"


@pytest.mark.parametrize("path", PACKAGE, ids=relative)
def test_nothing_draws_from_a_global_generator(path):
    source = path.read_text()
    for word in ("np.random.seed", "np.random.rand", "random.seed(", "RandomState"):
        assert word not in source, f"{relative(path)} uses {word}"


@pytest.mark.parametrize("path", PACKAGE, ids=relative)
def test_rules_know_no_clock(path):
    if not {"core", "engines", "metrics", "tasks", "envs"} & set(path.relative_to(ROOT).parts):
        return
    for node in ast.walk(tree(path)):
        names = {alias.name for alias in node.names} if isinstance(node, ast.Import) else set()
        clocks = names & {"time", "datetime", "uuid", "secrets"}
        assert not clocks, f"{relative(path)} imports {clocks}"


@pytest.mark.parametrize("path", PACKAGE + TESTS, ids=relative)
def test_files_are_named_by_content(path):
    assert path.name not in ("utils.py", "util.py", "helpers.py", "misc.py", "common.py")


def test_american_spelling_stays_out():
    words = ("color", "behavior", "normalize(", "neighbor", "initialize", "center", "favor")
    for path in PACKAGE:
        for number, line in enumerate(path.read_text().splitlines(), 1):
            found = [word for word in words if word in line.lower() and "matplotlib" not in line]
            assert not found, f"{relative(path)} line {number}: {found}"
