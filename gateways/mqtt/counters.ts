import { counter, gauge, timing } from '../../platform/server/metrics.ts'

export const messages = counter('kerbline_mqtt_messages_total', 'Messages of devices', ['kind', 'outcome'])
export const rejects = counter('kerbline_mqtt_rejected_total', 'Messages and sign-ins refused', ['reason'])
export const commands = counter('kerbline_mqtt_commands_total', 'Commands put on the wire and what became of them', ['outcome'])
export const connections = gauge('kerbline_mqtt_connections', 'Devices connected to this process')
export const reaction = timing('kerbline_mqtt_reaction_seconds', 'From the arrival of an event to its commands on the wire')
