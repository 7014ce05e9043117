import { lazy, Suspense } from 'react'
import type { Tone } from '../contract/field.ts'
import { Waiting } from './states.tsx'
import type { Text } from './text.ts'

/** A thing on the map. Longitude and latitude in WGS-84, as they are stored. */
export interface MapPoint {
  id: string
  lng: number
  lat: number
  name: string
  tone?: Tone | undefined
}
export interface PlaceMapProps {
  label: Text
  points: readonly MapPoint[]
  /** A point was chosen: on the map, or in the list of a cluster. */
  onOpen?: (id: string) => void
  /** A place was pointed at, where nothing lies: WGS-84 as it is stored. */
  onPick?: (lng: number, lat: number) => void
  /** It is drawn larger and lies on top. */
  chosen?: string | undefined
  height?: number | string
}
const Body = lazy(() => import('./PlaceMapBody.tsx'))

/** Things where they are, over the drawn district or an installation's own map. What lies close together is one circle with a number, which opens into the map or, when it cannot, into a list. */
export const PlaceMap = (props: PlaceMapProps) => (
  <Suspense fallback={<Waiting lines={6} />}>
    <Body {...props} />
  </Suspense>
)
