"""How the trusted tests and the sandboxed student exchange functions, modules, tensors and gradients as plain data.

``wire`` moves frames of bytes, ``plain`` turns values into JSON and raw bytes, ``modules`` mirrors ``nn.Module``,
``gradients`` carries autograd across, and ``peer`` holds the conversation. Nothing here evaluates, imports or unpickles
what came over the wire.
"""
