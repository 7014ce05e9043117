import { channel } from '../contract/channel.ts'
import { record } from '../contract/record.ts'
import { task } from '../contract/task.ts'
import { template } from '../contract/template.ts'

// Calls that are read again after a change.
export const CHANNEL_CHANGES = [channel.queryPage, channel.detail, channel.list]
export const TEMPLATE_CHANGES = [template.queryPage, template.detail, template.list]
export const TASK_CHANGES = [task.queryPage, task.detail, record.queryPage]
export const RECORD_CHANGES = [record.queryPage, record.queryPlatMessageRecord, record.detail, record.queryMessageRecord]
