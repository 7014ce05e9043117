/** The domain's screens by the component names of its menu; each is loaded when it is first opened. */
export const screens = {
  OwnerScreen: () => import('./AccountScreen.tsx'),
  BoundCarScreen: () => import('./CarScreen.tsx'),
  OwnerAssetScreen: () => import('./AssetScreen.tsx'),
  PlateReviewScreen: () => import('./VerificationScreen.tsx'),
  StoredRechargeScreen: () => import('./AssetRechargeScreen.tsx'),
  StoredConsumptionScreen: () => import('./AssetSpendingScreen.tsx'),
  StoredRefundScreen: () => import('./RefundScreen.tsx'),
  StoredRefundAuditScreen: () => import('./RefundReviewScreen.tsx'),
  StoredRefundDetailScreen: () => import('./RefundDetailScreen.tsx'),
  RechargeActivityScreen: () => import('./RechargeActivityScreen.tsx'),
  CardBindScreen: () => import('./CardBindScreen.tsx'),
  CardListScreen: () => import('./CardScreen.tsx'),
  CardRechargeScreen: () => import('./CardRechargeScreen.tsx'),
  PersonalAssetsScreen: () => import('./AssetMovementsScreen.tsx'),
}
