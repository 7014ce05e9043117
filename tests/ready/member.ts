import { aPlate, type Factories, type Maker, now, of } from './maker.ts'

/** Cars on the white list. */
export function ready({ asked, row, admin, parkCode }: Maker): Factories {
  const listed = async () => {
    const plateNo = aPlate()
    await asked(admin, 'member.white-black.insert', { plateNo, listType: 1, startAt: now(), endAt: later(1), reasonType: 1, parkCodes: [parkCode] })
    return of(await row('select id, version from member.list where plate_no = $1', [plateNo]))
  }
  return {
    'member.white-black.insert': async () => ({ plateNo: aPlate() }),
    'member.white-black.update': listed,
    'member.white-black.delete': listed,
    'member.white-black.defer': async () => ({ ...(await listed()), endAt: later(2) }),
  } // prettier-ignore
}
/** So many days from now. */
const later = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
