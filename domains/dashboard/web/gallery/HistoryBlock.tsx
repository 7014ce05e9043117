import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { useState } from 'react'
import type { Of } from '../../../../platform/contract/field.ts'
import { asks, type Refusal } from '../../../../platform/web/ask.ts'
import { Facts } from '../../../../platform/web/record/DetailDrawer.tsx'
import HistoryDrawer from '../../../../platform/web/record/History.tsx'
import { can } from '../../../../platform/web/person.ts'
import { Failed, NoPermission, Nothing, Waiting } from '../../../../platform/web/page/states.tsx'
import { useText } from '../../../../platform/web/text.ts'
import { shapesOf } from '../../../../platform/web/value.tsx'
import { department, Department } from '../../../identity/contract/department.ts'

const KIND = { kind: 'identity.department', restore: department.update, changes: [department.queryPage] }

/** The history of one record, and how to set each field back. */
export default function HistoryBlock() {
  return can(department.queryPage.needs) ? <One /> : <NoPermission />
}

function One() {
  const say = useText()
  const [open, setOpen] = useState(false)
  const list = useQuery<{ records: Of<typeof Department>[] }, Refusal>(asks(department.queryPage, { limit: 1 }) as never)
  if (list.isError) return <Failed error={list.error} retry={() => void list.refetch()} />
  if (!list.data) return <Waiting lines={4} />
  const row = list.data.records[0]
  if (!row) return <Nothing>{say(['新增一个部门，再看它的历史。', 'Add a department, then view its history.'])}</Nothing>
  return (
    <div className="show panel">
      <div className="show-row">
        <Button onClick={() => setOpen(true)}>{say(['变更历史', 'History'])}</Button>
      </div>
      <Facts entity={Department} of={row} show={['name', 'code', 'sort', 'createdAt']} />
      {open && <HistoryDrawer of={KIND} id={row.id} row={row} shapes={shapesOf(Department)} onClose={() => setOpen(false)} />}
    </div>
  )
}
