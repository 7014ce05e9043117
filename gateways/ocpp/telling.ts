import { type CommandAnswer, PileFailure } from '../../domains/charging/server/api.ts'
import type { Outcome } from './peer.ts'
import type { Place, Variable } from './said.ts'

/** The means to send a pile something: its line, its guns, and the secrets that are made only to be sent. */
export interface Telling {
  say(action: string, payload: object): Promise<Outcome>
  place: Place
  params: Record<string, any>
  secret(salt: string): string
  /** Settings that the pile told. */
  settings(variables: readonly Variable[]): Promise<void>
}
type Body = Record<string, any>

/** Profiles of charges are told apart from what every charge begins with by numbers of their own. */
export const FOR_CHARGE = 1_000
export interface Limit {
  unit: 'W' | 'A'
  value: number
}
/** A limit in watts; some piles of alternating current know amperes alone. */
export async function limited(params: Record<string, any>, told: (limit: Limit) => Promise<CommandAnswer>): Promise<CommandAnswer> {
  const answer = await told({ unit: 'W', value: params['limitW'] })
  const refused = !answer.agreed && (answer.failure === PileFailure.rejected || answer.failure === PileFailure.error)
  return refused && params['amps'] !== undefined ? told({ unit: 'A', value: params['amps'] }) : answer
}

/** Interprets a pile's answer. `good` are its words for yes; where it has no such word, any answer is a yes. */
export function answerOf(outcome: Outcome, good: readonly string[] = ['Accepted'], done = false): CommandAnswer {
  if ('lost' in outcome) return no(outcome.lost === 'timeout' ? PileFailure.noAnswer : PileFailure.offline, { lost: outcome.lost })
  if ('error' in outcome) return no(isUnsupported(outcome.error) ? PileFailure.unsupported : PileFailure.error, outcome)
  const status = statusOf(outcome.result)
  if (status === undefined || good.includes(status)) return { agreed: true, done, result: outcome.result }
  return no(isUnsupported(status) ? PileFailure.unsupported : PileFailure.rejected, outcome.result)
}
export const no = (
  failure: (typeof PileFailure)[keyof typeof PileFailure & ('offline' | 'noAnswer' | 'rejected' | 'unsupported' | 'error' | 'noEffect')],
  result: unknown,
): CommandAnswer => ({ agreed: false, failure, result })
const isUnsupported = (word: string) => /^(Not(Supported|Implemented)|UnknownVariable|UnknownComponent)$/.test(word)
const statusOf = (result: unknown): string | undefined => {
  const status = (result as Body | null)?.['status']
  return typeof status === 'string' ? status : undefined
}
export const resultOf = (outcome: Outcome): Body | undefined =>
  'result' in outcome && typeof outcome.result === 'object' && outcome.result !== null ? (outcome.result as Body) : undefined
