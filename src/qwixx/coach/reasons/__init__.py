"""
Reasons: which effects of a choice to mention (`select_reasons`), and their sentences in each language (`sentences`).

The effects themselves come from the kernel; the value of a choice comes from a judge.
"""
