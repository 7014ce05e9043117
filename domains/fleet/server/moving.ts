/** Faster than a walk, in tenths of km/h: what is slower stands, however its place wavers. */
export const MOVING_FROM = 50
