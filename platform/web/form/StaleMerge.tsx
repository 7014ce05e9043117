import { Alert, Button, Radio } from 'antd'
import { type ReactNode, useState } from 'react'
import { type Text, useText } from '../text.ts'

export type Whose = 'mine' | 'theirs'
/** A field that two people have made different. */
export interface Differs {
  name: string
  label: Text
  mine: ReactNode
  theirs: ReactNode
  /** Only the other changed it: theirs is the sensible choice. */
  untouched: boolean
}

interface Props {
  title: string
  fields: readonly Differs[]
  onLatest: () => void
  onChosen: (theirs: ReadonlySet<string>) => void
}
/** Somebody else saved first: what was typed and what stands there now, side by side, to choose by field. */
export default function StaleMerge({ title, fields, onLatest, onChosen }: Props) {
  const say = useText()
  const [theirs, setTheirs] = useState<ReadonlySet<string>>(() => new Set(fields.filter(({ untouched }) => untouched).map(({ name }) => name)))
  const choose = (name: string, whose: Whose) => {
    const next = new Set(theirs)
    if (whose === 'theirs') next.add(name)
    else next.delete(name)
    setTheirs(next)
  }
  return (
    <Alert
      showIcon
      className="refused"
      type="warning"
      title={title}
      description={
        <div className="merge">
          {fields.length === 0 ? (
            <p>
              {say(['您填的与现在的内容没有冲突，可以直接保存。', 'What you entered does not conflict with the current record and can be saved.'])}
            </p>
          ) : (
            <table>
              <thead>
                <tr>
                  <th scope="col">{say(['字段', 'Field'])}</th>
                  <th scope="col">{say(['我填的', 'Mine'])}</th>
                  <th scope="col">{say(['现在的', 'Current'])}</th>
                </tr>
              </thead>
              <tbody>
                {fields.map((field) => (
                  <Line
                    key={field.name}
                    field={field}
                    whose={theirs.has(field.name) ? 'theirs' : 'mine'}
                    onChoose={(whose) => choose(field.name, whose)}
                  />
                ))}
              </tbody>
            </table>
          )}
          <div>
            <Button size="small" type="primary" onClick={() => onChosen(theirs)}>
              {say(['按所选保存', 'Save as chosen'])}
            </Button>
            <Button size="small" onClick={onLatest}>
              {say(['看最新的', 'Show the latest'])}
            </Button>
          </div>
        </div>
      }
    />
  )
}
function Line({ field, whose, onChoose }: { field: Differs; whose: Whose; onChoose: (whose: Whose) => void }) {
  const say = useText()
  const label = say(field.label)
  const cell = (one: Whose, shown: ReactNode, word: Text) => (
    <td>
      <Radio checked={whose === one} onChange={() => onChoose(one)} aria-label={`${label} ${say(word)}`}>
        {shown}
      </Radio>
    </td>
  )
  return (
    <tr>
      <th scope="row">{label}</th>
      {cell('mine', field.mine, ['我填的', 'mine'])}
      {cell('theirs', field.theirs, ['现在的', 'current'])}
    </tr>
  )
}
