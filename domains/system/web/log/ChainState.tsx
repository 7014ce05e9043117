import { SafetyCertificateOutlined, WarningOutlined } from '@ant-design/icons'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Button, Popover } from 'antd'
import type { Of } from '../../../../platform/contract/field.ts'
import { asks } from '../../../../platform/web/ask.ts'
import { Facts } from '../../../../platform/web/record/DetailDrawer.tsx'
import { useFrames } from '../../../../platform/web/live.ts'
import { can } from '../../../../platform/web/person.ts'
import { useAct } from '../../../../platform/web/form/remove.tsx'
import { useText } from '../../../../platform/web/text.ts'
import { log, LogChain } from '../../contract/log.ts'
import { CHAIN_TOPIC } from '../../contract/topics.ts'

/** Whether a log is what it was: each day is sealed at night, and every seal stands on the one before. */
export function ChainState({ of }: { of: 1 | 2 | 3 | 4 }) {
  const say = useText()
  const cache = useQueryClient()
  const { data } = useQuery(asks(log.chains, {}, { quiet: true }))
  useFrames(CHAIN_TOPIC, () => void cache.invalidateQueries({ queryKey: [log.chains.id] }))
  const chain = data?.find((one) => one.log === of)
  if (!chain) return null
  const broken = chain.brokenDay !== null
  const word = broken
    ? say([`链在 ${chain.brokenDay} 处不符`, `Chain broken on ${chain.brokenDay}`])
    : chain.sealedTo
      ? say([`链完整 · 封存至 ${chain.sealedTo}`, `Chain intact, sealed to ${chain.sealedTo}`])
      : say(['今晚首次封存', 'First seal tonight'])
  return (
    <Popover placement="bottomLeft" content={<About chain={chain} />}>
      <Button
        type="text"
        danger={broken}
        icon={broken ? <WarningOutlined /> : <SafetyCertificateOutlined />}
        data-chain={broken ? 'broken' : 'whole'}
      >
        {word}
      </Button>
    </Popover>
  )
}

function About({ chain }: { chain: Of<typeof LogChain> }) {
  const say = useText()
  const act = useAct([])
  const check = () => act(log.checkChains, {}, { done: ['正在校验，完成后自动更新', 'Checking; updates automatically when done'] })
  return (
    <div className="chain-about">
      <p>
        {say([
          '日志只增不改。每晚为前一天的每一行计算校验码并与前一天的链尾相连，改动或抽走任何一行都会在这里显示。',
          'Logs are append-only. Each night every line of the previous day is hashed and linked to the end of the chain; any line changed or removed shows up here.',
        ])}
      </p>
      <Facts entity={LogChain} of={chain} show={['days', 'lines', 'sealedTo', 'checkedAt', 'brokenDay']} />
      {chain.head && (
        <p className="faint">
          {say(['链尾校验码（可抄存备查）', 'Chain head hash (keep a copy elsewhere)'])} <code>{chain.head.slice(0, 32)}…</code>
        </p>
      )}
      {can(log.checkChains.needs) && (
        <Button size="small" onClick={check}>
          {say(['立即校验', 'Check now'])}
        </Button>
      )}
    </div>
  )
}
