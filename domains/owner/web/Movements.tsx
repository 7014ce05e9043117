import type { ReactNode } from 'react'
import type { Of } from '../../../platform/contract/field.ts'
import { NONE } from '../../../platform/web/format.ts'
import { ListScreen } from '../../../platform/web/list/ListScreen.tsx'
import type { RowAction } from '../../../platform/web/list/RowActions.tsx'
import type { Text } from '../../../platform/web/text.ts'
import { useText } from '../../../platform/web/text.ts'
import { findPark, ParkName } from '../../parking/web/api/names.tsx'
import { asset, type Movement, type MovementKind, movementSearch, NO_PARK } from '../contract/asset.ts'

type Row = Of<typeof Movement>
type Kind = keyof typeof MovementKind.entries
interface Props {
  purpose: Text
  above: ReactNode
  kinds?: readonly Kind[]
  /** Each owner's account as it stands now, instead of every movement. */
  latest?: boolean
  find: readonly ('phone' | 'kind' | 'plateNo' | 'purseKind' | 'payMethod' | 'at' | 'parkCode')[]
  columns: readonly (keyof Row & string)[]
  hidden?: readonly (keyof Row & string)[]
  total?: boolean
  toolbar?: ReactNode
  actions?: (row: Row) => RowAction[]
  empty: Text
}
/** Movements of stored value with what stood in the purse afterwards; each screen shows those that it is about. */
export function Movements({ purpose, above, kinds, latest, find, columns, hidden = [], total = false, toolbar, actions, empty }: Props) {
  const say = useText()
  const park = {
    dataIndex: 'parkCode',
    title: say(['车场', 'Car park']),
    render: (_: unknown, row: Row) => (row.parkCode === NO_PARK ? <span className="faint">{NONE}</span> : <ParkName code={row.parkCode} />),
  } as const
  return (
    <ListScreen
      purpose={purpose}
      above={above}
      query={asset.info}
      {...(!latest && { exports: asset.export })}
      search={movementSearch}
      only={{ ...(kinds && { kind: [...kinds] }), ...(latest && { latest: true }) }}
      find={find.map((name) => (name === 'parkCode' ? findPark : name))}
      columns={columns.map((name) => (name === 'parkCode' ? park : name))}
      hidden={hidden}
      roomy={['frozenAfterFen', 'operatorName', 'payMethod', 'bizNo']}
      {...(total && { sum: { totals: ['amountFen', 'principalFen', 'bonusFen'] } })}
      {...(toolbar !== undefined && { toolbar })}
      {...(actions && { actions })}
      empty={empty}
    />
  )
}
