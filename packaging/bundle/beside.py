#!/usr/bin/env python3
"""Times PyTorch on the GPUs of this machine, for comparison with the benches.

Usage: beside.py torch-matmul | torch-copy | torch-nccl

Prints a line for each rate: what, its parameters, the median and the number of samples. Says nothing about whether an
answer is right. Ends with 3, and one sentence, where PyTorch or what it takes is not here.
"""
import statistics
import sys

UNAVAILABLE = 3
GIB = 1 << 30


def timed(torch, work, repeat, samples):
    """Median seconds of one of `repeat` in a row, by events of the device, after as many to warm up."""
    seconds = []
    for sample in range(samples + 1):
        begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        begin.record()
        for _ in range(repeat):
            work()
        end.record()
        end.synchronize()
        if sample:
            seconds.append(begin.elapsed_time(end) / 1e3 / repeat)
    return statistics.median(seconds)


def matmul(torch):
    """Rates of torch.matmul, rows by columns as in a linear layer: what cuBLAS chooses without a search."""
    for name, size in (("bfloat16", 8192), ("float16", 8192), ("float32", 8192), ("float64", 4096)):
        dtype = getattr(torch, name)
        a, b = (torch.randn(size, size, device="cuda").to(dtype) for _ in range(2))
        out = torch.empty(size, size, device="cuda", dtype=dtype)
        second = timed(torch, lambda a=a, b=b, out=out: torch.matmul(a, b.T, out=out), 10, 7)
        print(f"torch.matmul dtype={name} m=n=k={size}: {2 * size**3 / second / 1e12:.1f} TFLOP/s, median of 7")


def copy(torch):
    """Copies as copy-cuda counts them: each byte once."""
    size = GIB // 2
    device = torch.empty(size, dtype=torch.uint8, device="cuda")
    other = torch.empty_like(device)
    host = torch.empty(size, dtype=torch.uint8, pin_memory=True)
    for name, to, by in (("d2d", other, device), ("h2d", device, host), ("d2h", host, device)):
        second = timed(torch, lambda to=to, by=by: to.copy_(by, non_blocking=True), 8, 7)
        print(f"torch copy {name} bytes={size}: {size / second / 1e9:.1f} GB/s, median of 7")
    a, b, c = (torch.empty(GIB // 8, dtype=torch.float64, device="cuda") for _ in range(3))
    second = timed(torch, lambda: torch.add(b, c, alpha=3.0, out=a), 8, 7)
    print(f"torch triad double bytes={3 * a.nbytes}: {3 * a.nbytes / second / 1e9:.1f} GB/s, median of 7")


def nccl(torch):
    """all_reduce by one process over all GPUs, as nccl-tests times it: many in a row, one clock."""
    devices = torch.cuda.device_count()
    version = ".".join(str(number) for number in torch.cuda.nccl.version())
    for size in (8, 64 << 10, 16 << 20, GIB):
        data = [torch.ones(max(1, size // 4), device=f"cuda:{i}") for i in range(devices)]
        repeat = 200 if size < (1 << 20) else 20
        second = timed(torch, lambda data=data: torch.cuda.nccl.all_reduce(data), repeat, 5)
        print(f"NCCL {version} all_reduce bytes={size} ranks={devices}: {second * 1e6:.2f} us, "
              f"{2 * (devices - 1) / devices * size / second / 1e9:.2f} GB/s busbw, median of 5")


WORKS = {"torch-matmul": matmul, "torch-copy": copy, "torch-nccl": nccl}


def main():
    if len(sys.argv) != 2 or sys.argv[1] not in WORKS:
        print(__doc__.strip())
        return 0 if sys.argv[1:] in (["-h"], ["--help"]) else 2
    try:
        import torch  # pylint: disable=import-outside-toplevel
    except ImportError as error:
        print(f"beside: no PyTorch: {error}", file=sys.stderr)
        return UNAVAILABLE
    if not torch.cuda.is_available():
        print("beside: PyTorch sees no GPU", file=sys.stderr)
        return UNAVAILABLE
    print(f"PyTorch {torch.__version__}, CUDA {torch.version.cuda}, {torch.cuda.get_device_name()}")
    WORKS[sys.argv[1]](torch)
    return 0


if __name__ == "__main__":
    sys.exit(main())
