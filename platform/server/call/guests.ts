import type pg from 'pg'
import type { Guest } from '../../contract/call.ts'
import type { Actor } from '../serve.ts'

/** The guest behind a session's token; nobody where the session is over, or never was. */
type Reader = (pool: pg.Pool, token: string) => Promise<Actor | undefined>
const readers = new Map<Guest, Reader>()
/** Said once, at the start, by the domain that keeps the sessions of these guests. */
export const readGuests = (guest: Guest, reader: Reader): void => void readers.set(guest, reader)

/** Ours have 43 characters. */
const TOKEN_MAX = 128
export const guestOf = async (pool: pg.Pool, guest: Guest, token: string | undefined): Promise<Actor | undefined> =>
  token && token.length <= TOKEN_MAX ? readers.get(guest)?.(pool, token) : undefined
