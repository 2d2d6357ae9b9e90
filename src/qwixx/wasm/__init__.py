"""
The rules for browsers: the kernel and the nets compiled to WebAssembly, with tables of names and texts for the page.

`python -m qwixx.wasm page/src/engine` builds the modules; `hatch_build.py` does so when the page is built.
docs/browser.md explains how it works, and docs/decisions/0013-browser-kernel.md why. The page's own code is in `page`.
"""
