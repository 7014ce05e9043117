/** The domain's screens by the component names of its menu; each is loaded when it is first opened. */
export const screens = {
  FleetBrandScreen: () => import('./FleetBrandScreen.tsx'),
  FleetVehicleScreen: () => import('./FleetVehicleScreen.tsx'),
  FleetDriverScreen: () => import('./FleetDriverScreen.tsx'),
  FleetSuperviseScreen: () => import('./FleetSuperviseScreen.tsx'),
  FleetTrackScreen: () => import('./FleetTrackScreen.tsx'),
  FleetMapScreen: () => import('./FleetMapScreen.tsx'),
  FleetFenceScreen: () => import('./FleetFenceScreen.tsx'),
  FleetFenceEventScreen: () => import('./FleetFenceEventScreen.tsx'),
  FleetViolationScreen: () => import('./FleetViolationScreen.tsx'),
  FleetAllocationScreen: () => import('./FleetAllocationScreen.tsx'),
}
