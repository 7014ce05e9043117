/** Somebody else's turn took too long for a connection: nothing was done, and the caller comes again. */
export type Outcome = 'passed' | 'refused'

/** A way of spending something of which there is only so much: an order's amount, a payment's refundable rest, a balance. */
export interface Flow {
  name: string
  /** Makes a fresh balance; each round begins with one. */
  setUp(): Promise<void>
  /** The i-th of many who spend at once. */
  spend(i: number): Promise<Outcome>
  /** How many of them there is enough for. */
  affordable: number
  /** Lists the faults afterwards; empty when all is right. */
  check(): Promise<string[]>
}
/** As many at once, as the goal for money says. */
export const SPENDERS = 200

/** All spend one balance at once: exactly the affordable ones pass. Answers what was wrong. */
export async function spendAtOnce({ name, setUp, spend, affordable, check }: Flow, spenders = SPENDERS): Promise<string[]> {
  await setUp()
  const outcomes = await Promise.all(Array.from({ length: spenders }, (_, i) => spend(i)))
  const passed = outcomes.filter((outcome) => outcome === 'passed').length
  const wrong = passed === affordable ? [] : [`${name}: ${passed} of ${spenders} passed, there was enough for ${affordable}`]
  return [...wrong, ...(await check()).map((sentence) => `${name}: ${sentence}`)]
}
