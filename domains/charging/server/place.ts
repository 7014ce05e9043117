import gcoord from 'gcoord'

/** Stations stand in GCJ-02, a telephone tells WGS-84. */
export const placed = ({ lng, lat }: { lng?: number | undefined; lat?: number | undefined }): number[] | undefined =>
  lng === undefined || lat === undefined ? undefined : gcoord.transform([lng, lat] as [number, number], gcoord.WGS84, gcoord.GCJ02)
