import type { ReactNode } from 'react'
import { NONE } from '../../../platform/web/format.ts'
import { type Text, useText } from '../../../platform/web/text.ts'
import './arrears.css'

/** Figures in one line of a toolbar: those that are known, by name. */
export function Strip({ label, items }: { label: Text; items: readonly { name: Text; value: ReactNode }[] }) {
  const say = useText()
  return (
    <dl className="arrears-strip" aria-label={say(label)}>
      {items.map(({ name, value }) => (
        <div key={name[1]}>
          <dt>{say(name)}</dt>
          <dd>{value ?? NONE}</dd>
        </div>
      ))}
    </dl>
  )
}
