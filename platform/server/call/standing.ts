import type { Actor } from '../serve.ts'
import { question } from '../question.ts'

export type Standing = Pick<Actor, 'userId' | 'userName' | 'enterprise' | 'may' | 'scope'>
/** Somebody of the scope's enterprise with the rights that they have now, without a session. No answer: nobody who may sign in. The platform stands below those who know people. */
export const standing = question<{ personId: string }, Standing>('platform.standing')
/** @see standing */
export const standingOf = async (tx: Parameters<typeof standing.ask>[0], personId: string): Promise<Standing | undefined> =>
  (await standing.ask(tx, { personId }))[0]?.answer
