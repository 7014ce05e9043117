import { type OperatorLine, operatorsBy, type Partner, speak, type Spoken, type TheirStation, type Told } from '../../domains/charging/server/api.ts'
import { Ret, sequence, wireTime } from './codec.ts'
import { pricesOf, progressOf, stageOf, statesOf, stationsOf } from './theirWords.ts'

/** A page is read in one go, and a big station has a hundred guns: of more stations at once nothing else would be answered meanwhile. */
const PAGE = 20
/** A partner with more stations than these pages hold is asked no further. */
const PAGES_MAX = 1_000
const [YES, UNPLUGGED] = [0, 1]
const STOPPED_BEFORE = 3

/** Asks partners with stations, as the side that has the drivers. */
export function askOperators(): void {
  operatorsBy({
    async stations(partner, since) {
      const found: TheirStation[] = []
      for (let PageNo = 1, pages = 1; PageNo <= Math.min(pages, PAGES_MAX); PageNo++) {
        const page = await told(partner, 'query_stations_info', { LastQueryTime: wireTime(since), PageNo, PageSize: PAGE }, (data) => data)
        if (!page.ok) return page
        if (!Array.isArray(page.value['StationInfos'])) return { ok: false, reached: true, said: 'no StationInfos' }
        pages = Number(page.value['PageCount']) || 0
        found.push(...stationsOf(page.value['StationInfos']))
      }
      // A station that moved to another page meanwhile comes twice.
      return { ok: true, value: withoutTwins([...new Map(found.map((one) => [one.stationId, one])).values()]) }
    },
    states: (partner, StationIDs) => told(partner, 'query_station_status', { StationIDs }, (data) => statesOf(data['StationStatusInfos'])),
    prices: (partner, ConnectorID) =>
      told(partner, 'query_equip_business_policy', { EquipBizSeq: numberFor(partner), ConnectorID }, (data) =>
        Number(data['SuccStat']) === YES ? pricesOf(data['PolicyInfos']) : [],
      ),
    mayStart: (partner, ConnectorID) =>
      told(partner, 'query_equip_auth', { EquipAuthSeq: numberFor(partner), ConnectorID }, ({ SuccStat, FailReason }) =>
        Number(SuccStat) === YES ? 'yes' : Number(FailReason) === UNPLUGGED ? 'unplugged' : 'no',
      ),
    start: (partner, StartChargeSeq, ConnectorID) =>
      told(
        partner,
        'query_start_charge',
        { StartChargeSeq, ConnectorID, QRCode: '' },
        ({ SuccStat, StartChargeSeqStat }) => ({ accepted: Number(SuccStat) === YES, stage: stageOf(StartChargeSeqStat) ?? 'unknown' }),
        UNSURE,
      ),
    stop: (partner, StartChargeSeq, ConnectorID) =>
      told(
        partner,
        'query_stop_charge',
        { StartChargeSeq, ConnectorID },
        ({ SuccStat, FailReason, StartChargeSeqStat }) => ({
          accepted: Number(SuccStat) === YES,
          over: Number(SuccStat) !== YES && Number(FailReason) === STOPPED_BEFORE,
          stage: stageOf(StartChargeSeqStat) ?? 'unknown',
        }),
        NOT_ABOUT_IT,
      ),
    progress: (partner, StartChargeSeq) => told(partner, 'query_equip_charge_status', { StartChargeSeq }, progressOf, NOT_ABOUT_IT),
  } satisfies OperatorLine)
}
/** A gun that two piles name, of one station or of two, is the first one's. */
function withoutTwins(stations: readonly TheirStation[]): TheirStation[] {
  const seen = new Set<string>()
  const isFirst = ({ connectorId }: { connectorId: string }) => !seen.has(connectorId) && seen.add(connectorId) !== undefined
  return stations.map(({ guns, ...station }) => ({ ...station, guns: guns.filter(isFirst) }))
}

/** After these nobody knows what became of a wish: it may have been heard. */
const UNSURE: ReadonlySet<number> = new Set([Ret.busy, Ret.internal])
/** After these nobody knows either whether there is such a charge: secrets were changed, say, and it goes on charging. */
const NOT_ABOUT_IT: ReadonlySet<number> = new Set([...UNSURE, Ret.signature, Ret.token, Ret.envelope])
async function told<T>(
  partner: Partner,
  name: string,
  data: object,
  value: (data: NonNullable<Spoken['data']>) => T,
  unsure: ReadonlySet<number> = new Set([Ret.busy]),
): Promise<Told<T>> {
  const spoken = await speak(partner, name, data)
  if (spoken.ret === Ret.ok && spoken.data) return { ok: true, value: value(spoken.data) }
  return { ok: false, reached: spoken.ret !== null && spoken.ret !== Ret.ok && !unsure.has(spoken.ret), said: spoken.said || 'no answer' }
}

const stamp = sequence()
/** Our nine characters and eighteen digits. */
function numberFor({ operatorId }: Partner): string {
  const { TimeStamp, Seq } = stamp()
  return `${operatorId}${TimeStamp}${Seq}`
}
