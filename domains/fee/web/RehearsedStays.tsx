import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Button, Input, Pagination, Segmented } from 'antd'
import { useState } from 'react'
import type { Fen, Of } from '../../../platform/contract/field.ts'
import { asks } from '../../../platform/web/ask.ts'
import { Dialog } from '../../../platform/web/form/Dialog.tsx'
import { yuan } from '../../../platform/web/format.ts'
import { Failed, Waiting } from '../../../platform/web/page/states.tsx'
import { useText } from '../../../platform/web/text.ts'
import { Money, Plate, Time } from '../../../platform/web/value.tsx'
import { ParkName } from '../../parking/web/api/names.tsx'
import { rehearsal, type RehearsalOf, type RehearsedStay } from '../contract/rehearsal.ts'
import { FeeExplanation } from './api/FeeExplanation.tsx'
import './rehearsal.css'

type Way = 'dearer' | 'cheaper'
const PAGE = 10
/** A difference of nothing is no difference: the list holds what is above or below it. */
const OF_WAY = { dearer: { deltaFenFrom: 1 as Fen, isAsc: false }, cheaper: { deltaFenTo: -1 as Fen, isAsc: true } } as const

/** The stays that would have cost something else, the largest differences first; each opens with both derivations side by side. */
export function RehearsedStays({ of, shown, onShow }: { of: RehearsalOf; shown: Way | undefined; onShow: (way: Way) => void }) {
  const say = useText()
  const way: Way = shown ?? (of.dearerStays === 0 ? 'cheaper' : 'dearer')
  const [current, setCurrent] = useState(1)
  const [typed, setTyped] = useState('')
  const [open, setOpen] = useState<string>()
  const { data, error } = useQuery({
    ...asks(
      rehearsal.stays,
      { rehearsalId: of.id, ...(typed && { plateNo: typed }), ...OF_WAY[way], orderByColumn: 'deltaFen', current, limit: PAGE },
      { quiet: true },
    ),
    placeholderData: keepPreviousData,
  })
  const total = typed ? (data?.total ?? 0) : way === 'dearer' ? of.dearerStays : of.cheaperStays
  const turn = (next: Way) => {
    setCurrent(1)
    onShow(next)
  }
  return (
    <>
      <header className="rehearsal-stays">
        <h3>{say(['费用有变化的停车', 'Stays with a changed fee'])}</h3>
        <Segmented<Way>
          size="small"
          value={way}
          onChange={turn}
          options={[
            { value: 'dearer', label: say([`涨价 ${of.dearerStays}`, `Higher ${of.dearerStays}`]) },
            { value: 'cheaper', label: say([`降价 ${of.cheaperStays}`, `Lower ${of.cheaperStays}`]) },
          ]}
        />
        <Input.Search
          className="rehearsal-plate"
          size="small"
          allowClear
          maxLength={16}
          aria-label={say(['按车牌查找', 'Find by plate'])}
          placeholder={say(['车牌，任意几位', 'Any part of the plate'])}
          onSearch={(text) => {
            setCurrent(1)
            setTyped(text.trim())
          }}
        />
      </header>
      {error && <Failed error={error as never} />}
      <StaysTable of={data?.records ?? []} onOpen={setOpen} />
      {typed && data?.records.length === 0 && (
        <p className="soft">{say(['没有符合该车牌的费用变化', 'No stay with this plate has such a change'])}</p>
      )}
      {total > PAGE && <Pagination size="small" pageSize={PAGE} current={current} total={total} onChange={setCurrent} showSizeChanger={false} />}
      {open && <Both id={open} onClose={() => setOpen(undefined)} />}
    </>
  )
}

function StaysTable({ of, onOpen }: { of: readonly Of<typeof RehearsedStay>[]; onOpen: (id: string) => void }) {
  const say = useText()
  return (
    <div className="rehearsal-wide">
      <table className="lines rehearsal-list">
        <thead>
          <tr>
            <th>{say(['车牌', 'Plate'])}</th>
            <th>{say(['车场', 'Car park'])}</th>
            <th>{say(['入场', 'Entered'])}</th>
            <th>{say(['计费至', 'Billed until'])}</th>
            <th className="right">{say(['原费用', 'Before'])}</th>
            <th className="right">{say(['新费用', 'After'])}</th>
            <th className="right">{say(['差额', 'Difference'])}</th>
            <th>{say(['操作', 'Actions'])}</th>
          </tr>
        </thead>
        <tbody>
          {of.map((one) => (
            <StayRow key={one.id} of={one} onOpen={() => onOpen(one.id)} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

function StayRow({ of, onOpen }: { of: Of<typeof RehearsedStay>; onOpen: () => void }) {
  const say = useText()
  return (
    <tr>
      <td>{of.plateNo ? <Plate number={of.plateNo} /> : '--'}</td>
      <td>
        <ParkName code={of.parkCode} still />
      </td>
      <td>
        <Time at={of.entryTime} />
      </td>
      <td>
        <Time at={of.until} />
      </td>
      <td className="right">
        <Money fen={of.beforeFen} />
      </td>
      <td className="right">
        <Money fen={of.afterFen} />
      </td>
      <td className="right">
        {of.deltaFen > 0 ? '+' : '−'}
        {yuan(Math.abs(of.deltaFen))}
      </td>
      <td>
        <Button type="link" size="small" onClick={onOpen}>
          {say(['对照', 'Compare'])}
        </Button>
      </td>
    </tr>
  )
}

/** One stay by both rules. */
function Both({ id, onClose }: { id: string; onClose: () => void }) {
  const say = useText()
  const { data, error } = useQuery(asks(rehearsal.stay, { id }, { quiet: true }))
  const title = data ? `${data.stay.plateNo ?? ''} ${say(['两版计费对照', 'fees compared'])}` : say(['两版计费对照', 'Fees compared'])
  return (
    <Dialog changed={false} width="min(1240px, 96vw)" title={title} footer={null} onClose={onClose}>
      {error && <Failed error={error as never} />}
      {!data && !error && <Waiting lines={6} />}
      {data && (
        <div className="rehearsal-both">
          <section>
            <h3>{say(['原计费', 'Before'])}</h3>
            <FeeExplanation quote={data.before} />
          </section>
          <section>
            <h3>{say(['草稿计费', 'By the draft'])}</h3>
            <FeeExplanation quote={data.after} />
          </section>
        </div>
      )}
    </Dialog>
  )
}
