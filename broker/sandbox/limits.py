"""The numbers that the run of a script is held to. No imports: the child loads this file too."""

from __future__ import annotations

# What a caller may ask for.
SCRIPT_CHARS = range(1, 32_768 + 1)
TIMEOUT_MS = range(50, 10_000 + 1)

# What one run may use. The cells are counted by whoever answers the script: the sandbox sees none.
HEAP_BYTES = 32 * 1024 * 1024
STACK_BYTES = 512 * 1024
OPERATIONS = 128
RESULT_BYTES = 131_072
CONSOLE_BYTES = 8 * 1024

# A message either way, and all messages of one run from the child. 8 MiB is 128 calls of 64 KiB: more than
# 20,000 cells need, and little enough that reading it costs the broker less than the run costs the script.
FRAME_BYTES = 1024 * 1024
TRAFFIC_BYTES = 8 * 1024 * 1024

# An encoder further on may give up at 254 levels; nothing a canvas takes or a person reads comes near this.
JSON_DEPTH = 100

# Text of a thrown error, in UTF-16 units, for each of name, message and stack.
ERROR_CHARS = 2_000

# From the start of a child until it is confined. Measured: 14 ms; a loaded machine may be 100 times slower.
START_S = 10.0

# The names under `canvas` in a script that go to the host as they are, and the only ones it answers besides
# `measure`. The prelude's other helpers are calls of `render`.
PLAIN_OPERATIONS = ("read", "search", "write", "erase", "fill", "render", "move", "manage", "history")
CANVAS_OPERATIONS = (*PLAIN_OPERATIONS, "measure")
HELPERS = ("measure", "shapes", "box", "line", "arrow", "text", "table")

# The last fence, held by the kernel (`resource.RLIMIT_*`), if the engine's limits or the host's clock fail.
# AS: a child maps about 16 MiB before it takes a script, then 32 MiB of heap and a few copies of a frame.
# CPU: the longest run, its start, and a second for rounding.
# STACK: the engine's 512 KiB on top of CPython's own frames.
KERNEL_LIMITS = {
    "AS": 80 * 1024 * 1024,
    "CPU": 12,
    "STACK": 2 * 1024 * 1024,
    "NOFILE": 0,
    "NPROC": 0,
    "FSIZE": 0,
    "CORE": 0,
    "MEMLOCK": 0,
    "MSGQUEUE": 0,
}

# A script's work yields to the broker and the page when the processors are busy.
NICENESS = 5

# How a child says why it never got ready (exit status).
EXIT_ENGINE_MISSING = 10
EXIT_NOT_CONFINED = 11
EXIT_BROKEN = 12

# The refusal of one call whose arguments or answer do not fit in a frame, as the script sees it.
TOO_LARGE = (
    f'{{"ok":false,"code":"too_large","message":"over {FRAME_BYTES} bytes in one call","retryable":false,'
    '"nextStep":"Split the call into several smaller ones."}'
)
