import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { DeviceType } from '../../domains/device/contract/device.ts'
import { enrol } from '../../domains/device/server/api.ts'
import { aRule } from '../../domains/parking/server/factories.ts'
import { UseStatus } from '../../domains/parking/contract/park.ts'
import { IllegalState, IllegalSource } from '../../domains/roadside/contract/illegalStop.ts'
import { EvidenceKind } from '../../domains/roadside/contract/roadStay.ts'
import { signPolice, workWithPolice } from '../../domains/roadside/server/illegalStop.ts'
import { allowOutside } from '../../platform/server/outside.ts'
import { aPlate, csv, type Factories, type Maker, now, of, some } from './maker.ts'

const POLICE = randomBytes(32).toString('hex')
const HOUR = 3_600_000
const ago = (hours: number) => new Date(Date.now() - hours * HOUR).toISOString()
/** Districts with an open section, berths, what stands on them, and cars where they may not stop. */
export function ready({ row, write, asked, admin, deputy }: Maker): Factories {
  const stream = cameraServer()
  const newDistrict = () => ({ parkCode: `R${some()}`, name: '片区', regionCode: '420607' })
  const district = () => asked(admin, 'roadside.road.add-road-park', newDistrict())
  const inDistrict = async () => ({ parkCode: (await district()).parkCode as string })
  const newSection = async () => {
    const { parkCode } = await inDistrict()
    return { parkCode, sectionCode: `${parkCode}-S1`, name: '中山路', side: 2, level: 1, tollMode: 2 }
  }
  const section = async () => {
    const asking = await newSection()
    const { parkCode, sectionCode } = asking
    await write((tx) => aRule(tx, { parkCode }))
    const made = await asked(admin, 'roadside.section.add-park-area', asking)
    await asked(admin, 'roadside.section.change-park-area-flag', { ...of(made), flag: UseStatus.inUse })
    return { id: made.id as string, version: (made.version as number) + 1, parkCode, sectionCode }
  }
  const newBerth = async () => ({ ...inSection(await section()), seatCode: `B-${some()}`, berthNo: '001' })
  const berth = async () => asked(admin, 'roadside.berth.add', await newBerth())
  const seat = async () => {
    const { parkCode, seatCode } = await berth()
    return { parkCode: parkCode as string, seatCode: seatCode as string }
  }
  const device = async (parkCode: string, type: number) => {
    const sn = `D-${some()}`
    await write((tx) => enrol(tx, { sn, name: sn, type, parkCode, secretHash: 'none' }))
    return sn
  }
  const binding = async () => {
    const at = await seat()
    return { ...at, deviceNo: await device(at.parkCode, DeviceType.berthSensor) }
  }
  const camera = async () => ({ deviceNo: await device((await district()).parkCode, DeviceType.highPole), reason: '试' })
  /** A camera that says where its picture is given. */
  const filming = async () => {
    const deviceNo = await device((await district()).parkCode, DeviceType.highPole)
    await row(`update device.presence set state = jsonb_build_object('streamUrl', $2::text) where device_no = $1 returning device_no`, [
      deviceNo,
      stream,
    ])
    return { deviceNo }
  }
  const stay = async () => asked(admin, 'roadside.stay.arrive', { ...(await seat()), plateNo: aPlate(), at: ago(2) })
  const two = async () => {
    const parts = await asked(admin, 'roadside.stay.split', { ...of(await stay()), at: ago(1), reason: '试' })
    return parts.map(({ id }: { id: string }) => id)
  }
  const newPreset = async () => {
    const deviceNo = await device((await district()).parkCode, DeviceType.dome)
    return { deviceNo, presetNo: 1, zone: '路口', type: 1, holdMin: 3, dayMask: 127, timeFrom: '00:00', timeTo: '00:00', status: UseStatus.inUse }
  }
  const illegal = async (state: number = IllegalState.waiting) => {
    const { parkCode } = await district()
    const images = JSON.stringify([2, 1].map((hours) => ({ image: 'a.jpg', at: ago(hours), showsPlate: true, showsPlace: true })))
    return row(
      `insert into roadside.illegal_stop (enterprise_id, park_code, illegal_no, type, source, plate_no, plate_color, place, first_at, last_at, images, state, invalid_reason, police_no)
        values (1, $1, $2, 1, ${IllegalSource.dome}, $3, 0, '中山路', now(), now(), $4, $5, $6, $7) returning id, version, police_no as "policeNo"`,
      [parkCode, `W${some()}`, aPlate(), images, state, state === IllegalState.invalid ? 1 : null, state === IllegalState.pushed ? some() : null],
    )
  }
  return {
    'roadside.road.add-road-park': async () => newDistrict(),
    'roadside.road.edit-road-park': async () => of(await district()),
    'roadside.road.change-road-park-status': async () => ({ parkCode: (await district()).parkCode, status: UseStatus.disabled, reason: '试' }),
    'roadside.road.change-road-park-status-post': async () => {
      const { parkCode, version } = await district()
      return { parkCode, version, status: UseStatus.disabled, reason: '试' }
    },
    'roadside.section.change-park-area-flag': async () => ({ ...of(await section()), flag: UseStatus.disabled, reason: '试' }),
    'roadside.section.add-park-area': newSection,
    'roadside.berth.add': newBerth,
    'roadside.berth.remove': async () => ({ ids: [(await berth()).id] }),
    'roadside.berth.bind-by-seat-no': binding,
    'roadside.berth.bind-by-seat-no-post': binding,
    'roadside.berth.bind-by-park-code': inDistrict,
    'roadside.berth.bind-by-park-code-post': inDistrict,
    'roadside.illegal.create': inDistrict,
    'roadside.stay.arrive': async () => ({ ...(await seat()), plateNo: aPlate(), at: ago(2) }),
    'roadside.stay.leave': async () => ({ ...of(await stay()), at: ago(1) }),
    'roadside.stay.add-evidence': async () => ({ ...of(await stay()), kind: EvidenceKind.stands, image: 'a.jpg', at: ago(1) }),
    'roadside.stay.collect': async () => {
      const { id, version } = await stay()
      const bill = await asked(admin, 'roadside.stay.bill', { id, version })
      return { id, version: bill.version, amountFen: bill.dueFen }
    },
    'roadside.berth.import': async () => {
      const { parkCode, sectionCode } = await section()
      return { ...csv({ 路段编号: sectionCode, 泊位编号: `B-${some()}`, 泊位号: '001' }), parkCode }
    },
    'roadside.high-video.delete': camera,
    'roadside.high-video.delete-post': camera,
    'roadside.high-pole.play': filming,
    'roadside.high-pole.play-post': filming,
    'roadside.high-pole.stream': async () => ({
      ticket: new URL((await asked(admin, 'roadside.high-pole.play', await filming())).url, stream).searchParams.get('ticket')!,
    }),
    'roadside.illegal.notice': async () => {
      workWithPolice({ secret: POLICE })
      const { policeNo } = await illegal(IllegalState.pushed)
      const at = now()
      return { policeNo, result: 1, at, sign: signPolice(POLICE, policeNo, 1, at) }
    },
    'roadside.stay.bill': async () => of(await stay()),
    'roadside.stay.fill-plate': async () => ({ ...of(await stay()), plateNo: aPlate() }),
    'roadside.stay.confirm': async () => of(await stay()),
    'roadside.stay.split': async () => ({ ...of(await stay()), at: ago(1) }),
    'roadside.stay.merge': async () => ({ ids: await two() }),
    'roadside.dome.preset-save': newPreset,
    'roadside.dome.patrol': async () => ({ deviceNo: await device((await district()).parkCode, DeviceType.dome), on: true }),
    'roadside.dome.preset-delete': async () => of(await asked(deputy, 'roadside.dome.preset-save', await newPreset())),
    'roadside.illegal.review': async () => ({ ...of(await illegal()), state: IllegalState.valid }),
    'roadside.illegal.recheck': async () => of(await illegal(IllegalState.invalid)),
    'roadside.illegal.push': async () => ({ ids: [(await illegal(IllegalState.valid)).id] }),
    'roadside.illegal.receipt': async () => ({ ...of(await illegal(IllegalState.pushed)), result: 1 }),
  }
}

const inSection = ({ parkCode, sectionCode }: { parkCode: string; sectionCode: string }) => ({ parkCode, sectionCode })

/** A camera's picture, where the server may fetch it. */
let camera: string | undefined
function cameraServer(): string {
  if (camera) return camera
  const server = createServer((_, response) => response.end('a frame'))
    .listen(0)
    .unref()
  const { port } = server.address() as AddressInfo
  allowOutside([`127.0.0.1:${port}`])
  return (camera = `http://127.0.0.1:${port}/live`)
}
