"""All limits in one list (`declared`), the limiter that counts against it, bans, and checks of who connects."""
