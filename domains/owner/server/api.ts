/**
 * All of owner that other domains and the simulated city may call, each in the caller's transaction: who drivers are (`register`; `lockActive` holds one for whom something is
 * done, `ownerOf` tells of anyone who was ever one), their cars (`bindCar`), and their stored value:
 * which purses pay for a car (`pursesOf`), the spending of an order (`spend`; a driver's own bill: `payStored`), refunds (`askForRefund`). The domain that keeps
 * points and coupons answers `holdings`; domains with rows by an owner's id answer `ownersMerged`, `keptOfOwner` and `ownerErased`; the one that sells passes, `passOrders` and
 * `passOfPlate`; who is new is told by `ownerRegistered`.
 */
export { bindCar } from './car.ts'
export { doorOf } from './door.ts'
export { openSession } from './driverSession.ts'
export { myCar, myOrder, myPlates } from './mineBills.ts'
export { payStored, refuseWay } from './mineMoney.ts'
export { lockActive, ownerOf, register } from './owner.ts'
export {
  holdings,
  type KeptOfOwner,
  keptOfOwner,
  type Merging,
  ownerErased,
  ownerRegistered,
  ownersMerged,
  passOfPlate,
  passOrders,
} from './questions.ts'
export { askForRefund } from './refund.ts'
export { pursesOf, spend } from './spend.ts'
