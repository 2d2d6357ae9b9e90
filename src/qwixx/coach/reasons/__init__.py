"""
Reasons: which effects of a choice to mention (`select_reasons`), and a sentence for each in 4 languages (`sentences`).

The effects themselves come from the kernel; the value of a choice comes from a judge.
"""
