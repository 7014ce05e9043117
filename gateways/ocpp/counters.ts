import { counter, gauge } from '../../platform/server/metrics.ts'

export const messages = counter('kerbline_ocpp_messages_total', 'Calls of charging piles', ['action', 'outcome'])
export const rejects = counter('kerbline_ocpp_rejected_total', 'Sign-ins and messages of charging piles that were refused', ['reason'])
export const calls = counter('kerbline_ocpp_calls_total', 'Calls to charging piles and what became of them', ['action', 'outcome'])
export const connections = gauge('kerbline_ocpp_connections', 'Charging piles connected to this process')
