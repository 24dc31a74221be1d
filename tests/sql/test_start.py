"""`init_file`: run before the first client; a failing statement or a missing file stops the start and says why."""
import pytest
from lib.servers import Server


def test_init_file_runs(tmp_path):
    f = tmp_path / "init.sql"
    f.write_text("-- set-up\nCREATE DATABASE made;\nCREATE TABLE made.t (a INT PRIMARY KEY);\nINSERT INTO made.t\n  VALUES (1), (2);\nSELECT 1;\n")
    s = Server(options=[f"--init-file={f}"]).start()
    try:
        assert s.query("SELECT COUNT(*) FROM made.t") == ((2,),)
    finally:
        s.stop()
        s.remove()


@pytest.mark.parametrize("text, reason", [("SELEC 1;", "error 1064"), (None, "cannot read init_file")])
def test_init_file_fails(tmp_path, text, reason):
    f = tmp_path / "init.sql"
    if text is not None:
        f.write_text(text)
    s = Server(options=[f"--init-file={f}"])
    try:
        with pytest.raises(RuntimeError, match="exited") as e:
            s.start()
        assert reason in str(e.value)
    finally:
        s.remove()
