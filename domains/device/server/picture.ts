import type { House } from '../../../platform/server/domain.ts'
import { refusal, SignInFirst, TooMany } from '../../../platform/server/refusal.ts'
import { phased, serve } from '../../../platform/server/serve.ts'
import { keepPicture, recordPicture } from '../../system/server/api.ts'
import { picture } from '../contract/message.ts'
import { openDoor } from './door.ts'

const NotAPicture = refusal(
  'device.not-a-picture',
  40704,
  '只接受 JPG、PNG 图片，请转换格式后再上传',
  'Only JPG and PNG pictures are accepted: convert it and upload it again',
  422,
)
const TooLarge = refusal('device.picture-too-large', 413, '设备图片不能超过 2 MB', 'A device picture must not exceed 2 MB', 413)
/** A lane camera's full frame is some 300 kB. */
const BYTES_MAX = 2 * 1024 * 1024

const doors = new WeakMap<House, ReturnType<typeof openDoor>>()
/** A device has no session: whose enterprise it writes into is known by its serial number only. Said once at start. */
export const takePicturesIn = (house: House): void => void doors.set(house, openDoor(house.pool))

export const calls = serve(picture, {
  upload: phased(async ({ input: { file }, request, asSteps, house }) => {
    const { sn, secret } = basicOf(request.headers['authorization'])
    const entry = await doors.get(house)!.enter(sn, secret, '', request.ip)
    if (!('session' in entry)) throw entry.refused === 'too-many' ? TooMany() : SignInFirst()
    if (!(file?.bytes instanceof Uint8Array)) throw NotAPicture()
    if (file.bytes.length > BYTES_MAX) throw TooLarge()
    const kept = await keepPicture(file.bytes)
    if (!kept) throw NotAPicture()
    const write = asSteps((work) => house.writing(entry.session.enterprise, picture.upload.id, work))
    return { ref: await write((tx) => recordPicture(tx, kept, { author: sn })) }
  }),
})

function basicOf(header: string | string[] | undefined): { sn: string; secret: string } {
  const [scheme, token] = String(header ?? '').split(' ')
  if (scheme !== 'Basic' || !token) return { sn: '', secret: '' }
  const [sn = '', ...secret] = Buffer.from(token, 'base64').toString().split(':')
  return { sn, secret: secret.join(':') }
}
