import { instantAt, msOf } from '../../../platform/contract/time.ts'
import type { Instant } from '../../../platform/contract/field.ts'
import { Time } from '../../../platform/web/value.tsx'

/** The last second that a pass is good for: it ends at a midnight, and people read the day before. */
export const Until = ({ at }: { at: Instant | null | undefined }) => <Time at={at && instantAt(msOf(at) - 1_000)} />
