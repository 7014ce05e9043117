import { PlusOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { useState } from 'react'
import type { Of } from '../../../../platform/contract/field.ts'
import { Facts, Section } from '../../../../platform/web/record/DetailDrawer.tsx'
import { FormDialog } from '../../../../platform/web/form/FormDialog.tsx'
import { ListScreen } from '../../../../platform/web/list/ListScreen.tsx'
import { can } from '../../../../platform/web/person.ts'
import { deleting, Label, useAct, useRemove } from '../../../../platform/web/form/remove.tsx'
import { type Text, useText } from '../../../../platform/web/text.ts'
import { State as Mark } from '../../../../platform/web/value.tsx'
import {
  regulation,
  Regulation,
  type RegulationNow,
  regulationCan,
  regulationSearch,
  RegulationState,
  type RegulationWhole,
  State,
} from '../../contract/regulation.ts'
import { Clauses } from './Clauses.tsx'
import '../system.css'

type Row = Of<typeof RegulationNow>
type Whole = Of<typeof RegulationWhole>
type Asked = { what: 'new' } | { what: 'edit' | 'repeal'; of: Row }
const CHANGES = [regulation.getInfoList, regulation.detail, regulation.getClauseList]
const SETTLED: Text = ['已发布的法规不能再改，请新建修订版次', 'A published law cannot be changed: create a new edition']

/** Laws and rules that the operator works by: their editions, when each is in force, and their clauses. */
export default function RegulationScreen() {
  const say = useText()
  const [asked, setAsked] = useState<Asked>()
  const remove = useRemove(CHANGES)
  const acts = useActs((of) => setAsked({ what: 'repeal', of }))
  return (
    <>
      <ListScreen
        purpose={[
          '停车管理依据的法律法规：各版次何时施行、现行的是哪一版、每一条怎么写',
          'Laws and regulations for parking management: editions, effective dates and the text of each clause',
        ]}
        query={regulation.getInfoList}
        search={regulationSearch}
        find={['title', 'state', 'kind', 'docNo', 'issuer', 'effectiveOn']}
        columns={[
          { dataIndex: 'title', width: 320, ellipsis: true, render: (_, row) => <b className="law-title">{row.title}</b> },
          { dataIndex: 'edition', render: (_, row) => say([`第 ${row.edition} 版`, `Edition ${row.edition}`]), align: 'left' },
          { dataIndex: 'kind', width: 140, ellipsis: true },
          'state',
          { dataIndex: 'docNo', width: 200, ellipsis: true },
          { dataIndex: 'issuer', width: 180, ellipsis: true },
          'effectiveOn',
          'repealedOn',
          'clauses',
          'issuedOn',
          'updatedAt',
        ]}
        hidden={['clauses', 'issuedOn', 'updatedAt', 'repealedOn']}
        roomy={['kind', 'issuer']}
        toolbar={
          can(regulation.add.needs) && (
            <Button type="primary" icon={<PlusOutlined />} onClick={() => setAsked({ what: 'new' })}>
              {say(Label.add)}
            </Button>
          )
        }
        actions={(row) => [
          ...acts(row),
          { text: Label.edit, needs: regulation.update.needs, run: () => setAsked({ what: 'edit', of: row }) },
          {
            ...deleting(remove, regulation.delete, { id: row.id }, row.title, { kind: 'system.regulation', key: row.id }),
            not: row.state !== State.draft && SETTLED,
          },
        ]}
        detail={{
          call: regulation.detail,
          head: (row) => (
            <>
              <b>{row.title}</b> <Mark dictionary={RegulationState} value={row.state} />
            </>
          ),
          act: (row) =>
            acts(row)
              .filter(({ needs }) => can(needs))
              .slice(0, 2)
              .map(({ text, run }) => (
                <Button key={text[1]} onClick={run}>
                  {say(text)}
                </Button>
              )),
          body: (row) => <Story of={row} />,
        }}
      />
      {asked?.what === 'repeal' && <Repeal of={asked.of} onClose={() => setAsked(undefined)} />}
      {asked && asked.what !== 'repeal' && <RegulationForm {...(asked.what === 'edit' && { of: asked.of })} onClose={() => setAsked(undefined)} />}
    </>
  )
}

/** The next actions, by the state's own table. */
function useActs(onRepeal: (of: Row) => void) {
  const act = useAct(CHANGES)
  return (row: Row) => {
    const { id, version, state } = row
    const to = (next: 0 | 1, question: Text, act_: Text, done: Text) =>
      void act(regulation.move, { id, version, to: next }, { question, act: act_, done })
    return [
      ...(regulationCan.publish(state) !== undefined
        ? [
            {
              text: ['发布', 'Publish'] as Text,
              needs: regulation.move.needs,
              run: () =>
                to(
                  1,
                  [`发布《${row.title}》？发布后条文不能再改。`, `Publish “${row.title}”? Its text cannot be changed afterwards.`],
                  ['发布', 'Publish'],
                  ['已发布', 'Published'],
                ),
            },
          ]
        : []),
      ...(regulationCan.withdraw(state) !== undefined
        ? [
            {
              text: ['撤回', 'Withdraw'] as Text,
              needs: regulation.move.needs,
              run: () =>
                to(0, [`把《${row.title}》撤回为草稿？`, `Withdraw “${row.title}” to draft?`], ['撤回', 'Withdraw'], ['已撤回', 'Withdrawn']),
            },
          ]
        : []),
      ...(state !== State.draft
        ? [
            {
              text: ['新建版次', 'New edition'] as Text,
              needs: regulation.revise.needs,
              run: () =>
                void act(
                  regulation.revise,
                  { id },
                  {
                    question: [`以本版为底新建《${row.title}》的修订草稿？`, `Create a draft of the next edition of “${row.title}” from this one?`],
                    act: ['新建版次', 'Create edition'],
                    done: ['已建草稿，条款已复制', 'Draft created with all clauses'],
                  },
                ),
            },
          ]
        : []),
      ...(regulationCan.repeal(state) !== undefined
        ? [{ text: ['废止', 'Repeal'] as Text, needs: regulation.move.needs, run: () => onRepeal(row) }]
        : []),
    ]
  }
}

function Story({ of }: { of: Whole }) {
  const say = useText()
  const others = of.editions.filter(({ id }) => id !== of.id)
  return (
    <>
      <Facts
        entity={Regulation}
        of={of}
        show={[
          'kind',
          'docNo',
          'issuer',
          'issuedOn',
          'effectiveOn',
          'repealedOn',
          { label: ['版次', 'Edition'], value: say([`第 ${of.edition} 版`, `Edition ${of.edition}`]) },
          { label: ['其他版次', 'Other editions'], value: others.length === 0 ? <span className="faint">--</span> : <Editions of={others} /> },
          'summary',
          'attachments',
          'remark',
        ]}
      />
      <Section title={['条款', 'Clauses']}>
        <Clauses of={of} changes={CHANGES} />
      </Section>
    </>
  )
}
const Editions = ({ of }: { of: Whole['editions'] }) => {
  const say = useText()
  return (
    <>
      {of.map(({ id, edition, state, effectiveOn }) => (
        <div key={id}>
          {say([`第 ${edition} 版`, `Edition ${edition}`])} <Mark dictionary={RegulationState} value={state} />{' '}
          <span className="faint">{effectiveOn}</span>
        </div>
      ))}
    </>
  )
}

function RegulationForm({ of, onClose }: { of?: Row; onClose: () => void }) {
  const all = [
    'title',
    'kind',
    'docNo',
    'issuer',
    'issuedOn',
    { name: 'effectiveOn', help: ['到这一天自动变为现行有效', 'Comes into force automatically on this day'] },
    'repealedOn',
    'summary',
    { name: 'attachments', optional: true },
    'remark',
  ] as const
  const common = { entity: Regulation, changes: CHANGES, onClose, done: ['已保存', 'Saved'] } as const
  if (!of) return <FormDialog {...common} mode="new" value={{ attachments: [] }} save={regulation.add} fields={all} />
  if (of.state === State.draft) return <FormDialog {...common} mode="edit" value={of} save={regulation.update} fields={all} />
  const { id, version, summary, attachments, remark } = of
  return (
    <FormDialog
      {...common}
      mode="edit"
      value={{ id, version, summary, attachments, remark }}
      save={regulation.update}
      fields={['summary', { name: 'attachments', optional: true }, 'remark']}
    />
  )
}

function Repeal({ of, onClose }: { of: Row; onClose: () => void }) {
  return (
    <FormDialog
      entity={Regulation}
      mode="edit"
      title={[`废止《${of.title}》`, `Repeal “${of.title}”`]}
      act={['确认废止', 'Repeal']}
      value={{ id: of.id, version: of.version }}
      also={{ to: State.repealed }}
      save={regulation.move}
      changes={CHANGES}
      done={['已废止', 'Repealed']}
      fields={[
        {
          name: 'on' as never,
          help: ['不填为今天；将来的日期到当天自动废止', 'If empty, today; with a future date it is repealed automatically on that day'],
        },
        { name: 'reason' as never },
      ]}
      onClose={onClose}
    />
  )
}
