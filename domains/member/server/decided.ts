/** Codes of `decided`: whether a car is on its list, or was only proposed for it, or refused. */
export const Decided = { proposed: 0, accepted: 1, rejected: 2 } as const
