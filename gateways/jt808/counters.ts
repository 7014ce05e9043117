import { counter, gauge } from '../../platform/server/metrics.ts'

export const messages = counter('kerbline_jt808_messages_total', 'Messages of vehicle terminals and what they were answered', ['message', 'result'])
export const broken = counter('kerbline_jt808_broken_total', 'Frames of vehicle terminals that could not be read', ['reason'])
export const connections = gauge('kerbline_jt808_connections', 'Vehicle terminals connected to this process')
