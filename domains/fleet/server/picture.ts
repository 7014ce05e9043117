import type { Of } from '../../../platform/contract/field.ts'
import { dayOf, startOf } from '../../../platform/contract/time.ts'
import { run } from '../../../platform/server/database.ts'
import { listOver, page } from '../../../platform/server/page.ts'
import { type Actor, serve } from '../../../platform/server/serve.ts'
import { illegalStop } from '../../roadside/contract/illegalStop.ts'
import { picture, PictureSource, pictureSearch, VehiclePicture } from '../contract/picture.ts'
import './tables.ts'

const all = listOver(VehiclePicture, 'fleet.pictureLine', pictureSearch)
const ownOnly = listOver(VehiclePicture, 'fleet.pictureLine', pictureSearch, { only: `source <> ${PictureSource.patrol}` })
const seesPatrols = ({ may }: Actor) => may.has(illegalStop.query.needs)

type Counted = Of<typeof picture.count.reply>['bySource'][number] & { today: number }
export const calls = serve(picture, {
  query: ({ tx, input, actor }) => page(tx, seesPatrols(actor) ? all : ownOnly, input),
  async count({ tx, actor, at }) {
    const rows = await run<Counted>(tx, COUNT, [startOf(dayOf(at)), seesPatrols(actor)])
    const sum = (of: 'count' | 'today') => rows.reduce((total, row) => total + row[of], 0)
    return { total: sum('count'), today: sum('today'), bySource: rows.map(({ source, count }) => ({ source, count })) }
  },
})
const COUNT = {
  sql: `select source, count(*)::int as count, (count(*) filter (where at >= $1))::int as today from fleet.picture_line
    where enterprise_id = scope_enterprise() and ($2 or source <> ${PictureSource.patrol}) group by source order by source`,
}
