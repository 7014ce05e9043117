/** The domain's screens by the component names of its menu; each is loaded when it is first opened. */
export const screens = {
  OwnerScreen: () => import('./OwnerScreen.tsx'),
  BoundCarScreen: () => import('./BoundCarScreen.tsx'),
  OwnerAssetScreen: () => import('./OwnerAssetScreen.tsx'),
  PlateReviewScreen: () => import('./PlateReviewScreen.tsx'),
  StoredRechargeScreen: () => import('./StoredRechargeScreen.tsx'),
  StoredConsumptionScreen: () => import('./StoredConsumptionScreen.tsx'),
  StoredRefundScreen: () => import('./StoredRefundScreen.tsx'),
  StoredRefundAuditScreen: () => import('./StoredRefundAuditScreen.tsx'),
  StoredRefundDetailScreen: () => import('./StoredRefundDetailScreen.tsx'),
  RechargeActivityScreen: () => import('./RechargeActivityScreen.tsx'),
  CardBindScreen: () => import('./CardBindScreen.tsx'),
  CardListScreen: () => import('./CardListScreen.tsx'),
  CardRechargeScreen: () => import('./CardRechargeScreen.tsx'),
  PersonalAssetsScreen: () => import('./PersonalAssetsScreen.tsx'),
}
