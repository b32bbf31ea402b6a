"""The commands of `axiom-gym`. A command imports slow modules only when it runs."""
