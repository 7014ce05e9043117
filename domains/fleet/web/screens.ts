/** The domain's screens by the component names of its menu; each is loaded when it is first opened. */
export const screens = {
  FleetBrandScreen: () => import('./BrandScreen.tsx'),
  FleetVehicleScreen: () => import('./VehicleScreen.tsx'),
  FleetDriverScreen: () => import('./DriverScreen.tsx'),
  FleetSuperviseScreen: () => import('./SuperviseScreen.tsx'),
  FleetTrackScreen: () => import('./TrackScreen.tsx'),
  FleetMapScreen: () => import('./SuperviseMapScreen.tsx'),
  FleetFenceScreen: () => import('./FenceScreen.tsx'),
  FleetFenceEventScreen: () => import('./FenceCrossingScreen.tsx'),
  FleetViolationScreen: () => import('./ViolationScreen.tsx'),
  FleetAllocationScreen: () => import('./AllocationScreen.tsx'),
}
