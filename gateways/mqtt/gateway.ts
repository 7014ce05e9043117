import { COMMAND_SIGNAL, SHUT_SIGNAL } from '../../domains/device/server/api.ts'
import type { House } from '../../platform/server/domain.ts'
import { openBroker } from './broker.ts'
import { openExternal } from './external.ts'
import { openInbox } from './inbox.ts'
import { openOutbox } from './outbox.ts'
import type { Ear, Wire } from './wire.ts'

/** The MQTT side of the house: devices report, are answered, and get their commands. `port` is the embedded broker's. */
export function mqttGateway(house: House): { start(): Promise<{ port: number | undefined; stop(): Promise<void> }> } {
  return {
    async start() {
      const outbox = openOutbox(house, () => wire)
      const inbox = openInbox(house, outbox)
      const ear: Ear = {
        took: inbox.took,
        refused: (session, topic) => inbox.note(session, 'topic', topic, Buffer.alloc(0), 'this topic is not yours'),
        connected: (session, address) => void inbox.comes(session, address),
        listening: (session) => outbox.awake(session.sn),
        disconnected: (session) => void inbox.goes(session),
        acked(topic) {
          const id = topic.split('/rpc/request/')[1]
          if (id) outbox.received(id)
        },
      }
      const wire: Wire = await (house.config.mqttUrl ? openExternal(house, ear) : openBroker(house, ear, outbox.isLive))
      outbox.begin()
      house.hub.onSignal(COMMAND_SIGNAL, (data) => outbox.signalled(data))
      house.hub.onSignal(SHUT_SIGNAL, (sn) => wire.shut(sn))
      return {
        port: wire.port,
        async stop() {
          await wire.stop()
          await inbox.idle()
          await inbox.stop()
          await outbox.stop()
        },
      }
    },
  }
}
