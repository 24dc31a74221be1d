"""The zone SYSTEM: what TZ says when the server starts, a POSIX rule or a name. EVENKEEL_MYSQL (scripts/mysql-peer.sh) runs the same beside a real MySQL."""
import os
import sys
import pathlib

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from lib.servers import MySQL, Server  # noqa: E402

KINDS = [Server] + ([MySQL] if os.environ.get("EVENKEEL_MYSQL") and MySQL.folder() else [])


def in_zone(kind, zone):
    class Zoned(kind):
        def command(self):
            return ["env", f"TZ={zone}", *super().command()]
    return Zoned


# TZ and the local time of one moment there
@pytest.mark.parametrize("zone, local", [("GMT-3", "2008-07-18 08:42:04"), ("Europe/Moscow", "2008-07-18 09:42:04"), ("America/St_Johns", "2008-07-18 03:12:04"), ("UTC", "2008-07-18 05:42:04")])
@pytest.mark.parametrize("kind", KINDS, ids=lambda k: k.name)
def test_system_zone(kind, zone, local):
    s = in_zone(kind, zone)().start()
    try:
        with s.connect() as c, c.cursor() as cur:
            cur.execute("SET timestamp = 1216359724")
            cur.execute("SELECT CAST(NOW() AS CHAR), CAST(FROM_UNIXTIME(1216359724) AS CHAR), UNIX_TIMESTAMP(%s), @@time_zone", (local,))
            assert cur.fetchone() == (local, local, 1216359724, "SYSTEM")
            cur.execute("SELECT @@system_time_zone")
            name = cur.fetchone()[0]
            assert name == {"GMT-3": "GMT", "Europe/Moscow": "MSK", "UTC": "UTC"}.get(zone, name) and "/" not in name
    finally:
        s.stop() if kind is Server else s.kill()
        s.remove()
