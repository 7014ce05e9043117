import { Section } from '../../../platform/web/DetailDrawer.tsx'
import type { Of } from '../../../platform/contract/field.ts'
import type { Story } from '../contract/stay.ts'

/** Why it cost this, as the fee domain explains it. */
export function FeeOf({ story }: { story: Of<typeof Story> }) {
  if (!story.quote) return null
  return (
    <Section title={['为什么是这个价', 'Why it cost this']}>
      <pre>{JSON.stringify(story.quote, null, 1)}</pre>
    </Section>
  )
}
