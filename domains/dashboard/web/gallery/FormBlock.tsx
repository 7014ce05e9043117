import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { useState } from 'react'
import type { Of } from '../../../../platform/contract/field.ts'
import { asks, type Refusal } from '../../../../platform/web/ask.ts'
import { Facts } from '../../../../platform/web/record/DetailDrawer.tsx'
import { can } from '../../../../platform/web/person.ts'
import { Label } from '../../../../platform/web/form/remove.tsx'
import { Failed, Nothing, Waiting } from '../../../../platform/web/page/states.tsx'
import { useText } from '../../../../platform/web/text.ts'
import { Sample, sample } from '../../contract/sample.ts'
import { SampleForm } from './ListBlock.tsx'

const OPEN = [1] as const
/** One record and its form in each mode. Two people (or two windows) who edit it at once see what happens then. */
export default function FormBlock() {
  const say = useText()
  const [doing, setDoing] = useState<{ mode: 'new' | 'edit' | 'view'; of: Partial<Of<typeof Sample>> }>()
  const list = useQuery<{ records: Of<typeof Sample>[] }, Refusal>(asks(sample.query, { state: [...OPEN], limit: 1 }) as never)
  const row = list.data?.records[0]
  return (
    <div className="show panel">
      <div className="show-row">
        {can(sample.add.needs) && <Button onClick={() => setDoing({ mode: 'new', of: {} })}>{say(Label.add)}</Button>}
        {row && can(sample.update.needs) && <Button onClick={() => setDoing({ mode: 'edit', of: row })}>{say(Label.edit)}</Button>}
        {row && <Button onClick={() => setDoing({ mode: 'view', of: row })}>{say(Label.view)}</Button>}
      </div>
      {list.isError ? (
        <Failed error={list.error} retry={() => void list.refetch()} />
      ) : !list.data ? (
        <Waiting lines={4} />
      ) : row ? (
        <Facts entity={Sample} of={row} show={['code', 'name', 'kind', 'state', 'amountFen', 'progress', 'happenedAt', 'keeper', 'remark']} />
      ) : (
        <Nothing>{say(['新增一条示例记录，再来编辑它。', 'Add a sample, then edit it.'])}</Nothing>
      )}
      {doing && <SampleForm {...doing} onClose={() => setDoing(undefined)} />}
    </div>
  )
}
