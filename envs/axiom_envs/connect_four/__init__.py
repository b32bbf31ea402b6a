"""Connect Four: seven columns, six rows, four in a line. The tutorial of this suite."""
