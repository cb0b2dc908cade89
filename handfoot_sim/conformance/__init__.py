"""Whether an agent keeps to what is asked of every agent: the suite behind ``check-agent``.

``suite.CHECKS`` are the checks and ``suite.checked`` runs them. A check is a function of a
``Subject`` (an agent, and how much of it is looked at) and returns an ``Outcome``.
"""
