import gymnasium as gym
import pytest
from gymnasium.vector import AutoresetMode

import rsi_envs
from rsi_envs.core import registry
from rsi_envs.core.documentation import documentation
from rsi_envs.core.task import Task
from rsi_envs.envs.factory import make_vector
from rsi_envs.envs.registration import ids
from rsi_envs.envs.single import TaskEnv


def test_unknown_tasks_list_the_valid_ones():
    with pytest.raises(ValueError, match=r"no task 'Sweepmin'; tasks: .*Sweepmine.* Did you mean"):
        rsi_envs.task("Sweepmin")
    with pytest.raises(ValueError, match=r"no task 'Chess'; tasks: .*Sweepmine"):
        gym.make("rsi/Sweepmine", task="Chess")


def test_unknown_options_list_the_valid_ones():
    with pytest.raises(ValueError, match="no option 'bord'; options: board, first_open_safe"):
        rsi_envs.task("Sweepmine", bord=(4, 4, 2, 16))
    for make in (gym.make, gym.make_vec):
        with pytest.raises(ValueError, match="no option 'colour'"):
            make("rsi/Sweepmine-d3", colour="red")


@pytest.mark.parametrize("difficulty", [0, -1, 21, 1.0, "1", None, True])
@pytest.mark.parametrize("make", [gym.make, gym.make_vec])
def test_difficulties_out_of_range_name_the_range(make, difficulty):
    with pytest.raises(ValueError, match="Sweepmine has difficulties from 1 to 20, got"):
        make("rsi/Sweepmine", difficulty=difficulty)


@pytest.mark.parametrize("make", [gym.make, gym.make_vec])
def test_other_arguments_list_the_valid_values(make):
    with pytest.raises(ValueError, match="must be one of ansi, rgb_array; got 'human'"):
        TaskEnv("Sweepmine", render_mode="human")
    with pytest.raises(ValueError, match="Sweepmine has rules version 1, got 2"):
        make("rsi/Sweepmine", rules_version=2)


MODES = {
    "NextStep": AutoresetMode.NEXT_STEP,
    "NEXT_STEP": AutoresetMode.NEXT_STEP,
    "SameStep": AutoresetMode.SAME_STEP,
    "DISABLED": AutoresetMode.DISABLED,
    AutoresetMode.SAME_STEP: AutoresetMode.SAME_STEP,
}


@pytest.mark.parametrize("mode", MODES)
def test_autoreset_modes_are_taken_as_text_and_enum(mode):
    env = gym.make_vec("rsi/Sweepmine-d1", num_envs=1, autoreset_mode=mode)
    assert env.metadata["autoreset_mode"] is MODES[mode]


@pytest.mark.parametrize("mode", ["never", None, 1])
def test_other_autoreset_modes_list_the_valid_ones(mode):
    with pytest.raises(ValueError, match="one of NextStep, SameStep, Disabled; got"):
        gym.make_vec("rsi/Sweepmine-d1", num_envs=1, autoreset_mode=mode)


@pytest.mark.parametrize("count", [0, -1, 2.0, True, "2", None])
def test_numbers_of_rows_are_checked(count):
    with pytest.raises(ValueError, match="num_envs must be an integer of at least 1"):
        make_vector("Sweepmine", num_envs=count)


def test_options_beside_a_task_object_are_refused():
    task = rsi_envs.task("Sweepmine")
    for make in (TaskEnv, make_vector):
        with pytest.raises((ValueError, TypeError), match="board"):
            make(task, board=(4, 4, 2, 16))


def test_every_task_has_its_ids():
    for name, task in rsi_envs.TASKS.items():
        expected = [f"rsi/{name}-d{d}" for d in task.difficulties]
        assert [*ids(task)] == [*expected, f"rsi/{name}"]
        for env_id, fixed in ids(task).items():
            spec = gym.spec(env_id)
            assert spec.kwargs == {"task": name, "rules_version": task.rules_version, **fixed}
            assert spec.max_episode_steps is None


def test_registering_twice_changes_nothing(recwarn):
    before = {env_id: id(spec) for env_id, spec in gym.registry.items()}
    rsi_envs.register_all()
    assert {env_id: id(spec) for env_id, spec in gym.registry.items()} == before
    assert not recwarn


def test_typos_in_ids_are_helped():
    with pytest.raises(gym.error.Error, match="Sweepmine-d3"):
        gym.make("rsi/Sweepmin-d3")


def test_the_colon_form_needs_no_import():
    assert gym.make("rsi_envs:rsi/Sweepmine-d2").unwrapped.difficulty == 2


@pytest.fixture
def tasks():
    """Put the registry back as it was."""
    before = dict(registry.TASKS)
    yield registry.TASKS
    registry.TASKS.clear()
    registry.TASKS.update(before)


def test_names_are_taken_once(tasks):
    body = {"name": "Sweepmine", "suite": "flex", "__module__": "somebody.elses"}
    another = type("Sweepmine", (Task,), body)
    with pytest.raises(ValueError, match="'Sweepmine' is taken by"):
        rsi_envs.register(another)
    ours = tasks["Sweepmine"]
    assert rsi_envs.register(ours) is ours


def test_suites_are_known(tasks):
    lost = type("Lost", (Task,), {"name": "Lost", "suite": "mine"})
    with pytest.raises(ValueError, match="Lost: suite must be one of selfimprove, flex"):
        rsi_envs.register(lost)
    assert "Lost" not in tasks


def test_every_task_says_what_it_is():
    for name, task in rsi_envs.TASKS.items():
        assert task.name == name
        assert task.__doc__.strip().splitlines()[0].endswith(".")
        for section in ("Description", "Action space", "Observation space", "Rewards", "Score"):
            assert documentation(task).count(f"## {section}\n") == 1, f"{name} lacks {section}"
