"""The same games in the forms that the field uses; the only place that imports their packages."""
