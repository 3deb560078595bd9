// The body that is sent: made from the event each time, so that people's records are not kept a second time.

import { wirePayload } from '../../platform/events/event-payload.ts'

export interface MessageEvent {
  id: string
  organizationId: string
  individualId: string | null
  kind: string
  position: number | null
  occurredAt: Date
  data: Record<string, unknown>
}

export const messageOf = ({ id, organizationId, individualId, kind, position, occurredAt, data }: MessageEvent) => ({
  type: kind,
  timestamp: occurredAt.toISOString(),
  data: {
    id,
    'organization-id': organizationId,
    'individual-id': individualId,
    position,
    payload: wirePayload(kind, data),
  },
})
