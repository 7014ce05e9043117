import { Link } from 'react-router'
import { listAt } from '../../../../platform/web/list/listAt.ts'

/** The lists that other pages lead to. */
export const FAULTS = '/recharge/chargingFault'
export const PILES = '/recharge/chargingPileList'
export const CHARGES = '/recharge/chargingOrder/use'

/** A gun leads to what it does now, a charge to its story, wherever they are named. */
export const GunLink = ({ id }: { id: string }) => <Link to={listAt('/recharge/chargingRealTimeMonitoring', { gun: id })}>{id}</Link>
export const ChargeLink = ({ orderNo }: { orderNo: string }) => <Link to={`${CHARGES}/${orderNo}`}>{orderNo}</Link>
