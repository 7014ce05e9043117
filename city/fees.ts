/** The fee of the demo's channels, per thousand: a played channel and one whose past is made up take the same. */
const KEEPS_OF_THOUSAND: Readonly<Record<string, number>> = { etc: 5 }
const OTHERS_KEEP = 6
/** In whole fen. */
export const feeOf = (channel: string, amountFen: number): number => Math.round((amountFen * (KEEPS_OF_THOUSAND[channel] ?? OTHERS_KEEP)) / 1000)
