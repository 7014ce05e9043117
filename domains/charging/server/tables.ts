import type { Generated } from 'kysely'
import type { Instant, Of } from '../../../platform/contract/field.ts'
import type { Activity, ActivityRow } from '../contract/activity.ts'
import type { Card } from '../contract/card.ts'
import type { Connector, ConnectorState, Gun } from '../contract/connector.ts'
import type { Danger } from '../contract/danger.ts'
import type { Equipment, Pile, PileState } from '../contract/pile.ts'
import type { Fault } from '../contract/fault.ts'
import type { MeterSample } from '../contract/meter.ts'
import type { Bill, Hold } from '../contract/money.ts'
import type { OperateLog } from '../contract/operateLog.ts'
import type { BillLines, Orphan, RechargeRefund } from '../contract/order.ts'
import type { Operator } from '../contract/operator.ts'
import type { PartnerConnector, PartnerGun, PartnerStation } from '../contract/partnerStation.ts'
import type { Platform, PlatformMessage, PlatformRow } from '../contract/platform.ts'
import type { PlatformReduce, ReduceShown } from '../contract/platformReduce.ts'
import type { Running } from '../contract/price.ts'
import type { Roaming, RoamingBill, RoamingRow } from '../contract/roaming.ts'
import type { ChargeMove, ChargeOrder, Prices } from '../contract/session.ts'
import type { Difference, PartnerBill, PartnerCheck, Statement, StatementRow } from '../contract/statement.ts'
import type { Station, StationRow } from '../contract/station.ts'
import type { Strategy, StrategyUser } from '../contract/strategy.ts'
import type { Refused } from './said.ts'

type Scoped = { enterpriseId: Generated<number> }
/** What the database fills in where nothing is said. */
type Filled<T, K extends keyof T> = Omit<T, K> & { [P in K]: Generated<T[P]> }
type Row = 'id' | 'version' | 'createdAt' | 'updatedAt'
/** Where a charge begins. */
type Begun = 'status' | 'claimed' | 'flagged' | 'clockFixed' | 'energyWh' | 'elecFen' | 'serviceFen' | 'occupyFen' | 'discountFen'

/** What the server alone knows of a charge, beside what it shows. */
export interface ChargeInside {
  /** It has the gun, or waits for the money that will claim it. */
  claimed: boolean
  idTag: string | null
  /** Starts it at the pile, once. */
  token: string | null
  startNo: number | null
  /** Whoever started it at the door shows it again. */
  doorKey: string | null
  acceptedAt: Instant | null
  /** What the pile's clock said of the start, where that had yet to come: told again it is known by it. */
  startTold: Instant | null
  /** It began, and the pile was told that it may not: told again it hears the same. */
  startRefused: Refused | null
  stopAskedAt: Instant | null
  /** When its end was heard of, and when its bill is made at latest. */
  endedAt: Instant | null
  finalDueAt: Instant | null
  saidAt: Instant | null
  /** Its pile repeated something otherwise than before. */
  flagged: boolean
  suspendedAt: Instant | null
  occupiedFrom: Instant | null
  occupiedTo: Instant | null
  prices: Of<typeof Prices>
  /** How far its register has got, so that the next reading needs none of those before. */
  running: Running | null
}

declare module '../../../platform/server/database.ts' {
  interface Tables {
    'charging.operator': Filled<Of<typeof Operator>, Row | 'operatorTel2' | 'regAddress' | 'note' | 'own' | 'status'> & Scoped
    'charging.station': Filled<Of<typeof Station>, Row> & Scoped
    'charging.equipment': Filled<Of<typeof Equipment>, Row> & Scoped
    'charging.pileState': Of<typeof PileState> & Scoped
    'charging.pile': Of<typeof Pile> & { enterpriseId: number }
    'charging.connector': Filled<Of<typeof Connector>, Row> & Scoped
    'charging.connectorState': Of<typeof ConnectorState> & Scoped
    'charging.gun': Of<typeof Gun> & { enterpriseId: number }
    'charging.strategy': Filled<Of<typeof Strategy>, Row | 'idleGraceMin' | 'occupyFenPerMin' | 'occupyCapFen' | 'quietFrom' | 'quietTo'> & Scoped
    'charging.strategyUser': Filled<Of<typeof StrategyUser>, Row | 'usedCount' | 'savedFen'> & Scoped
    'charging.card': Filled<Of<typeof Card>, Row | 'creditFen'> & Scoped & { cardKey: Generated<string> }
    'charging.charge': Filled<Of<typeof ChargeOrder> & ChargeInside, Row | 'costFen' | Begun> & Scoped
    'charging.chargeMove': Of<typeof ChargeMove> & Scoped
    'charging.meterSample': Of<typeof MeterSample> & Scoped
    'charging.hold': Filled<Of<typeof Hold>, Row | 'openFen'> & Scoped & { accountId: string | null; settlementId: string | null }
    'charging.bill': Filled<Of<typeof Bill>, 'id'> & Scoped & { settlementId: string | null }
    'charging.stationRow': Of<typeof StationRow> & { enterpriseId: number }
    'charging.rechargeRefund': Of<typeof RechargeRefund> & { enterpriseId: number }
    'charging.billLine': Of<typeof BillLines> & { enterpriseId: number }
    'charging.orphan': Of<typeof Orphan> & { enterpriseId: number }
    'charging.operateLog': Filled<Of<typeof OperateLog>, 'id'> & Scoped
    'charging.activity': Filled<
      Of<typeof ActivityRow>,
      Row | 'thresholdFen' | 'maxDiscountFen' | 'stationIds' | 'startModes' | 'perUserTimes' | 'perDayTimes' | 'budgetFen' | 'usedFen' | 'usedTimes'
    > &
      Scoped & { stopped: Generated<boolean> }
    'charging.activityShown': Of<typeof Activity> & { enterpriseId: number; stopped: boolean }
    'charging.platform': Filled<Of<typeof PlatformRow>, Row | Exclude<keyof Of<typeof PlatformRow>, 'name' | 'operatorId' | 'role'>> &
      Scoped & { ours: Generated<string | null>; theirs: Generated<string | null>; deleted: Generated<boolean> }
    'charging.platformShown': Of<typeof Platform> & { enterpriseId: number }
    'charging.partnerMessage': Of<typeof PlatformMessage> & Scoped & { line: string }
    'charging.platformReduce': Filled<Of<typeof PlatformReduce>, Row | 'status' | 'stationIds' | 'parkCodes' | 'minWh' | 'minMinutes'> & Scoped
    'charging.platformReduceShown': Of<typeof ReduceShown> & { enterpriseId: number }
    'charging.partnerStation': Of<typeof PartnerStation> & Scoped
    'charging.partnerConnector': Of<typeof PartnerConnector> & Scoped & { priceAskedAt: Instant | null }
    'charging.partnerGun': Of<typeof PartnerGun> & { enterpriseId: number; priceAskedAt: Instant | null }
    'charging.roaming': Of<typeof RoamingRow> & Scoped & { askedAt: Instant | null }
    'charging.roamingShown': Of<typeof Roaming> & { enterpriseId: number }
    'charging.roamingBill': Of<typeof RoamingBill> & Scoped
    'charging.partnerBill': Of<typeof PartnerBill> & { enterpriseId: number }
    'charging.partnerCheck': Of<typeof PartnerCheck> & Scoped & { orderNos: string[] }
    'charging.statement': Of<typeof StatementRow> & Scoped
    'charging.statementShown': Of<typeof Statement> & { enterpriseId: number }
    'charging.partnerDifference': Of<typeof Difference> & Scoped
    'charging.fault': Of<typeof Fault> & Scoped
    'charging.danger': Of<typeof Danger> & Scoped
  }
}
