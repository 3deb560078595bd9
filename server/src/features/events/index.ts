import type { Implementation } from '../../platform/http/implementation.ts'
import { type FollowingServices, following } from './following.ts'
import { listing } from './listing.ts'

export type EventsServices = FollowingServices

export const events = (services: EventsServices): Implementation[] => [...listing, ...following(services)]
