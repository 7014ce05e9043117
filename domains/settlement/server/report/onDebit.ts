import type { PostingLine } from '../../../ledger/server/api.ts'

/** An amount on the debit side; below zero it stands on the other. */
export const onDebit = (account: PostingLine['account'], sub: string, fen: number): PostingLine => ({
  account,
  sub,
  ...(fen >= 0 ? { debitFen: fen } : { creditFen: -fen }),
})
