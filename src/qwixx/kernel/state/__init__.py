"""
The state of a game in memory: fields, records, codes of refusals and events, the random stream.

Functions that apply a rule belong to `kernel`.
"""
