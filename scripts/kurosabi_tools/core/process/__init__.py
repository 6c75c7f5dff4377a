"""Child processes that may misbehave but neither hurt nor outlive this one, and the cores they run on."""
