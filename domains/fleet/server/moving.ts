/** Faster than a walk, in tenths of km/h: a slower car stands, however its place wavers. */
export const MOVING_FROM = 50
