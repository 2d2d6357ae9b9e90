"""
The compiled part of the environments.

It stands in a folder of its own because compiled code is kept by the sources of its folder: an edit of an adapter
should make nobody wait for the compiler.
"""
