import { getEligibleMembers } from '@almoner/contract/people/group-members'
import { sightOf } from '../../platform/auth/sight.ts'
import { Problem } from '../../platform/errors/problem.ts'
import { implement } from '../../platform/http/implementation.ts'
import { groupToChange, isAutomatic } from './group-answers.ts'
import { eligiblePage } from './queries/eligible-members.ts'
import { groupsBelow } from './queries/groups.ts'

export const eligibleMembers = [
  implement(getEligibleMembers, async ({ id, ...input }, context) => {
    const { db, actor, audit } = context
    const { memberType, forChildren } = input
    const group = await groupToChange(context, id)
    const { type, organizationId } = group
    if (isAutomatic(group)) throw new Problem('AutomaticGroup')
    if (type === 'provider_only' && memberType === 'individual' && !forChildren) throw new Problem('ProviderOnlyGroup')
    const groupIds = forChildren ? await groupsBelow(db, id) : [id]
    const sight = await sightOf(db, actor, [organizationId])
    const { items, total } = await eligiblePage(db, sight, organizationId, groupIds, input)
    audit.touched(
      items.map(({ individualId }) => individualId),
      [organizationId],
    )
    return { items: items.map((item) => ({ ...item, memberType })), total }
  }),
]
