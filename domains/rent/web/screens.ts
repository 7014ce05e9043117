/** The domain's screens by the component names of its menu; each is loaded when it is first opened. */
export const screens = {
  RentAttestationScreen: () => import('./BidderScreen.tsx'),
  RentNoticeScreen: () => import('./NoticeScreen.tsx'),
  RentProjectScreen: () => import('./ProjectScreen.tsx'),
  RentEnrollScreen: () => import('./EnrollmentScreen.tsx'),
  RentEarnestScreen: () => import('./EnrollmentEarnestScreen.tsx'),
  RentAwardScreen: () => import('./AwardScreen.tsx'),
  RentContractScreen: () => import('./LeaseScreen.tsx'),
  RentOrderScreen: () => import('./LeaseBillScreen.tsx'),
}
