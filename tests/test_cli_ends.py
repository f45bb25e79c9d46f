"""How the command line ends where no command runs."""

from tests.test_cli import run


def test_without_a_command_the_help_is_all(monkeypatch, capsys):
    code, out, err = run(monkeypatch, capsys)
    assert code == 2 and "Usage" in out + err and "rsi-envs: " not in err


def test_a_module_that_fails_on_import_is_one_message(monkeypatch, capsys, tmp_path):
    (tmp_path / "broken_task.py").write_text("1 / 0\n")
    monkeypatch.chdir(tmp_path)
    code, _, err = run(monkeypatch, capsys, "check", "broken_task")
    assert code == 2 and "Traceback" not in err
    assert "'broken_task' cannot be imported: ZeroDivisionError: division by zero" in err
