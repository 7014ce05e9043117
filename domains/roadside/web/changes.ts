import { park } from '../../parking/contract/park.ts'
import { berth } from '../contract/berth.ts'
import { district } from '../contract/district.ts'
import { dome } from '../contract/dome.ts'
import { highVideo } from '../contract/highVideo.ts'
import { illegalStop } from '../contract/illegalStop.ts'
import { roadStay } from '../contract/roadStay.ts'
import { screen } from '../contract/screen.ts'
import { section } from '../contract/section.ts'

/** Calls whose answers are stale after one of these changed. */
export const DISTRICT_CHANGES = [district.find, district.one, park.queryPage, park.queryList] as const
export const SECTION_CHANGES = [section.find, section.info, section.choices] as const
export const BERTH_CHANGES = [berth.find, berth.findAll, berth.one, berth.bindLog, section.find, district.find] as const
export const STAY_CHANGES = [
  roadStay.roadOut,
  roadStay.present,
  roadStay.story,
  screen.parkSeat,
  screen.parkSeatList,
  screen.overview,
  berth.find,
] as const
export const ILLEGAL_CHANGES = [illegalStop.query, illegalStop.one, dome.list] as const
export const CAMERA_CHANGES = [highVideo.check, highVideo.byPark, berth.bindLog, berth.find] as const
export const PRESET_CHANGES = [dome.list, dome.presetList] as const
