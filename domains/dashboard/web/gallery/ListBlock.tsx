import { PlusOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { useState } from 'react'
import type { Of } from '../../../../platform/contract/field.ts'
import { Facts } from '../../../../platform/web/record/DetailDrawer.tsx'
import { FormDialog } from '../../../../platform/web/form/FormDialog.tsx'
import { ListScreen } from '../../../../platform/web/list/ListScreen.tsx'
import { can } from '../../../../platform/web/person.ts'
import { deleting, Label, useAct, useRemove } from '../../../../platform/web/form/remove.tsx'
import { type Text, useText } from '../../../../platform/web/text.ts'
import { COST, Sample, sample, sampleCan, sampleSearch, SampleState } from '../../contract/sample.ts'

type Row = Of<typeof Sample>
const CHANGES = [sample.query, sample.detail]
const FILL_ROWS = 500
const LOCKED: Text = ['已锁定', 'Locked']
const refused = (row: Row, next: Row['state'] | undefined): Text | false =>
  row.state === SampleState.locked ? LOCKED : next === undefined && ['当前状态不能这样做', 'Not possible in its current state']
const whileLocked = ({ state }: Row): Text | false => state === SampleState.locked && LOCKED
const key = ({ id, version }: Row) => ({ id, version })

export default function ListBlock() {
  const [doing, setDoing] = useState<{ mode: 'new' | 'edit' | 'view'; of: Partial<Row> }>()
  const act = useAct(CHANGES)
  const remove = useRemove(CHANGES)
  const finish: Text = ['完成', 'Finish']
  return (
    <>
      <ListScreen
        title={['示例记录', 'Samples']}
        purpose={['本企业自己的示例数据，可随意增删', 'This enterprise’s own sample data: add and delete freely']}
        query={sample.query}
        search={sampleSearch}
        find={['name', 'state', 'kind', 'code', 'happenedAt', 'amountFen', 'costFen']}
        columns={['code', 'name', 'kind', 'state', 'amountFen', 'costFen', 'happenedAt', 'keeper', 'remark']}
        hidden={['remark']}
        fieldNeeds={{ costFen: COST }}
        live="dashboard.sample"
        sum={{
          totals: ['amountFen'],
          figures: [
            { text: ['待处理', 'open'], leads: { state: [SampleState.open] } },
            { text: ['已锁定', 'locked'], leads: { state: [SampleState.locked] } },
          ],
        }}
        toolbar={can(sample.add.needs) && <Adds open={() => setDoing({ mode: 'new', of: {} })} />}
        bulk={{
          nameOf: ({ code, name }) => `${code} ${name}`,
          changes: CHANGES,
          acts: [
            { text: finish, call: sample.finish, input: key },
            { text: ['重新打开', 'Reopen'], call: sample.reopen, input: key },
            { text: Label.delete, call: sample.delete, input: key, danger: true },
          ],
        }}
        actions={(row) => [
          { text: Label.edit, needs: sample.update.needs, run: () => setDoing({ mode: 'edit', of: row }), not: whileLocked(row) },
          {
            text: finish,
            needs: sample.finish.needs,
            run: () => void act(sample.finish, key(row), { done: ['已完成', 'Done'] }),
            not: refused(row, sampleCan.finish(row.state)),
          },
          {
            text: ['重新打开', 'Reopen'],
            needs: sample.reopen.needs,
            run: () => void act(sample.reopen, key(row)),
            not: refused(row, sampleCan.reopen(row.state)),
          },
          { text: Label.view, run: () => setDoing({ mode: 'view', of: row }) },
          { ...deleting(remove, sample.delete, key(row), `${row.code} ${row.name}`), not: whileLocked(row) },
        ]}
        detail={{
          call: sample.detail,
          head: (row) => <b>{row.name}</b>,
          body: (row) => (
            <Facts entity={Sample} of={row} show={['code', 'name', 'kind', 'state', 'amountFen', 'progress', 'happenedAt', 'keeper', 'remark']} />
          ),
        }}
      />
      {doing && <SampleForm {...doing} onClose={() => setDoing(undefined)} />}
    </>
  )
}

/** One by hand, or many at once. */
function Adds({ open }: { open: () => void }) {
  const say = useText()
  const act = useAct(CHANGES)
  return (
    <>
      <Button type="primary" icon={<PlusOutlined />} onClick={open}>
        {say(Label.add)}
      </Button>
      <Button onClick={() => void act(sample.fill, { rows: FILL_ROWS }, { done: [`已增加 ${FILL_ROWS} 条`, `${FILL_ROWS} rows added`] })}>
        {say([`增加 ${FILL_ROWS} 条`, `Add ${FILL_ROWS} rows`])}
      </Button>
    </>
  )
}

export function SampleForm({ mode, of, onClose }: { mode: 'new' | 'edit' | 'view'; of: Partial<Row>; onClose: () => void }) {
  const money = can(COST) ? (['amountFen', 'costFen'] as const) : (['amountFen'] as const)
  const common = { entity: Sample, mode, value: of, changes: CHANGES, onClose } as const
  const rest = [...money, 'progress', 'happenedAt', 'keeper', 'remark'] as const
  if (mode === 'new') return <FormDialog {...common} fields={['code', 'name', 'kind', ...rest]} save={sample.add} done={['已新增', 'Added']} />
  return <FormDialog {...common} fields={['name', 'kind', ...rest]} save={sample.update} done={['已保存', 'Saved']} />
}
