import gcoord from 'gcoord'
import type { MapOptions, StyleSpecification } from 'maplibre-gl'
import { drawnStyle } from './basemap.ts'

/** Which map lies under things. `datum` is that of its tiles: coordinates are stored in WGS-84 and turned only here. */
export interface MapSettings {
  /** Address of a style (JSON), or of tiles with `{z}`, `{x}` and `{y}` in it; without one it is the drawn district. */
  address?: string
  datum?: 'wgs84' | 'gcj02'
}

/** The server writes them into the page. */
export function mapSettings(): MapSettings {
  const said = document.querySelector<HTMLMetaElement>('meta[name=map]')?.content ?? ''
  try {
    const { address, datum } = JSON.parse(said) as MapSettings
    return { ...(address && { address }), ...(datum === 'gcj02' && { datum }) }
  } catch {
    return {}
  }
}

export function styleOf(
  { address }: MapSettings,
  { dark, language, font }: { dark: boolean; language: 'zh' | 'en'; font: string },
): string | StyleSpecification {
  if (!address) return drawnStyle(dark, language, font)
  if (!address.includes('{z}')) return address
  return {
    version: 8,
    sources: { tiles: { type: 'raster', tiles: [address], tileSize: 256 } },
    layers: [
      {
        id: 'tiles',
        type: 'raster',
        source: 'tiles',
        paint: dark ? { 'raster-brightness-max': 0.7, 'raster-saturation': -0.6 } : { 'raster-saturation': -0.5 },
      },
    ],
  }
}

/** A stored place (WGS-84) as the map's tiles have it. */
export const onMap = ({ datum }: MapSettings, lng: number, lat: number): [number, number] =>
  datum === 'gcj02' ? gcoord.transform([lng, lat], gcoord.WGS84, gcoord.GCJ02) : [lng, lat]
/** A place of the map, as it is stored. */
export const stored = ({ datum }: MapSettings, lng: number, lat: number): [number, number] =>
  datum === 'gcj02' ? gcoord.transform([lng, lat], gcoord.GCJ02, gcoord.WGS84) : [lng, lat]

/** Where a map stands that has no place to show. */
const CENTRE = [112.232195, 32.095691] as const
const ZOOM = 12
/** One place alone is not looked at from nearer than this. */
const ZOOM_NEAREST = 15
/** A name stands below its mark; at the upper edge stand the buttons, at the lower the scale. As much above as below: what lies in the middle of all is the middle of the map. */
const MARGIN_PX = { top: 84, right: 72, bottom: 84, left: 72 }
/** The first view of a map: all its places, or the city. */
export function firstLook(settings: MapSettings, places: readonly { lng: number; lat: number }[]): Partial<MapOptions> {
  if (places.length === 0) return { center: onMap(settings, ...CENTRE), zoom: ZOOM }
  const on = places.map(({ lng, lat }) => onMap(settings, lng, lat))
  const lngs = on.map(([lng]) => lng)
  const lats = on.map(([, lat]) => lat)
  const least = (all: number[]) => all.reduce((a, b) => Math.min(a, b))
  const most = (all: number[]) => all.reduce((a, b) => Math.max(a, b))
  return { bounds: [least(lngs), least(lats), most(lngs), most(lats)], fitBoundsOptions: { padding: MARGIN_PX, maxZoom: ZOOM_NEAREST } }
}
