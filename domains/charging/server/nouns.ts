import { id, instant, text } from '../../../platform/contract/field.ts'
import type { Noun } from '../../../platform/server/record/nouns.ts'
import { Card } from '../contract/card.ts'
import { Connector } from '../contract/connector.ts'
import { Equipment } from '../contract/pile.ts'
import { Load } from '../contract/load.ts'
import { Operator } from '../contract/operator.ts'
import { Station } from '../contract/station.ts'
import { Strategy, StrategyUser } from '../contract/strategy.ts'

export const nouns: Noun[] = [
  { table: 'charging.operator', entity: Operator },
  { table: 'charging.station', entity: Station },
  { table: 'charging.equipment', entity: Equipment },
  { table: 'charging.connector', entity: Connector },
  { table: 'charging.load', entity: Load },
  { table: 'charging.strategy', entity: Strategy },
  {
    table: 'charging.station_price',
    label: ['站点价格', 'Station price'],
    also: {
      stationId: Station.properties.stationId,
      strategyId: id<'ChargingStrategyId'>('价格表版次', 'Price table version'),
      fromAt: instant('生效时间', 'From'),
      toAt: instant('失效时间', 'Until'),
    },
  },
  { table: 'charging.strategy_user', entity: StrategyUser },
  { table: 'charging.card', entity: Card, also: { unit: text('单位名称', 'Company') } },
]
