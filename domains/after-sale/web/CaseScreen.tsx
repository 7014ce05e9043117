import { useState } from 'react'
import type { Of } from '../../../platform/contract/field.ts'
import { Facts, Section } from '../../../platform/web/record/DetailDrawer.tsx'
import { FormDialog } from '../../../platform/web/form/FormDialog.tsx'
import { ListScreen } from '../../../platform/web/list/ListScreen.tsx'
import { deleting, Label, useAct, useRemove } from '../../../platform/web/form/remove.tsx'
import { RichText } from '../../../platform/web/rich/RichText.tsx'
import type { Text } from '../../../platform/web/text.ts'
import { State } from '../../../platform/web/value.tsx'
import { Case, caseCan, caseSearch, CaseState, standardCase } from '../contract/case.ts'
import { CASE_CHANGES } from './changes.ts'

type Row = Of<typeof Case>
const NOT_NOW: Text = ['当前状态不能操作', 'Not possible in its current state']
const FIELDS = [
  'title',
  'category',
  'content',
  { name: 'answer', optional: true, help: ['处理工单时一键填入的答复', 'Inserted with one click while handling a work order'] as Text },
] as const

/** Frequent questions and their answers, for handlers of work orders. */
export default function CaseScreen() {
  const remove = useRemove(CASE_CHANGES)
  const act = useAct(CASE_CHANGES)
  const [doing, setDoing] = useState<{ of?: Row }>()
  const turn = (row: Row, state: Row['state'], done: Text) => void act(standardCase.update, { id: row.id, version: row.version, state }, { done })
  const { needs } = standardCase.update
  return (
    <>
      <ListScreen
        purpose={[
          '常见问题与解决方案：发布后可在处理工单时引用，引用次数自动统计',
          'Common questions and solutions: once published they can be used in work orders, and uses are counted',
        ]}
        query={standardCase.query}
        search={caseSearch}
        find={['title', 'category', 'state', 'authorName']}
        columns={['title', 'category', 'content', 'answer', 'state', 'used', 'lastUsedAt', 'authorName', 'createdAt', 'updatedAt']}
        hidden={['createdAt', 'updatedAt', 'answer']}
        roomy={['lastUsedAt', 'authorName']}
        add={{ call: standardCase.add, open: () => setDoing({}) }}
        history={{ kind: 'after_sale.case', restore: standardCase.update, changes: CASE_CHANGES }}
        actions={(row) => [
          row.state === CaseState.published
            ? { text: ['下架', 'Withdraw'], needs, run: () => turn(row, CaseState.off, ['已下架', 'Withdrawn']) }
            : {
                text: ['发布', 'Publish'],
                needs,
                run: () => turn(row, CaseState.published, ['已发布', 'Published']),
                not: caseCan.publish(row.state) === undefined && NOT_NOW,
              },
          { text: Label.edit, needs, run: () => setDoing({ of: row }) },
          {
            ...deleting(remove, standardCase.delete, { id: row.id, version: row.version }, row.title, { kind: 'after_sale.case', key: row.id }),
            not: row.used > 0 && ['已被引用，请改为下架', 'Already used: withdraw it instead'],
          },
        ]}
        detail={{
          call: standardCase.one,
          head: (row) => (
            <>
              {row.title} <State dictionary={CaseState} value={row.state} />
            </>
          ),
          body: (row) => (
            <div className="story">
              <Facts entity={Case} of={row} show={['category', 'used', 'lastUsedAt', 'authorName', 'answer']} />
              <Section title={['解决方案', 'Solution']}>
                <RichText html={row.content} />
              </Section>
            </div>
          ),
        }}
        empty={['还没有案例', 'No cases yet']}
      />
      {doing && <CaseForm of={doing.of} onClose={() => setDoing(undefined)} />}
    </>
  )
}

/** A new case is a draft until it is published. */
function CaseForm({ of, onClose }: { of: Row | undefined; onClose: () => void }) {
  const shared = { entity: Case, changes: CASE_CHANGES, onClose }
  if (of) return <FormDialog {...shared} mode="edit" value={of} save={standardCase.update} fields={FIELDS} />
  return (
    <FormDialog
      {...shared}
      mode="new"
      value={{}}
      save={standardCase.add}
      done={['已保存为草稿，发布后可引用', 'Saved as a draft: publish it to use it']}
      fields={FIELDS}
    />
  )
}
