import { PROVINCES } from '../../contract/plate.ts'
import { recentPlates } from './recentPlates.ts'
import { useText } from '../text.ts'
import { Plate } from '../value.tsx'

/** A province goes before the first letter, in the place of the one that stands there. */
export const withProvince = (province: string, typed: string) => province + typed.replace(BEGINS_WITH_PROVINCE, '')
// oxlint-disable-next-line security/detect-non-literal-regexp -- the provinces above
const BEGINS_WITH_PROVINCE = new RegExp(`^\\s*[${PROVINCES}]`)

/** Keys that ordinary keyboards lack, the provinces, and the plates of the latest searches. */
export default function PlatePad({ typed, onPut }: { typed: string; onPut: (typed: string) => void }) {
  const say = useText()
  const recent = recentPlates.use()
  return (
    <div className="plate-pad">
      <div role="group" aria-label={say(['省份', 'Province'])}>
        {[...PROVINCES].map((one) => (
          <button key={one} type="button" onClick={() => onPut(withProvince(one, typed))}>
            {one}
          </button>
        ))}
      </div>
      {recent.length > 0 && (
        <>
          <small className="faint">{say(['最近', 'Recent'])}</small>
          <div className="plates-of-late" role="group" aria-label={say(['最近查过的车牌', 'Recently searched plates'])}>
            {recent.map((one) => (
              <button key={one} type="button" onClick={() => onPut(one)}>
                <Plate number={one} still />
              </button>
            ))}
          </div>
        </>
      )}
    </div>
  )
}
