import { ParkNames } from '../../parking/web/api/names.tsx'

/** Parks that somebody may see, in a list: by their names. */
export const parksColumn = { dataIndex: 'parks', ellipsis: true, render: (codes: string[]) => <ParkNames codes={codes} /> } as const
