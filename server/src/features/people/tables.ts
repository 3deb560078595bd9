// The tables of people, for Kysely's types.

import type { AnswerOf } from '@almoner/contract'
import type { getGroup } from '@almoner/contract/people/groups'
import type { ACCOUNT_TYPES } from '@almoner/contract/people/individuals'
import type { Generated } from 'kysely'

type Group = AnswerOf<typeof getGroup>

declare module '../../platform/db/tables.ts' {
  interface Tables {
    individualGroups: {
      id: string
      organizationId: string
      parentGroupId: Generated<string | null>
      name: string
      nodeType: Group['nodeType']
      type: Group['type']
      tags: string[]
      isActive: Generated<boolean>
      createdAt: Date
      lastModifiedTime: Date
    }
    groupIndividuals: { groupId: string; individualId: string; addedAt: Date }
    groupStaff: { groupId: string; kind: 'leader' | 'member'; userId: string; addedAt: Date }
    /** Sums are how many individuals a group has. */
    groupCounts: { groupId: string; change: number }
    tags: { id: string; organizationId: string; name: string; createdAt: Date }
    individualTags: { tagId: string; individualId: string }
    /** A copy for listing, written by the database itself: never by us. */
    listedIndividuals: {
      organizationId: string
      accountType: (typeof ACCOUNT_TYPES)[number]
      individualId: string
      userId: string
      groupIds: string[]
    }
  }
}
