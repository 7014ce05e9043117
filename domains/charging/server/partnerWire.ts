import type { Partner } from './partner.ts'

/** What came of saying something to a partner. */
export interface Spoken {
  /** Their Ret; none where nothing readable came back. */
  ret: number | null
  /** What they answered, or why nothing came, for people. */
  said: string
  /** What stood inside their answer. */
  data: Record<string, unknown> | undefined
}
type Speak = (partner: Partner, name: string, data: object) => Promise<Spoken>
const silent: Speak = async () => ({ ret: null, said: 'no gateway speaks to partners here', data: undefined })
let speaker = silent
/** The gateway that knows the protocol brings its voice. */
export const speakBy = (one: Speak | undefined): void => void (speaker = one ?? silent)
export const speak: Speak = (partner, name, data) => speaker(partner, name, data)
