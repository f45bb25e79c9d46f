import copy
import json
import pickle
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rsi_envs.core.instance import FrozenDict, Instance, canonical_json, deep_freeze

SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(max_size=20),
)
JSON = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=12,
)
DATA = st.dictionaries(st.text(max_size=6), JSON, max_size=4)
SEEDS = st.integers(0, 2**63 - 1)


def make(data=None, **changes):
    values = {"task": "Toy", "difficulty": 2, "seed": 7, "data": data or {"a": [1, {"b": "x"}]}}
    return Instance(**{**values, **changes})


@given(DATA, SEEDS, st.integers(1, 99))
def test_survives_json_with_its_key(data, seed, difficulty):
    instance = make(data, seed=seed, difficulty=difficulty)
    again = Instance.from_dict(json.loads(json.dumps(instance.to_dict())))
    assert again == instance
    assert again.key == instance.key
    assert again.to_dict() == instance.to_dict()
    assert hash(again) == hash(instance)


@given(DATA)
def test_data_can_be_copied_and_pickled(data):
    instance = make(data)
    for again in (pickle.loads(pickle.dumps(instance)), copy.deepcopy(instance)):
        assert again == instance
        assert again.key == instance.key
        assert isinstance(again.data, FrozenDict)


@given(DATA)
def test_keys_do_not_depend_on_the_order_of_data(data):
    turned = dict(reversed(data.items()))
    assert make(data).key == make(turned).key
    assert make(data).content_key == make(turned).content_key


def test_the_key_is_known():
    # Pinned: a key identifies an instance in manifests for the life of the project.
    text = '["Toy",1,2,7,{"a":[1,{"b":"x"}]}]'
    instance = make()
    assert canonical_json(["Toy", 1, 2, 7, instance.data]) == text
    assert instance.key == "77c52df0c7ec3d56c96653cca6329a64e4a5631ccc3eb166af52edce7166e223"


@pytest.mark.parametrize(
    "changes",
    [{"task": "Other"}, {"difficulty": 3}, {"seed": 8}, {"data": {"a": 1}}, {"rules_version": 2}],
)
def test_every_field_is_in_the_key(changes):
    assert replace(make(), **changes).key != make().key


def test_the_content_key_leaves_out_seeds_only():
    instance = make({"board": "..*", "chance": 5})
    assert replace(instance, seed=8, data={"board": "..*", "chance": 6}).content_key == (
        instance.content_key
    )
    for changes in ({"data": {"board": "*.."}}, {"difficulty": 3}, {"task": "Other"}):
        assert replace(instance, **changes).content_key != instance.content_key


@pytest.mark.parametrize(
    "change",
    [
        lambda data: data.__setitem__("a", 1),
        lambda data: data.__delitem__("a"),
        lambda data: data.update(a=1),
        lambda data: data.setdefault("z", 1),
        lambda data: data.pop("a"),
        lambda data: data.popitem(),
        lambda data: data.clear(),
        lambda data: data.__ior__({"a": 1}),
        lambda data: data["a"].__setitem__(0, 1),
        lambda data: data["a"][1].__setitem__("b", 1),
    ],
)
def test_data_is_deeply_frozen(change):
    instance = make()
    before = canonical_json(instance.data)
    with pytest.raises((TypeError, AttributeError)):
        change(instance.data)
    assert canonical_json(instance.data) == before


def test_the_caller_keeps_no_handle_on_the_data():
    inner = [1, 2]
    instance = make({"a": inner})
    inner.append(3)
    assert instance.data["a"] == (1, 2)


def test_fields_are_frozen():
    with pytest.raises(AttributeError):
        make().seed = 3


@pytest.mark.parametrize(
    "value", [{1: 2}, {"a": {1}}, {"a": object()}, {"a": b"x"}, {"a": complex(1)}, {"a": (1, {2})}]
)
def test_data_must_be_plain_json(value):
    with pytest.raises(TypeError, match=r"JSON|string keys"):
        make(value)


@pytest.mark.parametrize("number", [float("nan"), float("inf"), -float("inf")])
def test_data_must_be_finite(number):
    with pytest.raises((TypeError, ValueError), match=r"JSON|finite|[Nn]a[Nn]"):
        make({"a": [number]})


@pytest.mark.parametrize("seed", [-1, 2**63, 1.0, "7", None, True])
def test_bad_seeds_are_refused(seed):
    with pytest.raises(ValueError, match=r"2\*\*63"):
        make(seed=seed)


@pytest.mark.parametrize("name", ["task", "difficulty", "seed", "data", "rules_version", "key"])
def test_edited_dicts_are_refused(name):
    values = make().to_dict()
    edits = {"task": "Other", "difficulty": 3, "seed": 8, "data": {"a": [1]}, "rules_version": 2}
    with pytest.raises(ValueError, match="key does not match"):
        Instance.from_dict({**values, name: {**edits, "key": "0" * 64}[name]})
    del values[name]
    with pytest.raises(ValueError, match=rf"has the fields.*{name}"):
        Instance.from_dict(values)


@pytest.mark.parametrize("values", [None, [], "x", {}, {"extra": 1}, {1: 2, "a": 3}])
def test_other_things_are_no_instances(values):
    with pytest.raises(ValueError, match="has the fields task, difficulty, seed, data"):
        Instance.from_dict(values)


def test_extra_fields_are_refused():
    with pytest.raises(ValueError, match="extra"):
        Instance.from_dict({**make().to_dict(), "extra": 1})


def test_deep_freeze_of_scalars_is_the_identity():
    for value in (None, True, 3, 2.5, "x"):
        assert deep_freeze(value) is value
