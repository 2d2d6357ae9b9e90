"""Rate limits, connection limits, quotas, bans, and checks of who connects. Every rate limit is declared in here."""
