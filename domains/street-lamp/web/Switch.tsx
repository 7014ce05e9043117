import { plural } from '../../../platform/contract/plural.ts'
import type { Of } from '../../../platform/contract/field.ts'
import { FormDialog } from '../../../platform/web/form/FormDialog.tsx'
import { toast } from '../../../platform/web/page/hosts.tsx'
import { type Batch, BOXES_UNASKED, Relay, Why, wiring } from '../contract/wiring.ts'
import { WIRING_CHANGES } from './changes.ts'
import type { Circuit } from './Lights.tsx'
import { switchTitle, type Turn, TURNS } from './switchTitle.ts'

interface Props {
  turn: Turn
  of: readonly Pick<Circuit, 'id' | 'boxCode' | 'mode' | 'boxUseState'>[]
  onClose: () => void
}
/** Asks until when and why, then switches; circuits that will be left alone are named before, and those that were afterwards, with the reason. */
export function SwitchDialog({ turn, of, onClose }: Props) {
  const [zh, en] = TURNS[turn]
  const wiringIds = of.map(({ id }) => id)
  const boxes = new Set(of.map(({ boxCode }) => boxCode)).size
  return (
    <FormDialog
      title={switchTitle(turn, of)}
      entity={wiring.batchUpdate.input as never}
      mode="new"
      value={{ wiringIds, ...(turn !== 'dim' && { relay: turn === 'on' ? Relay.on : Relay.off }) } as never}
      save={wiring.batchUpdate as never}
      act={[zh, en]}
      changes={WIRING_CHANGES}
      onSaved={(reply) => tellOf(reply as Of<typeof Batch>)}
      onClose={onClose}
      fields={
        [
          ...(turn === 'dim' ? ['dim'] : []),
          {
            name: 'untilAt',
            optional: true,
            help: [
              '不填则保持到程序的下一次动作，最迟到日出（白天操作到中午）',
              'If empty, it holds until the program’s next event, sunrise at the latest, or noon by day',
            ],
          },
          { name: 'reason', optional: true },
          ...(boxes > BOXES_UNASKED
            ? [
                {
                  name: 'confirm',
                  help: [
                    `将操作 ${boxes} 个配电箱，请输入 ${boxes} 确认`,
                    `This switches ${boxes} ${plural(boxes, 'box', 'boxes')}: type ${boxes} to confirm`,
                  ],
                },
              ]
            : []),
        ] as never
      }
    />
  )
}

/** How many were sent, and why others were not. */
export function tellOf({ targets }: Of<typeof Batch>): void {
  const sent = targets.filter(({ why }) => why === null).length
  const left = Map.groupBy(
    targets.filter(({ why }) => why !== null),
    ({ why }) => why!,
  )
  const whys = [...left].map(([why, those]) => {
    const names = [...new Set(those.flatMap(({ taggedName }) => taggedName ?? []))].join('、')
    return [
      `${Why.entries[why][0]} ${those.length}${names && `（${names}）`}`,
      `${Why.entries[why][1]} ${those.length}${names && ` (${names})`}`,
    ] as const
  })
  toast(left.size > 0 ? 'warning' : 'success', [
    [`已下发 ${sent} 个回路`, ...whys.map(([zh]) => zh)].join('；'),
    [`Sent to ${sent} circuits`, ...whys.map(([, en]) => en)].join('; '),
  ])
}
