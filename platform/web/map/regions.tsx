import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import type { Call } from '../../contract/call.ts'
import type { RegionNode } from '../../contract/region.ts'
import { asks } from '../ask.ts'
import { useText } from '../text.ts'
import type { RegionSelectProps } from './RegionSelect.tsx'

let tree: Call<object, RegionNode[]> | undefined
/** The shell says which call has the tree of all regions. */
export const regionsFrom = (call: Call<any, RegionNode[]>) => void (tree = call)

const STALE_MS = 300_000
/** Read once and shared by all who name or choose a region; nothing while it is on its way. */
export const useRegions = (): RegionNode[] | undefined =>
  useQuery({ ...asks(tree!, {}, { quiet: true }), staleTime: STALE_MS, gcTime: STALE_MS }).data

/** A region by its name, with the code that papers name it by; the code alone where nobody knows it. */
export function RegionName({ code }: { code: string }) {
  const say = useText()
  const found = nodeOf(useRegions() ?? [], code)
  if (!found) return <>{code}</>
  return (
    <>
      {say([found.name, found.nameEn || found.name])} <code className="faint">{code}</code>
    </>
  )
}
function nodeOf(nodes: readonly RegionNode[], code: string): RegionNode | undefined {
  for (const node of nodes) {
    const found = node.code === code ? node : nodeOf(node.children, code)
    if (found) return found
  }
  return undefined
}
export function RegionNames({ codes }: { codes: readonly string[] }) {
  return codes.map((code) => (
    <span key={code} className="region-of-several">
      <RegionName code={code} />
    </span>
  ))
}

const Select = lazy(() => import('./RegionSelect.tsx'))
/** The tree comes with the first form that asks for a region. */
export function RegionField(props: RegionSelectProps) {
  return (
    <Suspense>
      <Select {...props} />
    </Suspense>
  )
}
