//! The engine as a whole on the simulated disk.
