import { sql } from 'kysely'

/** For `where('organizationId', '=', anyOf(reach))`: one parameter and one statement, however many ids there are. */
export const anyOf = (ids: string[]) => sql<string>`any(${ids}::uuid[])`
