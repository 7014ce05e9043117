import { lazy, Suspense } from 'react'
import type { Tone } from '../../contract/field.ts'
import { Waiting } from '../page/states.tsx'
import type { Text } from '../text.ts'

/** Longitude and latitude in WGS-84, as they are stored. */
export interface Place {
  lng: number
  lat: number
}
/** A thing on the map. */
export interface MapPoint extends Place {
  id: string
  name: string
  tone?: Tone | undefined
}
/** A part of the map: a circle around its one place where it has a radius, else a polygon. */
export interface MapArea {
  id: string
  name: string
  tone?: Tone | undefined
  ring: readonly Place[]
  radiusM?: number | undefined
}
export interface PlaceMapProps {
  label: Text
  points: readonly MapPoint[]
  /** A way that was taken, as a line under the points. */
  way?: readonly Place[]
  /** Parts of the map, under the points; each has a place at least. */
  areas?: readonly MapArea[]
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
