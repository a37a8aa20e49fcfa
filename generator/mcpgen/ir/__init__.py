"""The values between the stages: frozen dataclasses, nothing else."""
