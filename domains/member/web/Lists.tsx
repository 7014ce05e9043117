import { Alert } from 'antd'
import { useState } from 'react'
import type { Of } from '../../../platform/contract/field.ts'
import { FormDialog } from '../../../platform/web/form/FormDialog.tsx'
import { ImportButton } from '../../../platform/web/sheet/ImportDialog.tsx'
import { type Column, ListScreen, type RowAction } from '../../../platform/web/list/ListScreen.tsx'
import { toast } from '../../../platform/web/page/hosts.tsx'
import { Label, useAct } from '../../../platform/web/form/remove.tsx'
import { type Text, useText } from '../../../platform/web/text.ts'
import { Time } from '../../../platform/web/value.tsx'
import { findPark, ParkName, ParksSelect } from '../../parking/web/api/names.tsx'
import { memberSheet } from '../contract/memberSheet.ts'
import { BlackReason, lacksRemark, ListEntry, listSearch, ListStatus, ListType, whiteBlack, WhiteKind, WhiteReason } from '../contract/whiteBlack.ts'
import { LIST_CHANGES } from './changes.ts'
import { ReasonSelect } from './ReasonSelect.tsx'
import { Quotas } from './Quotas.tsx'

type Entry = Of<typeof ListEntry>
type Which = 'white' | 'free' | 'staff' | 'black'
type Field = keyof Entry & string
const OVER: Text = ['已解除或已驳回', 'Already released or rejected']
const NOT_PROPOSED: Text = ['不是待审核的名单', 'Not a proposal']

interface Kind {
  purpose: Text
  listType: 1 | 2 | 3
  only: { listType: (1 | 2 | 3)[]; whiteKind?: (1 | 2 | 3)[] }
  columns: readonly Field[]
  fields: readonly Field[]
}
const KINDS: Record<Which, Kind> = {
  white: {
    purpose: ['免费放行的车和特种车：全部白名单都在这里', 'Cars let through free and special vehicles: the whole white list is here'],
    listType: ListType.white,
    only: { listType: [ListType.white, ListType.special] },
    columns: ['listType', 'whiteKind', 'holder', 'unit'],
    fields: ['listType', 'whiteKind', 'holder', 'phone', 'unit', 'freeMinPerDay'],
  },
  free: {
    purpose: ['每天免费一段时间的车，超出部分照常收费', 'Cars with free time every day; time beyond it is billed as usual'],
    listType: ListType.white,
    only: { listType: [ListType.white], whiteKind: [WhiteKind.free] },
    columns: ['freeMinPerDay', 'holder', 'phone'],
    fields: ['freeMinPerDay', 'holder', 'phone', 'unit'],
  },
  staff: {
    purpose: ['内部员工的车：单位车位占满后，后来的按临时车', 'Staff cars: once their unit’s bays are full, the next pays as a temporary car'],
    listType: ListType.white,
    only: { listType: [ListType.white], whiteKind: [WhiteKind.staff] },
    columns: ['unit', 'holder', 'phone'],
    fields: ['unit', 'holder', 'phone'],
  },
  black: {
    purpose: [
      '禁止入场、限制离场或只预警的车；系统提请的待人审核',
      'Cars refused entry, held at the exit or only warned of; proposals wait for review',
    ],
    listType: ListType.black,
    only: { listType: [ListType.black] },
    columns: ['action', 'holder'],
    fields: ['action', 'holder', 'phone'],
  },
}
type Doing = { what: 'new' } | { what: 'edit' | 'defer'; of: Entry } | { what: 'quotas' }

/** Cars on a list. White, free, staff and black are the same list under other heads. */
export function Lists({ which, sheets = true }: { which: Which; sheets?: boolean }) {
  const say = useText()
  const [doing, setDoing] = useState<Doing>()
  const kind = KINDS[which]
  const black = which === 'black'
  const actions = useActions(black, setDoing)
  const sheet = black ? memberSheet.importBlack : memberSheet.importWhite
  return (
    <>
      <ListScreen
        purpose={kind.purpose}
        query={whiteBlack.queryPage}
        search={listSearch}
        only={kind.only}
        find={['plateNo', findPark, 'status', 'holder', 'unit']}
        columns={columnsOf(kind, say)}
        hidden={['createdAt', 'remark']}
        roomy={['startAt', 'holder']}
        add={{ call: whiteBlack.insert, open: () => setDoing({ what: 'new' }) }}
        {...(sheets && { exports: black ? memberSheet.exportBlack : memberSheet.exportWhite })}
        toolbar={
          <>
            {sheets && <ImportButton call={sheet} changes={LIST_CHANGES} />}
            {which === 'staff' && <Quotas />}
          </>
        }
        sum={{
          figures: black
            ? [{ text: ['待审核', 'proposed'], leads: { status: [ListStatus.proposed] } }]
            : [{ text: ['生效', 'in force'], leads: { status: [ListStatus.inForce] } }],
        }}
        actions={actions}
        empty={['名单为空', 'The list is empty']}
      />
      {doing && <Doing kind={kind} which={which} doing={doing} onClose={() => setDoing(undefined)} />}
    </>
  )
}

function useActions(black: boolean, ask: (doing: Doing) => void) {
  const act = useAct(LIST_CHANGES)
  const release = (row: Entry) =>
    act(
      whiteBlack.delete,
      { id: row.id, version: row.version },
      { question: [`解除「${row.plateNo}」？`, `Release ${row.plateNo}?`], act: Label.release, done: ['已解除', 'Released'] },
    )
  const decide = (row: Entry, accept: boolean) =>
    act(
      whiteBlack.decide,
      { id: row.id, version: row.version, accept },
      { done: accept ? ['已加入黑名单', 'Added to the black list'] : ['已驳回', 'Rejected'] },
    )
  const over = ({ status }: Entry) => (status === ListStatus.released || status === ListStatus.rejected) && OVER
  return (row: Entry): RowAction[] => [
    ...(black
      ? [
          {
            text: ['通过', 'Accept'] as Text,
            needs: whiteBlack.decide.needs,
            run: () => void decide(row, true),
            not: row.status !== ListStatus.proposed && NOT_PROPOSED,
          },
          {
            text: ['驳回', 'Reject'] as Text,
            needs: whiteBlack.decide.needs,
            run: () => void decide(row, false),
            not: row.status !== ListStatus.proposed && NOT_PROPOSED,
          },
        ]
      : []),
    { text: Label.edit, needs: whiteBlack.update.needs, run: () => ask({ what: 'edit', of: row }), not: over(row) },
    { text: Label.postpone, needs: whiteBlack.defer.needs, run: () => ask({ what: 'defer', of: row }), not: over(row) },
    { text: Label.release, needs: whiteBlack.delete.needs, run: () => void release(row), not: over(row), danger: true },
  ]
}

/** “Other” says why; the white list has no such reason. */
const REMARK = {
  name: 'remark',
  beside: ['reasonType'],
  check: (typed: Readonly<Record<string, unknown>>): Text | undefined =>
    lacksRemark({ listType: ListType.black, reasonType: Number(typed['reasonType']), remark: typed['remark'] as string | undefined })
      ? ['原因选「其他」时，请填写备注', 'With the reason “Other”, say why in the remark']
      : undefined,
} as const

const columnsOf = (kind: Kind, say: (text: Text) => string): Column<Entry>[] => [
  'plateNo',
  'status',
  ...kind.columns,
  {
    dataIndex: 'reasonType',
    align: 'left',
    render: (_, row) =>
      say(((row.listType === ListType.black ? BlackReason.entries : WhiteReason.entries) as Record<number, Text>)[row.reasonType] ?? ['--', '--']),
  },
  {
    dataIndex: 'parkCode',
    title: say(['车场', 'Car park']),
    render: (_, row) => (row.parkCode ? <ParkName code={row.parkCode} /> : say(['全部车场', 'All car parks'])),
  },
  'startAt',
  { dataIndex: 'endAt', render: (_, row) => (row.endAt ? <Time at={row.endAt} /> : say(['永久', 'Permanent'])) },
  'createdAt',
  'remark',
]

function Doing({ kind, which, doing, onClose }: { kind: Kind; which: Which; doing: Doing; onClose: () => void }) {
  if (doing.what === 'quotas') return null
  const reason = { name: 'reasonType', control: <ReasonSelect black={which === 'black'} /> } as const
  const remark = which === 'black' ? REMARK : 'remark'
  if (doing.what === 'new')
    return (
      <FormDialog
        entity={whiteBlack.insert.input as never}
        mode="new"
        value={
          {
            listType: kind.listType,
            reasonType: which === 'black' ? BlackReason.escaped : WhiteReason.official,
            startAt: new Date().toISOString(),
            ...(kind.only.whiteKind && { whiteKind: kind.only.whiteKind[0] }),
          } as never
        }
        save={whiteBlack.insert}
        changes={LIST_CHANGES}
        done={['已加入名单', 'Added']}
        about={<Alert showIcon type="info" title={<Hint which={which} />} />}
        fields={
          [
            'plateNo',
            'plateColor',
            { name: 'parkCodes', control: <ParksSelect /> },
            ...kind.fields,
            reason,
            'startAt',
            'endAt',
            'special',
            remark,
          ] as never[]
        }
        onSaved={(reply) => {
          const { warning } = reply as { warning: string | null }
          if (warning) toast('warning', [warning, warning])
        }}
        onClose={onClose}
      />
    )
  const defer = doing.what === 'defer'
  return (
    <FormDialog
      title={[`${defer ? '延期' : '编辑'} · ${doing.of.plateNo}`, `${defer ? 'Extend' : 'Edit'} · ${doing.of.plateNo}`]}
      entity={ListEntry}
      mode="edit"
      value={doing.of}
      save={(defer ? whiteBlack.defer : whiteBlack.update) as typeof whiteBlack.update}
      changes={LIST_CHANGES}
      done={['已保存', 'Saved']}
      fields={(defer ? ['endAt'] : [...kind.fields.filter((name) => name !== 'listType'), reason, 'startAt', 'endAt', remark]) as never[]}
      onClose={onClose}
    />
  )
}
function Hint({ which }: { which: Which }) {
  const say = useText()
  return (
    <>
      {say(
        which === 'black'
          ? ['不选车场即全部车场；黑名单优先于白名单', 'No car park: all car parks. The black list wins over the white list']
          : ['不选车场即全部车场；不填失效时间为永久', 'No car park: all car parks. No end: permanent'],
      )}
    </>
  )
}
