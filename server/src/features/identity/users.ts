import { createUser, getUser, listUsers, modifyUser } from '@almoner/contract/identity/users'
import { Problem } from '../../platform/errors/problem.ts'
import { implement } from '../../platform/http/implementation.ts'
import { checkContacts, createAccount } from './accounts.ts'
import {
  changeIndividual,
  findUser,
  lockAccount,
  lockOrganizations,
  membershipsWithin,
  replaceRoles,
  type User,
  usersPage,
  withoutAdministrator,
} from './queries/users.ts'
import type { IdentityServices } from './services.ts'
import { moveAccount } from './user-moves.ts'

const MOVES = {
  active: 'activate',
  disabled: 'disable',
  force_reset_password: 'forceReset',
  archived: 'archive',
} as const

export const users = (services: IdentityServices) => [
  implement(listUsers, async (input, { db, reach, audit }) => {
    const page = await usersPage(db, reach, input)
    audit.touched(page.items.map(({ individualId }) => individualId))
    return page
  }),

  implement(getUser, async ({ id }, { db, reach, audit }) => {
    const user = found(await findUser(db, reach, id))
    audit.touched([user.individualId], await membershipsWithin(db, id, reach))
    return user
  }),

  implement(createUser, async ({ body }, { db, reach, queue, now, audit }) => {
    const { email, mobilePhone, username, faults } = checkContacts(body)
    if (faults.length > 0) throw Problem.of(faults)
    const { userId, individualId } = await createAccount(
      services,
      db,
      queue,
      { ...body, email, mobilePhone, username },
      now,
    )
    audit.touched([individualId], [body.organizationId])
    return found(await findUser(db, reach, userId))
  }),

  implement(modifyUser, async ({ id, body }, { db, reach, now, audit }) => {
    const within = await membershipsWithin(db, id, reach)
    await lockOrganizations(db, within)
    const account = within.length > 0 ? await lockAccount(db, id) : undefined
    if (!account) throw new Problem('NotFound', { what: 'user' })
    const { firstName, lastName, locale } = body
    await changeIndividual(db, account.individualId, { firstName, lastName, locale })
    if (body.state) await moveAccount(db, account, MOVES[body.state], reach, now)
    if (body.roles) await replaceRoles(db, id, within, body.roles)
    if ((body.state || body.roles) && (await withoutAdministrator(db, within)).length > 0)
      throw new Problem('LastAdministrator')
    audit.touched([account.individualId], within)
    return found(await findUser(db, reach, id))
  }),
]

function found(user: User | undefined): User {
  if (!user) throw new Problem('NotFound', { what: 'user' })
  return user
}
