"""How the trusted tests and the sandboxed student exchange functions, modules, tensors and gradients as plain data.

``wire`` moves frames of bytes, ``plain`` turns values into JSON and raw bytes, ``changes`` repeats what was done in
place, ``references`` and ``proxies`` stand for what lives on the other side, ``modules`` mirrors ``nn.Module``,
``gradients`` carries autograd across, ``errors`` exceptions, ``seeds`` the tests' seed, and ``peer`` holds the
conversation. Nothing here evaluates, imports or unpickles what came over the wire.
"""
