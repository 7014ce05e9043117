import { Link } from 'react-router'
import { listAt } from '../../../platform/web/list/listAt.ts'
import { CHARGES } from './figures.ts'

/** A gun leads to what it does now, a charge to its story, wherever they are named. */
export const GunLink = ({ id }: { id: string }) => <Link to={listAt('/recharge/chargingRealTimeMonitoring', { gun: id })}>{id}</Link>
export const ChargeLink = ({ orderNo }: { orderNo: string }) => <Link to={`${CHARGES}/${orderNo}`}>{orderNo}</Link>
