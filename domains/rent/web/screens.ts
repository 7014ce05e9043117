/** The domain's screens by the component names of its menu; each is loaded when it is first opened. */
export const screens = {
  RentAttestationScreen: () => import('./RentAttestationScreen.tsx'),
  RentNoticeScreen: () => import('./RentNoticeScreen.tsx'),
  RentProjectScreen: () => import('./RentProjectScreen.tsx'),
  RentEnrollScreen: () => import('./RentEnrollScreen.tsx'),
  RentEarnestScreen: () => import('./RentEarnestScreen.tsx'),
  RentAwardScreen: () => import('./RentAwardScreen.tsx'),
  RentContractScreen: () => import('./RentContractScreen.tsx'),
  RentOrderScreen: () => import('./RentOrderScreen.tsx'),
}
