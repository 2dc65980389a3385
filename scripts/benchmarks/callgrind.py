"""What a run of a program goes through, by valgrind's callgrind."""
import re
import subprocess


def plain(binary, folder):
    """The same without debugging information, as valgrind cannot read Swift's."""
    # Valgrind names it without links.
    program = folder.resolve() / "crier"
    subprocess.run(["objcopy", "--strip-debug", binary, program], check=True)
    return program


def command(program, trace):
    """What the program's arguments are put behind; each run writes the trace anew."""
    return ["valgrind", "--quiet", "--tool=callgrind", "--demangle=no", f"--callgrind-out-file={trace}", str(program)]


def own(trace, program):
    """The instructions of each of the program's own functions, those of the libraries that it loads left out, by name."""
    objects, functions, costs = {}, {}, {}
    is_own = is_call = False
    name = None
    for line in trace.open(errors="replace"):
        if match := re.match(r"(c?ob|c?fn)=(\(\d+\))(?: (.*))?$", line):
            key, number, given = match.groups()
            names = objects if key.endswith("ob") else functions
            if given:
                names[number] = given
            if key == "ob":
                is_own = names[number] == str(program)
            elif key == "fn":
                # Calls of itself are told apart by a number.
                name = re.sub(r"'\d+$", "", names[number])
                if is_own:
                    costs.setdefault(name, 0)
        elif line.startswith("calls="):
            is_call = True
        elif cost := re.match(r"[-+*\d]\S* (\d+)", line):
            # Behind a call is what it took altogether.
            if is_own and not is_call:
                costs[name] += int(cost[1])
            is_call = False
    return costs
