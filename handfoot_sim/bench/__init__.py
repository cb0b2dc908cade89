"""How fast it is, and where the time goes: what ``handfoot bench`` measures."""
