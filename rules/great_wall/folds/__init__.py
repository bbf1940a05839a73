"""From a state and an event to the next state, by area. Judges nothing."""
