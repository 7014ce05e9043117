import { PlateColor, type PlateColorCode, plateKind } from '../../../platform/contract/plate.ts'
import { refusal } from '../../../platform/server/refusal.ts'

const NewEnergyIsGreen = refusal(
  'member.new-energy-color',
  41496,
  '{plateNo} 是新能源车牌，颜色只能是绿或黄绿：请更正，或不填颜色',
  '{plateNo} is a new-energy plate, which is green or yellow-green: correct the colour, or leave it empty',
  422,
)
const GREENS: readonly PlateColorCode[] = [PlateColor.green, PlateColor.yellowGreen]
/** A camera reports the colour that the plate has: kept under another, the car would never be known. @throws NewEnergyIsGreen */
export function refuseColor(plateNo: string, color: PlateColorCode | null | undefined): void {
  const kind = plateKind(plateNo)
  const isNewEnergy = kind === 'newEnergySmall' || kind === 'newEnergyLarge'
  if (isNewEnergy && color !== null && color !== undefined && !GREENS.includes(color)) throw NewEnergyIsGreen({ plateNo })
}
