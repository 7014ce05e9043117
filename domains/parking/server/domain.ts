import type { Domain } from '../../../platform/server/domain.ts'
import { namesOf } from '../../../platform/server/sheets/cells.ts'
import { laneEvent, placeName, standsAt, stillWaiting } from '../../device/server/api.ts'
import { freeTimesApart, nowhere, pastStays, pastStaysAny, pastStaysCount, presentStay, stayTerms } from '../../fee/server/api.ts'
import { parksThere } from '../../identity/server/api.ts'
import { amountDue, driverAsks, orderCancelled, orderPaid, scanned } from '../../settlement/server/api.ts'
import { regionHeld } from '../../system/server/api.ts'
import { menu } from '../contract/menu.ts'
import { calls as areas } from './place/area.ts'
import { calls as callOuts, hearCallCentre } from './lane/callOut.ts'
import { calls as clearedCars } from './clearedCar.ts'
import { calls as clearings } from './stay/clearing.ts'
import { driverBill } from './code/driver.ts'
import { emergencyLog } from './lane/emergency.ts'
import { calls as filings } from './place/filing.ts'
import { calls as gates, isPlace, nameOfPlace } from './place/gate.ts'
import { hearLane } from './lane/hear.ts'
import { calls as heldBills } from './bill/heldBill.ts'
import { calls as lanes } from './lane/laneBoard.ts'
import { orderDue, orderGone, orderSettled, stillStands } from './lane/paid.ts'
import { calls as parks, parksAmong, parksHold } from './place/park.ts'
import { freeTimesApartOf, pastStaysAnyOf, pastStaysCountOf, pastStaysOf, stayTermsOf } from './bill/pastStays.ts'
import { calls as passTimes } from './report/passTime.ts'
import { presentStayOf } from './bill/presentStay.ts'
import { calls as screens } from './place/screen.ts'
import { calls as recordSheet } from './stay/recordSheet.ts'
import { sheetNames } from './place/sheetNames.ts'
import { calls as stays } from './stay/stay.ts'
import { calls as thirdRecords } from './stay/thirdRecord.ts'
import { notHere } from './place/tied.ts'
import { tasks } from './upkeep.ts'
import { calls as qrcodes, placeOf } from './code/qrcode.ts'
import { records } from './stay/records.ts'
import { nouns } from './nouns.ts'
import { known } from './known.ts'

export const parking: Domain = {
  name: 'parking',
  known,
  calls: [
    ...parks,
    ...qrcodes,
    ...areas,
    ...gates,
    ...stays,
    ...clearings,
    ...clearedCars,
    ...recordSheet,
    ...lanes,
    ...screens,
    ...callOuts,
    ...filings,
    ...thirdRecords,
    ...heldBills,
    ...passTimes,
  ],
  menu,
  records,
  nouns,
  tasks,
  start(house) {
    hearCallCentre()
    emergencyLog(house)
    laneEvent.answer('parking', hearLane)
    stillWaiting.answer('parking', stillStands)
    standsAt.answer('parking', isPlace)
    parksThere.answer('parking', parksAmong)
    placeName.answer('parking', nameOfPlace)
    orderPaid.answer('parking', orderSettled)
    amountDue.answer('parking', orderDue)
    orderCancelled.answer('parking', orderGone)
    driverAsks.answer('parking', driverBill)
    nowhere.answer('parking', notHere)
    presentStay.answer('parking', presentStayOf)
    pastStays.answer('parking', pastStaysOf)
    pastStaysCount.answer('parking', pastStaysCountOf)
    pastStaysAny.answer('parking', pastStaysAnyOf)
    stayTerms.answer('parking', stayTermsOf)
    freeTimesApart.answer('parking', freeTimesApartOf)
    scanned.answer('parking', placeOf)
    regionHeld.answer('parking', parksHold)
    namesOf.answer('parking', sheetNames)
  },
}
