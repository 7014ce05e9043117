import { useText } from '../../../platform/web/text.ts'
import { whyInEnglish } from '../contract/why.ts'

/** Why a charge did not start or waits for a person, in the reader's language as far as it has words for it. */
export function Why({ of }: { of: string | null }) {
  const say = useText()
  return of === null ? null : say([of, whyInEnglish(of) ?? of])
}
