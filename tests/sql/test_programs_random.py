"""Some five hundred random programs: what they answer is what MySQL 9.7 answered (programs_random.answers). programs_random.py runs more of them beside a MySQL and shows differences."""
import programs_random as random_programs


def test_random_programs(server):
    programs = 0
    for line in random_programs.ANSWERS.read_text().splitlines():
        seed, *theirs = line.split()
        world = random_programs.World(int(seed))
        programs += world.programs
        ours = random_programs.answers(server, world)
        bad = [i for i, (o, t) in enumerate(zip(ours, theirs)) if random_programs.digest(o) != t]
        assert len(ours) == len(theirs) and not bad, f"seed {seed}: {world.statements[bad[0]] if bad else ''}: {ours[bad[0]] if bad else len(ours)}"
    assert programs >= 450
    server.query("DROP DATABASE rp")
