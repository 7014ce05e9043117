import type { House } from '../../platform/server/domain.ts'

export interface Gateway {
  port: number | undefined
  stop(): Promise<void>
}
export const mqttGateway = (_house: House) => ({ start: async (): Promise<Gateway> => ({ port: undefined, stop: async () => {} }) })
