import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { asks, type Refusal } from '../../../platform/web/ask.ts'
import { Beside, keysIn, TreePane } from '../../../platform/web/tree/Beside.tsx'
import type { TreeNode } from '../../../platform/web/tree/FilterTree.tsx'
import { useText } from '../../../platform/web/text.ts'
import { Ties } from '../../fee/web/api/Ties.tsx'
import { section } from '../contract/section.ts'
import { useDistricts } from './api/names.tsx'

/** More sections than a district of a city has. */
const SECTIONS_MOST = 500

/** The fee rule of each street: the districts with their sections at the left, the ties of the chosen one at the right. */
export default function SectionFeeRuleScreen() {
  const say = useText()
  const [params, setParams] = useSearchParams()
  const districts = useDistricts()
  const { data, error, refetch } = useQuery(asks(section.find, { limit: SECTIONS_MOST, queryMode: 'rows' }, { quiet: true }))
  const items =
    data &&
    districts.map(({ parkCode, name }): TreeNode => ({
      key: parkCode,
      words: name,
      children: data.records.filter((one) => one.parkCode === parkCode).map(nodeOf),
    }))
  const chosen = params.get('place') ?? districts[0]?.parkCode
  const of = data?.records.find(({ sectionCode }) => sectionCode === chosen)
  const place = of ? { parkCode: of.parkCode, sectionCode: of.sectionCode } : { ...(chosen && { parkCode: chosen }) }
  return (
    <Beside
      tree={
        <TreePane
          items={items}
          hint={say(['查找片区与路段', 'Find a district or section'])}
          error={error as Refusal | null}
          retry={() => void refetch()}
          chosen={chosen}
          onChoose={(key) => setParams(key ? { place: key } : {})}
          open={keysIn(items ?? [])}
        />
      }
    >
      <Ties
        key={chosen}
        purpose={[
          '片区与路段按哪条规则收费；红色的路段还没有规则',
          'Which fee rule each district and section bills by; sections in red have none yet',
        ]}
        place={place}
      />
    </Beside>
  )
}

const nodeOf = ({ sectionCode, name, ruleName }: { sectionCode: string; name: string; ruleName: string | null }): TreeNode => ({
  key: sectionCode,
  words: name,
  leaf: true,
  ...(ruleName === null && { title: <span className="state error">{name}</span> }),
})
