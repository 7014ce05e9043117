import { hash } from 'node:crypto'
import { askStart } from '../../domains/charging/server/api.ts'
import { aPlate, type Factories, type Maker, now, some } from './maker.ts'

const PREPAY_FEN = 5_000
const WECHAT = 1

/** Prepares a driver at a gun whose code they scanned. It is on line. */
export function atTheGun({ write, row }: Maker, aGun: () => Promise<{ connectorId: string }>): Factories {
  const mine = async () => {
    const { connectorId } = await aGun()
    const key = `1.${some()}`
    const doorKey = hash('sha256', key)
    const { charge } = await write((tx) => askStart(tx, { connectorId, startMode: 1, pays: 'prepaid', prepayFen: PREPAY_FEN, doorKey, at: now() }))
    return { orderNo: charge.orderNo, key }
  }
  return {
    'charging.door.start': async () => {
      const { connectorId } = await aGun()
      const { short_code: short, version_no: edition } = await row('select short_code, version_no from parking.qrcode where target_code = $1', [
        connectorId,
      ])
      const { signature } = await row('select parking.qr_signature($1, $2) as signature', [short, edition])
      return { code: `${short}.${edition}.${signature}`, prepayFen: PREPAY_FEN, payMethod: WECHAT }
    },
    'charging.door.stop': mine,
    'charging.door.bind-plate': async () => ({ ...(await mine()), plateNo: aPlate() }),
  }
}
