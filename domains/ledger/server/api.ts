/** All of the ledger that other domains may call. Posting happens in the caller's transaction. */
export { type Business, post, type Posted, type Posting, type PostingLine, reverse, Unbalanced } from './posting.ts'
export { balances, linesAbout, movements, replay, statement, type SubAccount, type SubName, subNames } from './account.ts'
