"""
The rules for browsers: the kernel compiled to WebAssembly, with tables of how everything is said.

`python -m qwixx.browser page/src/kernel` makes the modules; `hatch_build.py` does so whenever the page is
built. docs/browser.md says how it works, and docs/decisions/0013-browser-kernel.md why so.
"""
