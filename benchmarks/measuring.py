"""What all benchmarks share: fair timing, the peak of the machine, memory, and the tables.

Contenders take turns within each round, so that a busy machine slows all of them alike; what is reported is the median
over rounds, for times and for ratios alike. On the CPU the clock is that of the process (one thread, other programs do
not count); on a GPU it is that of CUDA events.
"""

import argparse
import json
import platform
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import torch

RESULTS = Path(__file__).parent / "results"
PEAK_SIZE = {"cpu": 2048, "cuda": 8192}


def arguments(description: str) -> argparse.ArgumentParser:
    """Make a parser with the options that every benchmark has."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--device", default="cpu", help="cpu or cuda")
    parser.add_argument("--rounds", type=int, default=5, help="rounds in which each contender has its turn")
    return parser


def seconds(action: Callable[[], Any], repeats: int, device: torch.device) -> float:
    """Measure the mean time of one call: CPU seconds of this process, or seconds between two CUDA events."""
    if device.type == "cuda":
        first, last = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        first.record()
        for _ in range(repeats):
            action()
        last.record()
        torch.cuda.synchronize()
        return first.elapsed_time(last) / 1000 / repeats
    start = time.process_time()
    for _ in range(repeats):
        action()
    return (time.process_time() - start) / repeats


def compare(
    contenders: dict[str, Callable[[], Any]],
    device: torch.device,
    rounds: int,
    dtype: torch.dtype = torch.float32,
    at_least: float = 0.2,
) -> dict[str, Any]:
    """Let contenders take turns.

    Args:
        contenders: name to action; the first one is the one that ratios refer to.
        device: whose clock counts.
        rounds: turns of each.
        dtype: of the matrix product that stands for the peak.
        at_least: seconds that a turn lasts at least; short actions are repeated within it.

    Returns:
        ``seconds`` and ``ratio`` (time over that of the first contender) by name, ``ratio_range``, the lowest and the
        highest ratio of a round, and ``peak``, the speed of a large matrix product in FLOP/s, measured in each round.
    """
    torch.set_num_threads(1)
    repeats = {}
    for name, action in contenders.items():
        once = seconds(action, 1, device)  # the first call also warms up
        if once < at_least:
            once = seconds(action, 1, device)
        repeats[name] = max(1, round(at_least / max(once, 1e-6)))
    times: dict[str, list[float]] = {name: [] for name in contenders}
    peaks = []
    for turn in range(rounds):
        peaks.append(matmul_peak(device, dtype))
        names = list(contenders)
        for name in names if turn % 2 == 0 else reversed(names):
            times[name].append(seconds(contenders[name], repeats[name], device))
    first = next(iter(contenders))
    ratios = {name: [a / b for a, b in zip(times[name], times[first], strict=True)] for name in contenders}
    return {
        "seconds": {name: statistics.median(values) for name, values in times.items()},
        "ratio": {name: statistics.median(values) for name, values in ratios.items()},
        "ratio_range": {name: [min(values), max(values)] for name, values in ratios.items()},
        "peak": statistics.median(peaks),
    }


def matmul_peak(device: torch.device, dtype: torch.dtype) -> float:
    """Measure the FLOP/s of one large square matrix product."""
    size = PEAK_SIZE[device.type]
    a, b = (torch.ones(size, size, device=device, dtype=dtype) for _ in range(2))
    if device.type == "cuda":
        torch.mm(a, b)  # warm up
    return 2 * size**3 / seconds(lambda: torch.mm(a, b), 1 if device.type == "cpu" else 10, device)


def peak_memory_mib(module: str, *options: str, processes: int = 3) -> float:
    """Run a module in some processes of its own and read the median of the peaks of their resident memory, in MiB.

    The module calls ``report_memory`` at its end. One process differs from the next by up to a twentieth; the bytes
    that torch allocates on a GPU do not, and one process tells them.
    """
    if "cuda" in options:
        processes = 1
    command = [sys.executable, "-m", module, *options]
    peaks = []
    for _ in range(processes):
        result = subprocess.run(command, capture_output=True, text=True, check=True, cwd=Path(__file__).parents[1])
        peaks.append(float(result.stdout.split()[-1]))
    return statistics.median(peaks)


def forget_peak(device: torch.device) -> None:
    """Let the peak that ``report_memory`` prints begin here, where the system can: on CUDA and on Linux."""
    clear = Path("/proc/self/clear_refs")
    if device.type == "cuda":
        torch.cuda.reset_peak_memory_stats(device)
    elif clear.exists():
        clear.write_text("5", encoding="utf-8")


def report_memory(device: torch.device) -> None:
    """Print the peak memory of this process in MiB: resident on the CPU, allocated on a GPU."""
    status = Path("/proc/self/status")
    if device.type == "cuda":
        print(torch.cuda.max_memory_allocated(device) / 2**20)
    elif status.exists():  # ru_maxrss would start from the size of the process that started this one
        print(
            next(
                int(line.split()[1])
                for line in status.read_text(encoding="utf-8").splitlines()
                if line.startswith("VmHWM")
            )
            / 2**10
        )
    else:
        import resource  # not on Windows, where everything else here works

        print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20)  # bytes on macOS


def environment(device: torch.device) -> dict[str, str]:
    """Say on what a result was measured."""
    return {
        "date": date.today().isoformat(),
        "torch": torch.__version__,
        "python": platform.python_version(),
        "processor": torch.cuda.get_device_name(device) if device.type == "cuda" else _cpu_model(),
        "threads": "1",
        "clock": "CUDA events" if device.type == "cuda" else "CPU seconds of the process",
    }


def write(name: str, device: torch.device, rounds: int, rows: list[dict[str, Any]], columns: list[str]) -> None:
    """Write the rows as JSON, and the chosen columns as a Markdown table, under ``results/``; print the last row."""
    RESULTS.mkdir(exist_ok=True)
    stem = f"{name}_{device.type}"
    about = environment(device) | {"rounds": str(rounds)}
    (RESULTS / f"{stem}.json").write_text(json.dumps({"measured_on": about, "rows": rows}, indent=1) + "\n")
    lines = [f"# {name.replace('_', ' ').capitalize()}", ""]
    lines += [" · ".join(f"{key} {value}" for key, value in about.items()), ""]
    lines += ["| " + " | ".join(columns) + " |", "|" + "---|" * len(columns)]
    lines += ["| " + " | ".join(_cell(row.get(column, "")) for column in columns) + " |" for row in rows]
    text = "\n".join(lines) + "\n"
    (RESULTS / f"{stem}.md").write_text(text)
    print(lines[4], lines[-1], sep="\n", flush=True)


def _cell(value: Any) -> str:
    return (
        f"{value:.3g}"
        if isinstance(value, float) and abs(value) < 1000
        else f"{value:,.0f}"
        if isinstance(value, float)
        else str(value)
    )


def _cpu_model() -> str:
    info = Path("/proc/cpuinfo")
    if info.exists():
        for line in info.read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    return platform.processor() or platform.machine()
